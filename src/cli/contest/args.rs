//! The command line of contests.

use clap::{Args, Subcommand};

/// Contests of several players: list, show and check them
///
/// A contest says who plays, how and how fast, on whose foundations, and until when.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  saratoga contest list                  the contests on the shelf
  saratoga contest show racing-demon     a contest to copy and change"
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
