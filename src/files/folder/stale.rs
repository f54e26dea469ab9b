//! Files that earlier runs have left in the folder of a report and that belong to no report there.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::unfinished::{is_name, new_file};

/// Maximum size of a summary that is read.
const MOST_SUMMARY: u64 = 64 << 20;

/// What a command writes besides its page, summary, charts, tables and games.
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

/// The first file or folder that stands in the way of a report's files, and why. Which files that will be is not known before it
/// is made.
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

/// Whether a file can be replaced by another. Where who may write to it does not matter for that, some are protected from it.
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

/// Whether a file is a chart, a table, games or one of `parts`.
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

/// Removes what an earlier report had and the new one, of these names, has not: its charts, tables, games and `parts`.
/// Somebody would take them for the new one's. What cannot be removed stays.
pub(super) fn remove_parts(folder: &Path, parts: &[&str], names: &[&str]) {
    for within in ["", "charts", "tables"] {
        remove(&folder.join(within), |name| {
            let path = if within.is_empty() { name.to_string() } else { format!("{within}/{name}") };
            is_part(within, name, parts) && !names.contains(&path.as_str())
        });
    }
}

/// Removes the folders that a run was writing when it was killed. No other run may be writing folders.
pub(super) fn remove_unfinished_folders(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = OsStr::to_str(&entry.file_name()).is_some_and(is_name);
        if ours && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Removes files of a folder; links and folders stay.
pub(super) fn remove(folder: &Path, wanted: impl Fn(&str) -> bool) {
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
}
