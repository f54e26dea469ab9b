//! Hypothetical positions of a player's lookahead: positions after moves of its own, with the unknown cards dealt at
//! random.
//!
//! A lookahead position is built from what a player sees, never from the real table: the cards whose places are unknown
//! are put in an arbitrary order and marked. Its answers, and those of the positions reached from it, are therefore the
//! same for all tables that look alike. A marked card that turns up stays unknown: it is not shown, and no move of it
//! or onto it is listed.

mod make;
mod sample;
#[cfg(test)]
pub(super) mod tests;

use std::rc::Rc;

use crate::cards::Card;
use crate::rules::{Rules, Spec};

use super::moves::{Move, MoveList, Place, SmallMoveList};
use super::opponents::Opponents;
use super::outcome::End;
use super::player_state::PlayerState;
use super::stakes::Stakes;
use super::table::Table;
use super::termination::{Cards, TerminationTracker, is_among};
use super::view::View;

pub use sample::{MOST_PLAYED_ON, Policy, Spare};

pub(super) fn add(cards: &mut Cards, card: Card) {
    cards[card.pack()] |= card.bit();
}

/// A lookahead position. As in its table, the fields are ordered by cache line.
#[derive(Clone)]
#[repr(C)]
pub struct Lookahead {
    pub(super) table: Table,
    /// The cards whose places are unknown.
    pub(super) unknown: Cards,
    /// Those of them in places that never held cards of the stock or the waste; no card seen there lies in them.
    pub(super) apart: Cards,
    pub(super) rules: Rc<Rules>,
    /// The number of the sampled deal, if it is one: every card is then shown.
    pub(super) sample: Option<u64>,
    /// The position that was sampled, if it is a sampled deal.
    pub(super) sampled_of: Option<Rc<Lookahead>>,
    /// The same for all positions of one decision's lookahead.
    pub(super) origin: u64,
    pub(super) opponents: Option<Rc<Opponents>>,
    /// [`MoveList::waste_adds`] of the list of its moves.
    pub(super) waste_adds: u64,
    /// Number of plays among its moves, and whether unknown cards lie open on piles or reserves.
    pub(super) plays: u16,
    pub(super) hidden: bool,
    pub(super) end: Option<End>,
    pub(super) moves: SmallMoveList,
    pub(super) termination: TerminationTracker,
    pub(super) stakes: Stakes,
    /// The last move made, if any.
    pub(super) made: Option<Move>,
}

impl View<'_> {
    /// Returns this position as one to look ahead from: `legal` are its moves. It copies the rules, so call it once in
    /// a decision.
    pub fn lookahead(&self, legal: &MoveList) -> Lookahead {
        let mut position = Lookahead::of(self, &Rc::new(self.compiled().clone()), legal);
        position.list(&mut MoveList::default());
        position
    }
}

impl Lookahead {
    /// Returns the position of a view that has these legal moves.
    pub(super) fn of(view: &View<'_>, rules: &Rc<Rules>, legal: &[Move]) -> Lookahead {
        let (mut unknown, mut apart) = (Cards::default(), Cards::default());
        let table = view.with_unknown(|cards, stand_apart| {
            view.sort(cards);
            view.part(cards, stand_apart);
            cards.iter().for_each(|&card| add(&mut unknown, card));
            cards[..stand_apart].iter().for_each(|&card| add(&mut apart, card));
        });
        let termination = view.termination.cloned().unwrap_or_else(|| {
            let mut termination = TerminationTracker::new(rules);
            termination.begin(&table);
            termination.legal_plays(legal.iter().filter(|m| m.is_play()).count());
            termination
        });
        Lookahead {
            rules: rules.clone(),
            table,
            unknown,
            apart,
            sample: None,
            sampled_of: None,
            origin: view.fingerprint(),
            stakes: *view.stakes,
            opponents: view.opponents.map(|opponents| Rc::new(opponents.clone())),
            termination,
            end: None,
            made: None,
            moves: SmallMoveList::of(legal),
            // Set when its moves are listed.
            waste_adds: u64::MAX,
            plays: 0,
            hidden: true,
        }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Spec {
        self.rules.spec()
    }

    /// Returns the player's view. Use the methods below to ask for cards: the view does not know which of them are
    /// unknown.
    #[inline]
    pub fn view<'a>(&'a self, rng: &'a PlayerState) -> View<'a> {
        let view = View::new(&self.table, &self.rules, rng).with_stakes(&self.stakes);
        match &self.opponents {
            Some(opponents) => view.with_opponents(opponents),
            None => view,
        }
    }

    /// Returns the moves known to be legal, in the engine's order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        self.moves.as_slice()
    }

    /// Returns whether the game is certainly over.
    #[inline]
    pub fn ended(&self) -> bool {
        self.end.is_some()
    }

    /// Returns the last move made since the decision, if any.
    pub fn made(&self) -> Option<Move> {
        self.made
    }

