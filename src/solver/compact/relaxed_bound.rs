//! An upper bound on the cards that can still go up: the relaxed game of [`super::super::relaxed_bound`], in bits.
//!
//! Facts only accumulate, so the order in which they are found does not matter. A covered card can be moved from the
//! card under it as soon as it fits on an open card: the one under it does not become open before.

use crate::cards::Card;
use crate::rules::{Filler, MoveUnit, filler_bit};

use super::super::heuristic::{HeuristicKind, Sight, heuristic};
use super::{NONE, RunPosition, RunStates, each};

impl RunStates<'_> {
    /// Returns what this heuristic says of a position.
    pub(super) fn judge(&self, at: &RunPosition, kind: HeuristicKind) -> i32 {
        heuristic(&Seen { states: self, at }, self.rules, kind)
    }

    /// Returns whether this many cards can never be up after a position.
    #[inline(never)]
    pub(super) fn is_short(&self, at: &RunPosition, cards: usize) -> bool {
        let (hot, ring) = (&self.rules.hot, self.ring);
        let fillers =
            hot.while_reserve | hot.after_reserve | if self.fills { filler_bit(Filler::Reserve) } else { 0 };
        let takes = |filler| fillers & filler_bit(filler) != 0;
        let to_spaces = takes(Filler::Tableau);
        let from_stock = takes(Filler::Waste)
            || takes(Filler::Stock)
            || self.fills_then.iter().any(|filler| *filler != Filler::Reserve);
        let from_reserve = takes(Filler::Reserve);
        let feeds = self.fills && hot.while_reserve & !filler_bit(Filler::Reserve) == 0;
        let mut lows = 0;
        // Accessible cards, and those of them that are open to be put on.
        let mut free = 0;
        let mut spaces = 0;
        for p in 0..self.piles {
            let (top, low) = (at.tops[p & 7], at.lows[p & 7]);
            free |= 1 << top;
            lows |= 1 << low;
            spaces += u32::from(top == NONE);
        }
        free &= ring.all;
        lows &= ring.all;
        let (alone, moves) = match hot.unit {
            MoveUnit::Single => (ring.all, 0),
            MoveUnit::Sequence => (ring.all, ring.all),
            MoveUnit::Whole => (0, lows),
            MoveUnit::SingleOrWhole => (ring.all, lows),
        };
        // If no redeal is left, turned cards are accessible from the top of the waste down.
        let last_pass = at.place.redeals >= hot.redeals;
        let mut buried = if last_pass { at.waste() } else { 0 };
        let mut stock = self.stock & !(at.up | at.tableau);
        each(buried, |number| stock &= !(1 << (self.order[number] & 63)));
        let mut up = at.up;
        let mut want = self.wanted(up);
        let (mut stays, mut open, mut onto) = (at.tableau, 0, 0);
        let mut opens = free;
        let mut left = 0;
        // Accessible cards of the reserve, and the number left under them.
        let mut reserve = 0u64;
        let mut emptied = false;
        loop {
            let before = (up, onto, stays, stock, reserve, emptied);
            open |= opens;
            onto = self.onto.of(open);
            let filled = emptied && from_stock;
            while buried != 0 {
                let top = buried.ilog2();
                let card = 1 << (self.order[top as usize & 63] & 63);
                stock |= card;
                if card & (onto | up) == 0 && !filled {
                    break;
                }
                buried ^= 1 << top;
            }
            let elsewhere = onto | if emptied && to_spaces { !lows } else { 0 };
            let mut leaves = stays & (up | elsewhere & (moves | free & alone));
            while leaves != 0 {
                stays &= !leaves;
                left += (leaves & lows).count_ones();
                let mut freed = 0;
                each(leaves & !lows, |kind| freed |= 1 << (at.under(kind as u8) & 63));
                free |= freed;
                opens |= freed;
                leaves = freed & stays & (up | elsewhere & (moves | alone));
            }
            let mut room = spaces + left;
            let mut gone = true;
            for i in (0..at.reserve_left as usize).rev() {
                let bit = 1 << self.reserve[i & 63];
                reserve |= bit;
                let goes_on = bit & onto != 0;
                let fills = room > 0 && from_reserve;
                if goes_on || fills {
                    opens |= bit;
                }
                if goes_on || bit & up != 0 {
                    continue;
                }
                if !fills {
                    gone = false;
                    break;
                }
                room -= u32::from(feeds);
            }
            emptied = (!feeds || gone) && room > 0;
            opens |= stock & if emptied && from_stock { ring.all } else { onto };
            let mine = free | stock | reserve;
            let mut goes = mine & want & !up;
            while goes != 0 {
                up |= goes;
                want |= ring.up(goes);
                goes = mine & want & !up;
            }
            if up.count_ones() as usize >= cards {
                return false;
            }
            if opens == open && before == (up, onto, stays, stock, reserve, emptied) {
                return true;
            }
        }
    }
}

/// A position as the heuristic sees it.
struct Seen<'a, 'r> {
    states: &'a RunStates<'r>,
    at: &'a RunPosition,
}

impl Seen<'_, '_> {
    fn told(&self, kind: u8) -> (usize, usize) {
        let (card, base) =
            (Card::of_pack(0, kind.into()), Card::of_pack(0, self.states.first.trailing_zeros() as usize));
        (card.rank().steps_above(base.rank(), self.states.rules.hot.pack), card.suit().index())
    }
}

impl Sight for Seen<'_, '_> {
    fn cards(&self) -> (usize, usize) {
        (self.at.up.count_ones() as usize, self.at.reserve_left.into())
    }
    fn turned(&self) -> (u32, usize) {
        (self.at.place.redeals, self.at.place.waste.into())
    }
    fn next(&self) -> [usize; 4] {
        std::array::from_fn(|suit| (self.at.up & 0x1_1111_1111_1111 << suit).count_ones() as usize)
    }
    fn pile(&self, pile: usize) -> impl Iterator<Item = (usize, usize)> {
        let mut card = self.at.tops[pile & 7];
        std::iter::from_fn(move || {
            let here = card;
            card = self.at.under(card);
            (here != NONE).then(|| self.told(here))
        })
    }
    fn reserve(&self, _: usize) -> impl Iterator<Item = (usize, usize)> {
        let left = self.at.reserve_left as usize;
        self.states.reserve[..left.min(64)].iter().rev().map(|&kind| self.told(kind))
    }
    fn waste(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut waste = self.at.waste();
        std::iter::from_fn(move || {
            let top = waste.checked_ilog2()?;
            waste ^= 1 << top;
            Some(self.told(self.states.order[top as usize & 63]))
        })
    }
}
