//! The command line of `saratoga compare`.

use std::path::PathBuf;

use clap::Args;

use crate::amounts::{Count, Patrons, Rate, patrons, whole};
use crate::stats::Measure;

use super::{RunArgs, ScriptArgs};

/// Find which strategy is better, on the same deals
#[derive(Args, Debug)]
#[command(after_help = "\
All strategies play the same deals and are compared deal by deal.

Two strategies are put to a sequential test. After every 1,000 deals it checks
whether the evidence is enough for one of three results:
  A is better (hypothesis H1: the mean difference is above 0)
  B is better (hypothesis H0: the mean difference is below 0)
  neither is better by d or more
If the strategies are equal, the test names a winner in at most --alpha of all
runs. If one is better by d, the test misses that in at most --beta of all
runs. A winner need not be better by d: a smaller difference may be found or
missed. After an early stop the estimate is corrected for the bias of stopping
(median-unbiased).

Without --difference, d is taken from the spread of the first 1,000 deals, not
from who is ahead in them, so that -n deals are likely to be enough; it is at
least 0.10 cards, 0.5pp or a tenth of the pay for a card, and at most a
twentieth of what two games can differ by. If the deals run out first, the
report also gives the test for a number of deals fixed beforehand.

Three or more strategies play all deals. Every pair is compared, with
intervals that hold for all pairs at once, and the ranking marks the pairs
that it cannot tell apart.

Examples:
  saratoga compare canfield -s patient -s greedy
  saratoga compare canfield -s greedy -s ./mine.rhai --difference 0.05 -n 10M
  saratoga compare canfield -s patient -s greedy --measure wins --show 5
  saratoga compare demon-casino -s greedy -s patient -s hoarder -n 20k
  saratoga compare --rules canfield,superior -s patient
  saratoga compare canfield -s patient -s greedy --deals decks.txt
  saratoga compare canfield -s patient -s greedy --json | jq .test.verdict")]
pub(in crate::cli) struct CompareArgs {
    /// A ruleset: a name on the shelf, or a path [default: canfield]
    #[arg(value_name = "RULES")]
    pub rules: Option<String>,
    /// Rulesets to compare under one strategy, separated by commas; all with the same number of packs
    #[arg(long = "rules", value_name = "RULES,RULES", value_delimiter = ',', conflicts_with = "rules")]
    pub several: Vec<String>,
    /// A strategy: a name on the shelf, or a path; repeat it for each [default with --rules: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// A mix of players, as one more strategy: each game is played by one of them, drawn by the shares; or a file of them
    #[arg(long, value_name = "SHARES", value_parser = patrons)]
    pub patrons: Option<Patrons>,
    /// Maximum of games for each side: 5000, 1e6, 250k [default: 1M for two sides, 100k for more]
    #[arg(short = 'n', long, value_name = "GAMES")]
    pub games: Option<Count>,
    /// Play the decks of this file instead of those of the seed, one per line: the cards, or an id, a tab and the cards; -n
    /// takes the first of them; a deck counts as often as it is listed; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub deals: Option<PathBuf>,
    /// What to compare: cards, wins or money (the player's net)
    #[arg(long, value_name = "MEASURE", default_value_t = Measure::Cards)]
    pub measure: Measure,
    /// The least difference that matters, d: 0.10 (cards), 0.5pp (of games won), 0.50 (money) [default: taken from the
    /// spread of the first deals]
    #[arg(short, long, value_name = "D")]
    pub difference: Option<String>,
    /// Error rate: finding a difference where there is none [default: 5%]
    #[arg(long, value_name = "RATE")]
    pub alpha: Option<Rate>,
    /// Error rate: missing a difference of d [default: 5%]
    #[arg(long, value_name = "RATE")]
    pub beta: Option<Rate>,
    /// Play all deals, even after the test has its result
    #[arg(long)]
    pub all_games: bool,
    /// List the deals with the greatest differences, with commands that replay them: 0 to 100
    #[arg(long, value_name = "DEALS", default_value_t = 0, value_parser = whole(0, 100))]
    pub show: u64,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
