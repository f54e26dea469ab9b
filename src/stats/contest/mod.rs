//! Contests: what was counted of their matches, and what it says.

mod mean;
mod summary;
mod tally;

pub use mean::Mean;
pub use summary::{ContestSummary, SideSummary, SpeedPoint, StandingSummary};
pub use tally::{ContestTally, Standing};
