//! Measures the cost of a block: the command runs for a few seconds in a temporary folder, and is interrupted. Its
//! blocks are counted meanwhile, and it reports on the games it has played.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::args::Given;
use crate::cli::checkpoint::ProgressNote;
use crate::cli::error::CliError;
use crate::lab::{Copies, WHOLE, scan_blocks};

pub(super) struct Measured {
    /// Number of blocks of the first stage, or the maximum.
    pub blocks: u64,
    pub open: bool,
    /// Number of blocks computed.
    pub made: u64,
    pub seconds_a_block: f64,
    pub bytes_a_block: f64,
    /// Number of games in these blocks, and the resulting half-width of the house edge's interval, if there is one.
    pub interval: Option<(f64, f64)>,
}

/// Runs a command on one thread for this many seconds.
pub(super) fn measure(given: &Given, seconds: u64) -> Result<Measured, CliError> {
    let cannot = CliError::io("cannot write to the folder of temporary files");
    let folder = tempfile::tempdir().map_err(cannot)?;
    let out = folder.path().join("out");
    let program = std::env::current_exe().map_err(CliError::io("this program cannot be found"))?;
    let mut command = Command::new(&program);
    command.arg(&given.command).args(&given.words).args(["--threads", "1", "--quiet"]);
    command.arg("--out").arg(&out);
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(CliError::io("this program cannot be run"))?;
    let (begun, blocks) = (Instant::now(), out.join(WHOLE));
    // The first and the last count of blocks, each with its time.
    let (mut first, mut last, mut over) = ((0, Duration::ZERO), (0, Duration::ZERO), false);
    let mut note: Option<ProgressNote> = None;
    // Waits, with a limit, until there is a block and their number is known.
    let unknown = |made, note: &Option<ProgressNote>| made == 0 || note.is_none_or(|it| it.stage.of == 0);
    let (least, most) = (Duration::from_secs(seconds), Duration::from_secs(600));
    while begun.elapsed() < least || unknown(last.0, &note) && begun.elapsed() < most {
        std::thread::sleep(Duration::from_millis(100));
        over = child.try_wait().map_err(CliError::io("this program cannot be run"))?.is_some();
        let made = count(&blocks);
        if made > last.0 {
            last = (made, begun.elapsed());
            first = if first.0 == 0 { last } else { first };
        }
        note = ProgressNote::read(&blocks).or(note);
        if over {
            break;
        }
    }
    let made = last.0;
    if !over && made > 0 {
        interrupt(&mut child);
    } else {
        let _ = child.kill();
    }
    let ended = child.wait_with_output().map_err(CliError::io("this program cannot be run"))?;
    let in_time = begun.elapsed() < most;
    if made == 0 {
        let said = String::from_utf8_lossy(&ended.stderr).trim().to_string();
        return Err(CliError::Input(match said.is_empty() {
            true if !in_time => format!(
                "the command finished no block in {} minutes, so that nothing can be planned: is a block of it less work with \
                 other options?",
                most.as_secs() / 60
            ),
            true => "the command made no block that could be measured".into(),
            false => format!("the command cannot be measured:\n{said}"),
        }));
    }
    let open = note.is_some_and(|note| note.stage.open);
    let bytes = blocks.metadata().map_or(0, |it| it.len());
    Ok(Measured {
        blocks: note.map_or(made, |note| note.stage.of.max(made)),
        open,
        made,
        seconds_a_block: seconds_a_block(first, last),
        bytes_a_block: bytes as f64 / made as f64,
        // If the results decide how much is played, the width is not predictable.
        interval: if open { None } else { interval(given, &out) },
    })
}

/// Returns the seconds per block, from two counts with their times: the start of the program and of its strategies is
/// excluded if possible.
fn seconds_a_block(first: (u64, Duration), last: (u64, Duration)) -> f64 {
    match last.0 - first.0 {
        0 => last.1.as_secs_f64() / last.0 as f64,
        more => (last.1 - first.1).as_secs_f64() / more as f64,
    }
}

fn count(blocks: &Path) -> u64 {
    let mut made = 0;
    let _ = scan_blocks(blocks, &mut Copies::default(), |_, _, _| made += 1);
    made
}

/// Returns the number of games played and the half-width of the house edge's interval.
fn interval(given: &Given, out: &Path) -> Option<(f64, f64)> {
    if given.command != "simulate" {
        return None;
    }
    let summary = fs::read(out.join("summary.json")).ok()?;
    let found: Value = serde_json::from_slice(&summary).ok()?;
    let first = &found["entries"][0]["summary"];
    let edge = &first["house_edge"];
    Some((first["games"].as_f64()?, (edge["high"].as_f64()? - edge["low"].as_f64()?) / 2.0))
}

/// Asks a run to report what it has played and end, if the system supports it.
#[cfg(unix)]
fn interrupt(child: &mut Child) {
    use nix::{sys::signal, unistd::Pid};
    if let Ok(number) = i32::try_from(child.id()) {
        let _ = signal::kill(Pid::from_raw(number), signal::Signal::SIGINT);
    }
}

#[cfg(not(unix))]
fn interrupt(child: &mut Child) {
    let _ = child.kill();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_of_the_program_is_no_part_of_a_block() {
        let at = |blocks, millis| (blocks, Duration::from_millis(millis));
        assert_eq!(seconds_a_block(at(1, 250), at(1, 250)), 0.25);
        assert_eq!(seconds_a_block(at(1, 3000), at(5, 4000)), 0.25);
    }
}
