//! Replaces an old report by a new one.
//!
//! The new one is complete before anything is touched. Its files are moved into place one by one, and those of the
//! old one are restored if one of them fails. The page is removed first and added last, so that a folder with a page
//! is complete.

use std::fs;
use std::io;
use std::path::{Component, Path};

use super::unfinished::{new_folder, place};

/// The page that opens a report.
const PAGE: &str = "index.html";

/// Checks that a file can have its place in a folder: only a file may be there, and its parents must be folders.
pub(super) fn check_place(folder: &Path, name: &str) -> io::Result<()> {
    let parts: Vec<Component<'_>> = Path::new(name).components().collect();
    let mut path = folder.to_path_buf();
    for (i, part) in parts.iter().enumerate() {
        path.push(part);
        let Ok(found) = fs::symlink_metadata(&path) else { return Ok(()) };
        let last = i + 1 == parts.len();
        if last && found.is_dir() {
            return Err(io::Error::other("there is a folder of this name"));
        }
        if !last && !found.is_dir() {
            return Err(io::Error::other(format!("{} is no folder", part.as_os_str().display())));
        }
    }
    Ok(())
}

/// Moves files of a new folder to their places. On failure, everything is restored, and the failed file is named.
pub(super) fn replace(new: &Path, folder: &Path, names: &[&str]) -> Result<(), (String, io::Error)> {
    let named = |name: &str| {
        let name = name.to_string();
        move |error| (name, error)
    };
    let mut old = new_folder(folder).map_err(named(""))?;
    let (pages, others): (Vec<&str>, Vec<&str>) = names.iter().partition(|&&name| name == PAGE);
    let mut aside: Vec<&str> = Vec::new();
    let mut put: Vec<&str> = Vec::new();
    let mut moved = || {
        for &name in pages.iter().chain(&others) {
            match fs::rename(folder.join(name), place(old.path(), name).map_err(named(name))?) {
                Ok(()) => aside.push(name),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err((name.to_string(), error)),
            }
        }
        for &name in others.iter().chain(&pages) {
            place(folder, name).and_then(|to| fs::rename(new.join(name), to)).map_err(named(name))?;
            put.push(name);
        }
        Ok(())
    };
    let moved = moved();
    if moved.is_err() {
        put.iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
        let back =
            aside.iter().rev().try_for_each(|name| fs::rename(old.path().join(name), folder.join(name)));
        // Keeps the old files if they could not be restored.
        old.disable_cleanup(back.is_err());
        // Removes folders that were created for files and are empty now.
        let parents = names.iter().filter_map(|name| Path::new(name).parent());
        for parent in parents.filter(|parent| !parent.as_os_str().is_empty()) {
            let _ = fs::remove_dir(folder.join(parent));
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(folder: &Path) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() {
                let within = self::all(&entry.path()).into_iter();
                all.extend(within.map(|(inner, text)| (format!("{name}/{inner}"), text)));
            } else {
                all.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
        all.sort();
        all
    }

    #[test]
    fn files_go_back_where_one_cannot_be_put() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("out");
        fs::create_dir_all(folder.join("charts")).unwrap();
        ["a", "mine", "charts/mine", PAGE]
            .iter()
            .for_each(|name| fs::write(folder.join(name), "old").unwrap());
        let before = all(&folder);
        let names = ["a", PAGE, "b", "charts/c", "tables/d", "not there"];
        let new = || {
            let new = new_folder(&folder).unwrap();
            names[..5].iter().for_each(|name| fs::write(place(new.path(), name).unwrap(), "new").unwrap());
            new
        };
        let (name, _) = replace(new().path(), &folder, &names).unwrap_err();
        assert_eq!(name, "not there");
        assert_eq!(all(&folder), before);
        assert!(!folder.join("tables").exists());
        replace(new().path(), &folder, &names[..5]).unwrap();
        let said: Vec<String> =
            all(&folder).into_iter().map(|(name, text)| format!("{name} {text}")).collect();
        let wanted = [
            "a new",
            "b new",
            "charts/c new",
            "charts/mine old",
            "index.html new",
            "mine old",
            "tables/d new",
        ];
        assert_eq!(said, wanted);
    }
}
