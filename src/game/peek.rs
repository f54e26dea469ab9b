//! What the solver reads off a table besides what everybody may: places of single cards.

use crate::cards::Card;
use crate::rules::Rules;

use super::moves::{Move, MoveList, Place};
use super::table::Table;

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

    /// How many cards the waste has.
    #[inline(always)]
    pub(crate) fn waste_len(&self) -> usize {
        self.waste as usize
    }

    /// How many cards the stock has.
    #[inline(always)]
    pub(crate) fn stock_len(&self) -> usize {
        (self.end - self.next) as usize
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

    /// Whether the waste's top may add plays to this list, which was made when waste and stock stood otherwise
    /// and all else was as it is.
    #[inline(always)]
    pub(crate) fn waste_may_add(&self, list: &MoveList) -> bool {
        self.adds(self.waste_top(), list)
    }

    /// The draw or the redeal, if one is legal where no base card is forced up.
    #[inline(always)]
    pub(crate) fn turning(&self, rules: &Rules) -> Option<Move> {
        if self.next < self.end {
            Some(Move::DRAW)
        } else if self.waste > 0 && self.redeals < rules.hot.redeals {
            Some(Move::REDEAL)
        } else {
            None
        }
    }
}
