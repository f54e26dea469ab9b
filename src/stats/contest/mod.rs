//! Contests: what was counted of their matches, and what it says.

mod summary;
mod tally;

pub use summary::{ContestSummary, Mean, SideSummary, SpeedPoint, StandingSummary};
pub use tally::{ContestTally, Standing};
