//! A command in shards, as the files of every engine need it.

use crate::cli::args::ClusterArgs;
use crate::cli::words::shell_word;

/// A file by name, and whether it is run.
pub(super) type Made = (&'static str, String, bool);

/// A command in shards.
pub(super) struct Job<'a> {
    pub args: &'a ClusterArgs,
    /// The program, as a shell reads it.
    pub program: String,
    /// The command, without where its results go.
    pub command: String,
    /// The folder of its results, as a shell reads it.
    pub out: String,
    /// The folder in which it was called, from which paths are, as a shell reads it.
    pub here: String,
    pub shards: u64,
    /// Memory of a shard, as the cluster writes it.
    pub memory: String,
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
        format!("{} merge {} --threads {}", self.program, self.out, self.args.cores)
    }
}

/// A path as a shell reads it, also one that looks like an option.
pub(super) fn shell_path(path: &std::path::Path) -> String {
    let written = path.display().to_string();
    shell_word(&if written.starts_with('-') { format!("./{written}") } else { written })
}
