//! The report of a saved ruleset: `saratoga simulate` itself makes it, so that it is the same.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Folder;
use super::mailbox::Mailbox;
use super::program;

/// What is to be reported.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    /// The file of the ruleset.
    pub name: String,
    /// Its text, which is saved.
    pub text: String,
    pub strategies: Vec<String>,
    #[serde(deserialize_with = "super::play::seed")]
    pub seed: u64,
    pub games: u64,
}

/// What can be reported.
pub(super) struct Ready {
    pub program: PathBuf,
    pub folder: Folder,
    pub asked: Asked,
}

#[derive(Default, Serialize)]
struct State {
    done: bool,
    /// Where the page is.
    report: Option<String>,
    failed: Option<String>,
}

impl Ready {
    /// Runs the command until it ends or the mailbox is left, when it is ended too.
    pub fn make(&self, mailbox: &Arc<Mailbox>) {
        mailbox.put(0, &State::default());
        let state = match self.run(mailbox) {
            Ok(report) => State { done: true, report: Some(report), failed: None },
            Err(failed) => State { done: true, report: None, failed: Some(failed) },
        };
        mailbox.put(0, &state);
    }

    fn command(&self) -> Command {
        let Asked { name, strategies, seed, games, .. } = &self.asked;
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder.root()).args(["simulate", "--quiet"]);
        // In one word each: none can be taken for another option.
        command.args(strategies.iter().map(|name| format!("--strategy={name}")));
        command.arg(format!("--games={games}")).arg(format!("--seed={seed}"));
        command.arg(format!("./{}", name.trim_start_matches("./")));
        command
    }

    fn run(&self, mailbox: &Mailbox) -> Result<String, String> {
        let out = program::run(self.command(), &mailbox.stop)?;
        let report = out.lines().rev().find_map(|line| line.strip_prefix("Report: "));
        report.map(|path| path.trim().to_string()).ok_or_else(|| "simulate wrote no report".to_string())
    }
}
