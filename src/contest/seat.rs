//! One player at the table of a contest.

use crate::cards::{Deck, Seed, seat_game};
use crate::game::{Game, Move, SeededChance, StrategyRng};
use crate::rules::Rules;

use super::clock::Clock;
use super::outcome::Played;
use super::spec::PlayerSpec;

/// What a player is about to do, and when it is done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// Microseconds since the match began.
    pub at: u64,
    /// Which of two actions done in the same microsecond is first.
    pub lot: u32,
    pub action: Action,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// Makes a move of the own game.
    Move(Move),
    /// Has gathered and shuffled the cards, and deals.
    Deal,
}

/// A seat, and who sits there.
pub(super) struct Seat<'r> {
    /// The player, as the contest lists them.
    pub player: usize,
    pub game: Game<'r>,
    pub rng: StrategyRng,
    pub chance: SeededChance,
    clock: Clock,
    /// `None` while the player has nothing to do but wait.
    pub next: Option<Next>,
    pub played: Played,
    deck: Deck,
    ordered: Deck,
}

impl<'r> Seat<'r> {
    /// A seat where nothing is dealt yet.
    pub fn new(rules: &'r Rules, who: &PlayerSpec) -> Seat<'r> {
        let ordered = Deck::ordered(rules.deck_shape());
        Seat {
            player: 0,
            game: Game::new(rules),
            rng: StrategyRng::new(0, 0),
            chance: SeededChance::new(0, 0),
            clock: Clock::new(who, 0, 0, 0),
            next: None,
            played: Played::default(),
            deck: ordered.clone(),
            ordered,
        }
    }

    /// A player sits down for a match.
    pub fn sit(&mut self, player: usize, who: &PlayerSpec, seed: Seed, number: u64, seat: usize) {
        self.player = player;
        self.clock = Clock::new(who, seed, number, seat);
        self.next = None;
        self.played = Played { seat, ..Played::default() };
    }

    /// Deals a round.
    pub fn deal(&mut self, seed: Seed, number: u64, round: u32) {
        let game = seat_game(number, round, self.played.seat);
        self.deck.shuffle_again(&self.ordered, seed, game);
        self.rng = StrategyRng::new(seed, game);
        self.chance = SeededChance::new(seed, game);
        self.game.deal(self.deck.cards(), &mut self.chance);
    }

    /// Begins an action.
    pub fn begin(&mut self, action: Action, now: u64) {
        let at = now + self.clock.action();
        self.next = Some(Next { at, lot: self.clock.lot(), action });
    }

    /// Begins to gather the cards for the next deal.
    pub fn gather(&mut self, at: u64) {
        self.next = Some(Next { at, lot: self.clock.lot(), action: Action::Deal });
    }
}
