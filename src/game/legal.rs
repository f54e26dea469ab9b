//! Lists the legal moves of a position: the only judge of legality.
//!
//! Everything that could take a card is first joined in one mask, so that a source with no playable card is rejected
//! with one AND.

use crate::cards::Card;
use crate::rules::{Filler, MoveUnit, Returns, Rules, SPACE, SpaceRank, filler_bit};

use super::moves::{Move, MoveList, Place};
use super::table::{MAX_PILES, Table};

/// The kinds that the tableau takes.
struct Takes<'a> {
    piles: usize,
    /// Kinds that fit on a card of each kind.
    fits: &'a [u64; 64],
    /// Kinds that the top of some pile takes.
    any: u64,
    /// Sources that may fill a space, as bits of `Filler`; 0 if there is no space.
    fillers: u8,
    /// Kinds that may start a space.
    starts: u64,
}

impl Takes<'_> {
    /// Returns the kinds from `filler` that may start a space in this position.
    #[inline(always)]
    fn starts_from(&self, filler: Filler) -> u64 {
        if self.fillers & filler_bit(filler) != 0 { self.starts } else { 0 }
    }
}

impl Table {
    /// Lists every legal move in the engine's order.
    #[inline(always)]
    pub fn legal_moves(&self, rules: &Rules, out: &mut MoveList) {
        if rules.hot.plain && self.list_plain(rules, out) {
            return;
        }
        self.list_any(rules, out);
    }

    /// Like [`Table::legal_moves`], for rules of any kind.
    #[inline(never)]
    pub(super) fn list_any(&self, rules: &Rules, out: &mut MoveList) {
        if self.choosing {
            return self.list_choices(rules, out);
        }
        // The most common number of piles gets loops of constant length.
        match rules.hot.piles {
            4 => self.list(4, rules, out),
            piles => self.list(piles.min(MAX_PILES), rules, out),
        }
    }

    /// Lists the moves that choose the base: nothing else is legal before that.
    #[cold]
    fn list_choices(&self, rules: &Rules, out: &mut MoveList) {
        out.clear();
        for i in 0..self.offered().len() {
            out.push(Move::new(Place::Offered(i), Place::Foundations, 1));
        }
        if out.is_empty() {
            for r in 0..rules.hot.reserves {
                let card = self.playable_reserve(r, rules.hot.reserve_face);
                out.push_if(card != Card::NONE, Move::new(Place::Reserve(r), Place::Foundations, 1));
            }
        }
        out.end_of_plays(u64::MAX);
    }

