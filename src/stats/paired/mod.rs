//! Two players, or two rulesets, compared game by game on the same deals.

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
