//! The report of a saved ruleset: `saratoga simulate` itself makes it, so that it is the same.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::sleep;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::text::one_line;

use super::Folder;
use super::mailbox::Mailbox;

/// So often it is looked whether the program has ended.
const TICK: Duration = Duration::from_millis(30);
/// Most bytes of what the program says.
const MOST_SAID: u64 = 64 << 10;

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
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, mailbox: &Mailbox) -> Result<String, String> {
        let mut child = self.command().spawn().map_err(|error| format!("cannot run simulate: {error}"))?;
        // What it says is read on threads of their own: a full pipe would stop it.
        let said = [read(child.stdout.take()), read(child.stderr.take())];
        let ended = wait(&mut child, mailbox);
        let [out, err] = said.map(|reader| reader.and_then(|it| it.join().ok()).unwrap_or_default());
        if !ended? {
            let last = |text: &str| one_line(text.trim().lines().next().unwrap_or("it failed")).into_owned();
            return Err(last(&err));
        }
        let report = out.lines().rev().find_map(|line| line.strip_prefix("Report: "));
        report.map(|path| path.trim().to_string()).ok_or_else(|| "simulate wrote no report".to_string())
    }
}

fn read(from: Option<impl Read + Send + 'static>) -> Option<std::thread::JoinHandle<String>> {
    let from = from?;
    Some(std::thread::spawn(move || {
        let mut from = from;
        let mut bytes = Vec::new();
        let _ = from.by_ref().take(MOST_SAID).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
        String::from_utf8_lossy(&bytes).into_owned()
    }))
}

/// Whether the program ended well.
fn wait(child: &mut Child, mailbox: &Mailbox) -> Result<bool, String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if mailbox.stop.load(Ordering::Relaxed) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it was cancelled".into());
            }
            Ok(None) => sleep(TICK),
            Err(error) => return Err(error.to_string()),
        }
    }
}
