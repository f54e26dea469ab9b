//! Files that earlier runs have left in the folder of a report and that belong to no report there.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::unfinished::{is_name, new_file};

/// Maximum size of a summary that is read.
const MOST_SUMMARY: u64 = 64 << 20;

/// Files that a command writes in addition to its page, summary, charts, tables and games.
const PARTS: [(&str, &[&str]); 5] = [
    ("bracket", &["brackets.csv"]),
    ("contest", &["players.csv", "seats.csv", "sides.csv", "speeds.csv"]),
    ("plan", &["plan.xlsx"]),
    ("solve", &["deals.csv"]),
    ("sweep", &["cells.csv"]),
];

/// The same for the page of the shelf, whose summary has a different name.
const SHELF: [&str; 3] = ["shelf.json", "shelf.csv", "contests.csv"];

/// Returns the additional files of this program's report in a folder, if there is one.
pub(super) fn report_in(folder: &Path) -> Option<&'static [&'static str]> {
    let has = |name: &str| folder.join(name).is_file();
    if !has("index.html") {
        return None;
    }
    if !has("summary.json") {
        return has("shelf.json").then_some(&SHELF);
    }
    // An unreadable summary means a report with unknown parts.
    let summary = crate::files::read(&folder.join("summary.json"), MOST_SUMMARY).unwrap_or_default();
    let summary = String::from_utf8_lossy(&summary);
    let command = summary.split_once("\"command\": \"saratoga ").map_or("", |(_, command)| command);
    let parts = PARTS.iter().find(|(name, _)| command.split([' ', '"']).next() == Some(name));
    Some(parts.map_or(&[], |(_, parts)| parts))
}

/// Returns the first file or folder that a report could not replace, and why. The names of its files are not known before it
/// is made, so everything with the name of a possible part counts.
pub(super) fn obstacle(folder: &Path) -> Option<(PathBuf, io::Error)> {
    let any: Vec<&str> = PARTS.iter().flat_map(|(_, parts)| *parts).chain(&SHELF).copied().collect();
    for within in ["", "charts", "tables"] {
        let path = folder.join(within);
        if !within.is_empty()
            && path.exists()
            && let Err(error) = new_file(&path)
        {
            return Some((path, error));
        }
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let ours = OsStr::to_str(&name).is_some_and(|name| {
                let of_all = within.is_empty() && ["index.html", "summary.json"].contains(&name);
                of_all || is_part(within, name, &any)
            });
            match entry.file_type() {
                Ok(kind) if ours && kind.is_dir() => {
                    return Some((entry.path(), io::Error::other("there is a folder of this name")));
                }
                Ok(kind) if ours && kind.is_file() => {
                    if let Err(error) = check_replaceable(&entry.path()) {
                        return Some((entry.path(), error));
                    }
                }
                _ => {}
            }
        }
    }
    None
}

/// Checks whether a file can be replaced. Unix needs no permission to write to it, but an immutable file stays.
fn check_replaceable(path: &Path) -> io::Result<()> {
    let protected = |error: &io::Error| match cfg!(unix) {
        #[cfg(unix)]
        true => error.raw_os_error() == Some(nix::errno::Errno::EPERM as i32),
        _ => error.kind() == io::ErrorKind::PermissionDenied,
    };
    match fs::OpenOptions::new().append(true).open(path) {
        Err(error) if protected(&error) => Err(io::Error::other("it is protected from changes")),
        _ => Ok(()),
    }
}

/// Returns whether a file is a chart, a table, games or one of `parts`.
fn is_part(within: &str, name: &str, parts: &[&str]) -> bool {
    match within {
        "charts" => name.ends_with(".svg") || name.ends_with(".png"),
        "tables" => name.ends_with(".csv"),
        _ => {
            parts.contains(&name)
                || name == "games.csv"
                || name.starts_with("games-") && name.ends_with(".csv")
        }
    }
}

