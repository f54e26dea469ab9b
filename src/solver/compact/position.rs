//! A compact position.

use crate::cards::Card;
use crate::game::{Place, StockPosition};

use super::super::key::{Key, LOWEST, ON, ONE_PACK, UP, set};
use super::super::successor::Successor;
use super::{NONE, PILES, RunStates, each};

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

impl RunStates<'_> {
    /// Computes the key of a position from scratch.
    pub(super) fn key_of(&self, at: &RunPosition) -> Key<ONE_PACK> {
        let mut key = [0; ONE_PACK];
        each(at.tableau, |kind| {
            set_kind(&mut key, kind as u8, self.lying_on(kind as u8, at.under(kind as u8)));
        });
        each(at.up, |kind| set_kind(&mut key, kind as u8, UP));
        key[ONE_PACK - 1] = self.rest(&at.place, self.stops(at.left, at.tableau & !at.up));
        key
    }

    /// Returns the entry of a card that lies on another one, or is the lowest of its pile.
    #[inline(always)]
    fn lying_on(&self, card: u8, under: u8) -> u64 {
        if self.home[card as usize & 63] == under {
            0
        } else if under == NONE {
            LOWEST
        } else {
            ON + u64::from(under & 3)
        }
    }

    /// Returns the part of the key that does not concern single cards.
    #[inline(always)]
    fn rest(&self, place: &StockPosition, stops: u64) -> u64 {
        let (turned, waste) = self.passes.turned(place, stops);
        let base = u64::from(self.first.trailing_zeros() / 4);
        turned | waste << 10 | base << 18 | u64::from(self.passes.redeals(place)) << 22
    }

    /// Updates a key after a play of cards of which `lowest` is the lowest.
    #[inline(always)]
    pub(super) fn after(
        &self,
        key: &Key<ONE_PACK>,
        at: &RunPosition,
        child: &Successor,
        card: u8,
        turned: Turned,
    ) -> Key<ONE_PACK> {
        let mut key = *key;
        let (mut place, mut left) = (child.place, at.left);
        let mut take = |from, card: u8| {
            place.waste -= u8::from(from == Place::Waste);
            place.both -= 1;
            left &= !(1 << (self.number[card as usize & 63] & 63));
        };
        let mut changes = child.place.turns > 0 || self.forced;
        let mut tableau = at.tableau;
        match child.m.source() {
            from @ (Place::Waste | Place::Stock) => {
                take(from, card);
                changes = true;
            }
            Place::Pile(_) if at.under(card) == NONE => {
                if let Some((from, filling)) = self.filling(at.reserve_left, turned) {
                    set_kind(&mut key, filling, LOWEST);
                    tableau |= 1 << (filling & 63);
                    if from != Place::Reserve(0) {
                        take(from, filling);
                        changes = true;
                    }
                }
            }
            _ => {}
        }
        let lies = match child.m.target() {
            Place::Pile(q) => {
                tableau |= 1 << (card & 63);
                self.lying_on(card, at.tops[q & 7])
            }
            _ => {
                tableau &= !(1 << (card & 63));
                UP
            }
        };
        // This part changes with waste and stock, and with base cards that stop the turning.
        if changes {
            key[ONE_PACK - 1] = self.rest(&place, self.stops(left, tableau));
        }
        set_kind(&mut key, card, lies);
        key
    }
}

#[inline(always)]
fn set_kind(key: &mut Key<ONE_PACK>, kind: u8, place: u64) {
    set(key, Card::of_pack(0, kind as usize & 63), place);
}
