//! Positions that a player thinks of: after moves of its own, and with the cards that it does not know dealt at random.
//!
//! Such a position is made from what a player sees, never from the real table: the cards whose places are not known are
//! put in an order that says nothing, and marked. So whatever is asked of it, and whatever follows from moves made in it,
//! is the same for all tables that look alike. A marked card that turns up stays unknown: it is not shown, and no move of
//! it or onto it is listed.

use std::rc::Rc;

use crate::cards::{Card, Purpose, generator, shuffle};
use crate::rules::{OnRedeal, Rules, WasteFace};

use super::chance::Chance;
use super::end::End;
use super::few_moves::FewMoves;
use super::moves::{Move, MoveList, Place};
use super::opponents::Opponents;
use super::stakes::Stakes;
use super::strategy_rng::{SAMPLES, StrategyRng};
use super::table::{Pile, Table};
use super::termination::{Cards, TerminationTracker, is_among};
use super::view::View;

fn add(cards: &mut Cards, card: Card) {
    cards[card.pack()] |= card.bit();
}

/// A position that a player thinks of.
#[derive(Clone)]
pub struct Ahead {
    pub(super) rules: Rc<Rules>,
    pub(super) table: Table,
    /// The cards whose places are not known.
    pub(super) unknown: Cards,
    /// Those of them that never were in the stock or the waste: no card that went by there lies in their places.
    pub(super) apart: Cards,
    /// Of a sampled deal, in which every card is shown, its number.
    pub(super) sample: Option<u64>,
    /// Of a sampled deal, the position that it is one of.
    pub(super) sampled_of: Option<Rc<Ahead>>,
    /// The same for all positions thought of in one decision.
    pub(super) origin: u64,
    pub(super) stakes: Stakes,
    pub(super) opponents: Option<Rc<Opponents>>,
    pub(super) termination: TerminationTracker,
    pub(super) end: Option<End>,
    moves: FewMoves,
    /// As [`MoveList::waste_adds`], of that list.
    waste_adds: u64,
    /// How many of these moves are plays, and whether unknown cards lie open on piles or reserves.
    plays: u16,
    hidden: bool,
}

/// What a move that is thought of leaves to chance.
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

impl Ahead {
    /// The position of a view, which has these legal moves.
    pub(super) fn of(view: &View<'_>, rules: &Rc<Rules>, legal: &[Move]) -> Ahead {
        let (mut unknown, mut apart) = (Cards::default(), Cards::default());
        let table = view.with_unknown(|cards, stand_apart| {
            view.sort(cards);
            view.part(cards, stand_apart);
            cards.iter().for_each(|&card| add(&mut unknown, card));
            cards[..stand_apart].iter().for_each(|&card| add(&mut apart, card));
        });
        let termination = view.termination().cloned().unwrap_or_else(|| {
            let mut termination = TerminationTracker::new(rules);
            termination.begin(&table);
            termination.legal_plays(legal.iter().filter(|m| m.is_play()).count());
            termination
        });
        Ahead {
            rules: rules.clone(),
            table,
            unknown,
            apart,
            sample: None,
            sampled_of: None,
            origin: view.fingerprint(),
            stakes: *view.stakes(),
            opponents: view.opponents().map(|opponents| Rc::new(opponents.clone())),
            termination,
            end: None,
            moves: FewMoves::of(legal),
            // Until its moves are listed.
            waste_adds: u64::MAX,
            plays: 0,
            hidden: true,
        }
    }

    /// What its player sees. Cards are asked for below, as the view knows nothing of cards that are not known.
    #[inline]
    pub fn view<'a>(&'a self, rng: &'a StrategyRng) -> View<'a> {
        let view = View::new(&self.table, &self.rules, rng).with_stakes(&self.stakes);
        match &self.opponents {
            Some(opponents) => view.with_opponents(opponents),
            None => view,
        }
    }

