//! Makes moves in lookahead positions, and lists the moves that are legal afterwards.

use std::rc::Rc;

use crate::cards::{Card, Purpose, generator, shuffle};
use crate::rules::{OnRedeal, Rules, WasteFace};

use super::{Lookahead, add};
use crate::game::chance::Chance;
use crate::game::moves::{Move, MoveList, Place};
use crate::game::outcome::End;
use crate::game::player_state::SAMPLES;
use crate::game::table::{Pile, Table};
use crate::game::termination::{Cards, is_among};

/// Chance with a fixed die roll, for a move of the lookahead.
struct Decided<'a> {
    face: u8,
    shuffle: &'a mut dyn FnMut(&mut [Card]),
}

impl Chance for Decided<'_> {
    fn roll(&mut self, _faces: u8) -> u8 {
        self.face
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        (self.shuffle)(stock);
    }
}

impl Lookahead {
    /// Makes a move; `self` must be a copy of `from`.
    #[inline(always)]
    pub(in crate::game) fn make(&mut self, from: &Lookahead, m: Move, face: u8, legal: &mut MoveList) {
        let rules = &*from.rules;
        self.made = Some(m);
        if m.is_draw() && self.termination.draws_are_alike() && self.table.packet != 0 {
            // No card is forgotten, no die rolls, and the draw does not end the game as barren.
            self.table.turn_packet(self.table.packet);
            self.end = self.termination.after_like_draws(1);
            self.stakes.moved(rules, m);
            self.look_after_turning(from, legal);
            return;
        }
        self.make_any(from, m, face, legal);
    }

    /// Makes any kind of move.
    #[inline(never)]
    fn make_any(&mut self, from: &Lookahead, m: Move, face: u8, legal: &mut MoveList) {
        let rules = &*from.rules;
        if !m.is_play() && self.termination.goes_nowhere(m, &self.table) {
            self.end = Some(End::Barren);
            self.moves.clear();
            return;
        }
        if m.is_play() {
            let applied = self.table.apply_play(rules, m);
            self.end = self.termination.after_play(m, applied, &self.table, self.seen_top());
            if m.to_foundation() {
                self.share(applied.card);
            }
            self.stakes.moved(rules, m);
            // Only a play that takes a card away shows what was under it.
            let shows = applied.refilled || applied.turned_up != Card::NONE;
            let may_hide = from.hidden || shows || !matches!(m.source(), Place::Pile(_) | Place::Waste);
            self.look_at(may_hide, legal);
        } else {
            self.termination.before_turning(m, &self.table, &from.unknown);
            let number = self.chance_number();
            let shuffled = &mut |stock: &mut [Card]| {
                if let Some(number) = number {
                    shuffle(stock, &mut generator(SAMPLES, number, Purpose::Redeal));
                }
            };
            self.table.turn(rules, m, &mut Decided { face, shuffle: shuffled });
            self.forget(m, rules);
            self.end = self.termination.after_turning(self.seen_top());
            self.stakes.moved(rules, m);
            self.look_after_turning(from, legal);
        }
    }

    /// Lists the legal moves after a draw or a redeal. Plays that it did not affect are kept: see
    /// [`Table::legal_moves_after_turning`].
    #[inline(always)]
    fn look_after_turning(&mut self, from: &Lookahead, legal: &mut MoveList) {
        let rules = &*from.rules;
        let top = self.table.waste_top();
        let unseen = self.is_unknown(top);
        let seen_top = if unseen { Card::NONE } else { top };
        // An unknown card may be a base card that must go up first: then no other play is certainly legal.
        let may_force = unseen && rules.hot.forced_base;
        if may_force || self.table.adds_to(seen_top, from.waste_adds) {
            self.look_at(from.hidden, legal);
            return;
        }
        (self.waste_adds, self.plays, self.hidden) = (from.waste_adds, from.plays, from.hidden);
        let hidden = self.hidden | unseen;
        self.termination.legal_plays(usize::from(self.plays) + usize::from(hidden));
        self.moves.copy_first(&from.moves, usize::from(self.plays), self.table.turning(rules));
        if self.moves.is_empty() && !hidden {
            self.end = Some(End::Blocked);
        }
        if self.end.is_some() {
            self.moves.clear();
        }
    }

    /// Puts a card on the shared foundations, too. The other players are idle.
    fn share(&mut self, card: Card) {
        let Some(opponents) = &mut self.opponents else { return };
        if opponents.shared.is_none() {
            return;
        }
        let opponents = Rc::make_mut(opponents);
        let seat = opponents.seat;
        if let Some(shared) = &mut opponents.shared
            && shared.put(card, seat)
        {
            self.table.want_now(shared.wanted(), &self.rules);
            self.end = None;
            self.termination.on_foundations_changed(self.seen_top());
        }
    }

