//! Contests: tallies of their matches, and figures computed from them.

mod mean;
mod summary;
mod tally;

pub use mean::Mean;
pub use summary::{ContestSummary, SideSummary, SpeedPoint, StandingSummary};
pub use tally::{ContestTally, Standing};