    /// The legal moves as far as they are known, in the engine's order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        self.moves.as_slice()
    }

    /// Whether the game is over there for certain.
    #[inline]
    pub fn ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether a die is rolled with this move.
    pub fn rolls(&self, m: Move) -> bool {
        self.view(&StrategyRng::new(0, 0)).rolls(m)
    }

    /// The position that it is a sampled deal of, as it was sampled.
    pub fn sampled_of(&self) -> Option<&Rc<Ahead>> {
        self.sampled_of.as_ref()
    }

    /// The position after one of its moves; `face` is what the die shows where one is rolled.
    pub fn after(&self, m: Move, face: u8, legal: &mut MoveList) -> Ahead {
        let mut next = self.clone();
        next.sampled_of = None;
        next.make(self, m, face, legal);
        next
    }

    /// The same in the place of a position that is not thought of any more: nothing is allocated, and of the table only
    /// what can differ is copied.
    #[inline]
    pub(super) fn after_into(&self, m: Move, face: u8, legal: &mut MoveList, next: &mut Ahead) {
        if Rc::ptr_eq(&self.rules, &next.rules) {
            next.take(self);
        } else {
            *next = self.clone();
            next.sampled_of = None;
        }
        next.make(self, m, face, legal);
    }

    /// Becomes a copy of a position under the same rules, but for what it is sampled of, its end, and its moves with what
    /// they hang on.
    #[inline(always)]
    fn take(&mut self, from: &Ahead) {
        self.table.become_like(&from.table, &from.rules);
        if from.rules.hot.packs > 1 {
            (self.unknown, self.apart) = (from.unknown, from.apart);
        } else {
            (self.unknown[0], self.apart[0]) = (from.unknown[0], from.apart[0]);
        }
        self.sample = from.sample;
        self.origin = from.origin;
        // Where nothing is bought in stages, the account is always the same.
        if from.rules.spec().casino.is_staged() {
            self.stakes = from.stakes;
        }
        if self.sampled_of.is_some() {
            self.sampled_of = None;
        }
        if self.opponents.is_some() || from.opponents.is_some() {
            self.opponents.clone_from(&from.opponents);
        }
        self.termination.take(&from.termination);
    }

    /// Makes a move in what is a copy of a position so far.
    fn make(&mut self, from: &Ahead, m: Move, face: u8, legal: &mut MoveList) {
        let rules = &*from.rules;
        if !m.is_play() && self.termination.goes_nowhere(m, &self.table) {
            self.end = Some(End::Barren);
            self.moves.truncate(0);
            return;
        }
        if m.is_play() {
            let applied = self.table.apply_play(rules, m);
            self.end = self.termination.after_play(m, applied, &self.table, self.seen_top());
            if m.to_foundation() {
                self.share(applied.card);
            }
            self.stakes.moved(rules, m);
            // Only what a play takes away shows what lay under it.
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
            let unseen = self.is_unknown(self.table.waste_top());
            let top = self.seen_top();
            self.end = self.termination.after_turning(top);
            self.stakes.moved(rules, m);
            // An unknown card may be a base card that must go up first: then no other play is legal for certain.
            let may_force = unseen && rules.hot.forced_base;
            if !may_force && !self.table.adds_to(top, from.waste_adds) {
                self.look_on(from, unseen);
                return;
            }
            self.look_at(from.hidden, legal);
        }
    }

    /// Turning the stock left the plays as they were: see [`Table::legal_moves_after_turning`].
    fn look_on(&mut self, from: &Ahead, unseen: bool) {
        (self.waste_adds, self.plays, self.hidden) = (from.waste_adds, from.plays, from.hidden);
        let (plays, hidden) = (usize::from(self.plays), self.hidden | unseen);
        self.termination.legal_plays(plays + usize::from(hidden));
        self.moves.copy_from(&from.moves);
        self.moves.truncate(plays);
        if let Some(m) = self.table.turning(&self.rules) {
            self.moves.push(m);
        }
        if self.moves.is_empty() && !hidden {
            self.end = Some(End::Blocked);
        }
        if self.end.is_some() {
            self.moves.truncate(0);
        }
    }

    /// Puts a card on foundations that all build on, too. The others are idle.
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

    /// Turning the stock may make unknown what was known: the cards of a squared waste under its top, those that come
    /// back from it, and shuffled ones.
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

    /// Lists the legal moves, as far as they are known, and sees whether the game is over.
    pub(super) fn look(&mut self, legal: &mut MoveList) {
        self.look_at(true, legal);
    }

    /// The same; `may_hide` says whether unknown cards may lie open on piles and reserves.
    fn look_at(&mut self, may_hide: bool, legal: &mut MoveList) {
        if self.table.cards() == self.rules.hot.cards {
            self.moves.truncate(0);
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
            self.moves.truncate(0);
        }
    }

    /// Lists the moves that are known to be legal, and notes what the list hangs on. True if an unknown card lies where it
    /// may be moved, or built on.
    pub(super) fn list(&mut self, legal: &mut MoveList) -> bool {
        self.list_at(true, legal)
    }

    /// The same; `may_hide` says whether unknown cards may lie open on piles and reserves.
    fn list_at(&mut self, may_hide: bool, legal: &mut MoveList) -> bool {
        let Ahead { rules, table, unknown, .. } = self;
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
        // What may be a card that a pile takes is in no table of those.
        self.waste_adds = if piles { u64::MAX } else { legal.waste_adds() };
        self.hidden | waste
    }

    /// The top of the waste, if it is known.
    fn seen_top(&self) -> Card {
        let top = self.table.waste_top();
        if self.is_unknown(top) { Card::NONE } else { top }
    }

    pub(super) fn is_unknown(&self, card: Card) -> bool {
        is_among(&self.unknown, card)
    }
}

/// Lists the moves of a table on which cards that are not known lie open: for as long as that takes, these are no cards, which
/// fit nowhere and take nothing. `piles` says whether some of them top piles.
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
        // What is kept of plain rules says what takes a card, but not by which of its tops.
        table.list_any(rules, legal);
    } else {
        table.legal_moves(rules, legal);
    }
    // One of the cards may be a base card, which must go up first: then nothing else is legal for certain.
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
