//! What earlier runs have left in the folder of a report, and belongs to no report there.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::exclusive::is_name;

/// Whether there is a report of this program in a folder.
pub(super) fn is_report(folder: &Path) -> bool {
    ["index.html", "summary.json"].iter().all(|name| folder.join(name).is_file())
}

/// Removes what an earlier report had and the new one, of these names, has not: its charts, tables and games. Somebody would
/// take them for the new one's. What cannot be removed stays.
pub(super) fn remove_parts(folder: &Path, names: &[&str]) {
    let ours = |within: &str, name: &str| match within {
        "charts" => name.ends_with(".svg") || name.ends_with(".png"),
        "tables" => name.ends_with(".csv"),
        _ => name == "games.csv" || name.starts_with("games-") && name.ends_with(".csv"),
    };
    for within in ["", "charts", "tables"] {
        remove(&folder.join(within), |name| {
            let path = if within.is_empty() { name.to_string() } else { format!("{within}/{name}") };
            ours(within, name) && !names.contains(&path.as_str())
        });
    }
}

/// Removes the files that a run was writing when it was killed. Only who has the folder to itself may do so.
pub(super) fn remove_unfinished(folder: &Path) {
    remove(folder, is_name);
}

/// Removes files of a folder; links and folders stay.
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
        assert!(!is_report(folder));
        remove_parts(folder, &["charts/a.svg", "games-a-b.csv"]);
        remove_unfinished(folder);
        let left = |name: &str| folder.join(name).exists();
        assert!(left("mine.csv") && left("charts/a.svg") && left("charts/b.txt") && left("games-a-b.csv"));
        assert!(!left("games.csv") && !left("charts/b.png") && !left(unfinished));
    }
}
