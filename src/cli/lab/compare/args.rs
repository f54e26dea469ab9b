//! The command line of `saratoga compare`.

use std::str::FromStr;

use clap::Args;

use crate::cli::lab::RunArgs;
use crate::cli::numbers::{Count, whole};
use crate::stats::Measure;

/// Say which strategy is better, on the same deals
#[derive(Args, Debug)]
#[command(after_help = "\
All strategies are dealt the same deals, and compared deal by deal. Two of them
are put to a sequential test, which looks at the end of every 1,000 deals and
stops once it can say one of three things:
  A is better        H1, A is better by at least d, has beaten \"no difference\"
  B is better        H0, B is better by at least d, has beaten \"no difference\"
  no difference      of that size: both have lost against it
Where neither is better, A or B is found in at most --alpha of all runs; where
one is better by d, that is missed in at most --beta. If the deals run out first,
the report says so. After an early stop the difference is given without the bias
of stopping (median-unbiased).

Of more than two, all deals are played: every pair is compared, with intervals
that hold for all pairs at once, and a ranking says where it cannot tell.

Examples:
  saratoga compare canfield -s patient -s greedy
  saratoga compare canfield -s greedy -s ./mine.rhai --difference 0.05 -n 10M
  saratoga compare canfield -s patient -s greedy --measure wins --show 5
  saratoga compare demon-casino -s greedy -s patient -s hoarder -n 20k
  saratoga compare --rules canfield,superior -s patient
  saratoga compare canfield -s patient -s greedy --json | jq .test.verdict")]
pub(in crate::cli) struct CompareArgs {
    /// A ruleset: a name on the shelf, or a path [default: canfield]
    #[arg(value_name = "RULES")]
    pub rules: Option<String>,
    /// Rulesets of the same pack to compare under one strategy, divided by commas
    #[arg(long = "rules", value_name = "RULES,RULES", value_delimiter = ',', conflicts_with = "rules")]
    pub several: Vec<String>,
    /// A strategy: a name on the shelf, or a path; to be repeated [default with --rules: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Deals at most: 5000, 1e6, 250k [default: 1M for two, 100k for more]
    #[arg(short = 'n', long, value_name = "GAMES", allow_negative_numbers = true)]
    pub games: Option<Count>,
    /// What counts: cards, wins or money (the player's net)
    #[arg(long, value_name = "MEASURE", default_value_t = Measure::Cards)]
    pub measure: Measure,
    /// The least difference that matters, d: 0.10 (cards), 0.5pp (of games won), 0.50 (money) [default: those; money: a tenth of the pay for a card]
    #[arg(short, long, value_name = "D", allow_negative_numbers = true)]
    pub difference: Option<String>,
    /// Share of runs that may find a difference where there is none [default: 5%]
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    pub alpha: Option<Rate>,
    /// Share of runs that may miss a difference of d [default: 5%]
    #[arg(long, value_name = "RATE", allow_negative_numbers = true)]
    pub beta: Option<Rate>,
    /// Play all deals, also once the test has its answer
    #[arg(long)]
    pub all_games: bool,
    /// Print so many of the deals on which they differ most, as commands that show them, 0 to 100
    #[arg(long, value_name = "DEALS", default_value_t = 0, value_parser = whole(0, 100), allow_negative_numbers = true)]
    pub show: u64,
    #[command(flatten)]
    pub run: RunArgs,
}

impl CompareArgs {
    /// The rulesets, as the command line names them.
    pub fn rulesets(&self) -> Vec<String> {
        match &self.rules {
            Some(rules) => vec![rules.clone()],
            None if self.several.is_empty() => vec!["canfield".into()],
            None => self.several.clone(),
        }
    }

    /// The strategies, as the command line names them.
    pub fn players(&self) -> Vec<String> {
        if self.strategies.is_empty() { vec!["greedy".into()] } else { self.strategies.clone() }
    }
}

/// An error rate as it was written, and as a fraction.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Rate(pub String, pub f64);

/// The range of error rates.
const LEAST: f64 = 0.0001;
const MOST: f64 = 0.5;

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Rate, String> {
        let (number, unit) =
            text.trim().strip_suffix('%').map_or((text.trim(), 1.0), |number| (number.trim(), 0.01));
        let rate = number.parse::<f64>().map(|rate| rate * unit).ok();
        match rate.filter(|rate| (LEAST - 1e-12..=MOST + 1e-12).contains(rate)) {
            Some(rate) => Ok(Rate(text.trim().to_string(), rate)),
            None => Err("write an error rate as `5%` or `0.05`, from 0.01% to 50%".into()),
        }
    }
}