    /// Turning the stock can make known cards unknown: those under the top of a squared waste, those that return from
    /// it, and shuffled ones.
    fn forget(&mut self, m: Move, rules: &Rules) {
        let stock = &rules.spec().stock;
        let shuffled = m.is_redeal() && stock.on_redeal == OnRedeal::Shuffle;
        if self.sample.is_some() || !shuffled && stock.waste == WasteFace::Fanned {
            return;
        }
        let under = match self.table.waste() {
            [under @ .., _] if stock.waste == WasteFace::Squared => under,
            _ => &[],
        };
        let back = if m.is_redeal() { self.table.stock() } else { &[] };
        for &card in under.iter().chain(back) {
            if shuffled || !self.stakes.knows(card) {
                add(&mut self.unknown, card);
            }
        }
    }

    /// Lists the moves known to be legal, and checks whether the game is over.
    pub(in crate::game) fn look(&mut self, legal: &mut MoveList) {
        self.look_at(true, legal);
    }

    /// Like [`Lookahead::look`]; `may_hide` says whether unknown cards may lie open on piles and reserves.
    #[inline(never)]
    fn look_at(&mut self, may_hide: bool, legal: &mut MoveList) {
        if self.table.cards() == self.rules.hot.cards {
            self.moves.clear();
            self.end = Some(End::Won);
            return;
        }
        let hidden = self.list_at(may_hide, legal);
        self.termination.legal_plays(legal.plays() + usize::from(hidden));
        if legal.is_empty() && !hidden {
            self.end = Some(End::Blocked);
        }
        if self.end.is_none() {
            self.moves.take(legal);
        } else {
            self.moves.clear();
        }
    }

    /// Lists the moves known to be legal, and records what the list depends on. Returns true if an unknown card lies
    /// where it might be moved or built on.
    pub(in crate::game) fn list(&mut self, legal: &mut MoveList) -> bool {
        self.list_at(true, legal)
    }

    /// Like [`Lookahead::list`]; `may_hide` says whether unknown cards may lie open on piles and reserves.
    #[inline(always)]
    fn list_at(&mut self, may_hide: bool, legal: &mut MoveList) -> bool {
        let Lookahead { rules, table, unknown, .. } = self;
        let hot = &rules.hot;
        let is_unknown = |card: Card| unknown[card.pack()] & card.bit() != 0;
        let waste = is_unknown(table.waste_top());
        let (mut piles, mut reserves) = (false, false);
        if may_hide || cfg!(debug_assertions) {
            piles = table.piles[..hot.piles].iter().fold(false, |any, pile| any | is_unknown(pile.top));
            for r in 0..hot.reserves {
                reserves |= is_unknown(table.playable_reserve(r, hot.reserve_face));
            }
            debug_assert!(may_hide || !(piles | reserves), "an unknown card lies where none can");
        }
        if piles | waste | reserves {
            list_known(table, rules, unknown, piles, legal);
        } else {
            table.legal_moves(rules, legal);
        }
        self.hidden = piles | reserves;
        self.plays = legal.plays() as u16;
        // The tables of accepted cards do not cover piles topped by unknown cards.
        self.waste_adds = if piles { u64::MAX } else { legal.waste_adds() };
        self.hidden | waste
    }
}

/// Lists the moves of a table on which unknown cards lie open. Meanwhile those are replaced by empty places, which fit
/// nowhere and take nothing. `piles` says whether some of them top piles.
fn list_known(table: &mut Table, rules: &Rules, unknown: &Cards, piles: bool, legal: &mut MoveList) {
    let before = (table.piles, table.reserves, table.waste_top());
    if piles {
        for pile in table.piles[..rules.hot.piles].iter_mut().filter(|pile| is_among(unknown, pile.top)) {
            *pile = Pile { len: pile.len, ..Pile::EMPTY };
        }
    }
    for r in 0..rules.hot.reserves {
        if is_among(unknown, table.playable_reserve(r, rules.hot.reserve_face)) {
            table.reserves[r].top = Card::NONE;
        }
    }
    let waste = is_among(unknown, before.2);
    if waste {
        table.pack[table.waste as usize - 1] = Card::NONE;
    }
    if piles {
        // The index kept for plain rules assumes that every top is known, so the general listing is used.
        table.list_any(rules, legal);
    } else {
        table.legal_moves(rules, legal);
    }
    // One of the unknown cards may be a base card, which must go up first: then nothing else is certainly legal.
    let may_force = rules.hot.forced_base && unknown.iter().any(|kinds| kinds & table.base_kinds() != 0);
    if may_force && !table.forces_base(rules) {
        legal.clear();
        legal.end_of_plays(u64::MAX);
    }
    (table.piles, table.reserves) = (before.0, before.1);
    if waste {
        table.pack[table.waste as usize - 1] = before.2;
    }
}
