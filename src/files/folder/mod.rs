//! Folder of a report: written completely or not at all, and by one run at a time.

mod lock;
mod replace;
mod stale;
mod unfinished;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{make_folder, reason};
use unfinished::{new_file, new_folder, place};

pub use lock::{Lock, LockError, is_locked};
pub use stale::remove_unfinished_files;
pub use unfinished::{put, put_durably};

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
            replace::check_place(&real, name).map_err(|error| blocked(first, error))?;
        }
        if let Some((at, error)) = stale::obstacle(&real) {
            return Err(blocked(at.strip_prefix(&real).unwrap_or(&at), error));
        }
        let now = new_file(&real).and_then(|file| file.as_file().metadata()?.modified()).map_err(cannot)?;
        if lock.is_some() {
            remove_unfinished_files(&real, Some(now));
            stale::remove_unfinished_folders(&real);
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
            replace::check_place(&self.real, name).map_err(cannot(name))?;
        }
        let new = new_folder(&self.real).map_err(cannot(""))?;
        for (name, bytes) in files {
            place(new.path(), name).and_then(|path| fs::write(path, bytes)).map_err(cannot(name))?;
        }
        for (name, from) in ready {
            place(new.path(), name).and_then(|path| fs::rename(from, path)).map_err(cannot(name))?;
        }
        let _whole = between_reports();
        let replaced = stale::report_in(&self.real);
        replace::replace(new.path(), &self.real, &names).map_err(|(name, error)| cannot(&name)(error))?;
        if let Some(parts) = replaced {
            stale::remove_parts(&self.real, parts, &names);
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
            ("cells.csv", true),
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
}
