//! Runs the program itself to make the reports of jobs, which are therefore the same as from the command line.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{sleep, spawn};
use std::time::Duration;

use crate::signals::ENDS_WITH;
use crate::text::visible;

/// Interval at which the program is checked for having ended.
const TICK: Duration = Duration::from_millis(30);
/// Maximum size of the program's messages that is read, in bytes.
const MOST_SAID: u64 = 64 << 10;
/// Maximum length of a failure message, in characters.
const MOST_WHY: usize = 600;

/// Runs a command to its end, or returns why it failed; kills it when `stop` is set.
pub(super) fn run(mut command: Command, stop: &AtomicBool) -> Result<(), String> {
    // The program ends by itself if the studio is killed.
    command.env(ENDS_WITH, std::process::id().to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot run saratoga: {error}"))?;
    // Read on its own thread, because a full pipe would block the program.
    let said = child.stderr.take().map(|from| spawn(move || read(from)));
    match wait(&mut child, stop)? {
        true => Ok(()),
        false => Err(why(&said.and_then(|it| it.join().ok()).unwrap_or_default())),
    }
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

fn read(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    let _ = from.by_ref().take(MOST_SAID).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut from, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
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
