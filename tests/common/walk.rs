//! Random games of the shelf's rulesets.

use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Deck, Purpose, below, generator};
use saratoga::game::{Game, MoveList, SeededChance};
use saratoga::rules::{self, Rules};

pub fn shelf() -> Vec<(&'static str, Rules)> {
    rules::shelf().iter().map(|&(name, _)| (name, rules::load(name).unwrap().rules)).collect()
}

/// Returns the deck of game 0 of a seed, in the shape of these rules.
pub fn deck(rules: &Rules, seed: u64) -> Deck {
    Deck::shuffled(rules.deck_shape(), seed, 0)
}

/// A player who makes random legal moves, with a preference for some kinds of moves.
pub struct Whim {
    rng: ChaCha8Rng,
    /// Of ten choices, how many are among the moves to the foundations, if there are any.
    pub up: u32,
    /// Of ten choices, how many are among the plays within the table, if there are any.
    pub dither: u32,
    /// Of ten choices, how many are the draw or redeal, if there is one.
    pub turn: u32,
}

impl Whim {
    pub fn new(seed: u64, up: u32, dither: u32) -> Whim {
        Whim { rng: generator(seed, 0, Purpose::Strategy), up, dither, turn: 0 }
    }

    /// Returns a whole number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        below(&mut self.rng, n as u32) as usize
    }

    pub fn choose(&mut self, moves: &MoveList) -> usize {
        let inside =
            |i: &usize| moves[*i].to_tableau() && (moves[*i].from_tableau() || moves[*i].from_foundation());
        let up = |i: &usize| moves[*i].to_foundation();
        let roll = self.below(10) as u32;
        let liked: Vec<usize> = if roll < self.up {
            (0..moves.len()).filter(up).collect()
        } else if roll < self.up + self.dither {
            (0..moves.len()).filter(inside).collect()
        } else if roll < self.up + self.dither + self.turn {
            (moves.plays()..moves.len()).collect()
        } else {
            Vec::new()
        };
        if liked.is_empty() { self.below(moves.len()) } else { liked[self.below(liked.len())] }
    }
}

/// Plays a random game to its end, or for `moves` moves, and passes every position to `show`. A draw or redeal that
/// would end the game is skipped while there are plays.
pub fn walk(rules: &Rules, seed: u64, moves: usize, mut show: impl FnMut(&Game<'_>, Option<&str>)) {
    let mut chance = SeededChance::new(seed, 0);
    let mut whim = Whim::new(seed, 4, seed as u32 % 3);
    let mut game = Game::new(rules);
    game.deal(deck(rules, seed).cards(), &mut chance);
    show(&game, None);
    for _ in 0..moves {
        if game.end().is_some() {
            return;
        }
        let mut chosen = game.legal()[whim.choose(game.legal())];
        if game.would_be_barren(chosen) {
            chosen = game.legal()[0];
        }
        let word = chosen.notation(rules.spec().reserve.piles.into());
        if !game.make(chosen, &mut chance) {
            return;
        }
        show(&game, Some(&word));
    }
}
