//! A command in shards, as the files of every engine need it.

use crate::cli::args::ClusterArgs;

/// A file by name, and whether it is run.
pub(super) type Made = (&'static str, String, bool);

/// A command in shards.
pub(super) struct Job<'a> {
    pub args: &'a ClusterArgs,
    /// The command, without where its results go.
    pub command: String,
    /// The folder of its results, as a shell reads it.
    pub out: String,
    pub shards: u64,
    /// Hours and minutes after which a shard is taken to hang.
    pub limit: String,
}

impl Job<'_> {
    /// The command of a shard, whose number a shell puts in.
    pub fn shard(&self, number: &str) -> String {
        let Job { command, out, shards, .. } = self;
        let threads = self.args.cores;
        format!("{command} --shard \"{number}/{shards}\" --threads {threads} --out {out} --quiet")
    }

    pub fn merge(&self) -> String {
        format!("saratoga merge {} --threads {}", self.out, self.args.cores)
    }
}
