//! The places of the cards, in bits of their kinds.

use crate::game::Table;

use super::super::stock_cycle::{StockCycle, turned};

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

/// The kinds in waste and stock, and the position of the stock.
#[derive(Clone, Copy)]
pub struct Stock {
    /// In the order in which they are shown: the waste first.
    kinds: [u8; 52],
    /// Number of cards in the waste.
    pub waste: u8,
    /// Number of cards in waste and stock.
    pub both: u8,
    /// Redeals made since the start of the search, if they are limited.
    pub redeals: u8,
}

/// How the stock is turned in all passes of a search.
#[derive(Clone, Copy, Debug)]
pub struct Turning {
    /// The passes of the search, if redeals are limited.
    limited: Option<StockCycle>,
    packet: u8,
    /// Number of redeals allowed from the start of the search.
    redeals: u8,
    /// The multiples of the size of a packet, as bits.
    packets: u64,
    /// The encoding of each stock position: see [`StockCycle::turned`](super::super::stock_cycle::StockCycle::turned).
    places: [u16; 64],
}

impl Turning {
    /// Supports packets of one to three cards, and at most three redeals or unlimited ones.
    pub fn new(packet: u8, limited: Option<StockCycle>, redeals: u8) -> Turning {
        let is_whole = |waste: u8| waste.is_multiple_of(packet);
        let packets = (0..64).filter(|&waste| is_whole(waste)).fold(0, |all, waste| all | 1 << waste);
        // A pack has 52 cards.
        let place = |i| if i > 52 || is_whole(i as u8) { 0 } else { turned(i as u8, packet) as u16 };
        Turning { limited, packet, redeals, packets, places: std::array::from_fn(place) }
    }

    /// Returns the sizes of the waste, as bits, at which its top is shown: before the next redeal, and only after it.
    #[inline(always)]
    pub fn shown(&self, stock: &Stock) -> [u64; 2] {
        let all = (2u64 << stock.both) - 2;
        let last = 1 << stock.both;
        let now = (self.packets << stock.waste | last) & all;
        [now, if self.redeals(stock).is_some() { self.packets & all & !now } else { 0 }]
    }

    /// Returns the sizes of the waste, as bits, at which the stock has a card left.
    #[inline(always)]
    pub fn unseen(&self, stock: &Stock) -> [u64; 2] {
        let all = (1u64 << stock.both) - 1;
        let now = (self.packets << stock.waste) & all;
        [now, if self.redeals(stock).is_some() { self.packets & all & !now } else { 0 }]
    }

    /// Returns the number of redeals made after the next one, if there is one.
    #[inline(always)]
    pub fn redeals(&self, stock: &Stock) -> Option<u8> {
        match self.limited {
            None => Some(0),
            Some(_) => (stock.redeals < self.redeals).then_some(stock.redeals + 1),
        }
    }

    /// Encodes the position of the stock.
    #[inline(always)]
    pub fn key(&self, waste: u8, both: u8, redeals: u8) -> u64 {
        if let Some(passes) = &self.limited {
            return passes.turned_in_order(waste, both, self.packet, redeals);
        }
        if waste == both { 0 } else { self.places[waste as usize & 63].into() }
    }
}

impl Stock {
    pub fn of(table: &Table) -> Stock {
        let mut kinds = [0; 52];
        for (place, card) in kinds.iter_mut().zip(table.waste().iter().chain(table.stock())) {
            *place = card.kind() as u8;
        }
        let waste = table.waste().len() as u8;
        Stock { kinds, waste, both: waste + table.stock().len() as u8, redeals: 0 }
    }

    /// Returns the top of a waste of this size, at least one.
    #[inline(always)]
    pub fn top(&self, waste: u8) -> usize {
        self.kinds[(waste as usize).wrapping_sub(1) % 52] as usize & 63
    }

    /// Removes that card.
    #[inline(always)]
    pub fn take(&mut self, waste: u8, redeals: u8) {
        self.take_next(waste - 1, redeals);
    }

    /// Removes the card that follows a waste of this size.
    #[inline(always)]
    pub fn take_next(&mut self, waste: u8, redeals: u8) {
        let taken = waste as usize % 52;
        self.kinds.copy_within(taken + 1.., taken);
        self.waste = waste;
        self.both -= 1;
        self.redeals = redeals;
    }
}
