//! `saratoga status`: progress of the runs in a folder.

use clap::Args;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use indicatif::HumanDuration;
use serde_json::json;

use crate::files;
use crate::lab::{About, Copies, WHOLE, block_files, scan_blocks};
use crate::report::count;

use super::checkpoint::ProgressNote;
use super::error::CliError;
use super::terminal::{self, CommandLine};

/// Show how far the runs in folders are
///
/// Reads what runs have written there, also on another machine that shares the folder.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  saratoga status big          every shard: blocks, rate, time left
  saratoga status big --json   the same for programs")]
pub(in crate::cli) struct StatusArgs {
    /// The folders that were given with --out
    #[arg(value_name = "DIR", required = true)]
    pub folders: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub json: bool,
}

/// A checkpoint file, with the last note of its run.
struct Part {
    name: String,
    about: Result<About, String>,
    blocks: u64,
    bytes: u64,
    state: &'static str,
    note: Option<ProgressNote>,
}

impl Part {
    /// Reads a file. Among several folders, it says which one it is in.
    fn of(path: &Path, several: bool) -> Part {
        let note = ProgressNote::read(path);
        let mut blocks = 0;
        let scanned = scan_blocks(path, &mut Copies::default(), |_, _, _| blocks += 1);
        let about = scanned.map(|it| it.0).map_err(|fault| fault.to_string());
        // A whole run removes its note when its report exists.
        let reported = path.ends_with(WHOLE) && path.with_file_name("index.html").exists();
        let state = match &about {
            Err(_) => "unreadable",
            Ok(_) if files::is_locked(path) => "running",
            Ok(_) if note.map_or(reported, |note| note.finished) => "finished",
            Ok(_) => "stopped",
        };
        Part {
            name: match several {
                true => path.with_extension("").display().to_string(),
                false => path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned()),
            },
            about,
            blocks,
            bytes: path.metadata().map_or(0, |it| it.len()),
            state,
            note,
        }
    }

    fn rate(&self) -> Option<f64> {
        let note = self.note.filter(|note| note.made > 0 && note.seconds > 0.0)?;
        Some(note.made as f64 / note.seconds)
    }

    fn left(&self) -> Option<f64> {
        let note = self.note.filter(|note| !note.stage.open && self.state == "running")?;
        Some(note.stage.of.saturating_sub(note.stage.done) as f64 / self.rate()?)
    }

    fn command(&self) -> Option<String> {
        let plan = &self.about.as_ref().ok()?.plan;
        Some(CommandLine::new(&plan.command).words(&plan.words).line())
    }
}

pub(super) fn run(args: &StatusArgs) -> Result<ExitCode, CliError> {
    let (mut parts, mut faults) = (Vec::new(), Vec::new());
    for folder in &args.folders {
        let shown = folder.display();
        let fault = match block_files(folder) {
            Ok(files) if files.is_empty() => {
                Some(format!("there are no blocks in {shown}: runs keep them with --out"))
            }
            Ok(files) => {
                parts.extend(files.iter().map(|path| Part::of(path, args.folders.len() > 1)));
                None
            }
            Err(error) => Some(format!("cannot read {shown}: {}", files::reason(&error))),
        };
        faults.extend(fault.map(CliError::input));
    }
    parts.sort_by_key(|part| part.about.as_ref().ok().and_then(|it| it.shard));
    let text = if args.json { in_json(&parts) } else { in_words(&parts) };
    // The other folders are still reported.
    if !parts.is_empty() {
        terminal::stdout().write_all(text.as_bytes())?;
    }
    CliError::none_of(faults).map(|()| ExitCode::SUCCESS)
}

fn in_json(parts: &[Part]) -> String {
    let all: Vec<_> = parts
        .iter()
        .map(|part| {
            json!({
                "name": part.name,
                "command": part.command(),
                "shard": part.about.as_ref().ok().and_then(|it| it.shard).map(|it| it.to_string()),
                "state": part.state,
                "fault": part.about.as_ref().err(),
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
        let fault = || part.about.as_ref().err().map_or(String::new(), |why| format!("unreadable: {why}"));
        let command = part.command().unwrap_or_else(fault);
        if last.as_ref() != Some(&command) {
            text += &format!("{command}\n");
            last = Some(command);
        }
        let stage = part.note.map_or(String::new(), |note| {
            let most = if note.stage.open { " at most" } else { "" };
            let percent = 100.0 * note.stage.done as f64 / note.stage.of.max(1) as f64;
            let share = if note.stage.open { String::new() } else { format!(" ({percent:.0}%)") };
            let stages = note.stage.stages.map_or(String::new(), |all| format!(" of {all}"));
            format!(
                ", stage {}{stages}: {} of {} blocks{most}{share}",
                note.stage.stage + 1,
                count(note.stage.done),
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
        text += &format!(
            "  {:<20} {:<9} {} blocks{stage}{rate}{left}\n",
            part.name,
            part.state,
            count(part.blocks)
        );
    }
    text
}
