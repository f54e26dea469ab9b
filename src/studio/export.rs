//! Runs the program itself to make reports, which are therefore the same as from the command line: those of a saved
//! ruleset here, and those of long jobs.

use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use crate::signals::ENDS_WITH;
use crate::text::visible;

use super::Folder;
use super::design::{Faults, Text};
use super::gallery;
use super::mailbox::Mailbox;
use super::play;

/// Interval at which the program is checked for having ended.
const TICK: Duration = Duration::from_millis(30);
/// Maximum size of the program's output that is read, in bytes.
const MOST_SAID: u64 = 64 << 10;
/// Maximum length of a failure message, in characters.
const MOST_WHY: usize = 600;

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    #[serde(flatten)]
    pub rules: Text,
    pub strategies: Vec<String>,
    #[serde(deserialize_with = "super::play::seed")]
    pub seed: u64,
    pub games: u64,
}

/// A validated request for a report: its command.
pub(super) struct Ready(Command);

impl Ready {
    /// Validates a request, under the same limits as a simulation on the page.
    pub fn new(folder: &Folder, asked: Asked, program: &Path) -> Result<Ready, Faults> {
        let Asked { rules, strategies, seed, games } = asked;
        gallery::has_place(folder, seed)?;
        let path = rules.path();
        let played = play::Asked {
            rules: rules.clone(),
            strategies,
            seed,
            games,
            target: 0.0,
            pinned: None,
            wishes: Vec::new(),
        };
        let played = play::Ready::new(folder, played)?;
        if folder.text(&rules.name).ok().as_ref() != Some(&rules.text) {
            return Err(format!("save {} first: the report is of the file", rules.name).into());
        }
        let mut command = simulate(program, folder, played.names());
        command.arg(format!("--games={}", played.games())).arg(format!("--seed={seed}")).arg(path);
        Ok(Ready(command))
    }

    /// Runs the command until it ends or the mailbox is closed, which kills it, and posts where the report is.
    pub fn make(self, mailbox: &Mailbox) {
        mailbox.put(0, &json!({ "done": false, "report": null, "failed": null }));
        let made = run(self.0, &mailbox.stop).and_then(|out| {
            let report = out.lines().rev().find_map(|line| line.strip_prefix("Report: "));
            report.map(|path| path.trim().to_string()).ok_or_else(|| "simulate wrote no report".to_string())
        });
        let (report, failed) = (made.as_ref().ok(), made.as_ref().err());
        mailbox.put(0, &json!({ "done": true, "report": report, "failed": failed }));
    }
}

/// Returns a command in the folder, to which its options are added.
pub(super) fn command(program: &Path, folder: &Folder, name: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder.root()).args([name, "--quiet"]);
    command
}

/// Returns the command that plays some strategies. Name and value form one argument, so that no name is parsed as another
/// option.
pub(super) fn simulate<'a>(
    program: &Path,
    folder: &Folder,
    strategies: impl IntoIterator<Item = &'a str>,
) -> Command {
    let mut command = command(program, folder, "simulate");
    command.args(strategies.into_iter().map(|name| format!("--strategy={name}")));
    command
}

/// Runs a command to its end and returns what it printed, or why it failed; kills it when `stop` is set.
pub(super) fn run(mut command: Command, stop: &AtomicBool) -> Result<String, String> {
    // The program ends by itself if the studio is killed.
    command.env(ENDS_WITH, std::process::id().to_string());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot run saratoga: {error}"))?;
    // Both pipes are read on their own threads, because a full pipe would block the program.
    let said = [read(child.stdout.take()), read(child.stderr.take())];
    let ended = wait(&mut child, stop);
    let [out, err] = said.map(|reader| reader.and_then(|it| it.join().ok()).unwrap_or_default());
    if ended? {
        return Ok(out);
    }
    Err(why(&err))
}

/// Extracts the program's failure message, shortened to fit on a page.
fn why(said: &str) -> String {
    let said = visible(said.trim());
    match said.char_indices().nth(MOST_WHY) {
        Some((end, _)) => format!("{}…", said[..end].trim_end()),
        None if said.is_empty() => "it failed".into(),
        None => said.into_owned(),
    }
}

fn read(from: Option<impl Read + Send + 'static>) -> Option<JoinHandle<String>> {
    let from = from?;
    Some(std::thread::spawn(move || {
        let mut from = from;
        let mut bytes = Vec::new();
        let _ = from.by_ref().take(MOST_SAID).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut from, &mut std::io::sink());
        String::from_utf8_lossy(&bytes).into_owned()
    }))
}

/// Waits, and returns whether the program succeeded.
fn wait(child: &mut Child, stop: &AtomicBool) -> Result<bool, String> {
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.success()),
            Ok(None) if stop.load(Ordering::Relaxed) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it was cancelled".into());
            }
            Ok(None) => sleep(TICK),
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_a_failure_is_told_up_to_a_bound() {
        assert_eq!(why("error: one\n  help: \u{202e}two\n"), "error: one\n  help: \\u202etwo");
        assert_eq!(why(" \n"), "it failed");
        let long = why(&"é".repeat(1_000));
        assert_eq!((long.chars().count(), long.ends_with("é…")), (MOST_WHY + 1, true));
    }
}