    #[inline(always)]
    fn list(&self, piles: usize, rules: &Rules, out: &mut MoveList) {
        out.clear();
        let hot = &rules.hot;
        let fits = rules.fits(self.base);
        let mut takes = Takes { piles, fits, any: 0, fillers: 0, starts: 0 };
        let (mut tops, mut run_bases) = (0, 0);
        for pile in &self.piles[..piles] {
            tops |= pile.top.bit();
            run_bases |= pile.run_base.bit();
            takes.any |= fits[pile.top.kind()];
        }
        if tops & Card::NONE.bit() != 0 {
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
                self.single_to_piles(card, Place::Reserve(r), rules, &takes, starts, out);
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
            self.single_to_piles(waste, Place::Waste, rules, &takes, starts, out);
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
    /// If neither the new nor the old top of the waste can be played, as with most packets, the plays are kept.
    #[inline(always)]
    pub(super) fn legal_moves_after_turning(&self, rules: &Rules, out: &mut MoveList) {
        if !self.adds(self.waste_top(), out) {
            out.keep_plays();
            self.list_turning(rules, out);
        } else if rules.hot.plain && out.plays() == 0 && self.takes[SPACE as usize] == 0 {
            self.list_plain_from_waste(rules, out);
        } else {
            self.legal_moves_apart(rules, out);
        }
    }

    /// Like [`Table::legal_moves`], but not inlined, for cold paths.
    #[inline(never)]
    fn legal_moves_apart(&self, rules: &Rules, out: &mut MoveList) {
        self.legal_moves(rules, out);
    }

    /// Returns whether a new top of the waste adds moves to this list from before it was turned.
    #[inline(always)]
    pub(crate) fn adds(&self, top: Card, list: &MoveList) -> bool {
        self.adds_to(top, list.waste_adds())
    }

    /// Like [`Table::adds`], for a list to which a new top of one of these kinds would add moves.
    #[inline(always)]
    pub(super) fn adds_to(&self, top: Card, waste_adds: u64) -> bool {
        // Only one of the two is informative: the table if the rules are plain, the list otherwise.
        (top.bit() & waste_adds) | u64::from(self.takes[top.0 as usize]) != 0
    }

    /// Lists the draw or the redeal, which come last.
    #[inline(always)]
    pub(super) fn list_turning(&self, rules: &Rules, out: &mut MoveList) {
        let draw = self.next < self.end;
        let redeal = (self.waste > 0) & (self.redeals < rules.hot.redeals);
        out.push_if(draw | redeal, if draw { Move::DRAW } else { Move::REDEAL });
    }

    /// Returns the draw or the redeal, if either is legal.
    #[inline(always)]
    pub(super) fn turning(&self, rules: &Rules) -> Option<Move> {
        let draw = self.next < self.end;
        let redeal = (self.waste > 0) & (self.redeals < rules.hot.redeals);
        (draw | redeal).then_some(if draw { Move::DRAW } else { Move::REDEAL })
    }

    /// Lists the plays of a card as if it were the top of the waste and no base card were forced up.
    pub(crate) fn list_from_waste(&self, card: Card, rules: &Rules, out: &mut MoveList) {
        out.clear();
        let hot = &rules.hot;
        let fits = rules.fits(self.base);
        let mut takes = Takes { piles: hot.piles.min(MAX_PILES), fits, any: 0, fillers: 0, starts: 0 };
        let mut tops = 0;
        for pile in &self.piles[..takes.piles] {
            tops |= pile.top.bit();
            takes.any |= fits[pile.top.kind()];
        }
        if tops & Card::NONE.bit() != 0 {
            takes.fillers = if self.reserve_left > 0 { hot.while_reserve } else { hot.after_reserve };
            takes.starts = rules.starts(self.base);
        }
        out.push_if(card.bit() & self.want != 0, Move::new(Place::Waste, Place::Foundations, 1));
        let starts = takes.starts_from(Filler::Waste);
        self.single_to_piles(card, Place::Waste, rules, &takes, starts, out);
        out.end_of_plays(u64::MAX);
    }

    /// Returns the kinds of the base rank; meaningless while it is still to be chosen.
    pub(super) fn base_kinds(&self) -> u64 {
        0b1111 << (self.base.index() * 4)
    }

    /// Returns whether a base card lies where it must go up, under rules that require it.
    pub(super) fn forces_base(&self, rules: &Rules) -> bool {
        let piles = self.piles[..rules.hot.piles].iter().fold(0, |bits, pile| bits | pile.top.bit());
        let reserves = (0..rules.hot.reserves)
            .fold(0, |bits, r| bits | self.playable_reserve(r, rules.hot.reserve_face).bit());
        (piles | reserves | self.waste_top().bit()) & self.want & self.base_kinds() != 0
    }

    /// Lists moves to the foundations. Returns true if they are forced, and so the only ones.
    fn list_to_foundations(&self, piles: usize, rules: &Rules, waste: Card, out: &mut MoveList) -> bool {
        let hot = &rules.hot;
        let list = |want: u64, out: &mut MoveList| {
            for r in 0..hot.reserves {
                let card = self.playable_reserve(r, hot.reserve_face);
                out.push_if(card.bit() & want != 0, Move::new(Place::Reserve(r), Place::Foundations, 1));
            }
            out.push_if(waste.bit() & want != 0, Move::new(Place::Waste, Place::Foundations, 1));
            for p in 0..piles {
                let top = self.piles[p].top;
                out.push_if(top.bit() & want != 0, Move::new(Place::Pile(p), Place::Foundations, 1));
            }
        };
        if hot.forced_base {
            list(self.want & self.base_kinds(), out);
            if !out.is_empty() {
                return true;
            }
        }
        list(self.want, out);
        false
    }

    /// Returns the kinds that pile `q` takes from a source that may start a space with `starts`.
    #[inline(always)]
    fn takes(&self, q: usize, rules: &Rules, takes: &Takes<'_>, starts: u64) -> u64 {
        let pile = &self.piles[q];
        let onto = if pile.len < rules.hot.max_height { takes.fits[pile.top.kind()] } else { 0 };
        onto | if pile.len == 0 { starts } else { 0 }
    }

    #[inline(always)]
    fn single_to_piles(
        &self,
        card: Card,
        source: Place,
        rules: &Rules,
        takes: &Takes<'_>,
        starts: u64,
        out: &mut MoveList,
    ) {
        // An absent card has no bits.
        if card.bit() & (takes.any | starts) == 0 {
            return;
        }
        for q in 0..takes.piles {
            let fits = card.bit() & self.takes(q, rules, takes, starts) != 0;
            out.push_if(fits, Move::new(source, Place::Pile(q), 1));
        }
    }

    /// Lists moves of the top card of a pile, or of its run if that is all that is face up.
    #[inline(always)]
    fn single_or_whole(
        &self,
        rules: &Rules,
        source: usize,
        takes: &Takes<'_>,
        starts: u64,
        out: &mut MoveList,
    ) {
        let pile = &self.piles[source];
        if (pile.top.bit() | pile.run_base.bit()) & (takes.any | starts) == 0 {
            return;
        }
        let whole = if pile.run == pile.up { pile.run_base.bit() } else { 0 };
        let (top, run) = match rules.hot.unit {
            MoveUnit::Single => (pile.top.bit(), 0),
            MoveUnit::Whole => (0, whole),
            // A run of one is one move, not two.
            _ => (pile.top.bit(), if pile.run > 1 { whole } else { 0 }),
        };
        for q in (0..takes.piles).filter(|&q| q != source) {
            let target = &self.piles[q];
            let takes_q = self.takes(q, rules, takes, starts);
            // Moving a whole pile into a space is not a move.
            let moves_on = |count: u8| target.len > 0 || pile.len > count;
            let fits = top & takes_q != 0 && moves_on(1);
            out.push_if(fits, Move::new(Place::Pile(source), Place::Pile(q), 1));
            let room = rules.hot.max_height.saturating_sub(target.len);
            let fits = run & takes_q != 0 && moves_on(pile.run) && pile.run <= room;
            out.push_if(fits, Move::new(Place::Pile(source), Place::Pile(q), pile.run));
        }
    }

    /// Lists moves of any top part of a pile's run.
    fn sequences(&self, rules: &Rules, source: usize, takes: &Takes<'_>, starts: u64, out: &mut MoveList) {
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
            let takes_q = self.takes(q, rules, takes, starts);
            if q == source || bits & takes_q == 0 {
                continue;
            }
            let target = &self.piles[q];
            let room = rules.hot.max_height.saturating_sub(target.len);
            let mut card = pile.top;
            for count in 1..=pile.run.min(room) {
                let whole_into_space = count == pile.len && target.len == 0;
                if card.bit() & takes_q != 0 && !whole_into_space {
                    out.push(Move::new(Place::Pile(source), Place::Pile(q), count));
                }
                card = self.below[card.0 as usize];
            }
        }
    }

    /// Lists moves of the unseen top of the stock into spaces, only if any rank may start one: otherwise the list of
    /// moves would reveal the hidden card.
    fn unseen_to_spaces(&self, rules: &Rules, takes: &Takes<'_>, out: &mut MoveList) {
        if self.next == self.end || rules.spec().spaces.rank != SpaceRank::Any {
            return;
        }
        for q in (0..takes.piles).filter(|&q| self.piles[q].len == 0) {
            out.push(Move::new(Place::Stock, Place::Pile(q), 1));
        }
    }

    fn list_returns(&self, rules: &Rules, takes: &Takes<'_>, out: &mut MoveList) {
        let starts = takes.starts_from(Filler::Foundation);
        for f in 0..4 * rules.hot.packs {
            let stack = &self.foundations[f];
            if stack.len > u8::from(rules.hot.returns == Returns::TopExceptBase) {
                self.single_to_piles(stack.top, Place::Foundation(f), rules, takes, starts, out);
            }
        }
    }
}
