//! The randomness that a strategy may use.

use std::cell::{Cell, RefCell};

use rand_chacha::ChaCha8Rng;

use crate::cards::{Purpose, Seed, below, generator};

/// The strategy's own randomness in one seeded game.
#[derive(Clone, Debug)]
pub struct StrategyRng {
    pub(super) seed: Seed,
    pub(super) game: u64,
    pub(super) stream: RefCell<Option<ChaCha8Rng>>,
    /// Who plays this game of a mix, once that was drawn.
    drawn: Cell<Option<u32>>,
}

impl StrategyRng {
    /// The randomness of game `game` of seed `seed`; its generator is made when first needed.
    #[inline]
    pub fn new(seed: Seed, game: u64) -> StrategyRng {
        StrategyRng { seed, game, stream: RefCell::new(None), drawn: Cell::new(None) }
    }

    /// Becomes the same stream at the same place. Most games never draw from theirs.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &StrategyRng) {
        (self.seed, self.game) = (other.seed, other.game);
        self.drawn.set(other.drawn.get());
        if self.stream.get_mut().is_some() || other.stream.borrow().is_some() {
            self.stream.get_mut().clone_from(&other.stream.borrow());
        }
    }

    /// Goes back to where a copy stands.
    pub(super) fn rewind_to(&self, copy: &StrategyRng) {
        self.stream.borrow_mut().clone_from(&copy.stream.borrow());
    }

    /// Goes on to where a copy stands.
    #[inline]
    pub(super) fn follow(&self, copy: &mut StrategyRng) {
        if copy.stream.get_mut().is_some() {
            *self.stream.borrow_mut() = copy.stream.get_mut().take();
        }
    }

    /// One number in `0..n` for the whole game, from a stream of its own: who plays it, of a mix. `n` must not be 0, and the
    /// same each time.
    #[inline]
    pub(super) fn drawn(&self, n: u32) -> u32 {
        let draw = || below(&mut generator(self.seed, self.game, Purpose::Patron), n);
        let drawn = self.drawn.get().unwrap_or_else(draw);
        self.drawn.set(Some(drawn));
        drawn
    }
}
