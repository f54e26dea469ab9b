//! The legal moves of a position: the only judge of legality.
//!
//! Everything that could take a card is first joined in one mask, so that a source none of whose
//! cards fits anywhere is rejected with one AND.

use crate::cards::Card;
use crate::rules::{Filler, MoveUnit, Returns, Rules, SpaceRank, filler_bit};

use super::moves::{Move, MoveList, Place};
use super::table::{MAX_PILES, Pile, Table};

/// What the tableau takes: per pile by the build rule, and which piles are spaces.
struct Takes {
    /// Kinds that each pile's top takes; nothing for a space or a pile that is full.
    onto: [u64; MAX_PILES],
    /// All of `onto` together.
    any: u64,
    /// All ones for a space, else 0.
    space: [u64; MAX_PILES],
    spaces: bool,
    piles: usize,
    /// Sources that may fill a space now, as bits of `Filler`.
    fillers: u8,
    /// Kinds that may start a space.
    starts: u64,
}

impl Takes {
    /// Kinds from `filler` that may start a space now.
    #[inline(always)]
    fn starts_from(&self, filler: Filler) -> u64 {
        if self.spaces && self.fillers & filler_bit(filler) != 0 { self.starts } else { 0 }
    }
}

impl Table {
    /// Lists every legal move in the engine's order.
    #[inline]
    pub fn legal_moves(&self, rules: &Rules, out: &mut MoveList) {
        out.clear();
        let hot = &rules.hot;
        let fits = rules.fits(self.base);
        let fillers = if self.reserve_left > 0 { hot.while_reserve } else { hot.after_reserve };
        let mut takes = Takes {
            onto: [0; MAX_PILES],
            any: 0,
            space: [0; MAX_PILES],
            spaces: false,
            piles: hot.piles,
            fillers,
            starts: rules.starts(self.base),
        };
        let mut tops = 0;
        for p in 0..hot.piles.min(MAX_PILES) {
            let pile = &self.piles[p];
            tops |= pile.top.bit();
            let onto = if pile.len < hot.max_height { fits[pile.top.kind()] } else { 0 };
            takes.onto[p] = onto;
            takes.any |= onto;
            if pile.len == 0 {
                takes.space[p] = u64::MAX;
                takes.spaces = true;
            }
        }
        let waste = self.waste_top();
        if self.to_foundations(rules, tops, waste, out) {
            out.end_of_plays();
            return;
        }
        let starts = takes.starts_from(Filler::Reserve);
        for r in 0..hot.reserves {
            let card = self.playable_reserve(r, hot.reserve_face);
            single_to_piles(card, Place::Reserve(r), &takes, starts, out);
        }
        for p in 0..hot.piles.min(MAX_PILES) {
            self.between_piles(rules, p, &takes, out);
        }
        single_to_piles(waste, Place::Waste, &takes, takes.starts_from(Filler::Waste), out);
        if self.next < self.end && takes.starts_from(Filler::Stock) != 0 {
            self.unseen_to_spaces(rules, &takes, out);
        }
        if hot.returns != Returns::Never {
            self.from_foundations(rules, &takes, out);
        }
        out.end_of_plays();
        if self.next < self.end {
            out.push(Move::DRAW);
        } else if self.waste > 0 && self.redeals < hot.redeals {
            out.push(Move::REDEAL);
        }
    }

    /// Moves to the foundations. True where they are forced, and so the only ones.
    #[inline(always)]
    fn to_foundations(&self, rules: &Rules, tops: u64, waste: Card, out: &mut MoveList) -> bool {
        let hot = &rules.hot;
        let mut available = tops | waste.bit();
        for r in 0..hot.reserves {
            available |= self.playable_reserve(r, hot.reserve_face).bit();
        }
        let mut want = self.want;
        if available & want == 0 {
            return false;
        }
        let base_rank = 0b1111 << (self.base.index() * 4);
        let forced = hot.forced_base && available & want & base_rank != 0;
        if forced {
            want &= base_rank;
        }
        for r in 0..hot.reserves {
            if self.playable_reserve(r, hot.reserve_face).bit() & want != 0 {
                out.push(Move::new(Place::Reserve(r), Place::Foundations, 1));
            }
        }
        if waste.bit() & want != 0 {
            out.push(Move::new(Place::Waste, Place::Foundations, 1));
        }
        for p in 0..hot.piles.min(MAX_PILES) {
            if self.piles[p].top.bit() & want != 0 {
                out.push(Move::new(Place::Pile(p), Place::Foundations, 1));
            }
        }
        forced
    }

