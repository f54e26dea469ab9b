//! Two players, or two rulesets, on the same deals: what they differ by, game by game.

mod difference;
mod game;
mod groups;
mod measure;
mod tally;
mod wins;

pub use difference::{Difference, DifferenceTally, EdgeUnit};
pub use game::GameWorth;
pub use groups::groups;
pub use measure::Measure;
pub use tally::{FixedTest, PairSummary, PairTally};
pub use wins::PairedWins;
