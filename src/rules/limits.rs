//! The largest numbers that a ruleset may hold, for its reader and for its judge.

/// Most cards a pile may be limited to.
pub(crate) const MOST_HEIGHT: i64 = 208;
/// Most cards that a game may have.
pub(crate) const MOST_CARDS: i64 = 208;
/// The most of a count of redeals, passes or steps.
pub(crate) const MOST_COUNT: i64 = 1_000_000;
/// Most reserve piles.
pub(crate) const MOST_RESERVES: i64 = 4;
/// Most piles the engine lays out.
pub(crate) const MOST_PILES: usize = 16;
/// Most cards of one packet.
pub(crate) const MOST_DRAWN: i64 = 52;
/// Most sizes in a list of packets by pass.
pub(crate) const MOST_SIZES: usize = 100;
/// The most a coefficient of a score may be, and below 0 the least.
pub(crate) const MOST_POINTS: i64 = 1_000_000;
/// Most cents of an amount.
pub(crate) const MOST_CENTS: i64 = 1_000_000_000_000;
/// The most that a stage, a card or a win may cost or pay where a stake is bought in stages, cents: sums
/// of squares over as many games as can ever be played stay exact.
pub(crate) const MOST_STAGED: i64 = 100_000_000;
