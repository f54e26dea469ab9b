//! The report of a saved ruleset, made by `saratoga simulate` itself so that it is identical.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Folder;
use super::mailbox::Mailbox;
use super::program;

/// Request for a report.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    /// The file of the ruleset.
    pub name: String,
    /// Its text, as saved.
    pub text: String,
    pub strategies: Vec<String>,
    #[serde(deserialize_with = "super::play::seed")]
    pub seed: u64,
    pub games: u64,
}

/// A validated request for a report.
pub(super) struct Ready {
    pub program: PathBuf,
    pub folder: Folder,
    pub asked: Asked,
}

#[derive(Default, Serialize)]
struct State {
    done: bool,
    /// Path of the page.
    report: Option<String>,
    failed: Option<String>,
}

impl Ready {
    /// Runs the command until it ends or the mailbox is closed, which kills it.
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
        // Name and value form one argument, so that no name is parsed as another option.
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
