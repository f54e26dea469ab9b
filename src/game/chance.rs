//! Chance inside a game: dice and shuffles of the waste.

use rand_chacha::ChaCha8Rng;

use crate::cards::{Card, Purpose, Seed, below, generator, shuffle};

/// Source of dice rolls and shuffles.
pub trait Chance {
    /// Rolls a die, 1..=faces.
    fn roll(&mut self, faces: u8) -> u8;
    /// Puts the cards of the stock in a new order.
    fn shuffle(&mut self, stock: &mut [Card]);
}

/// The chance of one seeded game. Its generators are created when first needed.
#[derive(Clone, Debug)]
pub struct SeededChance {
    seed: Seed,
    game: u64,
    dice: Option<ChaCha8Rng>,
    redeals: Option<ChaCha8Rng>,
}

impl SeededChance {
    /// Returns the chance of game `game` of seed `seed`.
    #[inline]
    pub fn new(seed: Seed, game: u64) -> SeededChance {
        SeededChance { seed, game, dice: None, redeals: None }
    }
}

impl Chance for SeededChance {
    fn roll(&mut self, faces: u8) -> u8 {
        let (seed, game) = (self.seed, self.game);
        let rng = self.dice.get_or_insert_with(|| generator(seed, game, Purpose::Dice));
        below(rng, u32::from(faces)) as u8 + 1
    }

    fn shuffle(&mut self, stock: &mut [Card]) {
        let (seed, game) = (self.seed, self.game);
        let rng = self.redeals.get_or_insert_with(|| generator(seed, game, Purpose::Redeal));
        shuffle(stock, rng);
    }
}

/// For rules without dice and shuffles, which never use it.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoChance;

impl Chance for NoChance {
    /// Returns the lowest face.
    fn roll(&mut self, _faces: u8) -> u8 {
        1
    }
    /// Leaves the order as it is.
    fn shuffle(&mut self, _stock: &mut [Card]) {}
}
