//! The command line of `saratoga cluster`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::lab::MOST_SHARDS;
use crate::units::whole;

/// What runs the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Engine {
    /// A job array of Slurm, with a merge that depends on it
    Slurm,
    /// GNU parallel on one machine, or on several by ssh
    Parallel,
}

/// Write the files that run a command in shards on a cluster
///
/// Plays the command for a few seconds to measure it, plans shards of the length you ask for, and writes files that
/// are ready to be submitted. It prints the cost of the whole: core-hours, bytes, and how wide its interval will be.
#[derive(Args, Debug)]
#[command(after_help = "\
The command comes after --, without --out, --shard and --threads. Its results
go to --out, a folder that all machines share.
Nothing is submitted: look at the files, then run submit.sh or run.sh.

Examples:
  saratoga cluster slurm --out /data/big -- simulate canfield -s search -n 1e6
  saratoga cluster parallel --out big --cores 4 -- simulate canfield -n 1e9

Slurm and GNU parallel run the command in the folder where you call this, so
relative paths start there.")]
pub(in crate::cli) struct ClusterArgs {
    /// What runs the shards
    #[arg(value_enum)]
    pub engine: Engine,
    /// The command that is to be run
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
    /// Folder for blocks and the report, as the machines of the cluster see it
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Folder for the files of the cluster
    #[arg(long, value_name = "DIR", default_value = "cluster")]
    pub files: PathBuf,
    /// Minutes that a shard should take
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole(1, 10_000))]
    pub minutes: u64,
    /// Number of shards, instead of --minutes for each
    #[arg(long, value_name = "N", value_parser = whole(1, MOST_SHARDS))]
    pub shards: Option<u64>,
    /// Cores of a shard
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1, 256))]
    pub cores: u64,
    /// Memory of a shard, in the cluster's notation [default: 2G, or what the searches of all its cores need]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<String>,
    /// Partition of Slurm, if not its default
    #[arg(long, value_name = "NAME", value_parser = partition)]
    pub partition: Option<String>,
    /// Seconds for which the command is measured
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole(1, 600))]
    pub measure: u64,
    /// Show no notes
    #[arg(short, long)]
    pub quiet: bool,
}

/// Checks a size for Slurm: a number with its unit.
fn memory(text: &str) -> Result<String, String> {
    let number = text.strip_suffix(['K', 'M', 'G', 'T']).unwrap_or(text);
    match number.parse::<u64>() {
        Ok(1..) if number.len() < text.len() && number.bytes().all(|b| b.is_ascii_digit()) => Ok(text.into()),
        _ => Err("it is a whole number with K, M, G or T, such as 4G".into()),
    }
}

fn partition(text: &str) -> Result<String, String> {
    let named = |c: char| c.is_alphanumeric() || "_-.,".contains(c);
    match !text.is_empty() && text.chars().all(named) {
        true => Ok(text.into()),
        false => Err("it is a name of letters, digits, `_`, `-` and `.`, or several with commas".into()),
    }
}
