//! One seeded game of one ruleset under one strategy.

use std::fmt;

use crate::cards::{Deck, Seed};
use crate::game::{Game, Luck, Observer, Outcome, Record, Recorder, SeededChance, View};
use crate::rules::Rules;
use crate::strategy::{Strategy, StrategyError};

/// Plays seeded games one after another without allocating for each.
pub struct Player<'r> {
    id: &'r str,
    game: Game<'r>,
    deck: Deck,
    ordered: Deck,
    strategy: Box<dyn Strategy>,
}

/// A strategy's fault, and the game that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameError {
    /// The ruleset played.
    pub rules: String,
    /// The strategy at fault.
    pub strategy: String,
    /// The seed of the run.
    pub seed: Seed,
    /// The game.
    pub game: u64,
    /// What went wrong, with its place in the script.
    pub error: StrategyError,
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameError { rules, strategy, seed, game, error } = self;
        write!(f, "{error} (strategy {strategy} on {rules}, seed {seed}, game {game})")
    }
}

impl std::error::Error for GameError {}

impl<'r> Player<'r> {
    /// A player of these rules; `id` names them in records and errors.
    pub fn new(id: &'r str, rules: &'r Rules, strategy: Box<dyn Strategy>) -> Player<'r> {
        let ordered = Deck::ordered(rules.deck_shape());
        Player { id, game: Game::new(rules), deck: ordered.clone(), ordered, strategy }
    }

    /// Plays game `game` of seed `seed` to its end.
    ///
    /// # Errors
    /// The strategy's fault.
    #[inline]
    pub fn play(&mut self, seed: Seed, game: u64) -> Result<Outcome, GameError> {
        self.deck.shuffle_again(&self.ordered, seed, game);
        self.play_deck(seed, game, &mut ())
    }

    /// Plays a given deck with the chance of game `game` of seed `seed`, watched by `observer`.
    ///
    /// # Errors
    /// The strategy's fault.
    pub fn watch(
        &mut self,
        deck: &Deck,
        seed: Seed,
        game: u64,
        observer: &mut impl Observer,
    ) -> Result<Outcome, GameError> {
        self.deck = deck.clone();
        self.play_deck(seed, game, observer)
    }

    /// The same as [`Player::watch`], as a record.
    ///
    /// # Errors
    /// The strategy's fault.
    pub fn record(&mut self, deck: &Deck, seed: Seed, game: u64) -> Result<Record, GameError> {
        let mut recorder = Recorder::new(self.game.rules());
        let outcome = self.watch(deck, seed, game, &mut recorder)?;
        Ok(Record {
            rules: self.id.to_string(),
            seed: Some(seed),
            game,
            deck: self.deck.to_string(),
            strategy: self.strategy.name().to_string(),
            moves: recorder.moves(),
            end: outcome.end,
            cards: outcome.cards,
        })
    }

    /// Plays the deck that lies ready, watched by `observer`.
    fn play_deck(
        &mut self,
        seed: Seed,
        game: u64,
        observer: &mut impl Observer,
    ) -> Result<Outcome, GameError> {
        let mut chance = SeededChance::new(seed, game);
        let luck = Luck::new(seed, game);
        self.game.deal_watched(self.deck.cards(), &mut chance, observer);
        let strategy = &mut self.strategy;
        let decide = |g: &Game<'r>| strategy.decide(&View::new(g.table(), g.rules(), &luck), g.legal());
        let played = self.game.play_out(&mut chance, observer, decide);
        played.map_err(|error| GameError {
            rules: self.id.to_string(),
            strategy: self.strategy.name().to_string(),
            seed,
            game,
            error,
        })
    }
}
