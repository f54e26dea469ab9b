//! The largest numbers that a ruleset may hold, for its loader and its validation.

/// Maximum height limit of a pile.
pub(crate) const MOST_HEIGHT: i64 = 208;
/// Maximum number of cards in a game.
pub(crate) const MOST_CARDS: i64 = 208;
/// Maximum number of redeals, passes or steps.
pub(crate) const MOST_COUNT: i64 = 1_000_000;
/// Maximum number of reserve piles.
pub(crate) const MOST_RESERVES: i64 = 4;
/// Maximum number of tableau piles.
pub(crate) const MOST_PILES: usize = 16;
/// Maximum number of cards in a packet.
pub(crate) const MOST_DRAWN: i64 = 52;
/// Maximum length of a list of packet sizes by pass.
pub(crate) const MOST_SIZES: usize = 100;
/// Maximum absolute value of a coefficient of a score.
pub(crate) const MOST_POINTS: i64 = 1_000_000;
/// Maximum amount in cents.
pub(crate) const MOST_CENTS: i64 = 1_000_000_000_000;
/// Maximum price or pay, in cents, of a stage, a card or a win if a stake is bought in stages: sums of squares over any
/// number of games that can be played stay exact.
pub(crate) const MOST_STAGED: i64 = 100_000_000;
