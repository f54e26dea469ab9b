//! The command line of `saratoga tune`.

use std::path::PathBuf;

use clap::Args;

use crate::amounts::{Count, whole};
use crate::stats::Measure;

use super::{RunArgs, ScriptArgs};

/// Find good values for a script's parameters
#[derive(Args, Debug)]
#[command(after_help = "\
A script declares its parameters at its top, each with a default:
  const HOLD = param(4, 0..=13);    a whole number and its allowed values
  const BOLD = param(true);         true or false

Candidates race on the same deals. After each heat the worse half drops out,
and the rest play twice as many deals. The winner then plays against the
defaults on fresh deals, so that the reported gain is not inflated by the
choice.

The script with the new values is written next to the original, as
NAME-tuned.rhai (also with --json, unless --no-write); for a script of the
shelf, in the current folder. Without a sure gain, that is, where the 95%
interval reaches down to 0, nothing is written. Ctrl-C stops the race and
reports the last finished generation, without the fresh deals.

The player `search` has four counts to tune: worlds, judged, nodes and ways,
each from a quarter of what it is to twice that. Its name with the values
found is written to search-tuned.txt, to give with -s. Its games take far
longer than those of a script: ask for few deals with --deals and -n.

Examples:
  saratoga tune canfield tunable
  saratoga tune ./my-house.toml ./mine.rhai --measure money
  saratoga tune canfield ./mine.rhai --candidates 64 --deals 5k -n 1e6
  saratoga tune canfield search:level=1 --deals 20 -n 200
  saratoga tune single-pass tunable --no-write --json | jq .found")]
pub(in crate::cli) struct TuneArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES")]
    pub rules: String,
    /// A script with parameters: a name on the shelf, or a path; or `search`
    #[arg(value_name = "SCRIPT")]
    pub script: String,
    /// What to improve: cards, wins or money (the player's net)
    #[arg(long, value_name = "MEASURE", default_value_t = Measure::Cards)]
    pub measure: Measure,
    /// Candidates per generation, 2 to 4096
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = whole(2, 4096))]
    pub candidates: u64,
    /// Generations; each searches closer around the winner of the one before, 1 to 10
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole(1, 10))]
    pub generations: u64,
    /// Deals of the first heat; each later heat has twice as many
    #[arg(long, value_name = "DEALS", default_value = "2k")]
    pub deals: Count,
    /// Games that the winner and the defaults each play on fresh deals
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Write the script to this file, even if it exists; only with a sure gain
    #[arg(long, value_name = "FILE", conflicts_with = "no_write")]
    pub write: Option<PathBuf>,
    /// Do not write the script
    #[arg(long)]
    pub no_write: bool,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}
