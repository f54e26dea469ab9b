//! Waste and stock of a class of positions.

use crate::game::Table;

/// The kinds in waste and stock, and how far the stock is turned.
#[derive(Clone, Copy)]
pub struct Stock {
    /// In the order in which they are shown: the waste first.
    kinds: [u8; 52],
    /// How many of them are in the waste.
    pub waste: u8,
    /// How many there are.
    pub both: u8,
    /// Redeals made, where they are limited.
    pub redeals: u8,
}

/// How the stock is turned in all passes of a search.
#[derive(Clone, Copy, Debug)]
pub struct Turning {
    /// The multiples of the size of a packet, as bits.
    packets: u64,
    /// Redeals that are left as the search begins, where they are limited.
    redeals: Option<u8>,
}

/// So many cards in the waste, as bits: those at which a card of the waste is shown.
pub struct Shown {
    /// Before the next redeal.
    pub now: u64,
    /// Only after it.
    pub later: u64,
}

impl Turning {
    pub fn new(packet: u8, redeals: Option<u8>) -> Turning {
        let packets = (0..64).filter(|i| i % u64::from(packet.max(1)) == 0).fold(0, |all, i| all | 1 << i);
        Turning { packets, redeals }
    }

    /// What is shown where the stock is turned so far.
    #[inline(always)]
    pub fn shown(&self, stock: &Stock) -> Shown {
        let all = (2u64 << stock.both) - 2;
        let last = 1 << stock.both;
        let now = (self.packets << stock.waste | last) & all;
        let redeals = self.redeals.is_none_or(|most| stock.redeals < most);
        let later = if redeals { (self.packets | last) & all & !now } else { 0 };
        Shown { now, later }
    }

    /// What tells how far the stock is turned from other places, in seven bits: see
    /// [`Passes::waste`](super::super::passes::Passes::waste).
    #[inline(always)]
    pub fn key(&self, waste: u8, both: u8, redeals: u8) -> u64 {
        if self.redeals.is_some() {
            return u64::from(waste) | u64::from(redeals) << 6;
        }
        if self.packets >> waste & 1 != 0 || waste == both { 0 } else { waste.into() }
    }
}

impl Stock {
    pub fn of(table: &Table, redeals: u32) -> Stock {
        let mut kinds = [0; 52];
        for (place, card) in kinds.iter_mut().zip(table.waste().iter().chain(table.stock())) {
            *place = card.kind() as u8;
        }
        let waste = table.waste().len() as u8;
        Stock { kinds, waste, both: waste + table.stock().len() as u8, redeals: redeals as u8 }
    }

    /// The top of a waste of so many cards, at least one.
    #[inline(always)]
    pub fn top(&self, waste: u8) -> usize {
        self.kinds[(waste as usize).wrapping_sub(1) % 52] as usize & 63
    }

    /// Takes it.
    #[inline(always)]
    pub fn take(&mut self, waste: u8) {
        let taken = (waste as usize).wrapping_sub(1) % 52;
        self.kinds.copy_within(taken + 1.., taken);
        self.waste = waste - 1;
        self.both -= 1;
    }
}
