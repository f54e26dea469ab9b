//! Folder of a report: written completely or not at all, and by one run at a time.
//!
//! A new report is complete before an old one is touched. Its files are moved into place one by one, and those of the
//! old one are restored if one of them fails. The page is removed first and added last, so that a folder with a page
//! is complete.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, TempDir};

use super::lock::{Lock, LockError, is_at};
use super::{make_folder, reason};

/// Held while existing files are replaced.
static REPLACING: Mutex<()> = Mutex::new(());

/// Waits until no report is being replaced, and prevents a replacement from starting; for callers that end the
/// program immediately.
pub fn between_reports() -> MutexGuard<'static, ()> {
    REPLACING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reason why a report cannot be written to a folder.
#[derive(Debug)]
pub enum FolderError {
    /// The folder cannot be used, which is detected before anything is played.
    Unusable(String),
    /// Writing failed.
    Io {
        /// The file or folder written.
        what: String,
        /// Error of the operating system.
        error: io::Error,
    },
}

impl FolderError {
    fn io(what: String) -> impl FnOnce(io::Error) -> FolderError {
        move |error| FolderError::Io { what, error }
    }
}

/// Folder of a report. If this run created it, it is removed again unless something is in it.
pub struct Folder {
    /// The path as given.
    path: PathBuf,
    /// The absolute path, without links.
    real: PathBuf,
    made: Made,
    lock: Option<Lock>,
}

/// Files that every report has or may have, to check that their places are free.
const PLACES: [&str; 4] = ["index.html", "summary.json", "charts/any.svg", "tables/any.csv"];

/// A complete file, and its place in the folder.
pub type Ready = (String, PathBuf);

impl Folder {
    /// Creates the folder, before any game is played, and checks that it can be written to and that no other run
    /// writes to it.
    ///
    /// # Errors
    /// The reason why it cannot be used.
    pub fn prepare(path: PathBuf) -> Result<Folder, FolderError> {
        Folder::locked_by(Lock::of, path)
    }

    fn locked_by(
        lock: impl FnOnce(&Path) -> Result<Lock, LockError>,
        path: PathBuf,
    ) -> Result<Folder, FolderError> {
        let cannot = |error: io::Error| {
            FolderError::Unusable(format!("cannot write to {}: {}", path.display(), reason(&error)))
        };
        let mut made = Made::folder(&path).map_err(cannot)?;
        let real = path.canonicalize().map_err(cannot)?;
        let lock = match lock(&real) {
            Ok(lock) => Some(lock),
            Err(LockError::Unsupported) => None,
            Err(LockError::Busy) => {
                // The folder may still be empty, but belongs to the other run.
                made.0.clear();
                return Err(FolderError::Unusable(format!(
                    "another run is writing to {}: wait for its end, or give another folder with --out",
                    path.display()
                )));
            }
            Err(LockError::Io(error)) => return Err(cannot(error)),
        };
        // The previous holder of the lock may have removed its folder.
        make_folder(&path).map_err(cannot)?;
        let blocked = |at: &Path, error: io::Error| {
            FolderError::Unusable(format!(
                "cannot write {}: {}; move it away, or give another folder with --out",
                path.join(at).display(),
                reason(&error)
            ))
        };
        for name in PLACES {
            let first =
                Path::new(name).components().next().map_or(Path::new(name), |it| Path::new(it.as_os_str()));
            check_place(&real, name).map_err(|error| blocked(first, error))?;
        }
        if let Some((at, error)) = obstacle(&real) {
            return Err(blocked(at.strip_prefix(&real).unwrap_or(&at), error));
        }
        new_file(&real).map_err(cannot)?;
        if lock.is_some() {
            remove_unfinished_files(&real);
            remove_unfinished_folders(&real);
        }
        Ok(Folder { path, real, made, lock })
    }

