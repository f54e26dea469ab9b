//! Puts a new report in the place of an old one.
//!
//! The new folder is complete before anything is touched, and two renames put it in the place of the old one: a run that
//! is killed at any moment leaves the old report or the new one, never parts of both. Only then what was in the old
//! folder beside the report - notes of a person, the state of a sweep - is moved over, and what was replaced is
//! removed file by file, so that nothing is lost that this program did not write. Where a folder cannot be renamed, or keeps
//! blocks that others may be writing, its files are replaced one by one, and put back if one of them cannot be. The page is
//! taken away first and put last: a folder with a page has all that is in it.

use std::fs;
use std::io;
use std::path::{Component, Path};

use super::exclusive::Staging;

/// In a folder of its own, the report that is replaced.
const OLD: &str = "old";
/// What a report is opened by.
const PAGE: &str = "index.html";

/// Whether a file can have its place in a folder: nothing but a file may be there, and nothing but folders around it.
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

/// Puts a new folder in the place of an old one, as a whole. False if the old one cannot be moved; nothing is changed
/// then.
pub(super) fn whole(new: &mut Staging, folder: &Path) -> io::Result<bool> {
    // Readable to the same people as before.
    if let Ok(found) = fs::metadata(folder) {
        let _ = fs::set_permissions(new.path(), found.permissions());
    }
    let mut aside = Staging::beside(folder)?;
    let old = aside.path().join(OLD);
    if fs::rename(folder, &old).is_err() {
        return Ok(false);
    }
    // From here on what is aside is not ours to remove with all that is in it.
    let holder = aside.path().to_path_buf();
    aside.placed();
    if let Err(error) = fs::rename(new.path(), folder) {
        fs::rename(&old, folder)?;
        let _ = fs::remove_dir(&holder);
        return Err(error);
    }
    new.placed();
    carry(&old, folder).and_then(|()| fs::remove_dir(&holder)).map_err(|error| {
        io::Error::new(
            error.kind(),
            format!(
                "the report is written, but some files that were there before \
            could not be put back; they are in {}: {error}",
                old.display()
            ),
        )
    })?;
    Ok(true)
}

/// Takes away a folder that a killed run has left beside that of its report. What was put aside in it goes back: all of it
/// where nothing took its place, and else what the new report has not.
pub(super) fn take_up(left: &Path, folder: &Path) -> io::Result<()> {
    let old = left.join(OLD);
    if fs::symlink_metadata(&old).is_ok_and(|found| found.is_dir()) {
        if fs::symlink_metadata(folder).is_err() {
            fs::rename(&old, folder)?;
        } else {
            carry(&old, folder)?;
        }
        return fs::remove_dir(left);
    }
    fs::remove_dir_all(left)
}

/// Moves what a folder has and the other has not, removes the files that both have, and then the folder.
fn carry(old: &Path, new: &Path) -> io::Result<()> {
    for entry in fs::read_dir(old)? {
        let entry = entry?;
        let place = new.join(entry.file_name());
        match fs::symlink_metadata(&place) {
            Err(_) => fs::rename(entry.path(), place)?,
            Ok(found) if found.is_dir() && entry.file_type()?.is_dir() => carry(&entry.path(), &place)?,
            Ok(_) => fs::remove_file(entry.path())?,
        }
    }
    fs::remove_dir(old)
}

