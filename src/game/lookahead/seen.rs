//! The player's view of a lookahead position.

use crate::cards::Card;

use super::Lookahead;
use crate::game::moves::{Move, Place};
use crate::game::player_state::PlayerState;
use crate::game::table::Table;
use crate::game::view::View;

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
