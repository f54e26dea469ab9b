//! Exact tallies, and figures with intervals computed from them.

mod bankroll;
mod binomial;
mod bracket;
mod casino;
mod clairvoyant;
mod contest;
mod counts;
mod crossing;
mod estimate;
mod interval;
mod jackpot;
mod night;
mod paired;
mod payout;
mod plan;
mod precision;
mod price;
mod profit;
mod ratio;
mod redeals;
mod sample;
mod score;
mod sequential;
mod side;
mod stake_summary;
mod stakes;
mod summarize;
mod summary;
mod sums;
mod tally;

pub use bankroll::{
    Bankroll, FanPoint, Figures, LEVELS, NightPart, Patron, Question, Replicate, RuinPoint, greatest_loss,
    share_out, shares_of_night,
};
pub use binomial::{clopper_pearson, clopper_pearson_at, rate, rate_at};
pub use bracket::{Bracket, Brackets, Gain, Width, best_of};
pub use casino::{House, Outcomes};
pub use clairvoyant::{
    Bounded, ClairvoyantBound, ClairvoyantBounds, Contradiction, MostCards, ShortfallSummary, ShortfallTally,
    Winnable,
};
pub use contest::{ContestSummary, ContestTally, Mean, SideSummary, SpeedPoint, Standing, StandingSummary};
pub use counts::Counts;
pub use crossing::{Crossing, crossing};
pub use estimate::{Estimated, Evidence, Inquest, LEAST_TOGETHER, NightRow, Posterior, Suspect, inquire};
pub use interval::{Moments, TAIL, Z, student, student_above};
pub use jackpot::jackpot;
pub use night::Night;
pub use paired::{
    Difference, DifferenceTally, EdgeUnit, FixedTest, GameWorth, Measure, PairSummary, PairTally, PairedWins,
    groups,
};
pub use payout::payout;
pub use plan::{
    Band, PayRow, RoundPrice, SEASONS, Season, bands, pay_table, price_of_mix, reach_of, round_price, season,
    short_pay_table,
};
pub use precision::Precision;
pub use price::{Common, NoOffer, Offer, Priced, RoundSum, Term, common, distance, offer, priced};
pub use ratio::Ratio;
pub use sample::{Sample, outer, outer_at};
pub use score::points;
pub use sequential::{SequentialTest, StoppedTest, TestState, Verdict};
pub use side::{Side, Sides};
pub use stakes::{StageTally, StakeTally, staked_and_net};
pub use summarize::{AtOnce, running_point, summarize};
pub use summary::{
    Estimate, JackpotSummary, RunningPoint, ScoreSummary, StageSummary, StakesSummary, Summary,
};
pub use sums::{Amount, Amounts};
pub use tally::Tally;