    #[inline(always)]
    fn between_piles(&self, rules: &Rules, source: usize, takes: &Takes, out: &mut MoveList) {
        let pile = &self.piles[source];
        let starts = takes.starts_from(Filler::Tableau);
        if rules.hot.unit == MoveUnit::Sequence {
            return self.sequences(rules, source, takes, starts, out);
        }
        // The run moves only where it is all that is face up.
        let whole = pile.run == pile.up;
        let (top, run) = match rules.hot.unit {
            MoveUnit::Single => (pile.top.bit(), 0),
            MoveUnit::Whole if whole => (0, pile.run_base.bit()),
            MoveUnit::SingleOrWhole if pile.run == 1 => (pile.top.bit(), 0),
            MoveUnit::SingleOrWhole if whole => (pile.top.bit(), pile.run_base.bit()),
            MoveUnit::SingleOrWhole => (pile.top.bit(), 0),
            _ => return,
        };
        if (top | run) & (takes.any | starts) == 0 || pile.len == 0 {
            return;
        }
        let max = rules.hot.max_height;
        for q in 0..takes.piles.min(MAX_PILES) {
            if q == source {
                continue;
            }
            // A whole pile into a space is no move.
            let space = takes.space[q] & starts;
            let takes_top = takes.onto[q] | if pile.len > 1 { space } else { 0 };
            let takes_run = takes.onto[q] | if pile.len > pile.run { space } else { 0 };
            if top & takes_top != 0 {
                out.push(Move::new(Place::Pile(source), Place::Pile(q), 1));
            }
            if run & takes_run != 0 && pile.run <= max - self.piles[q].len {
                out.push(Move::new(Place::Pile(source), Place::Pile(q), pile.run));
            }
        }
    }

    /// Any top part of the run.
    fn sequences(&self, rules: &Rules, source: usize, takes: &Takes, starts: u64, out: &mut MoveList) {
        let pile: &Pile = &self.piles[source];
        let takers = takes.any | starts;
        let mut card = pile.top;
        let mut bits = 0;
        for _ in 0..pile.run {
            bits |= card.bit();
            card = self.below[card.0 as usize];
        }
        if bits & takers == 0 {
            return;
        }
        for q in 0..takes.piles.min(MAX_PILES) {
            let takes_q = takes.onto[q] | (takes.space[q] & starts);
            if q == source || bits & takes_q == 0 {
                continue;
            }
            let room = rules.hot.max_height - self.piles[q].len;
            let mut card = pile.top;
            for count in 1..=pile.run.min(room) {
                let whole_into_space = count == pile.len && takes.space[q] != 0;
                if card.bit() & takes_q != 0 && !whole_into_space {
                    out.push(Move::new(Place::Pile(source), Place::Pile(q), count));
                }
                card = self.below[card.0 as usize];
            }
        }
    }

    /// The unseen stock top goes into any space, where any rank may start one: were only some
    /// allowed, the list of moves would say what the hidden card is.
    fn unseen_to_spaces(&self, rules: &Rules, takes: &Takes, out: &mut MoveList) {
        if rules.spec().spaces.rank != SpaceRank::Any {
            return;
        }
        for q in (0..takes.piles.min(MAX_PILES)).filter(|&q| takes.space[q] != 0) {
            out.push(Move::new(Place::Stock, Place::Pile(q), 1));
        }
    }

    fn from_foundations(&self, rules: &Rules, takes: &Takes, out: &mut MoveList) {
        let starts = takes.starts_from(Filler::Foundation);
        for f in 0..4 * rules.spec().deal.packs as usize {
            let stack = &self.foundations[f];
            if stack.len > u8::from(rules.hot.returns == Returns::TopExceptBase) {
                single_to_piles(stack.top, Place::Foundation(f), takes, starts, out);
            }
        }
    }
}

#[inline(always)]
fn single_to_piles(card: Card, source: Place, takes: &Takes, starts: u64, out: &mut MoveList) {
    // No card has a bit that nothing takes.
    if card.bit() & (takes.any | starts) == 0 {
        return;
    }
    for q in 0..takes.piles.min(MAX_PILES) {
        if card.bit() & (takes.onto[q] | (takes.space[q] & starts)) != 0 {
            out.push(Move::new(source, Place::Pile(q), 1));
        }
    }
}
