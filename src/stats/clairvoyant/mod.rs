//! The clairvoyant player, who knows every card: upper bounds of deals, and how far other players fall short of them.

mod bounded;
mod bounds;
mod shortfall;
#[cfg(test)]
mod tests;

pub use bounded::Bounded;
pub use bounds::{ClairvoyantBound, ClairvoyantBounds, Contradiction, MostCards, Winnable};
pub use shortfall::{ShortfallSummary, ShortfallTally};
