//! The legal moves of a position: the only judge of legality.
//!
//! Everything that could take a card is first joined in one mask, so that a source none of whose
//! cards fits anywhere is rejected with one AND.

use crate::cards::Card;
use crate::rules::{Filler, MoveUnit, Returns, Rules, SpaceRank, filler_bit};

use super::moves::{Move, MoveList, Place};
use super::table::{MAX_PILES, Table};

/// What the tableau takes: per pile by the build rule, and which piles are spaces.
struct Takes<const N: usize> {
    piles: usize,
    /// Kinds that each pile's top takes; nothing for a space or a pile that is full.
    onto: [u64; N],
    /// All of `onto` together.
    any: u64,
    /// One bit for each empty pile.
    spaces: u32,
    /// Sources that may fill a space now, as bits of `Filler`; none where there is no space.
    fillers: u8,
    /// Kinds that may start a space.
    starts: u64,
}

impl<const N: usize> Takes<N> {
    /// Kinds from `filler` that may start a space now.
    #[inline(always)]
    fn starts_from(&self, filler: Filler) -> u64 {
        if self.fillers & filler_bit(filler) != 0 { self.starts } else { 0 }
    }

    /// Kinds that pile `q` takes from a source that may start a space with `starts`.
    #[inline(always)]
    fn by(&self, q: usize, starts: u64) -> u64 {
        self.onto[q] | if self.is_space(q) { starts } else { 0 }
    }

    #[inline(always)]
    fn is_space(&self, q: usize) -> bool {
        self.spaces >> q & 1 != 0
    }
}

impl Table {
    /// Lists every legal move in the engine's order.
    #[inline]
    pub fn legal_moves(&self, rules: &Rules, out: &mut MoveList) {
        // The commonest number of piles gets loops of known length.
        match rules.hot.piles {
            4 => self.list::<4>(4, rules, out),
            piles => self.list::<MAX_PILES>(piles.min(MAX_PILES), rules, out),
        }
    }

    #[inline(always)]
    fn list<const N: usize>(&self, piles: usize, rules: &Rules, out: &mut MoveList) {
        out.clear();
        let hot = &rules.hot;
        let fits = rules.fits(self.base);
        let mut takes = Takes::<N> { piles, onto: [0; N], any: 0, spaces: 0, fillers: 0, starts: 0 };
        let (mut tops, mut run_bases) = (0, 0);
        for p in 0..piles {
            let pile = &self.piles[p];
            let onto = if pile.len < hot.max_height { fits[pile.top.kind()] } else { 0 };
            tops |= pile.top.bit();
            run_bases |= pile.run_base.bit();
            takes.onto[p] = onto;
            takes.any |= onto;
            takes.spaces |= u32::from(pile.len == 0) << p;
        }
        if takes.spaces != 0 {
            takes.fillers = if self.reserve_left > 0 { hot.while_reserve } else { hot.after_reserve };
            takes.starts = rules.starts(self.base);
        }
        let waste = self.waste_top();
        let mut reserves = 0;
        for r in 0..hot.reserves {
            reserves |= self.playable_reserve(r, hot.reserve_face).bit();
        }
        if (tops | waste.bit() | reserves) & self.want != 0
            && self.list_to_foundations(piles, rules, waste, out)
        {
            out.end_of_plays(u64::MAX);
            return;
        }
        let starts = takes.starts_from(Filler::Reserve);
        if reserves & (takes.any | starts) != 0 {
            for r in 0..hot.reserves {
                let card = self.playable_reserve(r, hot.reserve_face);
                single_to_piles(card, Place::Reserve(r), &takes, starts, out);
            }
        }
        let starts = takes.starts_from(Filler::Tableau);
        let takers = takes.any | starts;
        if hot.unit == MoveUnit::Sequence {
            for p in 0..piles {
                self.sequences(rules, p, &takes, starts, out);
            }
        } else if (tops | run_bases) & takers != 0 {
            for p in 0..piles {
                self.single_or_whole(rules, p, &takes, starts, out);
            }
        }
        let starts = takes.starts_from(Filler::Waste);
        let mut waste_adds = self.want | takes.any | starts;
        if waste.bit() & waste_adds != 0 {
            single_to_piles(waste, Place::Waste, &takes, starts, out);
            waste_adds = u64::MAX;
        }
        if takes.starts_from(Filler::Stock) != 0 {
            self.unseen_to_spaces(rules, &takes, out);
            waste_adds = u64::MAX;
        }
        if hot.returns != Returns::Never {
            self.list_returns(rules, &takes, out);
        }
        out.end_of_plays(waste_adds);
        self.list_turning(rules, out);
    }

    /// Lists the legal moves after a draw or a redeal, given the list from before it.
    ///
    /// Most packets show a card that goes nowhere, as the one before did: then the plays stay as
    /// they were.
    #[inline(always)]
    pub(super) fn legal_moves_after_turning(&self, rules: &Rules, out: &mut MoveList) {
        if out.keep_plays(self.waste_top().bit()) {
            self.list_turning(rules, out);
        } else {
            self.legal_moves(rules, out);
        }
    }