/// Removes files of an earlier report that the new one, with these names, does not have: charts, tables, games and
/// `parts`, which could be mistaken for parts of the new one. Files that cannot be removed stay.
pub(super) fn remove_parts(folder: &Path, parts: &[&str], names: &[&str]) {
    for within in ["", "charts", "tables"] {
        remove(&folder.join(within), |name| {
            let path = if within.is_empty() { name.to_string() } else { format!("{within}/{name}") };
            is_part(within, name, parts) && !names.contains(&path.as_str())
        });
    }
}

/// Maximum time that writing a file takes.
const WRITING: Duration = Duration::from_secs(600);
/// Removes the temporary files in a folder that no process has locked. On a disk without locks, only old files are removed:
/// `now` is the time by its clock.
pub fn remove_unfinished_files(folder: &Path, now: Option<SystemTime>) {
    remove(folder, |name| {
        let path = folder.join(name);
        let is_old = |file: &File| {
            let written = file.metadata().and_then(|it| it.modified()).ok();
            let age = now.zip(written).and_then(|(now, written)| now.duration_since(written).ok());
            age.is_some_and(|age| age > WRITING)
        };
        is_name(name)
            && File::open(&path).is_ok_and(|file| match file.try_lock() {
                Ok(()) => fs::remove_file(&path).is_ok(),
                Err(TryLockError::WouldBlock) => false,
                Err(TryLockError::Error(_)) => is_old(&file),
            })
    });
}

/// Removes the folders that a killed run was writing. No other run may be writing folders.
pub(super) fn remove_unfinished_folders(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = OsStr::to_str(&entry.file_name()).is_some_and(is_name);
        if ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Removes files of a folder, but no links or folders.
fn remove(folder: &Path, wanted: impl Fn(&str) -> bool) {
    let Ok(found) = fs::symlink_metadata(folder) else { return };
    if !found.is_dir() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let name = entry.file_name();
        if file && OsStr::to_str(&name).is_some_and(&wanted) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_of_reports_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path();
        fs::create_dir(folder.join("charts")).unwrap();
        let unfinished = ".saratoga-0123456789abcdef";
        for name in [
            "games.csv",
            "games-a-b.csv",
            "mine.csv",
            "charts/a.svg",
            "charts/b.png",
            "charts/b.txt",
            unfinished,
        ] {
            fs::write(folder.join(name), "").unwrap();
        }
        assert!(report_in(folder).is_none());
        for name in ["index.html", "cells.csv", "deals.csv"] {
            fs::write(folder.join(name), "").unwrap();
        }
        fs::write(folder.join("summary.json"), "{\n \"command\": \"saratoga sweep --vary x=1\"}").unwrap();
        let parts = report_in(folder).unwrap();
        remove_parts(folder, parts, &["charts/a.svg", "games-a-b.csv"]);
        let within = folder.join(".saratoga-abcdef0123456789/charts");
        fs::create_dir_all(&within).unwrap();
        remove_unfinished_folders(folder);
        assert!(folder.join(unfinished).exists() && !within.exists());
        let left = |name: &str| folder.join(name).exists();
        assert!(left("mine.csv") && left("charts/a.svg") && left("charts/b.txt") && left("games-a-b.csv"));
        // Deals do not belong to a sweep.
        assert!(left("deals.csv") && !left("cells.csv"));
        assert!(!left("games.csv") && !left("charts/b.png"));
    }

    #[test]
    fn files_in_use_are_not_removed() {
        let dir = tempfile::tempdir().unwrap();
        let left = dir.path().join(".saratoga-0123456789abcdef");
        fs::write(&left, "").unwrap();
        let used = new_file(dir.path()).unwrap();
        remove_unfinished_files(dir.path(), None);
        assert!(!left.exists() && used.path().exists());
        let path = used.path().to_path_buf();
        let (file, _) = used.keep().unwrap();
        remove_unfinished_files(dir.path(), None);
        assert!(path.exists());
        drop(file);
        remove_unfinished_files(dir.path(), None);
        assert!(!path.exists());
    }
}
