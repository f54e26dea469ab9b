//! Derives all random generators from seeds, and shuffles.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Card;

/// The seed of a run.
pub type Seed = u64;

/// The purpose of a generator in one game. Each purpose has its own stream, so that a strategy's own randomness, say,
/// never changes the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// The shuffle of the pack.
    Deal = 0,
    /// Dice that set the packet.
    Dice = 1,
    /// Shuffles of the waste at a redeal.
    Redeal = 2,
    /// The strategy's own randomness.
    Strategy = 3,
    /// The time that a player of a contest takes for each action.
    Clock = 4,
    /// Bootstrap resampling; the number of the resample takes the place of the game.
    Bootstrap = 5,
    /// Choices of an experiment before any game, such as which cells of a sweep are played; the number of the choice
    /// takes the place of the game.
    Plan = 6,
    /// Which kind of patron buys the deck.
    Patron = 7,
    /// Estimates of what the results of a night leave undetermined; the number of the chain takes the place of the
    /// game.
    Estimate = 8,
}

/// Returns the number of a player's game in a contest, which determines its deck, dice and so on. Match, round (below
/// 2^21) and seat (below 8) are bits of one word.
pub fn seat_game(contest_match: u64, round: u32, seat: usize) -> u64 {
    contest_match << 24 | u64::from(round) << 3 | seat as u64
}

/// Returns the generator of game `game` of seed `seed` for one purpose.
///
/// It is ChaCha8 under a 256-bit key: seed, game, purpose (each a little-endian 64-bit word), then the eight bytes
/// `saratoga`. Distinct triples give distinct keys, so streams never overlap.
pub fn generator(seed: Seed, game: u64, purpose: Purpose) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&game.to_le_bytes());
    key[16..24].copy_from_slice(&(purpose as u64).to_le_bytes());
    key[24..].copy_from_slice(b"saratoga");
    ChaCha8Rng::from_seed(key)
}

/// Returns a uniformly distributed whole number in `0..n` (Lemire's multiply-and-shift; the few products that would
/// favour small numbers are rejected). Uses one 32-bit word of the stream per attempt. `n` must not be 0.
#[inline(always)]
pub fn below(rng: &mut impl Rng, n: u32) -> u32 {
    debug_assert!(n > 0);
    loop {
        let product = u64::from(rng.next_u32()) * u64::from(n);
        // Fewer than `n` low words are biased; the cheap test first avoids the division.
        if product as u32 >= n || product as u32 >= n.wrapping_neg() % n {
            return (product >> 32) as u32;
        }
    }
}

/// Shuffles by Fisher-Yates, from the last card down: card `i` is swapped with card `below(i + 1)`.
#[inline(always)]
pub fn shuffle(cards: &mut [Card], rng: &mut impl Rng) {
    let mut left = cards;
    while let len @ 2.. = left.len() {
        left.swap(len - 1, below(rng, len as u32) as usize);
        left = &mut left[..len - 1];
    }
}