/// Puts files of a new folder in their places one by one. If one of them cannot be, those before are taken back.
pub(super) fn each(new: &Staging, folder: &Path, names: &[&str]) -> Result<(), (String, io::Error)> {
    let named = |name: &str| {
        let name = name.to_string();
        move |error| (name, error)
    };
    let mut old = Staging::create(folder).map_err(named(""))?;
    let mut done: Vec<(&str, bool)> = Vec::new();
    let (pages, others): (Vec<&str>, Vec<&str>) = names.iter().partition(|&&name| name == PAGE);
    let names: Vec<&str> = others.into_iter().chain(pages.iter().copied()).collect();
    let had_page = match pages.is_empty() {
        true => false,
        false => aside(&old, folder, PAGE).map_err(named(PAGE))?,
    };
    for &name in &names {
        match one(new, &old, folder, name) {
            Ok(replaced) => done.push((name, replaced)),
            Err(error) => {
                let back = done.iter().rev().try_for_each(|(name, replaced)| {
                    let place = folder.join(name);
                    if *replaced { fs::rename(old.path().join(name), place) } else { fs::remove_file(place) }
                });
                let page_back = match had_page {
                    true => fs::rename(old.path().join(PAGE), folder.join(PAGE)),
                    false => Ok(()),
                };
                if back.and(page_back).is_err() {
                    // The files are not to be lost with it.
                    old.placed();
                }
                // Folders that were made for files, and hold none now.
                let parents = names.iter().filter_map(|name| Path::new(name).parent());
                for parent in parents.filter(|parent| !parent.as_os_str().is_empty()) {
                    let _ = fs::remove_dir(folder.join(parent));
                }
                return Err((name.to_string(), error));
            }
        }
    }
    Ok(())
}

/// Puts one file in its place. True if there was one before, which is put aside.
fn one(new: &Staging, old: &Staging, folder: &Path, name: &str) -> io::Result<bool> {
    let replaced = aside(old, folder, name)?;
    put(new, folder, name).map(|()| replaced).inspect_err(|_| {
        if replaced {
            let _ = fs::rename(old.path().join(name), folder.join(name));
        }
    })
}

/// Puts a file aside that is to be replaced. False if there is none.
fn aside(old: &Staging, folder: &Path, name: &str) -> io::Result<bool> {
    let aside = old.place(name)?;
    match fs::rename(folder.join(name), &aside) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Puts a file where none is.
fn put(new: &Staging, folder: &Path, name: &str) -> io::Result<()> {
    let place = folder.join(name);
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::rename(new.path().join(name), &place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(folder: &Path) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            if entry.file_type().unwrap().is_dir() {
                all.push((name.clone(), "a folder".into()));
                all.extend(
                    self::all(&entry.path())
                        .into_iter()
                        .map(|(inner, text)| (format!("{name}/{inner}"), text)),
                );
            } else {
                all.push((name, fs::read_to_string(entry.path()).unwrap()));
            }
        }
        all.sort();
        all
    }

    fn report(above: &Path, text: &str) -> Staging {
        let new = Staging::create(above).unwrap();
        ["a", "b", "charts/c"].iter().for_each(|name| new.put(name, text.as_bytes()).unwrap());
        new
    }

    #[test]
    fn files_go_back_where_one_cannot_be_put() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("out");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("a"), "old").unwrap();
        let before = all(&folder);
        let names = ["a", "b", "charts/c", "not there"];
        let (name, _) = each(&report(&folder, "new"), &folder, &names).unwrap_err();
        assert_eq!(name, "not there");
        assert_eq!(all(&folder), before);
        each(&report(&folder, "new"), &folder, &names[..3]).unwrap();
        let new = [("a", "new"), ("b", "new"), ("charts", "a folder"), ("charts/c", "new")];
        assert_eq!(all(&folder), new.map(|(name, text)| (name.to_string(), text.to_string())));
    }

    #[test]
    fn a_folder_is_replaced_but_for_what_is_beside() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("out");
        fs::create_dir_all(folder.join("mine")).unwrap();
        fs::create_dir_all(folder.join("charts")).unwrap();
        for name in ["a", "mine/d", "charts/c", "charts/mine"] {
            fs::write(folder.join(name), "old").unwrap();
        }
        assert!(whole(&mut report(dir.path(), "new"), &folder).unwrap());
        let said: Vec<String> =
            all(dir.path()).into_iter().map(|(name, text)| format!("{name}: {text}")).collect();
        assert_eq!(
            said,
            [
                "out: a folder",
                "out/a: new",
                "out/b: new",
                "out/charts: a folder",
                "out/charts/c: new",
                "out/charts/mine: old",
                "out/mine: a folder",
                "out/mine/d: old",
            ]
        );
    }
}
