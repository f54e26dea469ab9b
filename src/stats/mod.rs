//! Floor 5: what was counted, exactly, and what it says, with intervals.

mod bankroll;
mod casino;
mod contest;
mod counts;
mod evening;
mod interval;
mod precision;
mod price;
mod profit;
mod ratio;
mod score;
mod stake_summary;
mod stakes;
mod summarize;
mod summary;
mod sums;
mod tally;
mod whole;

pub use bankroll::{
    Bankroll, FanPoint, Figures, LEVELS, NightPart, Patron, Question, Replicate, RuinPoint, greatest_loss,
    share_out,
};
pub use casino::{House, Outcomes, payout};
pub use contest::{ContestSummary, ContestTally, Mean, SideSummary, SpeedPoint, Standing, StandingSummary};
pub use counts::Counts;
pub use evening::Evening;
pub use interval::{Moments, outer, rate, student, wilson};
pub use precision::Precision;
pub use price::{Common, NoOffer, Offer, Priced, RoundSum, Term, common, distance, offer, priced};
pub use ratio::Ratio;
pub use score::points;
pub use stakes::{StageTally, StakeTally, staked_and_net};
pub use summarize::{running_point, summarize};
pub use summary::{Estimate, RunningPoint, ScoreSummary, StageSummary, StakesSummary, Summary};
pub use sums::{OpenSums, Sums};
pub use tally::Tally;
