//! Positions that a player thinks of: after moves of its own, and with the cards that it does not know dealt at random.
//!
//! Such a position is made from what a player sees, never from the real table: the cards whose places are not known are
//! put in an order that says nothing, and marked. So whatever is asked of it, and whatever follows from moves made in it,
//! is the same for all tables that look alike. A marked card that turns up stays unknown: it is not shown, and no move of
//! it or onto it is listed.

use std::rc::Rc;

use crate::cards::{Card, Purpose, generator, shuffle};
use crate::rules::{Draw, OnRedeal, Roll, Rules, WasteFace};

use super::chance::Chance;
use super::end::End;
use super::moves::{Move, MoveList, Place};
use super::opponents::Opponents;
use super::stakes::Stakes;
use super::strategy_rng::{SAMPLES, StrategyRng};
use super::table::{Pile, Table};
use super::termination::TerminationTracker;
use super::view::View;

/// A mask of kinds for each pack.
pub(super) type Cards = [u64; 4];

pub(super) fn is_among(cards: &Cards, card: Card) -> bool {
    card != Card::NONE && cards[card.pack()] & card.bit() != 0
}

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
    pub(super) moves: Vec<Move>,
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
        let mut unknown = Cards::default();
        let table = view.with_unknown(|cards| {
            cards.sort_unstable();
            cards.iter().for_each(|&card| add(&mut unknown, card));
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
            sample: None,
            sampled_of: None,
            origin: view.fingerprint(),
            stakes: *view.stakes(),
            opponents: view.opponents().map(|opponents| Rc::new(opponents.clone())),
            termination,
            end: None,
            moves: legal.to_vec(),
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
        &self.moves
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
        next.make(m, face, legal);
        next
    }

    fn make(&mut self, m: Move, face: u8, legal: &mut MoveList) {
        if !m.is_play() && self.termination.goes_nowhere(m, &self.table) {
            self.end = Some(End::Barren);
            self.moves.clear();
            return;
        }
        let rules = self.rules.clone();
        if m.is_play() {
            let applied = self.table.apply_play(&rules, m);
            self.end = self.termination.after_play(m, applied, &self.table);
            if m.to_foundation() {
                self.share(applied.card);
            }
        } else {
            self.termination.before_turning(m, &self.table);
            let number = self.chance_number();
            let shuffled = &mut |stock: &mut [Card]| {
                if let Some(number) = number {
                    shuffle(stock, &mut generator(SAMPLES, number, Purpose::Redeal));
                }
            };
            self.table.turn(&rules, m, &mut Decided { face, shuffle: shuffled });
            self.forget(m, &rules);
            self.end = if self.is_unknown(self.table.waste_top()) {
                self.termination.after_unseen_turning()
            } else {
                self.termination.after_turning(&self.table)
            };
        }
        self.stakes.moved(&rules, m);
        self.look(legal);
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
            self.termination.on_foundations_changed(&self.table);
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
        self.moves.clear();
        if self.table.cards() == self.rules.hot.cards {
            self.end = Some(End::Won);
            return;
        }
        let hidden = self.list(legal);
        self.termination.legal_plays(legal.plays() + usize::from(hidden));
        if legal.is_empty() && !hidden {
            self.end = Some(End::Blocked);
        }
        if self.end.is_none() {
            self.moves.extend_from_slice(legal);
        }
    }

    /// Lists the moves that are known to be legal. True if an unknown card lies where it may be moved, or built on.
    fn list(&self, legal: &mut MoveList) -> bool {
        let rules = &*self.rules;
        if self.unknown == Cards::default() {
            self.table.legal_moves(rules, legal);
            return false;
        }
        // No card fits nowhere and takes nothing.
        let (mut table, mut hidden) = (self.table, false);
        for pile in &mut table.piles[..rules.hot.piles] {
            if self.is_unknown(pile.top) {
                *pile = Pile { len: pile.len, ..Pile::EMPTY };
                hidden = true;
            }
        }
        for r in 0..rules.hot.reserves {
            if self.is_unknown(self.table.playable_reserve(r, rules.hot.reserve_face)) {
                table.reserves[r].top = Card::NONE;
                hidden = true;
            }
        }
        if self.is_unknown(self.table.waste_top()) {
            table.pack[self.table.waste as usize - 1] = Card::NONE;
            hidden = true;
        }
        if hidden {
            table.list_any(rules, legal)
        } else {
            table.legal_moves(rules, legal)
        }
        hidden
    }

    fn is_unknown(&self, card: Card) -> bool {
        is_among(&self.unknown, card)
    }

    /// A card that lies open in the view, if it is known.
    #[inline]
    fn known(&self, card: Option<Card>) -> Option<Card> {
        card.filter(|&card| !self.is_unknown(card))
    }

    fn seen(
        &self,
        shown: impl FnOnce(&View<'_>) -> Option<Card>,
        dealt: impl FnOnce(&Table) -> Option<Card>,
    ) -> Option<Card> {
        if self.sample.is_some() {
            return dealt(&self.table);
        }
        let rng = StrategyRng::new(0, 0);
        let card = shown(&self.view(&rng));
        self.known(card)
    }

    /// As [`View::reserve`], of what is known here; of a sampled deal every card.
    pub fn reserve(&self, reserve: usize, below: usize) -> Option<Card> {
        self.seen(|view| view.reserve(reserve, below), |table| table.reserve(reserve).nth(below))
    }

    /// As [`View::pile`].
    pub fn pile(&self, pile: usize, below: usize) -> Option<Card> {
        self.seen(|view| view.pile(pile, below), |table| table.pile(pile).nth(below).map(|(card, _)| card))
    }

    /// As [`View::waste`].
    pub fn waste(&self, below: usize) -> Option<Card> {
        self.seen(|view| view.waste(below), |table| table.waste().iter().rev().nth(below).copied())
    }

    /// As [`View::coming`].
    pub fn coming(&self, ahead: usize) -> Option<Card> {
        self.seen(|view| view.coming(ahead), |table| table.stock().get(ahead).copied())
    }

    /// As [`View::card`].
    pub fn card(&self, m: Move) -> Option<Card> {
        match m.source() {
            _ if !m.is_play() => None,
            Place::Reserve(r) => self.reserve(r, 0),
            Place::Stock => self.coming(0),
            _ => self.seen(
                |view| view.card(m),
                |table| View::new(table, &self.rules, &StrategyRng::new(0, 0)).card(m),
            ),
        }
    }
}

impl View<'_> {
    /// Whether a die is rolled with this move.
    pub fn rolls(&self, m: Move) -> bool {
        match self.rules().stock.draw {
            Draw::Die { roll: Roll::Draw, .. } => m.is_draw(),
            Draw::Die { roll: Roll::Pass, .. } => m.is_redeal(),
            _ => false,
        }
    }

    /// Faces of the die that says how many cards are drawn; 0 where there is none.
    pub fn faces(&self) -> usize {
        if let Draw::Die { faces, .. } = self.rules().stock.draw { faces.into() } else { 0 }
    }
}
