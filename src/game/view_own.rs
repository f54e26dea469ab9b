//! A strategy's random numbers and memory, which it may use besides what it sees.

use crate::cards::{Purpose, below, generator};

use super::view::View;

impl View<'_> {
    /// Returns a whole number in `0..n` from the game's own stream for strategies. `n` must not be 0.
    pub fn random(&self, n: u32) -> u32 {
        let mut rng = self.rng().stream.borrow_mut();
        let (seed, game) = (self.rng().seed, self.rng().game);
        below(rng.get_or_insert_with(|| generator(seed, game, Purpose::Strategy)), n)
    }

    /// Returns a number that the strategy kept in this game, 0 if it was never set; `None` if the index is out of
    /// range.
    #[inline]
    pub fn remembered(&self, place: i64) -> Option<i64> {
        self.rng().remembered(place)
    }

    /// Keeps a number until the game ends; `None` if the index is out of range.
    pub fn remember(&self, place: i64, number: i64) -> Option<()> {
        self.rng().remember(place, number)
    }

    /// Returns a whole number in `0..n` that stays the same for the whole game, from its own stream: a mix of
    /// strategies uses it to pick the one that plays. `n` must be positive, and the same each time.
    pub fn drawn(&self, n: u32) -> u32 {
        self.rng().drawn(n)
    }
}
