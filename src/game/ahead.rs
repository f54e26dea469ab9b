//! Positions that a player thinks of: after moves of its own, and with the cards that it does not know dealt at random.
//!
//! Such a position is made from what a player sees, never from the real table: the cards whose places are not known are
//! put in an order that says nothing, and marked. So whatever is asked of it, and whatever follows from moves made in it,
//! is the same for all tables that look alike. A marked card that turns up stays unknown: it is not shown, and no move of
//! it or onto it is listed.

use std::rc::Rc;

use crate::cards::Card;
use crate::rules::{Rules, Spec};

use super::end::End;
use super::few_moves::FewMoves;
use super::moves::{Move, MoveList};
use super::opponents::Opponents;
use super::stakes::Stakes;
use super::strategy_rng::StrategyRng;
use super::table::Table;
use super::termination::{Cards, TerminationTracker, is_among};
use super::view::View;

pub(super) fn add(cards: &mut Cards, card: Card) {
    cards[card.pack()] |= card.bit();
}

/// A position that a player thinks of. Like those of its table, the fields stand in the order of the cache's lines.
#[derive(Clone)]
#[repr(C)]
pub struct Ahead {
    pub(super) table: Table,
    /// The cards whose places are not known.
    pub(super) unknown: Cards,
    /// Those of them that never were in the stock or the waste: no card that went by there lies in their places.
    pub(super) apart: Cards,
    pub(super) rules: Rc<Rules>,
    /// Of a sampled deal, in which every card is shown, its number.
    pub(super) sample: Option<u64>,
    /// Of a sampled deal, the position that it is one of.
    pub(super) sampled_of: Option<Rc<Ahead>>,
    /// The same for all positions thought of in one decision.
    pub(super) origin: u64,
    pub(super) opponents: Option<Rc<Opponents>>,
    /// As [`MoveList::waste_adds`], of the list of its moves.
    pub(super) waste_adds: u64,
    /// How many of its moves are plays, and whether unknown cards lie open on piles or reserves.
    pub(super) plays: u16,
    pub(super) hidden: bool,
    pub(super) end: Option<End>,
    pub(super) moves: FewMoves,
    pub(super) termination: TerminationTracker,
    pub(super) stakes: Stakes,
    /// The move that led there, if one did.
    pub(super) made: Option<Move>,
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
            made: None,
            moves: FewMoves::of(legal),
            // Until its moves are listed.
            waste_adds: u64::MAX,
            plays: 0,
            hidden: true,
        }
    }

    /// The rules played.
    pub fn rules(&self) -> &Spec {
        self.rules.spec()
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

    /// The move that led there, if one did since the decision.
    pub fn made(&self) -> Option<Move> {
        self.made
    }

    /// Whether a die is rolled with this move.
    pub fn rolls(&self, m: Move) -> bool {
        self.view(&StrategyRng::new(0, 0)).rolls(m)
    }

    /// Whether it is of a sampled deal, in which every card is shown.
    pub fn is_sampled(&self) -> bool {
        self.sample.is_some()
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
        if from.rules.hot.small {
            (self.unknown[0], self.apart[0]) = (from.unknown[0], from.apart[0]);
        } else {
            (self.unknown, self.apart) = (from.unknown, from.apart);
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

    /// The top of the waste, if it is known.
    pub(super) fn seen_top(&self) -> Card {
        let top = self.table.waste_top();
        if self.is_unknown(top) { Card::NONE } else { top }
    }

    pub(super) fn is_unknown(&self, card: Card) -> bool {
        is_among(&self.unknown, card)
    }
}