    /// Returns the path as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether other runs are locked out; false if the file system has no locks.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// Returns what an immediate exit must remove: its own files, and the folders it created.
    pub fn litter(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        (self.lock.iter().map(|lock| lock.path().to_path_buf()).collect(), self.made.0.clone())
    }

    /// Creates a file with a random name in the folder, to be passed to [`Folder::write_all`] later.
    ///
    /// # Errors
    /// Failures to create it.
    pub fn part(&self) -> Result<(PathBuf, fs::File), FolderError> {
        let made = new_file(&self.real).and_then(|file| Ok(file.keep()?));
        let (file, path) =
            made.map_err(FolderError::io(format!("cannot write to {}", self.path.display())))?;
        Ok((path, file))
    }

    /// Writes one file of the folder, completely or not at all.
    ///
    /// # Errors
    /// Failures to write, or that the folder was removed.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.still_there()?;
        put(&self.real.join(name), bytes, true)
    }

    /// Writes a report, completely or not at all: into a new folder first, from which the files are moved to their
    /// places. Other files in the folder stay.
    ///
    /// # Errors
    /// Failures to write, or that the folder was removed.
    pub fn write_all(&self, files: &[(String, Vec<u8>)], ready: &[Ready]) -> Result<(), FolderError> {
        let cannot = |name: &str| {
            let path = if name.is_empty() { self.path.clone() } else { self.path.join(name) };
            FolderError::io(format!("cannot write {}", path.display()))
        };
        self.still_there().map_err(cannot(""))?;
        let names: Vec<&str> = files
            .iter()
            .map(|(name, _)| name)
            .chain(ready.iter().map(|(name, _)| name))
            .map(String::as_str)
            .collect();
        for name in &names {
            check_place(&self.real, name).map_err(cannot(name))?;
        }
        let new = new_folder(&self.real).map_err(cannot(""))?;
        for (name, bytes) in files {
            place(new.path(), name).and_then(|path| fs::write(path, bytes)).map_err(cannot(name))?;
        }
        for (name, from) in ready {
            place(new.path(), name).and_then(|path| fs::rename(from, path)).map_err(cannot(name))?;
        }
        let _whole = between_reports();
        let replaced = report_in(&self.real);
        replace(new.path(), &self.real, &names).map_err(|(name, error)| cannot(&name)(error))?;
        if let Some(parts) = replaced {
            remove_parts(&self.real, parts, &names);
        }
        Ok(())
    }

    /// A folder that was removed during the games is not created again: its removal was probably intended.
    fn still_there(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.real) {
            Ok(found) if found.is_dir() => Ok(()),
            _ => Err(io::Error::other("the folder was taken away while this ran")),
        }
    }
}

impl Drop for Folder {
    /// Removes the folder before its lock, as no other run can have begun to write to it by then.
    fn drop(&mut self) {
        if !self.made.0.is_empty() {
            let _ = fs::remove_dir(&self.real);
        }
        drop(self.lock.take());
    }
}

/// Folders that were created, the innermost first. They are removed on drop, unless something is in them.
pub struct Made(Vec<PathBuf>);

impl Made {
    /// Creates a folder and its parents if they are missing.
    ///
    /// # Errors
    /// Failures to create it.
    pub fn folder(path: &Path) -> io::Result<Made> {
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let made = Made(path.ancestors().take_while(missing).map(Path::to_path_buf).collect());
        make_folder(path)?;
        Ok(made)
    }
}

