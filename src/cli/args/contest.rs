//! The command line of `saratoga contest`.

use clap::{Args, Subcommand};

use crate::amounts::{Count, Decimals, decimals, whole};
use crate::contest::{PLAYERS, SPEEDS};

use super::{RunArgs, ScriptArgs};

/// Play contests between several players; list, show and check them
///
/// A contest defines the players, their strategies and speeds, whether they share foundations, and when a match ends.
/// Everyone plays at the same time, so the program simulates a clock: each action takes its player one second divided by the speed,
/// with random variation.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
The matches are played with the speeds of the contest, and once more for each
factor, with the first player that much faster or slower. The results are
printed and written to a folder, as an HTML page with charts. Ctrl-C stops the
run and reports the matches that were finished.

Examples:
  saratoga contest list                       the contests on the shelf
  saratoga contest show racing-demon          a contest to copy and change
  saratoga contest racing-demon -n 10k
  saratoga contest nerts -s patient -s greedy -s greedy -s greedy
  saratoga contest racing-demon --players 8 --speed 1.5,1,1,1,1,1,1,1
  saratoga contest ./my-table.toml --no-factors --json | jq '.[0].summary'
  saratoga contest racing-demon --match 17    what happens in one match"
)]
pub(in crate::cli) struct ContestArgs {
    #[command(subcommand)]
    pub command: Option<ContestCommand>,
    #[command(flatten)]
    pub play: PlayArgs,
}

#[derive(Args, Debug)]
#[command(
    mut_arg("seed", |arg| arg.help("Seed of the deals and the clocks")),
    mut_arg("json", |arg| arg.help("Print the results as a JSON array; write a report only with --out"))
)]
pub(in crate::cli) struct PlayArgs {
    /// A contest: a name on the shelf, or a path
    #[arg(value_name = "CONTEST")]
    pub contest: Option<String>,
    /// One strategy for all players, or repeated, one for each in order [default: the contest's]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Matches to play at the contest's speeds, and as many again for each factor: 500, 10k, 1e6
    #[arg(short = 'n', long, value_name = "MATCHES", default_value = "2k")]
    pub matches: Count,
    /// Number of identical players (2–8), for contests that list none
    #[arg(long, value_name = "N", value_parser = whole(PLAYERS.0 as u64, PLAYERS.1 as u64))]
    pub players: Option<u64>,
    /// Actions per second: one number for all players, or one for each: 1.5,1,1,1 [default: the contest's]
    #[arg(long, value_name = "SPEEDS", value_parser = decimals(SPEEDS.0 as u32, SPEEDS.1 as u32), allow_hyphen_values = true)]
    pub speed: Option<Decimals>,
    /// Other speeds of the first player, as factors [default: 0.5,0.67,0.8,1,1.25,1.5,2]
    #[arg(long, value_name = "FACTORS", value_parser = decimals(1, 1_000_000), allow_hyphen_values = true)]
    pub factors: Option<Decimals>,
    /// Play only at the contest's speeds
    #[arg(long, conflicts_with = "factors")]
    pub no_factors: bool,
    /// Play only this match, counted from 0, and print its events; with --json as JSON Lines
    #[arg(long = "match", value_name = "N", value_parser = whole(0, u64::MAX),
        conflicts_with_all = ["matches", "threads", "factors", "no_factors", "out", "no_report"])]
    pub number: Option<u64>,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ContestCommand {
    /// List the contests on the shelf
    #[command(after_help = "Example:\n  saratoga contest list --json")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a contest, to copy and change
    #[command(after_help = "Examples:
  saratoga contest show racing-demon > my-table.toml
  saratoga contest show exorcism-teams --all     every key of every player")]
    Show {
        /// A name on the shelf, or a path
        #[arg(value_name = "CONTEST")]
        contest: String,
        /// Print every key, with `extends` resolved and paths relative to the current folder
        #[arg(long)]
        all: bool,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check contest files, their rulesets and scripts, and report every error
    #[command(after_help = "Example:\n  saratoga contest check ./my-table.toml")]
    Check {
        /// Names on the shelf, or paths
        #[arg(value_name = "CONTEST", required = true)]
        contests: Vec<String>,
    },
    /// Print the JSON Schema of contest files, for editors
    #[command(after_help = "Example:\n  saratoga contest schema > saratoga-contest.schema.json")]
    Schema,
}
