//! A command in shards, as used for the files of every engine.

use super::args::ClusterArgs;
use crate::cli::words::shell_word;

/// A file: its name, its contents, and whether it is executable.
pub(super) type Made = (&'static str, String, bool);

/// A command in shards.
pub(super) struct Job<'a> {
    pub args: &'a ClusterArgs,
    /// The program, quoted for a shell.
    pub program: String,
    /// The command, without where its results go.
    pub command: String,
    /// The folder of its results, quoted for a shell.
    pub out: String,
    /// The current folder, to which paths are relative, quoted for a shell.
    pub here: String,
    pub shards: u64,
    /// Memory of a shard, in the cluster's syntax.
    pub memory: String,
    /// Hours and minutes after which a shard is assumed to hang.
    pub limit: String,
}

impl Job<'_> {
    /// Returns the command of a shard, whose number is a shell expression.
    pub fn shard(&self, number: &str) -> String {
        let Job { command, out, shards, .. } = self;
        let threads = self.args.cores;
        format!("{command} --shard \"{number}/{shards}\" --threads {threads} --out {out} --quiet")
    }

    pub fn merge(&self) -> String {
        format!("{} merge {} --threads {}", self.program, self.out, self.args.cores)
    }
}

/// Quotes a path for a shell, even if it looks like an option.
pub(super) fn shell_path(path: &std::path::Path) -> String {
    let written = path.display().to_string();
    shell_word(&if written.starts_with('-') { format!("./{written}") } else { written })
}
