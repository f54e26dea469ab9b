//! What the solver reads off a table besides what everybody may: places of single cards.

use crate::cards::Card;
use crate::rules::{Draw, Rules};

use super::moves::{Move, MoveList, Place};
use super::table::Table;

/// Every part of a position. A new one does not compile before somebody has considered whether the solver's keys
/// (`solver::key`, `solver::classes`) tell positions apart by it.
const _: fn(&Table) = |table| {
    #[rustfmt::skip]
    let Table {
        below: _, pack: _, waste: _, next: _, end: _, base: _, choosing: _, offered: _, packet: _, reserve_left: _,
        piles: _, takes: _, reserves: _, foundations: _, want: _, face_down: _, cards: _, redeals: _,
    } = table;
};

impl Table {
    /// What a card of the tableau lies on; no card where it is the lowest of its pile.
    #[inline(always)]
    pub(crate) fn under(&self, card: Card) -> Card {
        self.below[card.0 as usize]
    }

    /// Whether a card lies face down in the tableau.
    #[inline(always)]
    pub(crate) fn lies_face_down(&self, card: Card) -> bool {
        self.is_face_down(card)
    }

    /// The kinds that the foundations take next.
    #[inline(always)]
    pub(crate) fn wanted(&self) -> u64 {
        self.want
    }

    /// Whether a card is one that goes up at once from where it can be played, under rules that say so.
    #[inline(always)]
    pub(crate) fn must_go_up(&self, card: Card) -> bool {
        card.bit() & self.want & self.base_kinds() != 0
    }

    /// Whether base cards are still to come up.
    #[inline(always)]
    pub(crate) fn wants_bases(&self) -> bool {
        self.want & self.base_kinds() != 0
    }

    /// The top of a pile, or no card.
    #[inline(always)]
    pub(crate) fn top_of_pile(&self, pile: usize) -> Card {
        self.piles[pile & 15].top
    }

    /// How many cards a pile has.
    #[inline(always)]
    pub(crate) fn pile_len(&self, pile: usize) -> usize {
        self.piles[pile & 15].len as usize
    }

    /// How many cards the run at the top of a pile has.
    #[inline(always)]
    pub(crate) fn run_len(&self, pile: usize) -> usize {
        self.piles[pile & 15].run as usize
    }

    /// How many cards lie on a foundation (`suit + 4 * k`).
    #[inline(always)]
    pub(crate) fn height(&self, foundation: usize) -> usize {
        self.foundations[foundation & 15].len as usize
    }

    /// The top of the reserve that spaces are filled from, or no card.
    #[inline(always)]
    pub(crate) fn fullest_top(&self, rules: &Rules) -> Card {
        if self.reserve_left == 0 { Card::NONE } else { self.reserves[self.fullest_reserve(rules) & 3].top }
    }

    /// The lowest card that a legal play moves.
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

    /// Whether a card may add plays to this list as the top of the waste, all else being as the list was made.
    #[inline(always)]
    pub(crate) fn may_add(&self, card: Card, list: &MoveList) -> bool {
        self.adds(card, list)
    }

    /// How far the stock is turned.
    #[inline(always)]
    pub(crate) fn stock_position(&self) -> StockPosition {
        let both = self.waste + (self.end - self.next);
        StockPosition { turns: 0, waste: self.waste, both, packet: self.packet, redeals: self.redeals }
    }

    /// The top of the waste where this many cards of waste and stock are turned, at least one.
    #[inline(always)]
    pub(crate) fn turned_top(&self, waste: u8) -> Card {
        let gap = if waste <= self.waste { 0 } else { self.next - self.waste };
        self.pack[(waste + gap).wrapping_sub(1) as usize]
    }

    /// Turns the stock to a place that draws and redeals lead to.
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

/// How far the stock is turned, after so many draws and redeals, where no die decides and nothing is shuffled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StockPosition {
    /// Draws and redeals.
    pub turns: u16,
    /// Cards in the waste.
    pub waste: u8,
    /// Cards in waste and stock.
    pub both: u8,
    /// Size of the next packet.
    pub packet: u8,
    /// Redeals made.
    pub redeals: u32,
}

impl StockPosition {
    /// The draw or the redeal, if one is legal where no base card is forced up.
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

    /// Draws or redeals. False where neither is legal.
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
