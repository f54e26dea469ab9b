//! The command line of `saratoga solve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::amounts::{ByteSize, Count, bytes, seconds};

use super::{RunArgs, ScriptArgs};

/// Find what a player who knows every card could win
#[derive(Args, Debug)]
#[command(
    after_help = "\
Each deal is won (with the moves), lost (with certainty), or unknown because a
limit stopped the search. With --goal cards the answer is the most cards that
can be brought up, or lower and upper bounds on it. Strategies then play the
same deals, and the report says what they leave on the table.

A die for each draw or pass, or a shuffle on redeal, cannot be known at the
deal: such rulesets are refused. With one die roll per game, each face has an
answer, and a deal that is written as won or lost is so with every face. A
limit of --nodes gives the same answers on every machine, with the same
--memory; --seconds does not. Where there is not memory for every thread, fewer
of them search, with the same answers.

Where a merge reports on a part of the deals, the last line of JSON says so.

Examples:
  saratoga solve thoughtful -n 200
  saratoga solve single-pass -n 50 --goal cards --seconds 5
  saratoga solve canfield -s greedy -s patient --nodes 1e6 --out my-report
  saratoga solve canfield --deals decks.txt --json > answers.jsonl
  saratoga solve canfield -n 500 --nodes 1e6 --write-deals won=winnable.txt
  saratoga simulate canfield --deals winnable.txt        only these are dealt",
    mut_arg("out", |arg| arg.help("Write a report to this folder: a page, its figures, the deals and the charts")),
    mut_arg("no_report", |arg| arg.help("Write no report, which is the default")),
    mut_arg("json", |arg| arg.help("Print JSON Lines: one object per deal, then one per strategy"))
)]
pub(in crate::cli) struct SolveArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy that plays the same deals: a name on the shelf, or a path; may be repeated
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Games to solve [default: 100]
    #[arg(short = 'n', long, value_name = "GAMES")]
    pub games: Option<Count>,
    /// A file of decks, one per line: the cards, or an id, a tab and the cards; at most 64 MiB; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "seed"])]
    pub deals: Option<PathBuf>,
    /// Write the deals that can be won to a file of decks: won=FILE; or lost=FILE, those that cannot, or open=FILE, those
    /// without an answer; may be repeated
    #[arg(long, value_name = "WHICH=FILE", value_parser = write_deals)]
    pub write_deals: Vec<WriteDeals>,
    /// What to find for each deal [default: win, or cards with strategies]
    #[arg(long, value_enum)]
    pub goal: Option<GoalArg>,
    /// Give up on a deal after this many positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<Count>,
    /// Give up on a deal after this many seconds [default: 10, or no limit with --nodes]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Memory for the positions of each thread, such as 512MiB; the search may use a quarter more, or 32 MiB [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    pub memory: Option<ByteSize>,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Deals that are written to a file.
#[derive(Clone, Debug)]
pub(in crate::cli) struct WriteDeals {
    pub which: DealsWith,
    pub path: PathBuf,
}

/// An answer that deals have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum DealsWith {
    Won,
    Lost,
    Open,
}

impl DealsWith {
    pub fn word(self) -> &'static str {
        match self {
            DealsWith::Won => "won",
            DealsWith::Lost => "lost",
            DealsWith::Open => "open",
        }
    }
}

fn write_deals(text: &str) -> Result<WriteDeals, String> {
    let parts = text.split_once('=').filter(|(_, path)| !path.is_empty());
    let all = [DealsWith::Won, DealsWith::Lost, DealsWith::Open];
    let which = parts.and_then(|(word, _)| all.into_iter().find(|which| which.word() == word));
    match which.zip(parts) {
        Some((which, (_, path))) => Ok(WriteDeals { which, path: path.into() }),
        None => Err("write won=FILE, lost=FILE or open=FILE, as in won=winnable.txt".into()),
    }
}

/// What to find for a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum GoalArg {
    /// Whether it can be won
    Win,
    /// The most cards that can be brought up
    Cards,
}
