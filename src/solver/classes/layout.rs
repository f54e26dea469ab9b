//! The places of the cards, in bits of their kinds.

/// Maximum number of reserves.
pub const RESERVES: usize = 2;

/// The places of the cards that are not in waste and stock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// On the foundations.
    pub up: u64,
    /// On another face-up card of the tableau.
    pub on: u64,
    /// The lowest of a pile.
    pub low: u64,
    /// On a face-down card, as at the beginning.
    pub home: u64,
    /// For each kind that represents its mates, how many of them lie uncovered in the tableau: the bits of these
    /// numbers, lowest first.
    open: [u64; 3],
    pub reserve_left: [u8; RESERVES],
    pub spaces: u8,
}

impl Layout {
    /// Counts one more uncovered card for a representative.
    #[inline(always)]
    pub fn opens(&mut self, mate: u8) {
        let bit = 1 << (mate & 63);
        let carry = self.open[0] & bit;
        self.open[2] ^= self.open[1] & carry;
        self.open[1] ^= carry;
        self.open[0] ^= bit;
    }

    /// Counts one fewer.
    #[inline(always)]
    pub fn closes(&mut self, mate: u8) {
        let bit = 1 << (mate & 63);
        let borrow = !self.open[0] & bit;
        self.open[2] ^= !self.open[1] & borrow;
        self.open[1] ^= borrow;
        self.open[0] ^= bit;
    }

    /// Returns the representatives that have uncovered mates.
    #[inline(always)]
    pub fn open(&self) -> u64 {
        self.open[0] | self.open[1] | self.open[2]
    }

    /// Returns the number of cards left in reserves.
    #[inline(always)]
    pub fn in_reserves(&self) -> u8 {
        self.reserve_left[0] + self.reserve_left[1]
    }

    /// Returns the face-up cards of the tableau.
    #[inline(always)]
    pub fn tableau(&self) -> u64 {
        self.on | self.low | self.home
    }
}

/// Visits each of some kinds.
#[inline(always)]
pub fn each(mut kinds: u64, mut f: impl FnMut(usize)) {
    while kinds != 0 {
        f(kinds.trailing_zeros() as usize & 63);
        kinds &= kinds - 1;
    }
}
