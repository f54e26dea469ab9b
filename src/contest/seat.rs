//! One player in a contest.

use crate::cards::{Deck, Seed, seat_game};
use crate::game::{Game, Move, PlayerState, SeededChance};
use crate::rules::Rules;

use super::clock::Clock;
use super::outcome::Played;
use super::spec::PlayerSpec;

/// The pending action of a player, and when it is carried out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// Microseconds since the match began.
    pub at: u64,
    /// Decides the order of actions in the same microsecond.
    pub lot: u32,
    pub action: Action,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// Makes a move of the player's own game.
    Move(Move),
    /// Deals, after gathering and shuffling the cards.
    Deal,
}

/// A seat and its player.
pub(super) struct Seat<'r> {
    /// The player, as an index into the contest's list.
    pub player: usize,
    pub game: Game<'r>,
    pub rng: PlayerState,
    pub chance: SeededChance,
    clock: Clock,
    /// `None` while the player can only wait.
    pub next: Option<Next>,
    pub played: Played,
    deck: Deck,
    ordered: Deck,
}

impl<'r> Seat<'r> {
    /// Creates a seat with an undealt table.
    pub fn new(rules: &'r Rules, who: &PlayerSpec) -> Seat<'r> {
        let ordered = Deck::ordered(rules.deck_shape());
        Seat {
            player: 0,
            game: Game::new(rules),
            rng: PlayerState::new(0, 0),
            chance: SeededChance::new(0, 0),
            clock: Clock::new(who, 0, 0, 0),
            next: None,
            played: Played::default(),
            deck: ordered.clone(),
            ordered,
        }
    }

    /// Seats a player for a match.
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
        self.rng = PlayerState::new(seed, game);
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
