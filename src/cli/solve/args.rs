//! The command line of `saratoga solve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::error::CliError;
use crate::cli::input::setting;
use crate::cli::memory;
use crate::cli::numbers::{Count, whole};
use crate::cli::output::shell_word;
use crate::solver::Goal;
use crate::strategy::{Setting, StrategySource};

/// Deals solved unless the command line says otherwise.
pub(super) const DEALS: u64 = 100;
/// Seconds for a deal unless the command line says otherwise.
const SECONDS: f64 = 10.0;
/// Bytes of memory unless the command line says otherwise.
const MEMORY: usize = 1 << 30;

/// Find what could have been won, or earned, with every card known
#[derive(Args, Debug)]
#[command(after_help = "\
For each deal the answer is won, with the moves; lost, which is proven; or unknown,
where a limit stopped the search. With --goal cards it is the most cards that can
be brought up, or between how many that is; strategies then play the same deals, and
what they leave on the table is told. Rules with a die for each draw or pass, or a
shuffle on redeal, cannot be known at the deal and are refused; with a die for the
whole game each face has an answer. A limit of --nodes gives the same answers on
every machine, one of --seconds does not.

Examples:
  saratoga solve thoughtful -n 200
  saratoga solve single-pass -n 50 --goal cards --seconds 5
  saratoga solve canfield -s greedy -s patient --nodes 1e6 --out my-report
  saratoga solve canfield --deals decks.txt --json > answers.jsonl")]
pub(in crate::cli) struct SolveArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy that plays the same deals: a name on the shelf, or a path; may be repeated
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Deals to solve [default: 100]
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true)]
    pub games: Option<Count>,
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// A file of decks of at most 64 MiB, one a line: the cards, or an id, a tab and the cards; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "seed"])]
    pub deals: Option<PathBuf>,
    /// What is asked of each deal [default: win, or cards with strategies]
    #[arg(long, value_enum)]
    pub goal: Option<GoalArg>,
    /// Give a deal up after so many positions
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub nodes: Option<Count>,
    /// Give a deal up after so many seconds [default: 10, or no limit with --nodes]
    #[arg(long, value_name = "S", value_parser = seconds, allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// Threads, 1 to 256 [default: one a core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256), allow_negative_numbers = true)]
    pub threads: Option<u64>,
    /// Memory for the positions of all threads, such as 512MiB; beams take up to an eighth of it besides [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = bytes, allow_negative_numbers = true)]
    memory: Option<Memory>,
    /// Folder of a report: a page, its figures, the deals and the charts
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print JSON Lines: one object a deal
    #[arg(long)]
    pub json: bool,
    /// Set a parameter of the scripts that have it: hold=4; may be repeated. Or behind one name: -s mine.rhai:hold=4
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub settings: Vec<Setting>,
    /// No progress line
    #[arg(short, long)]
    pub quiet: bool,
}

/// What is asked of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum GoalArg {
    /// Whether it can be won
    Win,
    /// How many cards can be brought up at most
    Cards,
}

/// A size as it was written.
#[derive(Clone, Debug)]
struct Memory {
    bytes: usize,
    written: String,
}

fn seconds(text: &str) -> Result<f64, String> {
    let given = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= 1e9);
    given.ok_or_else(|| "a number of seconds above 0 is expected, such as 10 or 0.5".into())
}

/// Reads a size in bytes.
fn bytes(text: &str) -> Result<Memory, String> {
    let fault = || "a size is expected, such as 512MiB or 4GiB".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let shift = match text[digits..].trim() {
        "" | "B" => 0,
        "k" | "K" | "kiB" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        _ => return Err(fault()),
    };
    if digits == 0 {
        return Err(fault());
    }
    // More than can be counted is more than any machine has, which is said once all is known.
    let number: usize = text[..digits].parse().unwrap_or(usize::MAX);
    let bytes = number.min(usize::MAX >> 2 >> shift) << shift;
    Ok(Memory { bytes, written: text.into() })
}

impl SolveArgs {
    /// What is asked.
    pub fn question(&self) -> Result<Goal, CliError> {
        match (self.goal, self.strategies.is_empty()) {
            (Some(GoalArg::Win), false) => Err(CliError::input(
                "--goal win does not say how many cards a deal allows, which strategies are set against; leave --goal out, \
                 or ask for --goal cards",
            )),
            (Some(GoalArg::Cards), _) | (None, false) => Ok(Goal::Cards),
            (Some(GoalArg::Win) | None, _) => Ok(Goal::Win),
        }
    }

    /// Most seconds for a deal.
    pub fn most_seconds(&self) -> Option<f64> {
        self.seconds.or(if self.nodes.is_some() { None } else { Some(SECONDS) })
    }

    /// Bytes for the positions of all threads.
    pub fn memory(&self) -> usize {
        self.memory.as_ref().map_or(MEMORY, |memory| memory.bytes)
    }

    /// Refuses more memory than there is.
    pub fn check_memory(&self) -> Result<(), CliError> {
        let written = self.memory.as_ref().map_or("1GiB", |memory| &memory.written);
        let bytes = self.memory() as u64;
        let what = format!("--memory {written}, with an eighth besides for beams,");
        memory::check(&what, bytes + bytes / 8, |most| {
            format!("ask for --memory {}MiB or less", (most / 9 * 8) >> 20)
        })
    }

    /// The command line that asks the same of so many deals again.
    pub fn again(&self, goal: Goal, deals: u64, strategies: &[StrategySource]) -> String {
        let mut words = vec!["saratoga solve".to_string(), shell_word(&self.rules)];
        // The names of the strategies tell how they are set.
        words.extend(strategies.iter().map(|it| format!("-s {}", shell_word(it.name()))));
        match &self.deals {
            Some(path) => words.push(format!("--deals {}", shell_word(&path.display().to_string()))),
            None => words.push(format!("-n {deals} --seed {}", self.seed)),
        }
        if goal == Goal::Cards {
            words.push("--goal cards".into());
        }
        words.extend(self.nodes.map(|nodes| format!("--nodes {nodes}")));
        words.extend(self.seconds.map(|seconds| format!("--seconds {seconds}")));
        if let Some(memory) = self.memory.as_ref().filter(|memory| memory.bytes != MEMORY) {
            words.push(format!("--memory {}", shell_word(&memory.written)));
        }
        words.join(" ")
    }
}
