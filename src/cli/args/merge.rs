//! The command lines of `saratoga merge` and `saratoga status`.

use std::path::PathBuf;

use clap::Args;

use crate::units::whole;

/// Bring the shards of a run together, and report on the whole
///
/// Checks that every shard is there, whole, and of the same run, and writes the report that one machine would have written, to
/// the last byte; only the seconds that `solve` measured are those of the machines that made the shards. Where blocks are missing
/// it says which, and the commands that make them.
#[derive(Args, Debug)]
#[command(after_help = "\
A folder may hold any number of shards. Blocks of the merge are kept in the
first folder, or that of --out, so that a later merge only adds what is new.
Where results decide what is played next, a run goes by rounds: merge after
each, and the commands of the next round are printed. So it is with sweep,
tune, plan and compare, solve -s, simulate --clairvoyant, and --precision.

Examples:
  saratoga simulate canfield -n 1e9 --shard 1/2 --out big     on one machine
  saratoga simulate canfield -n 1e9 --shard 2/2 --out big     on another
  saratoga merge big
  saratoga merge from-ann from-bob --out both")]
pub(in crate::cli) struct MergeArgs {
    /// Folders with shards
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Folder for the report and the merged blocks [default: the first]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Threads, 1 to 256; they do not change the results [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256))]
    pub threads: Option<u64>,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Show no progress and no notes
    #[arg(short, long)]
    pub quiet: bool,
}

/// Show how far the runs in folders are
///
/// Reads what runs have written there, also on another machine that shares the folder.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  saratoga status big          every shard: blocks, rate, time left
  saratoga status big --json   the same for programs")]
pub(in crate::cli) struct StatusArgs {
    /// The folders that were given with --out
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}
