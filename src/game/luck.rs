//! The randomness that a strategy may use.

use std::cell::RefCell;

use rand_chacha::ChaCha8Rng;

use crate::cards::Seed;

/// The strategy's own randomness in one seeded game.
#[derive(Clone, Debug)]
pub struct Luck {
    pub(super) seed: Seed,
    pub(super) game: u64,
    pub(super) rng: RefCell<Option<ChaCha8Rng>>,
}

impl Luck {
    /// The randomness of game `game` of seed `seed`; its generator is made when first needed.
    #[inline]
    pub fn new(seed: Seed, game: u64) -> Luck {
        Luck { seed, game, rng: RefCell::new(None) }
    }

    /// Becomes the same stream at the same place. Most games never draw from theirs.
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Luck) {
        (self.seed, self.game) = (other.seed, other.game);
        if self.rng.get_mut().is_some() || other.rng.borrow().is_some() {
            self.rng.get_mut().clone_from(&other.rng.borrow());
        }
    }

    /// Goes back to where a copy stands.
    pub(super) fn rewind_to(&self, copy: &Luck) {
        self.rng.borrow_mut().clone_from(&copy.rng.borrow());
    }

    /// Goes on to where a copy stands.
    #[inline]
    pub(super) fn follow(&self, copy: &mut Luck) {
        if copy.rng.get_mut().is_some() {
            *self.rng.borrow_mut() = copy.rng.get_mut().take();
        }
    }
}