    /// Returns whether a die is rolled with this move.
    pub fn rolls(&self, m: Move) -> bool {
        self.view(&PlayerState::new(0, 0)).rolls(m)
    }

    /// Returns whether it is in a sampled deal, in which every card is shown.
    pub fn is_sampled(&self) -> bool {
        self.sample.is_some()
    }

    /// Returns the position that was sampled, as it was then.
    pub fn sampled_of(&self) -> Option<&Rc<Lookahead>> {
        self.sampled_of.as_ref()
    }

    /// Returns the position after one of its moves; `face` is the result if a die is rolled.
    pub fn after(&self, m: Move, face: u8, legal: &mut MoveList) -> Lookahead {
        let mut next = self.clone();
        next.sampled_of = None;
        next.make(self, m, face, legal);
        next
    }

    /// Like [`Lookahead::after`], but reuses a discarded position: it allocates nothing, and copies only those parts of the
    /// table that can differ.
    #[inline]
    pub(super) fn after_into(&self, m: Move, face: u8, legal: &mut MoveList, next: &mut Lookahead) {
        if Rc::ptr_eq(&self.rules, &next.rules) {
            next.take(self);
        } else {
            *next = self.clone();
            next.sampled_of = None;
        }
        next.make(self, m, face, legal);
    }

    /// Copies a position under the same rules, except for its sampling origin, its end, and its moves with their
    /// dependencies.
    #[inline(always)]
    fn take(&mut self, from: &Lookahead) {
        self.table.become_like(&from.table, &from.rules);
        if from.rules.hot.small {
            (self.unknown[0], self.apart[0]) = (from.unknown[0], from.apart[0]);
        } else {
            (self.unknown, self.apart) = (from.unknown, from.apart);
        }
        self.sample = from.sample;
        self.origin = from.origin;
        // Unless the stake is staged, the account never changes.
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

    /// Returns the top of the waste, if it is known.
    pub(super) fn seen_top(&self) -> Card {
        let top = self.table.waste_top();
        if self.is_unknown(top) { Card::NONE } else { top }
    }

    pub(super) fn is_unknown(&self, card: Card) -> bool {
        is_among(&self.unknown, card)
    }
}

impl Lookahead {
    /// Returns the seat of the player, from 0.
    pub fn seat(&self) -> usize {
        self.opponents.as_ref().map_or(0, |opponents| opponents.seat)
    }

    /// Returns a card that lies open in the view, if it is known.
    #[inline]
    pub fn known(&self, card: Option<Card>) -> Option<Card> {
        card.filter(|&card| !self.is_unknown(card))
    }

    /// Describes the position in a few words, for people who inspect a script's values.
    pub fn in_words(&self) -> String {
        let of = if self.is_sampled() { "a sampled deal" } else { "the view" };
        let after = self.made().map(|m| format!(" after {}", m.notation(self.rules.hot.reserves)));
        let of = match (self.is_sampled(), &after) {
            // The policy of a playout is being asked.
            (false, None) => "the view of a player who is asked",
            _ => of,
        };
        let over = if self.ended() { ", the game over" } else { "" };
        let cards = self.table.cards();
        let s = if cards == 1 { "" } else { "s" };
        format!("{of}{} ({cards} card{s} up{over})", after.unwrap_or_default())
    }

    fn seen(
        &self,
        shown: impl FnOnce(&View<'_>) -> Option<Card>,
        dealt: impl FnOnce(&Table) -> Option<Card>,
    ) -> Option<Card> {
        if self.sample.is_some() {
            return dealt(&self.table);
        }
        let rng = PlayerState::new(0, 0);
        let card = shown(&self.view(&rng));
        self.known(card)
    }

    /// Like [`View::reserve`], for known cards; in a sampled deal all cards are known.
    pub fn reserve(&self, reserve: usize, below: usize) -> Option<Card> {
        self.seen(|view| view.reserve(reserve, below), |table| table.reserve(reserve).nth(below))
    }

    /// Like [`View::pile`].
    pub fn pile(&self, pile: usize, below: usize) -> Option<Card> {
        self.seen(|view| view.pile(pile, below), |table| table.pile(pile).nth(below).map(|(card, _)| card))
    }

    /// Like [`View::waste`].
    pub fn waste(&self, below: usize) -> Option<Card> {
        self.seen(|view| view.waste(below), |table| table.waste().iter().rev().nth(below).copied())
    }

    /// Like [`View::coming`].
    pub fn coming(&self, ahead: usize) -> Option<Card> {
        self.seen(|view| view.coming(ahead), |table| table.stock().get(ahead).copied())
    }

    /// Like [`View::card`].
    pub fn card(&self, m: Move) -> Option<Card> {
        match m.source() {
            _ if !m.is_play() => None,
            Place::Reserve(r) => self.reserve(r, 0),
            Place::Stock => self.coming(0),
            _ => self.seen(
                |view| view.card(m),
                |table| View::new(table, &self.rules, &PlayerState::new(0, 0)).card(m),
            ),
        }
    }
}
