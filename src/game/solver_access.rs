//! Access of the solver to a table beyond the public methods: the places of single cards.

use crate::cards::Card;
use crate::rules::{Draw, Rules};

use super::moves::{Move, MoveList, Place};
use super::table::Table;

/// Lists every part of a position. A new one does not compile until somebody has considered whether the solver's keys
/// (`solver::key`, `solver::classes`) distinguish positions by it.
const _: fn(&Table) = |table| {
    #[rustfmt::skip]
    let Table {
        below: _, pack: _, waste: _, next: _, end: _, base: _, choosing: _, offered: _, packet: _, reserve_left: _,
        piles: _, takes: _, reserves: _, foundations: _, want: _, face_down: _, cards: _, redeals: _,
    } = table;
};

impl Table {
    /// Returns what a card of the tableau lies on; no card if it is the lowest of its pile.
    #[inline(always)]
    pub(crate) fn under(&self, card: Card) -> Card {
        self.below[card.0 as usize]
    }

    /// Returns whether a card lies face down in the tableau.
    #[inline(always)]
    pub(crate) fn lies_face_down(&self, card: Card) -> bool {
        self.is_face_down(card)
    }

    /// Returns the kinds that the foundations take next.
    #[inline(always)]
    pub(crate) fn wanted(&self) -> u64 {
        self.want
    }

    /// Returns whether a card must go up as soon as it can be played, under rules that require it.
    #[inline(always)]
    pub(crate) fn must_go_up(&self, card: Card) -> bool {
        card.bit() & self.want & self.base_kinds() != 0
    }

    /// Returns whether base cards are still to come up.
    #[inline(always)]
    pub(crate) fn wants_bases(&self) -> bool {
        self.want & self.base_kinds() != 0
    }

    /// Returns the top of a pile, or no card.
    #[inline(always)]
    pub(crate) fn top_of_pile(&self, pile: usize) -> Card {
        self.piles[pile & 15].top
    }

    /// Returns the number of cards of a pile.
    #[inline(always)]
    pub(crate) fn pile_len(&self, pile: usize) -> usize {
        self.piles[pile & 15].len as usize
    }

    /// Returns the number of cards of the run at the top of a pile.
    #[inline(always)]
    pub(crate) fn run_len(&self, pile: usize) -> usize {
        self.piles[pile & 15].run as usize
    }

    /// Returns the number of cards on a foundation (`suit + 4 * k`).
    #[inline(always)]
    pub(crate) fn height(&self, foundation: usize) -> usize {
        self.foundations[foundation & 15].len as usize
    }

    /// Returns the top of the reserve that spaces are filled from, or no card.
    #[inline(always)]
    pub(crate) fn fullest_top(&self, rules: &Rules) -> Card {
        if self.reserve_left == 0 { Card::NONE } else { self.reserves[self.fullest_reserve(rules) & 3].top }
    }

    /// Returns the lowest card that a legal play moves.
    #[inline(always)]
    pub(crate) fn lowest_moved(&self, m: Move) -> Card {
        match m.source() {
            Place::Pile(p) => self.lowest_of(p, m.count()),
            Place::Reserve(r) => self.reserves[r & 3].top,
            Place::Foundation(f) => self.foundations[f & 15].top,
            Place::Stock => self.pack[self.next as usize],
            Place::Offered(i) => self.pack[self.end as usize + i],
            Place::Waste | Place::Foundations => self.waste_top(),
        }
    }

    /// Returns whether a card, as the top of the waste, may add plays to this list while all else stays the same.
    #[inline(always)]
    pub(crate) fn may_add(&self, card: Card, list: &MoveList) -> bool {
        self.adds(card, list)
    }

    /// Returns how far the stock is turned.
    #[inline(always)]
    pub(crate) fn stock_position(&self) -> StockPosition {
        let both = self.waste + (self.end - self.next);
        StockPosition { turns: 0, waste: self.waste, both, packet: self.packet, redeals: self.redeals }
    }

    /// Returns the top of the waste after this many cards of waste and stock, at least one, are turned.
    #[inline(always)]
    pub(crate) fn turned_top(&self, waste: u8) -> Card {
        let gap = if waste <= self.waste { 0 } else { self.next - self.waste };
        self.pack[(waste + gap).wrapping_sub(1) as usize]
    }

    /// Turns the stock to a position that draws and redeals lead to.
    #[inline(always)]
    pub(crate) fn turn_to(&mut self, place: &StockPosition) {
        let (waste, next) = (self.waste as usize, self.next as usize);
        let turned = if place.redeals == self.redeals { place.waste } else { place.both } - self.waste;
        if waste < next {
            self.pack.copy_within(next..next + turned as usize, waste);
        }
        if place.redeals == self.redeals {
            self.next += turned;
        } else {
            self.next = place.waste;
            self.end = place.both;
        }
        self.waste = place.waste;
        self.redeals = place.redeals;
        self.packet = place.packet;
    }
}

/// Position of the stock after some draws and redeals, with no die and no shuffle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StockPosition {
    /// Number of draws and redeals.
    pub turns: u16,
    /// Number of cards in the waste.
    pub waste: u8,
    /// Number of cards in waste and stock.
    pub both: u8,
    /// Size of the next packet.
    pub packet: u8,
    /// Number of redeals made.
    pub redeals: u32,
}

impl StockPosition {
    /// Returns the draw or the redeal that is legal if no base card is forced up.
    #[inline(always)]
    pub fn turning(&self, rules: &Rules) -> Option<Move> {
        if self.waste < self.both {
            Some(Move::DRAW)
        } else if self.waste > 0 && self.redeals < rules.hot.redeals {
            Some(Move::REDEAL)
        } else {
            None
        }
    }

    /// Draws or redeals. Returns false if neither is legal.
    #[inline(always)]
    pub fn turn(&mut self, rules: &Rules) -> bool {
        match self.turning(rules) {
            None => return false,
            Some(Move::DRAW) => self.waste = self.waste.saturating_add(self.packet).min(self.both),
            Some(_) => {
                self.waste = 0;
                self.redeals += 1;
                if let Draw::ByPass(_) = rules.spec().stock.draw {
                    self.packet = rules.packet(self.redeals + 1);
                }
            }
        }
        self.turns += 1;
        true
    }
}
