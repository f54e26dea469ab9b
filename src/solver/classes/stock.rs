//! Waste and stock of a class of positions.

use crate::game::Table;

use super::super::stock_cycle::{StockCycle, turned};

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