    /// The draw or the redeal, which come last.
    #[inline(always)]
    fn list_turning(&self, rules: &Rules, out: &mut MoveList) {
        if self.next < self.end {
            out.push(Move::DRAW);
        } else if self.waste > 0 && self.redeals < rules.hot.redeals {
            out.push(Move::REDEAL);
        }
    }

    /// Moves to the foundations. True where they are forced, and so the only ones.
    fn list_to_foundations(&self, piles: usize, rules: &Rules, waste: Card, out: &mut MoveList) -> bool {
        let hot = &rules.hot;
        let list = |want: u64, out: &mut MoveList| {
            for r in 0..hot.reserves {
                if self.playable_reserve(r, hot.reserve_face).bit() & want != 0 {
                    out.push(Move::new(Place::Reserve(r), Place::Foundations, 1));
                }
            }
            if waste.bit() & want != 0 {
                out.push(Move::new(Place::Waste, Place::Foundations, 1));
            }
            for p in 0..piles {
                if self.piles[p].top.bit() & want != 0 {
                    out.push(Move::new(Place::Pile(p), Place::Foundations, 1));
                }
            }
        };
        if hot.forced_base {
            list(self.want & 0b1111 << (self.base.index() * 4), out);
            if !out.is_empty() {
                return true;
            }
        }
        list(self.want, out);
        false
    }

    /// The top card of a pile, or its run where that is all that is face up.
    #[inline(always)]
    fn single_or_whole<const N: usize>(
        &self,
        rules: &Rules,
        source: usize,
        takes: &Takes<N>,
        starts: u64,
        out: &mut MoveList,
    ) {
        let pile = &self.piles[source];
        let whole = if pile.run == pile.up { pile.run_base.bit() } else { 0 };
        let (top, run) = match rules.hot.unit {
            MoveUnit::Single => (pile.top.bit(), 0),
            MoveUnit::Whole => (0, whole),
            // A run of one is one move, not two.
            _ => (pile.top.bit(), if pile.run > 1 { whole } else { 0 }),
        };
        if (top | run) & (takes.any | starts) == 0 {
            return;
        }
        for q in 0..takes.piles {
            if q == source {
                continue;
            }
            // A whole pile into a space is no move.
            let takes_top = takes.by(q, if pile.len > 1 { starts } else { 0 });
            let takes_run = takes.by(q, if pile.len > pile.run { starts } else { 0 });
            if top & takes_top != 0 {
                out.push(Move::new(Place::Pile(source), Place::Pile(q), 1));
            }
            if run & takes_run != 0 && pile.run <= rules.hot.max_height - self.piles[q].len {
                out.push(Move::new(Place::Pile(source), Place::Pile(q), pile.run));
            }
        }
    }

    /// Any top part of a pile's run.
    fn sequences<const N: usize>(
        &self,
        rules: &Rules,
        source: usize,
        takes: &Takes<N>,
        starts: u64,
        out: &mut MoveList,
    ) {
        let pile = &self.piles[source];
        let mut card = pile.top;
        let mut bits = 0;
        for _ in 0..pile.run {
            bits |= card.bit();
            card = self.below[card.0 as usize];
        }
        if bits & (takes.any | starts) == 0 {
            return;
        }
        for q in 0..takes.piles {
            let takes_q = takes.by(q, starts);
            if q == source || bits & takes_q == 0 {
                continue;
            }
            let room = rules.hot.max_height - self.piles[q].len;
            let mut card = pile.top;
            for count in 1..=pile.run.min(room) {
                let whole_into_space = count == pile.len && takes.is_space(q);
                if card.bit() & takes_q != 0 && !whole_into_space {
                    out.push(Move::new(Place::Pile(source), Place::Pile(q), count));
                }
                card = self.below[card.0 as usize];
            }
        }
    }

    /// The unseen stock top goes into any space, where any rank may start one: were only some
    /// allowed, the list of moves would say what the hidden card is.
    fn unseen_to_spaces<const N: usize>(&self, rules: &Rules, takes: &Takes<N>, out: &mut MoveList) {
        if self.next == self.end || rules.spec().spaces.rank != SpaceRank::Any {
            return;
        }
        for q in (0..takes.piles).filter(|&q| takes.is_space(q)) {
            out.push(Move::new(Place::Stock, Place::Pile(q), 1));
        }
    }

    fn list_returns<const N: usize>(&self, rules: &Rules, takes: &Takes<N>, out: &mut MoveList) {
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
fn single_to_piles<const N: usize>(
    card: Card,
    source: Place,
    takes: &Takes<N>,
    starts: u64,
    out: &mut MoveList,
) {
    // No card has a bit that nothing takes.
    if card.bit() & (takes.any | starts) == 0 {
        return;
    }
    for q in 0..takes.piles {
        if card.bit() & takes.by(q, starts) != 0 {
            out.push(Move::new(source, Place::Pile(q), 1));
        }
    }
}
