//! What a strategy may use of a game besides what it sees: random numbers, and a memory.

use crate::cards::{Purpose, below, generator};

use super::view::View;

impl View<'_> {
    /// A whole number in `0..n` from the game's own stream for strategies. `n` must not be 0.
    pub fn random(&self, n: u32) -> u32 {
        let mut rng = self.rng().stream.borrow_mut();
        let (seed, game) = (self.rng().seed, self.rng().game);
        below(rng.get_or_insert_with(|| generator(seed, game, Purpose::Strategy)), n)
    }

    /// A number that the strategy kept in this game, 0 unless it did; `None` for a place that is not there.
    #[inline]
    pub fn remembered(&self, place: i64) -> Option<i64> {
        self.rng().remembered(place)
    }

    /// Keeps a number until the game ends; `None` for a place that is not there.
    pub fn remember(&self, place: i64, number: i64) -> Option<()> {
        self.rng().remember(place, number)
    }

    /// A whole number in `0..n` that stays the same for the whole game, from a stream of its own: a strategy that stands for
    /// several players finds by it who plays. `n` must not be 0, and the same each time.
    pub fn drawn(&self, n: u32) -> u32 {
        self.rng().drawn(n)
    }
}
