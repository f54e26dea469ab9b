//! Whole games of a script.

use std::hash::{DefaultHasher, Hash, Hasher};

use saratoga::cards::{Card, Deck, Seed};
use saratoga::game::{Move, MoveList, Observer, Outcome, Table};
use saratoga::lab::{GameError, GameRunner};
use saratoga::rules::Rules;
use saratoga::strategy::script::Script;

/// Plays games of one seed in turn.
pub struct Games<'r> {
    rules: &'r Rules,
    player: GameRunner<'r>,
    seed: Seed,
}

impl<'r> Games<'r> {
    pub fn new(rules: &'r Rules, script: Script, seed: Seed) -> Games<'r> {
        Games { rules, player: GameRunner::new("here", rules, Box::new(script)), seed }
    }

    /// Plays a game with an observer; returns how it ends, and a hash of its moves and all chance events.
    pub fn watched(&mut self, game: u64) -> (Result<Outcome, GameError>, u64) {
        let mut sum = Sum(DefaultHasher::new());
        let deck = Deck::shuffled(self.rules.deck_shape(), self.seed, game);
        let played = self.player.watch(&deck, self.seed, game, &mut sum);
        (played, sum.0.finish())
    }

    /// Plays a game without an observer.
    pub fn unwatched(&mut self, game: u64) -> Result<Outcome, GameError> {
        self.player.play(self.seed, game)
    }
}

struct Sum(DefaultHasher);

impl Observer for Sum {
    fn rolled(&mut self, face: u8) {
        face.hash(&mut self.0);
    }

    fn shuffled(&mut self, stock: &[Card]) {
        stock.hash(&mut self.0);
    }

    fn moving(&mut self, _: &Table, legal: &MoveList, chosen: Move) {
        legal.iter().position(|&m| m == chosen).hash(&mut self.0);
    }
}
