//! What a block of a command costs: it is run for a few seconds in a folder of its own, and interrupted. It says when its blocks
//! were made, so that the start of the program is no part of what they cost, and reports on the games that it has played.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::args::Given;
use crate::cli::error::CliError;
use crate::cli::held::Held;
use crate::cli::progress_file::{ProgressNote, beside};
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

/// Runs a command on one thread for so many seconds.
pub(super) fn measure(given: &Given, seconds: u64) -> Result<Measured, CliError> {
    let cannot = CliError::io("cannot write to the folder of temporary files");
    let held = Held::new("cluster").map_err(cannot)?;
    let out = held.path().join("out");
    let program = std::env::current_exe().map_err(CliError::io("this program cannot be found"))?;
    let mut command = Command::new(&program);
    command.arg(&given.command).args(&given.words).args(["--threads", "1", "--quiet"]);
    command.arg("--out").arg(&out);
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.map_err(CliError::io("this program cannot be run"))?;
    let (begun, blocks) = (Instant::now(), out.join(WHOLE));
    let (mut made, mut taken, mut over) = (0, Duration::ZERO, false);
    let mut note: Option<ProgressNote> = None;
    // Until there is a block and it is known of how many, but not for ever.
    let unknown = |made, note: &Option<ProgressNote>| made == 0 || note.is_none_or(|it| it.stage.of == 0);
    let (least, most) = (Duration::from_secs(seconds), Duration::from_secs(600));
    while begun.elapsed() < least || unknown(made, &note) && begun.elapsed() < most {
        std::thread::sleep(Duration::from_millis(100));
        over = child.try_wait().map_err(CliError::io("this program cannot be run"))?.is_some();
        (made, taken) = (count(&blocks), begun.elapsed());
        let said = fs::read(beside(&blocks)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        note = said.or(note);
        if over {
            break;
        }
    }
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
        seconds_a_block: note.and_then(seconds_a_block).unwrap_or(taken.as_secs_f64() / made as f64),
        bytes_a_block: bytes as f64 / made as f64,
        // Where results decide how much is played, nobody knows how wide it will be.
        interval: if open { None } else { interval(given, &out) },
    })
}

/// Of blocks that a run has told of. The first has a part in the start of the strategies, so that more of them tell without it.
fn seconds_a_block(note: ProgressNote) -> Option<f64> {
    let (first, last) = note.until;
    let seconds = match note.made {
        0 => None,
        1 => Some(last),
        made => Some((last - first) / (made - 1) as f64),
    };
    seconds.filter(|seconds| *seconds > 0.0)
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
    use crate::lab::StageProgress;

    fn note(made: u64, until: (f64, f64)) -> ProgressNote {
        let stage = StageProgress { stage: 0, stages: None, done: made, of: 1_000, open: false };
        let (seconds, written) = (until.1 + 9.0, 1_700_000_000);
        ProgressNote { stage, made, seconds, until, written, finished: true, over: true, machine: 0 }
    }

    /// Neither the start of the program is part of what a block costs, nor that of the strategies, nor what comes after.
    #[test]
    fn a_block_costs_what_it_takes() {
        assert_eq!(seconds_a_block(note(0, (0.0, 0.0))), None);
        assert_eq!(seconds_a_block(note(1, (0.25, 0.25))), Some(0.25));
        assert_eq!(seconds_a_block(note(5, (3.0, 4.0))), Some(0.25));
    }
}
