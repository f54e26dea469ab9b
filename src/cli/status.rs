//! `saratoga status`: how far the runs in a folder are.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::HumanDuration;
use serde_json::json;

use crate::files;
use crate::lab::{About, WHOLE, block_files, scan_blocks};
use crate::report::count;

use super::args::StatusArgs;
use super::error::CliError;
use super::progress_file::{ProgressNote, beside, machine, now};
use super::terminal;
use super::words::CommandLine;

/// A run that has said nothing for so many seconds is not running.
const SILENT: u64 = 30;
/// Most bytes of a note.
const MOST_NOTE: u64 = 64 << 10;

/// A file of blocks, and what its run last said.
struct Part {
    name: String,
    about: Result<About, String>,
    /// What is said of damage amid it.
    damage: Option<String>,
    blocks: u64,
    bytes: u64,
    /// The same of the stage that the run last spoke of.
    of_stage: u64,
    /// There is a report of the whole beside it.
    reported: bool,
    note: Option<ProgressNote>,
    /// Whether a run of this machine writes there.
    written_to: bool,
}

impl Part {
    fn of(path: &Path) -> Part {
        let note = files::read(&beside(path), MOST_NOTE).ok();
        let note: Option<ProgressNote> = note.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let (mut blocks, mut of_stage) = (0, 0);
        let scanned = scan_blocks(path, |(stage, _), _, _| {
            blocks += 1;
            of_stage += u64::from(note.is_some_and(|note| u64::from(note.stage.stage) == stage));
        });
        Part {
            name: name_of(path),
            damage: scanned.as_ref().ok().and_then(|it| it.end.damage()),
            about: scanned.map(|it| it.about),
            blocks,
            of_stage,
            reported: path.ends_with(WHOLE) && path.with_file_name("index.html").exists(),
            bytes: path.metadata().map_or(0, |it| it.len()),
            note,
            written_to: files::is_locked(path),
        }
    }

    fn state(&self) -> &'static str {
        match (&self.about, &self.note) {
            (Err(_), _) => "unreadable",
            _ if self.damage.is_some() => "damaged",
            (_, Some(note)) if note.finished => "finished",
            (_, None) if self.reported => "finished",
            (_, Some(note)) if note.machine == machine() && note.machine > 0 && !self.written_to => "stopped",
            // A clock that was set back makes a note of the future.
            (_, Some(note)) if !note.over && now().abs_diff(note.written) <= SILENT => "running",
            _ => "stopped",
        }
    }

    /// Blocks of the stage under way. A run that was killed kept more of them than it told of.
    fn done(&self, note: &ProgressNote) -> u64 {
        note.stage.done.max(self.of_stage.min(note.stage.of))
    }

    /// Blocks a second.
    fn rate(&self) -> Option<f64> {
        let note = self.note.filter(|note| note.made > 0 && note.seconds > 0.0)?;
        Some(note.made as f64 / note.seconds)
    }

    /// Seconds until the stage is made.
    fn left(&self) -> Option<f64> {
        let note = self.note.filter(|note| !note.stage.open && self.state() == "running")?;
        Some(note.stage.of.saturating_sub(self.done(&note)) as f64 / self.rate()?)
    }
}

pub(super) fn run(args: &StatusArgs) -> Result<ExitCode, CliError> {
    let (mut parts, mut faults) = (Vec::new(), Vec::new());
    for folder in &args.folders {
        let shown = folder.display();
        let files = match block_files(folder) {
            Ok(files) if files.is_empty() => {
                Err(format!("there are no blocks in {shown}: runs keep them with --out"))
            }
            Ok(files) => Ok(files),
            Err(error) => Err(format!("cannot read {shown}: {}", files::reason(&error))),
        };
        let files = match files {
            Ok(files) => files,
            Err(fault) => {
                faults.push(CliError::input(fault));
                continue;
            }
        };
        // Of several folders each part says in which it lies.
        let name = |path: &Path| match args.folders.len() {
            1 => name_of(path),
            _ => folder.join(name_of(path)).display().to_string(),
        };
        parts.extend(files.iter().map(|path| Part { name: name(path), ..Part::of(path) }));
    }
    parts.sort_by_key(|part| part.about.as_ref().ok().and_then(|it| it.shard));
    let text = if args.json { in_json(&parts) } else { in_words(&parts) };
    // What is known of the other folders is told.
    if !parts.is_empty() {
        terminal::stdout().write_all(text.as_bytes())?;
    }
    CliError::all(faults).map_or(Ok(ExitCode::SUCCESS), Err)
}

fn name_of(path: &Path) -> String {
    path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

fn in_json(parts: &[Part]) -> String {
    let all: Vec<_> = parts
        .iter()
        .map(|part| {
            json!({
                "name": part.name,
                "command": part.about.as_ref().ok().map(command),
                "shard": part.about.as_ref().ok().and_then(|it| it.shard).map(|it| it.to_string()),
                "state": part.state(),
                "fault": part.about.as_ref().err().or(part.damage.as_ref()),
                "blocks": part.blocks,
                "bytes": part.bytes,
                "stage": part.note.map(|it| it.stage),
                "blocks_per_second": part.rate(),
                "seconds_left": part.left(),
            })
        })
        .collect();
    format!("{:#}\n", json!(all))
}

fn in_words(parts: &[Part]) -> String {
    let mut text = String::new();
    let mut last = None;
    for part in parts {
        let command = part.about.as_ref().map_or_else(|why| format!("unreadable: {why}"), command);
        if last.as_ref() != Some(&command) {
            text += &format!("{command}\n");
            last = Some(command);
        }
        let stage = part.note.map_or(String::new(), |note| {
            let most = if note.stage.open { " at most" } else { "" };
            let percent = 100.0 * part.done(&note) as f64 / note.stage.of.max(1) as f64;
            let share = if note.stage.open { String::new() } else { format!(" ({percent:.0}%)") };
            let stages = note.stage.stages.map_or(String::new(), |all| format!(" of {all}"));
            format!(
                ", stage {}{stages}: {} of {} blocks{most}{share}",
                note.stage.stage + 1,
                count(part.done(&note)),
                count(note.stage.of)
            )
        });
        let rate = part.rate().map_or(String::new(), |rate| match rate {
            _ if rate >= 1.0 => format!(", {rate:.0} blocks/s"),
            _ => format!(", {:.1} s a block", 1.0 / rate),
        });
        let left = part.left().map_or(String::new(), |seconds| {
            format!(", {:#} left", HumanDuration(Duration::from_secs_f64(seconds.min(1e9))))
        });
        let damage = part.damage.as_ref().map_or(String::new(), |it| format!(", {it}"));
        text += &format!(
            "  {:<20} {:<9} {} blocks{damage}{stage}{rate}{left}\n",
            part.name,
            part.state(),
            count(part.blocks)
        );
    }
    text
}

fn command(about: &About) -> String {
    CommandLine::new(&about.plan.command).words(&about.plan.words).line()
}
