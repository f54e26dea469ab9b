//! What a block of a command costs: it is run for a few seconds in a folder of its own, and interrupted. Its blocks are counted
//! meanwhile, and it reports on the games that it has played.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::args::Given;
use crate::cli::error::CliError;
use crate::cli::keeping::ProgressNote;
use crate::lab::{WHOLE, scan_blocks};

/// What was measured.
pub(super) struct Measured {
    /// Blocks of the first stage, or the most.
    pub blocks: u64,
    pub open: bool,
    /// Blocks that were made.
    pub made: u64,
    pub seconds_a_block: f64,
    pub bytes_a_block: f64,
    /// Games of these blocks, and half the width of the interval of the house edge that they give, where there is one.
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
    // The first count of blocks and the last, each with when it was seen.
    let (mut first, mut last, mut over) = ((0, Duration::ZERO), (0, Duration::ZERO), false);
    let mut note: Option<ProgressNote> = None;
    // Until there is a block and it is known of how many, but not for ever.
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
        let said =
            fs::read(ProgressNote::path(&blocks)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        note = said.or(note);
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
        // Where results decide how much is played, nobody knows how wide it will be.
        interval: if open { None } else { interval(given, &out) },
    })
}

/// What a block takes, of two counts of blocks with when they were seen: the start of the program and of its strategies is no part
/// of it where it can be left out.
fn seconds_a_block(first: (u64, Duration), last: (u64, Duration)) -> f64 {
    match last.0 - first.0 {
        0 => last.1.as_secs_f64() / last.0 as f64,
        more => (last.1 - first.1).as_secs_f64() / more as f64,
    }
}

fn count(blocks: &Path) -> u64 {
    let mut made = 0;
    let _ = scan_blocks(blocks, |_, _, _| made += 1);
    made
}

/// Of the games that were played, how many they are and half the width of the interval of the house edge.
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

/// Has a run report on what it has played and end, where the system can ask it to.
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
