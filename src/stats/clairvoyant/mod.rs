//! A player who knows every card: what deals allow at most, and what other players leave of it on the table.

mod bounded;
mod bounds;
mod shortfall;
#[cfg(test)]
mod tests;

pub use bounded::Bounded;
pub use bounds::{ClairvoyantBound, ClairvoyantBounds, Contradiction, MostCards, Winnable};
pub use shortfall::{ShortfallSummary, ShortfallTally};
