//! Whether what a folder keeps can be gone on with, and what is said where it cannot.

use std::fs;
use std::io;
use std::path::Path;

use crate::files::{Lock, LockError, reason};
use crate::lab::{About, Shard, WHOLE, about_blocks, block_files, file_name};

use super::args::RunArgs;
use super::error::CliError;
use super::merge_faults::{another_folder, folder_of};
use super::progress_file;
use super::terminal::note;
use super::words::shell_word;

/// Files of other shards that are looked at before one is made. Each of them looked at the others when it was begun.
const MOST_LOOKED: usize = 20;

pub(super) fn cannot_write(folder: &Path, error: &io::Error) -> CliError {
    CliError::input(format!("cannot write to {}: {}", folder.display(), reason(error)))
}

/// A disk on which nothing can be kept that several runs write to.
pub(super) fn no_locks(folder: &Path) -> CliError {
    CliError::input(format!(
        "the disk of {} has no locks, which shards need: give a folder on another disk with --out",
        folder.display()
    ))
}

/// Makes sure that nothing else in the folder of a shard is of another run: a merge would refuse it, when all is played. A restart
/// takes what was merged of another run away, and its shards are restarted too.
pub(super) fn check_beside(folder: &Path, own: &Path, about: &About, run: &RunArgs) -> Result<(), CliError> {
    let merged = folder.join(WHOLE);
    let others = block_files(folder).map_err(|error| cannot_write(folder, &error))?;
    let others = others.iter().filter(|path| **path != own && **path != merged).take(MOST_LOOKED);
    let mut of_another = 0;
    for path in merged.exists().then_some(&merged).into_iter().chain(others) {
        let of_this = match about_blocks(path) {
            Ok(found) => {
                let same = found.plan.is(&about.plan);
                if !same && !run.keep.restart {
                    return Err(another(path, &found.plan.differences(&about.plan)));
                }
                if let (true, Some(found), Some(shard)) = (same, found.shard, about.shard)
                    && found.of() != shard.of()
                {
                    return Err(other_number(path, found, shard));
                }
                same
            }
            Err(why) if *path == merged && (path.is_dir() || !run.keep.restart) => {
                return Err(CliError::lines(&[
                    &format!("{} cannot be read: {why}", path.display()),
                    "move it away: a merge makes it again from the shards",
                ]));
            }
            // Of another shard that cannot be read a merge says what to do.
            Err(_) => *path != merged,
        };
        if !of_this && *path == merged {
            let _lock = Lock::of(path).map_err(|error| match error {
                LockError::Io(error) => cannot_write(folder, &error),
                LockError::Unsupported => no_locks(folder),
                LockError::Busy => CliError::input(format!("{} is being written", path.display())),
            })?;
            fs::remove_file(path).map_err(|error| cannot_write(folder, &error))?;
            if !run.quiet {
                note(&format!("warning: {} was of another run, and is removed", path.display()));
            }
            let _ = fs::remove_file(progress_file::beside(path));
        } else if !of_this {
            of_another += 1;
        }
    }
    if of_another > 0 && !run.quiet {
        note(&format!(
            "warning: {} keeps shards of another run: make them again with --restart too, or they cannot be merged",
            folder.display()
        ));
    }
    Ok(())
}

fn other_number(path: &Path, found: Shard, asked: Shard) -> CliError {
    let folder = folder_of(path);
    CliError::lines(&[
        &format!(
            "{} is one of {} shards, and {asked} is one of {}: they cannot be merged",
            path.display(),
            found.of(),
            asked.of()
        ),
        &format!(
            "make one of {} shards, or give another folder with --out {}",
            found.of(),
            another_folder(folder)
        ),
    ])
}

/// Makes sure that a file holds the part that its name says: else the blocks of two would be in one.
pub(super) fn check_name(path: &Path, named: Option<Shard>) -> Result<(), CliError> {
    let Ok(About { shard: held, .. }) = about_blocks(path) else { return Ok(()) };
    if held == named {
        return Ok(());
    }
    let what = |shard: Option<Shard>| shard.map_or("a whole run".to_string(), |it| format!("shard {it}"));
    let word = |path: &Path| shell_word(&path.display().to_string());
    let right = folder_of(path).join(file_name(held));
    let way_out = match about_blocks(&right) {
        Err(_) if !right.exists() => {
            format!("this gives it its name back: mv {} {}", word(path), word(&right))
        }
        Ok(other) if other.shard == named => {
            let (wrong, right, aside) = (word(path), word(&right), word(&path.with_extension("tmp")));
            format!(
                "{right} has its name; this exchanges them: mv {right} {aside} && mv {wrong} {right} && mv {aside} {wrong}"
            )
        }
        _ => format!("to make {} in its place, add --restart", what(named)),
    };
    Err(CliError::lines(&[
        &format!("{} holds {}, and not {}: it was renamed", path.display(), what(held), what(named)),
        &way_out,
    ]))
}

/// Blocks of another run.
pub(super) fn another(path: &Path, differences: &[String]) -> CliError {
    unlike(&format!("another run is kept in {}:", path.display()), differences, &[&anew(folder_of(path))])
}

pub(super) fn unlike(what: &str, differences: &[String], more: &[&str]) -> CliError {
    let lines: Vec<&str> = [what]
        .into_iter()
        .chain(differences.iter().map(String::as_str))
        .chain(more.iter().copied())
        .collect();
    CliError::lines(&lines)
}

/// A file that is none of blocks, or cannot be read.
pub(super) fn unreadable(path: &Path, why: &str) -> CliError {
    let folder = folder_of(path);
    let way_out = match path.is_dir() {
        true => format!("move it away, or give another folder with --out {}", another_folder(folder)),
        false => anew(folder),
    };
    CliError::lines(&[&format!("{} cannot be resumed: {why}", path.display()), &way_out])
}

/// How to begin again beside or in a folder.
fn anew(folder: &Path) -> String {
    format!(
        "to start again in this folder, add --restart; to keep both, give another folder with --out {}",
        another_folder(folder)
    )
}
