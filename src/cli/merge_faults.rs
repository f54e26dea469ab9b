//! What is said of files that cannot be merged, and how it can be mended.

use std::path::Path;

use crate::lab::{MergeError, MergeFault, RunPlan, Shard, WayOut, file_name};

use super::error::CliError;
use super::words::{CommandLine, shell_word};

/// A part of a run, or the whole, in a folder.
pub(super) struct Part<'a> {
    pub plan: &'a RunPlan,
    pub shard: Option<Shard>,
    pub folder: &'a Path,
}

impl Part<'_> {
    /// The command that makes it, whatever there is of it where `anew`.
    pub fn command(&self, anew: bool) -> String {
        CommandLine::new(&self.plan.command)
            .words(&self.plan.words)
            .option("--shard", self.shard)
            .flag("--restart", anew)
            .option("--out", [self.folder.display()])
            .line()
    }
}

/// The folder of a file, as it is given with `--out`.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Another folder than this one, as a word of a command line.
pub(super) fn another_folder(folder: &Path) -> String {
    // A path such as `..` is no name that more could be put behind.
    match folder.file_name() {
        Some(_) => shell_word(&format!("{}-2", folder.display())),
        None => shell_word(&folder.join("run-2").display().to_string()),
    }
}

/// All that is wrong, each with what can be done.
pub(super) fn told(error: &MergeError) -> CliError {
    let mut lines = vec!["the files cannot be merged:".to_string()];
    for fault in &error.faults {
        lines.extend(fault.said.iter().enumerate().map(|(i, line)| match i {
            0 => line.clone(),
            _ => format!("  {line}"),
        }));
        lines.extend(way_out(fault, error.plan.as_deref()).into_iter().map(|line| format!("  {line}")));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    CliError::lines(&lines)
}

/// What can be done, in lines.
fn way_out(fault: &MergeFault, plan: Option<&RunPlan>) -> Vec<String> {
    match &fault.way_out {
        WayOut::Said(said) if said.is_empty() => Vec::new(),
        WayOut::Said(said) => vec![said.clone()],
        WayOut::Elsewhere(path) => {
            vec![format!("give another folder for what is merged: --out {}", another_folder(folder_of(path)))]
        }
        WayOut::MakeAgain { path, part, anew } => {
            let folder = folder_of(path);
            let command = |shard| plan.map(|plan| Part { plan, shard, folder }.command(*anew));
            // A file that was renamed is not made again in its place.
            let part = part.filter(|part| path.ends_with(file_name(Some(*part))));
            match (part, command(part)) {
                _ if path.is_dir() => vec!["move it away, and merge again".into()],
                (Some(_), Some(command)) if *anew => vec![format!("this makes the shard again: {command}")],
                (Some(_), Some(command)) => vec![format!("this makes again what is lost: {command}")],
                (Some(shard), None) => {
                    vec![format!("run the command of shard {shard} again, with --restart")]
                }
                // What was merged, a run of its own, or a file that somebody gave a name.
                (None, _) => vec![
                    "move it away, and merge again: the commands of what is missing then are printed".into(),
                ],
            }
        }
    }
}
