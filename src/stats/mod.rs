//! Floor 5: what was counted, exactly, and what it says, with intervals.

mod casino;
mod contest;
mod counts;
mod evening;
mod interval;
mod paired;
mod precision;
mod ratio;
mod score;
mod sequential;
mod stake_summary;
mod stakes;
mod summarize;
mod summary;
mod sums;
mod tally;
mod whole;

pub use casino::{House, payout};
pub use contest::{ContestSummary, ContestTally, Mean, SideSummary, SpeedPoint, Standing, StandingSummary};
pub use counts::Counts;
pub use evening::Evening;
pub use interval::{Moments, TAIL, outer, rate, student, student_above, wilson, wilson_at};
pub use paired::{GameWorth, Measure, PairSummary, PairTally, PairedWins, groups};
pub use precision::Precision;
pub use ratio::Ratio;
pub use score::points;
pub use sequential::{SequentialTest, StoppedTest, TestState, Verdict};
pub use stakes::{StageTally, StakeTally, staked_and_net};
pub use summarize::{running_point, summarize};
pub use summary::{Estimate, RunningPoint, ScoreSummary, StageSummary, StakesSummary, Summary};
pub use sums::{Amount, OpenSums, Sums};
pub use tally::Tally;
