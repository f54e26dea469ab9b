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

pub use bankroll::{
    Bankroll, FanPoint, Figures, LEVELS, NightPart, Patron, Question, Replicate, RuinPoint, greatest_loss,
    share_out, shares_of_night,
};
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

/// Games and comparisons for unit tests.
#[cfg(test)]
mod testing {
    use crate::game::{End, Outcome};
    use crate::rules::{Casino, Spec};
    use crate::stats::Tally;

    /// Asserts that two numbers differ by at most `tolerance`.
    #[track_caller]
    pub fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// Asserts that two numbers are equal but for rounding errors.
    #[track_caller]
    pub fn near(a: f64, b: f64) {
        close(a, b, 1e-9 * b.abs().max(1.0));
    }

    /// A game that ends with these cards.
    pub fn game(end: End, cards: u16) -> Outcome {
        Outcome { end, cards, moves: 9, redeals: 1, reserve_left: 0, complete_suits: cards / 13, stake: None }
    }

    /// A tally of these games.
    pub fn tally_of(spec: &Spec, games: &[Outcome]) -> Tally {
        let mut tally = Tally::new(spec);
        games.iter().for_each(|game| tally.add(game));
        tally
    }

    /// Asserts that a tally read with a text replaced is refused with these words: the text, its replacement, and
    /// the words.
    #[track_caller]
    pub fn refuses(spec: &Spec, good: &Tally, changes: &[[&str; 3]]) {
        let text = serde_json::to_string(good).unwrap();
        for [from, to, words] in changes {
            assert!(text.contains(from), "{text}");
            let broken: Tally = serde_json::from_str(&text.replacen(from, to, 1)).unwrap();
            assert!(broken.check(spec).unwrap_err().contains(words), "{from}");
        }
    }

    /// A tally of games with these ends and cards, and how often.
    pub fn tally(spec: &Spec, games: &[(End, u16, u64)]) -> Tally {
        let mut tally = Tally::new(spec);
        games.iter().for_each(|&(end, cards, times)| tally.add_many(&game(end, cards), times));
        tally
    }

    /// A tally of decided games with these cards, and how often.
    pub fn by_cards(spec: &Spec, games: &[(u16, u64)]) -> Tally {
        let end = |cards| if cards == 52 { End::Won } else { End::Blocked };
        let games: Vec<_> = games.iter().map(|&(cards, times)| (end(cards), cards, times)).collect();
        tally(spec, &games)
    }

    /// The terms of a deck without anything besides.
    pub fn casino(stake: i64, pays_per_card: i64, pays_for_win: i64) -> Casino {
        Casino { stake, stages: Vec::new(), pays_per_card, pays_for_win, ..Spec::default().casino }
    }
}
