//! A compact position.

use crate::game::StockPosition;

use super::{NONE, PILES};

/// The places of all cards.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct RunPosition {
    /// The kinds on the foundations, and those in the tableau.
    pub(super) up: u64,
    pub(super) tableau: u64,
    /// What each card of the tableau lies on.
    pub(super) below: [u8; 56],
    /// The highest and the lowest card of each pile, and its size.
    pub(super) tops: [u8; PILES],
    pub(super) lows: [u8; PILES],
    pub(super) lens: [u8; PILES],
    /// The cards left of waste and stock, by number in the order in which they are shown.
    pub(super) left: u64,
    /// Cards below this number are in the waste.
    pub(super) turned: u8,
    pub(super) reserve_left: u8,
    pub(super) place: StockPosition,
}

impl RunPosition {
    /// Returns the cards of the waste, by number.
    #[inline(always)]
    pub(super) fn waste(&self) -> u64 {
        self.left & ((1 << self.turned) - 1)
    }

    /// Returns what a card of the tableau lies on.
    #[inline(always)]
    pub(super) fn under(&self, card: u8) -> u8 {
        self.below[card as usize % 56]
    }

    /// Returns the lowest of the top cards of a pile.
    #[inline(always)]
    pub(super) fn lowest(&self, pile: usize, count: usize) -> u8 {
        let pile = pile & 7;
        if count == 1 {
            self.tops[pile]
        } else if count == self.lens[pile] as usize {
            self.lows[pile]
        } else {
            (1..count).fold(self.tops[pile], |card, _| self.under(card))
        }
    }

    /// Puts cards on a pile.
    #[inline(always)]
    pub(super) fn put(&mut self, pile: usize, lowest: u8, top: u8, count: u8) {
        let pile = pile & 7;
        self.below[lowest as usize % 56] = self.tops[pile];
        if self.tops[pile] == NONE {
            self.lows[pile] = lowest;
        }
        self.tops[pile] = top;
        self.lens[pile] += count;
    }
}

/// The top of the waste and the next card of the stock.
#[derive(Clone, Copy)]
pub(super) struct Turned {
    pub waste: u8,
    pub next: u8,
}

impl Turned {
    pub const NOTHING: Turned = Turned { waste: NONE, next: NONE };
}
