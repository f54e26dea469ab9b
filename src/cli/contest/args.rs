//! The command line of contests.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::numbers::{Count, Decimals, decimals, whole};
use crate::contest::{PLAYERS, SPEEDS};

/// Several players at once: play contests, list, show and check them
///
/// A contest says who plays, how and how fast, on whose foundations, and until when. Play is at once, so time is
/// modelled: each action takes its player a second divided by the speed, more or less by chance.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
The matches are played with the players as the contest has them, and once more
for each factor with the first player that much faster or slower. The figures go
to the terminal, and to a folder as an HTML page with charts. Ctrl-C stops, and
reports the matches that were finished.

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
pub(in crate::cli) struct PlayArgs {
    /// A contest: a name on the shelf, or a path
    #[arg(value_name = "CONTEST")]
    pub contest: Option<String>,
    /// A strategy for all players, or repeated, one for each in their order [default: the contest's]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Matches to play, and once more for each factor: 500, 10k, 1e6
    #[arg(short = 'n', long, value_name = "MATCHES", default_value_t = MATCHES, allow_negative_numbers = true)]
    pub matches: Count,
    /// Seed of the deals and the clocks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads, 1 to 256; the results are the same with any [default: one a core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256), allow_negative_numbers = true)]
    pub threads: Option<u64>,
    /// So many equal players, 2 to 8, where the contest lists none
    #[arg(long, value_name = "N", value_parser = whole(PLAYERS.0 as u64, PLAYERS.1 as u64), allow_negative_numbers = true)]
    pub players: Option<u64>,
    /// Actions a second: one number for all players, or one for each: 1.5,1,1,1 [default: the contest's]
    #[arg(long, value_name = "SPEEDS", value_parser = decimals(SPEEDS.0 as u32, SPEEDS.1 as u32), allow_hyphen_values = true)]
    pub speed: Option<Decimals>,
    /// Other speeds of the first player, relative to the contest's [default: 0.5,0.67,0.8,1,1.25,1.5,2]
    #[arg(long, value_name = "FACTORS", value_parser = decimals(1, 1_000_000), allow_hyphen_values = true)]
    pub factors: Option<Decimals>,
    /// Play at no other speeds
    #[arg(long, conflicts_with = "factors")]
    pub no_factors: bool,
    /// Play this match only, from 0, and print what happens in it; with --json as JSON Lines
    #[arg(long = "match", value_name = "N", value_parser = whole(0, u64::MAX), allow_negative_numbers = true,
        conflicts_with_all = ["matches", "threads", "factors", "no_factors", "out", "no_report"])]
    pub number: Option<u64>,
    /// Folder of the report [default: reports/contest-CONTEST-STRATEGIES-SEED]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write no report
    #[arg(long, conflicts_with = "out")]
    pub no_report: bool,
    /// Print the results as a JSON array; write a report only with --out
    #[arg(long)]
    pub json: bool,
    /// Run scripts by the interpreter alone: the same matches, many times slower
    #[arg(long)]
    pub interpret: bool,
    /// Say nothing while playing
    #[arg(short, long)]
    pub quiet: bool,
}

/// Matches played unless the command line says otherwise.
const MATCHES: Count = Count(2000);

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
        /// Write out every key, with `extends` resolved and paths as seen from here
        #[arg(long)]
        all: bool,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check contest files, their rulesets and scripts, and report every fault
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
