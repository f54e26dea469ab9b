//! Where the cards are, in bits of their kinds.

/// Most reserves.
pub const RESERVES: usize = 2;

/// Where the cards are that are not in waste and stock.
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
    /// Of each kind that stands for its mates, how many of them lie in the tableau with nothing on them: the bits of
    /// these numbers, the lowest first.
    open: [u64; 3],
    pub reserve_left: [u8; RESERVES],
    pub spaces: u8,
}

impl Layout {
    /// One more of those that a kind stands for has nothing on it.
    #[inline(always)]
    pub fn opens(&mut self, mate: u8) {
        let bit = 1 << (mate & 63);
        let carry = self.open[0] & bit;
        self.open[2] ^= self.open[1] & carry;
        self.open[1] ^= carry;
        self.open[0] ^= bit;
    }

    /// One fewer.
    #[inline(always)]
    pub fn closes(&mut self, mate: u8) {
        let bit = 1 << (mate & 63);
        let borrow = !self.open[0] & bit;
        self.open[2] ^= !self.open[1] & borrow;
        self.open[1] ^= borrow;
        self.open[0] ^= bit;
    }

    /// The kinds of whose mates some have nothing on them, each for all of its mates.
    #[inline(always)]
    pub fn open(&self) -> u64 {
        self.open[0] | self.open[1] | self.open[2]
    }

    /// Cards left in reserves.
    #[inline(always)]
    pub fn in_reserves(&self) -> u8 {
        self.reserve_left[0] + self.reserve_left[1]
    }

    /// The face-up cards of the tableau.
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
