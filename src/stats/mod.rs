//! Floor 5: what was counted, exactly, and what it says, with intervals.

mod casino;
mod contest;
mod counts;
mod evening;
mod interval;
mod precision;
mod score;
mod summarize;
mod summary;
mod tally;

pub use casino::{House, payout};
pub use contest::{ContestSummary, ContestTally, Mean, SideSummary, SpeedPoint, Standing, StandingSummary};
pub use counts::Counts;
pub use evening::Evening;
pub use interval::{Moments, outer, rate, student, wilson};
pub use precision::Precision;
pub use score::points;
pub use summarize::{running_point, summarize};
pub use summary::{Estimate, RunningPoint, ScoreSummary, Summary};
pub use tally::Tally;
