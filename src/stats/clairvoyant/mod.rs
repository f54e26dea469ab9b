//! A player who knows every card: what deals allow at most, and what other players leave of it on the table.

mod bounded;
mod ceiling;
mod left;
#[cfg(test)]
mod tests;

pub use bounded::Bounded;
pub use ceiling::{Ceiling, Ceilings, Contradiction, MostCards, Winnable};
pub use left::{LeftSummary, LeftTally};
