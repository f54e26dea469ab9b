//! Exact tallies, and figures with intervals computed from them.
//!
//! A [`Tally`] counts games in whole numbers, so that tallies merge exactly. [`summarize()`] and [`House`] compute figures
//! from it, each an [`Estimate`] with its 95% interval: those of rates by [`rate`], those of means by [`Sample`]. Money is
//! in cents; rates, shares and edges are fractions.

mod amounts;
mod bankroll;
mod binomial;
mod bracket;
mod casino;
mod character;
mod clairvoyant;
mod contest;
mod crossing;
mod estimate;
mod groups;
mod interval;
mod measure;
mod night;
mod paired;
mod plan;
mod precision;
mod price;
mod profit;
mod ratio;
mod sample;
mod score;
mod sequential;
mod stakes;
mod summarize;
mod summary;
mod tally;
#[cfg(test)]
mod testing;

pub use amounts::{Amount, Amounts};
pub use bankroll::{
    Bankroll, FanPoint, Figures, LEVELS, NightPart, Patron, Question, Replicate, RuinPoint, greatest_loss,
    share_out, shares_of_night,
};
pub use binomial::{clopper_pearson, clopper_pearson_at, rate, rate_at};
pub use bracket::{Bracket, Brackets, Gain, Width, best_of};
pub use casino::{House, Outcomes, payout};
pub(crate) use casino::{best_payouts, payout_range};
pub use character::{
    Distribution, Gain as GainOfPlayer, VarianceShares, bounded_mean, mean_from_0, share_of_possible,
};
pub use clairvoyant::{
    Bounded, ClairvoyantBound, ClairvoyantBounds, Contradiction, MostCards, ShortfallSummary, ShortfallTally,
    Winnable,
};
pub use contest::{ContestSummary, ContestTally, Mean, SideSummary, SpeedPoint, Standing, StandingSummary};
pub use crossing::{Crossing, crossing};
pub use estimate::{Estimated, Evidence, Inquest, LEAST_TOGETHER, NightRow, Posterior, Suspect, inquire};
pub use groups::groups;
pub use interval::{Moments, TAIL, Z, student, student_above};
pub use measure::Measure;
pub use night::Night;
pub use paired::{
    Difference, DifferenceTally, EdgeUnit, FixedTest, GameWorth, PairSummary, PairTally, PairedWins,
};
pub use plan::{
    Band, PayRow, RoundPrice, SEASONS, Season, bands, pay_table, price_of_mix, reach_of, round_price, season,
    short_pay_table,
};
pub use precision::Precision;
pub use price::{Common, NoOffer, Offer, Priced, RoundSum, Term, common, distance, offer, priced};
pub use sample::Sample;
pub use score::points;
pub use sequential::{SequentialTest, StoppedTest, TestState, Verdict};
pub use stakes::{StakeTally, staked_and_net};
pub use summarize::{AtOnce, jackpot, mean_cards, running_point, summarize};
pub use summary::{
    Estimate, JackpotSummary, RunningPoint, ScoreSummary, Side, Sides, StageSummary, StakesSummary, Summary,
};
pub use tally::Tally;
