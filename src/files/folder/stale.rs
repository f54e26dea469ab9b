//! Files that earlier runs have left in the folder of a report and that belong to no report there.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::unfinished::is_name;

/// Maximum size of a summary that is read.
const MOST_SUMMARY: u64 = 64 << 20;

/// Files that a command writes in addition to its page, summary, charts, tables and games.
const PARTS: [(&str, &[&str]); 4] = [
    ("bracket", &["brackets.csv"]),
    ("contest", &["players.csv", "seats.csv", "sides.csv", "speeds.csv"]),
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

/// Removes files of an earlier report that the new one, with these names, does not have: charts, tables, games and
/// `parts`, which could be mistaken for parts of the new one. Files that cannot be removed stay.
pub(super) fn remove_parts(folder: &Path, parts: &[&str], names: &[&str]) {
    let ours = |within: &str, name: &str| match within {
        "charts" => name.ends_with(".svg") || name.ends_with(".png"),
        "tables" => name.ends_with(".csv"),
        _ => {
            parts.contains(&name)
                || name == "games.csv"
                || name.starts_with("games-") && name.ends_with(".csv")
        }
    };
    for within in ["", "charts", "tables"] {
        remove(&folder.join(within), |name| {
            let path = if within.is_empty() { name.to_string() } else { format!("{within}/{name}") };
            ours(within, name) && !names.contains(&path.as_str())
        });
    }
}

/// Maximum time that writing a file takes.
const WRITING: Duration = Duration::from_secs(600);

/// Removes the files and folders that a killed run was writing. If other runs may be writing files, `now` is the time
/// by the clock of the file system, and only old files are removed. No other run may be writing folders.
pub(super) fn remove_unfinished(folder: &Path, now: Option<SystemTime>) {
    remove(folder, |name| {
        let written = || fs::symlink_metadata(folder.join(name)).and_then(|it| it.modified()).ok();
        let is_old = |now: SystemTime| now.duration_since(written()?).ok();
        is_name(name) && now.is_none_or(|now| is_old(now).is_some_and(|age| age > WRITING))
    });
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
        let now = fs::metadata(folder.join(unfinished)).unwrap().modified().unwrap();
        let within = folder.join(".saratoga-abcdef0123456789/charts");
        fs::create_dir_all(&within).unwrap();
        // Another run may still be writing a recent file, but no folder.
        remove_unfinished(folder, Some(now + WRITING));
        assert!(folder.join(unfinished).exists() && !within.exists());
        remove_unfinished(folder, Some(now + WRITING + Duration::from_secs(1)));
        assert!(!folder.join(unfinished).exists());
        fs::write(folder.join(unfinished), "").unwrap();
        remove_unfinished(folder, None);
        let left = |name: &str| folder.join(name).exists();
        assert!(left("mine.csv") && left("charts/a.svg") && left("charts/b.txt") && left("games-a-b.csv"));
        // Deals do not belong to a sweep.
        assert!(left("deals.csv") && !left("cells.csv"));
        assert!(!left("games.csv") && !left("charts/b.png") && !left(unfinished));
    }
}
