//! Exact tallies, and figures with intervals computed from them.
//!
//! A [`Tally`] counts games in whole numbers, so that tallies merge exactly. [`summarize()`] and [`House`] compute figures
//! from it, each an [`Estimate`] with its 95% interval: those of rates by [`rate`], those of means by [`Sample`]. Money is
//! in cents; rates, shares and edges are fractions.

mod bankroll;
mod bracket;
mod casino;
mod character;
mod clairvoyant;
mod contest;
mod estimate;
mod interval;
mod night;
mod paired;
mod plan;
mod price;
mod sample;
mod sequential;
mod stakes;
mod summary;
mod tally;
#[cfg(test)]
mod testing;

pub use bankroll::{
    Bankroll, FanPoint, Figures, LEVELS, NightPart, Patron, Question, Replicate, RuinPoint, greatest_loss,
    share_out, shares_of_night,
};
pub use bracket::{Bracket, Brackets, Gain, Width, best_of};
pub use casino::{House, payout};
pub(crate) use casino::{best_payouts, payout_range};
pub use character::{
    Distribution, Gain as GainOfPlayer, VarianceShares, bounded_mean, mean_from_0, share_of_possible,
};
pub use clairvoyant::{
    Bounded, ClairvoyantBound, ClairvoyantBounds, Contradiction, MostCards, ShortfallSummary, ShortfallTally,
    Winnable,
};
pub use contest::{ContestSummary, ContestTally, SideSummary, SpeedPoint, Standing, StandingSummary};
pub use estimate::{
    Drawn, Estimated, Evidence, Inquest, LEAST_TOGETHER, NightRow, Posterior, Suspect, inquire,
};
pub use interval::{
    Estimate, Moments, TAIL, Z, clopper_pearson, clopper_pearson_at, rate, rate_at, student, student_above,
};
pub use night::Night;
pub(crate) use night::gcd;
pub use paired::{
    Difference, DifferenceTally, EdgeUnit, FixedTest, GameWorth, Measure, PairSummary, PairTally, PairedWins,
    groups,
};
pub use plan::{
    Band, PayRow, RoundPrice, SEASONS, Season, bands, pay_table, price_of_mix, reach_of, round_price, season,
    short_pay_table,
};
pub use price::{Common, NoOffer, Offer, Priced, RoundSum, Term, common, distance, offer, priced};
pub use sample::{Amount, Amounts, Sample};
pub use sequential::{SequentialTest, StoppedTest, TestState, Verdict};
pub use stakes::{StageSummary, StakeTally, StakesSummary, staked_and_net};
pub use summary::{
    AtOnce, JackpotSummary, Precision, RunningPoint, ScoreSummary, Side, Sides, Summary, jackpot, mean_cards,
    running_point, summarize,
};
pub use tally::{Tally, points};
