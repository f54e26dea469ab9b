//! The command lines of `saratoga rules` and `saratoga scripts`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::units::{Count, whole};

use crate::cli::shelf::PageArgs;

/// List, show and check rulesets
#[derive(Args, Debug)]
pub(in crate::cli) struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum RulesCommand {
    /// List the rulesets on the shelf
    #[command(after_help = "Example:\n  saratoga rules list --json")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a ruleset, to copy and change
    #[command(after_help = "Examples:
  saratoga rules show canfield > my-house.toml
  saratoga rules show storehouse --all     every key, with `extends` resolved")]
    Show {
        /// A name on the shelf, or a path
        #[arg(value_name = "RULES")]
        rules: String,
        /// Print every key, with `extends` resolved
        #[arg(long)]
        all: bool,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check ruleset files and report every error
    #[command(after_help = "Example:\n  saratoga rules check ./my-house.toml")]
    Check {
        /// Names on the shelf, or paths
        #[arg(value_name = "RULES", required = true)]
        rules: Vec<String>,
    },
    Page(Box<PageArgs>),
    /// Print the JSON Schema of ruleset files, for editors
    #[command(after_help = "Example:\n  saratoga rules schema > saratoga-rules.schema.json")]
    Schema,
}

/// List, show and check strategy scripts
#[derive(Args, Debug)]
pub(in crate::cli) struct ScriptsArgs {
    #[command(subcommand)]
    pub command: ScriptsCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ScriptsCommand {
    /// List the strategies on the shelf
    #[command(after_help = "Example:\n  saratoga scripts list")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a script, to copy and change
    #[command(after_help = "Example:\n  saratoga scripts show patient > mine.rhai")]
    Show {
        /// A name on the shelf, or a path
        #[arg(value_name = "SCRIPT")]
        script: String,
    },
    /// Check scripts, report every error and warning, and list which functions are compiled
    #[command(after_help = "\
An error is what a script cannot be played with, or what fails whenever it is
run; the exit code is 2 then. A warning is what runs and is likely not meant:
names that nothing uses, code that is never reached, comparisons that always
come out the same, functions that hide a method of the game.

Examples:
  saratoga scripts check ./mine.rhai
  saratoga scripts check --json ./mine.rhai
  saratoga scripts check --emit ./mine.rhai")]
    Check {
        /// Print a JSON array of all errors and warnings, each with its file, line, column and end, for editors
        #[arg(long, conflicts_with = "emit")]
        json: bool,
        /// Instead, print the typed syntax tree that is compiled, under the rules of canfield
        #[arg(long)]
        emit: bool,
        /// Names on the shelf, or paths
        #[arg(value_name = "SCRIPT", required = true)]
        scripts: Vec<String>,
    },
    /// Play games with a script, and print how often each line ran and its share of the time
    #[command(after_help = "Examples:
  saratoga scripts profile canfield ./mine.rhai
  saratoga scripts profile storehouse patient -n 10k --json
  saratoga scripts profile canfield patient --page profile.html")]
    Profile {
        /// A ruleset: a name on the shelf, or a path
        #[arg(value_name = "RULES")]
        rules: String,
        /// A name on the shelf, or a path
        #[arg(value_name = "SCRIPT")]
        script: String,
        /// Games to play: 5000, 1e6, 250k
        #[arg(short = 'n', long, value_name = "GAMES", default_value = "100")]
        games: Count,
        /// Seed of the deals
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX))]
        seed: u64,
        /// Print a JSON array with an object for each line
        #[arg(long)]
        json: bool,
        /// Write it as a page to this file
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        page: Option<PathBuf>,
    },
    /// Ask strategies what they choose in recorded positions, and compare it with what they must choose
    #[command(after_help = "\
A file of positions has a [[position]] for each: a `record` (as `replay --json`
prints it, or the path of a file of records and a `line`), the number of a
`move`, and the moves that `must` or `must_not` be chosen in its place.
Exit codes: 0 all as they must be, 1 some not, 2 a file is at fault.

Example:
  saratoga scripts test ./mine.toml")]
    Test {
        /// Files of positions, which stand beside their scripts
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Print a JSON array with an object for each position
        #[arg(long)]
        json: bool,
    },
    /// Print the definitions of everything a script can use, for editors
    #[command(after_help = "Example:\n  saratoga scripts definitions > saratoga.d.rhai")]
    Definitions,
}