impl Drop for Made {
    /// Only empty folders can be removed this way.
    fn drop(&mut self) {
        for folder in &self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The page that opens a report.
const PAGE: &str = "index.html";

/// Checks that a file can have its place in a folder: only a file may be there, and its parents must be folders.
fn check_place(folder: &Path, name: &str) -> io::Result<()> {
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
fn replace(new: &Path, folder: &Path, names: &[&str]) -> Result<(), (String, io::Error)> {
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

/// Maximum size of a summary that is read.
const MOST_SUMMARY: u64 = 64 << 20;

/// Files that a command writes in addition to its page, summary, charts, tables and games; `*` stands for anything.
const PARTS: [(&str, &[&str]); 3] =
    [("plan", &["plan.xlsx"]), ("solve", &["deals.csv"]), ("design", &["variant-*.toml"])];

/// The same for the page of the shelf, whose summary has a different name.
const SHELF: [&str; 1] = ["shelf.json"];

/// Returns the additional files of this program's report in a folder, if there is one.
fn report_in(folder: &Path) -> Option<&'static [&'static str]> {
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
fn obstacle(folder: &Path) -> Option<(PathBuf, io::Error)> {
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
            let is = |part: &&str| match part.split_once('*') {
                Some((first, last)) => name.starts_with(first) && name.ends_with(last),
                None => name == *part,
            };
            parts.iter().chain(&["games.csv", "games-*.csv"]).any(is)
        }
    }
}

/// Removes files of an earlier report that the new one, with these names, does not have: charts, tables, games and
/// `parts`, which could be mistaken for parts of the new one. Files that cannot be removed stay.
fn remove_parts(folder: &Path, parts: &[&str], names: &[&str]) {
    for within in ["", "charts", "tables"] {
        remove(&folder.join(within), |name| {
            let path = if within.is_empty() { name.to_string() } else { format!("{within}/{name}") };
            is_part(within, name, parts) && !names.contains(&path.as_str())
        });
    }
}

/// Removes the temporary files in a folder that no process has locked.
pub fn remove_unfinished_files(folder: &Path) {
    remove(folder, |name| {
        let path = folder.join(name);
        // Removed while it is locked, so that nobody begins to use it.
        let is_unused = |file: &File| file.try_lock().is_ok() && fs::remove_file(&path).is_ok();
        is_name(name) && File::open(&path).is_ok_and(|file| is_unused(&file))
    });
}

/// Removes the folders that a killed run was writing. No other run may be writing folders.
fn remove_unfinished_folders(folder: &Path) {
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

/// Prefix of their names.
const PREFIX: &str = ".saratoga-";
/// Number of random letters and digits that follow.
const CHANCE: usize = 16;

/// Returns whether a name is one of these.
fn is_name(name: &str) -> bool {
    let chance = name.strip_prefix(PREFIX);
    chance.is_some_and(|it| it.len() == CHANCE && it.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Creates one with the usual access permissions: `mode`, reduced by the user's umask.
fn make<T>(mode: u32, make: impl FnOnce(&Builder<'_, '_>) -> io::Result<T>) -> io::Result<T> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).rand_bytes(CHANCE);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    make(&builder).map_err(|error| match error.to_string().rsplit_once(" at path ") {
        // The random name would not help the user.
        Some((why, _)) => io::Error::new(error.kind(), why.to_string()),
        None => error,
    })
}

/// Creates a temporary file in a folder. It is locked while it is open, if the disk has locks, so others can see that it is
/// in use.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    loop {
        let file = make(0o666, |builder| builder.tempfile_in(folder))?;
        match file.as_file().try_lock() {
            // Another run may have removed it before it was locked.
            Ok(()) if !is_at(file.as_file(), file.path()) => {}
            Err(TryLockError::WouldBlock) => {}
            _ => return Ok(file),
        }
    }
}

/// Creates a temporary folder in a folder.
fn new_folder(folder: &Path) -> io::Result<TempDir> {
    make(0o777, |builder| builder.tempdir_in(folder))
}

/// Returns the folder of a file.
fn around(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file, completely or not at all; a link is replaced, never followed. Unless `over` is set, an existing
/// file is an error.
///
/// # Errors
/// Failures to write, or an existing file that may not be replaced.
pub fn put(path: &Path, bytes: &[u8], over: bool) -> io::Result<()> {
    let mut file = new_file(around(path))?;
    file.as_file_mut().write_all(bytes)?;
    let put = if over { file.persist(path) } else { file.persist_noclobber(path) };
    put.map(drop).map_err(|error| error.error)
}

/// Replaces a file, completely or not at all, even if power is lost.
///
/// # Errors
/// Failures to write.
pub fn put_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = new_file(around(path))?;
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // Not every system can sync a folder.
    let _ = File::open(around(path)).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Returns the path of a file in a folder, and creates its parents.
fn place(folder: &Path, name: &str) -> io::Result<std::path::PathBuf> {
    let path = folder.join(name);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_were_made_go_again_unless_they_are_used() {
        let dir = tempfile::tempdir().unwrap();
        let (above, path) = (dir.path().join("a"), dir.path().join("a/b"));
        drop(Made::folder(&path).unwrap());
        assert!(!above.exists() && dir.path().exists());
        let made = Made::folder(&path).unwrap();
        fs::write(path.join("c"), "").unwrap();
        drop(made);
        assert!(path.join("c").exists());
    }

    #[test]
    fn what_is_in_the_way_of_a_report_is_found_before() {
        for (blocks, is_folder) in [
            ("index.html", true),
            ("summary.json", true),
            ("charts", false),
            ("tables", false),
            ("charts/win-rates.svg", true),
            ("tables/a-night.csv", true),
            ("games-canfield-greedy.csv", true),
            ("plan.xlsx", true),
            ("deals.csv", true),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let at = dir.path().join(blocks);
            if is_folder {
                fs::create_dir_all(at).unwrap()
            } else {
                fs::write(at, "").unwrap()
            }
            let refused = Folder::prepare(dir.path().to_path_buf());
            assert!(matches!(refused, Err(FolderError::Unusable(why)) if why.contains(blocks)), "{blocks}");
        }
    }

    #[test]
    fn a_report_needs_no_lock_where_the_disk_has_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("out");
        let folder = Folder::locked_by(|_| Err(LockError::Unsupported), path.clone()).unwrap();
        assert!(!folder.is_locked());
        folder.write_all(&[("index.html".into(), b"page".to_vec())], &[]).unwrap();
        drop(folder);
        assert_eq!(fs::read(path.join("index.html")).unwrap(), b"page");
        let busy = Folder::locked_by(|_| Err(LockError::Busy), path.clone());
        assert!(matches!(busy, Err(FolderError::Unusable(why)) if why.contains("another run is writing to")));
    }

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
        for name in ["index.html", "plan.xlsx", "deals.csv"] {
            fs::write(folder.join(name), "").unwrap();
        }
        fs::write(folder.join("summary.json"), "{\n \"command\": \"saratoga plan x\"}").unwrap();
        let parts = report_in(folder).unwrap();
        remove_parts(folder, parts, &["charts/a.svg", "games-a-b.csv"]);
        let within = folder.join(".saratoga-abcdef0123456789/charts");
        fs::create_dir_all(&within).unwrap();
        remove_unfinished_folders(folder);
        assert!(folder.join(unfinished).exists() && !within.exists());
        let left = |name: &str| folder.join(name).exists();
        assert!(left("mine.csv") && left("charts/a.svg") && left("charts/b.txt") && left("games-a-b.csv"));
        // Deals do not belong to a plan.
        assert!(left("deals.csv") && !left("plan.xlsx"));
        assert!(!left("games.csv") && !left("charts/b.png"));
    }

    #[test]
    fn files_in_use_are_not_removed() {
        let dir = tempfile::tempdir().unwrap();
        let left = dir.path().join(".saratoga-0123456789abcdef");
        fs::write(&left, "").unwrap();
        let used = new_file(dir.path()).unwrap();
        remove_unfinished_files(dir.path());
        assert!(!left.exists() && used.path().exists());
        let path = used.path().to_path_buf();
        let (file, _) = used.keep().unwrap();
        remove_unfinished_files(dir.path());
        assert!(path.exists());
        drop(file);
        remove_unfinished_files(dir.path());
        assert!(!path.exists());
    }
}
