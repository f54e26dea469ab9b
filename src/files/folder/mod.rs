//! The folder of a report: written completely or not at all, and by one run at a time.

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
pub use unfinished::{put, put_durably};

/// Held while files that are there already are replaced.
static REPLACING: Mutex<()> = Mutex::new(());

/// Waits until no report is in the middle of being put in the place of another, and lets none begin: for who ends the
/// program at once.
pub fn between_reports() -> MutexGuard<'static, ()> {
    REPLACING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a report cannot be written to a folder.
#[derive(Debug)]
pub enum FolderError {
    /// The folder cannot be used, as is found out before anything is played.
    Unusable(String),
    /// Writing failed.
    Io {
        /// What was written.
        what: String,
        /// What the system says.
        error: io::Error,
    },
}

impl FolderError {
    fn io(what: String) -> impl FnOnce(io::Error) -> FolderError {
        move |error| FolderError::Io { what, error }
    }
}

/// The folder of a report. What it made itself it takes away again, unless something is in it by then.
pub struct Folder {
    /// As it was named.
    path: PathBuf,
    /// The folder itself, without links and from the root.
    real: PathBuf,
    made: Made,
    lock: Option<Lock>,
}

/// What every report has or may have, by which it is found out whether there is room for it.
const PLACES: [&str; 4] = ["index.html", "summary.json", "charts/any.svg", "tables/any.csv"];

/// A file that is written already, and where in the folder it goes.
pub type Ready = (String, PathBuf);

impl Folder {
    /// Makes sure, before any game is played, that the folder is there, that it can be written to, and that no other
    /// run writes to it.
    ///
    /// # Errors
    /// Why it cannot be used.
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
                // The folder may be empty still, and is the other run's.
                made.0.clear();
                return Err(FolderError::Unusable(format!(
                    "another run is writing to {}: wait for its end, or give another folder with --out",
                    path.display()
                )));
            }
            Err(LockError::Io(error)) => return Err(cannot(error)),
        };
        // The run that had the lock before may have taken its folder away.
        make_folder(&path).map_err(cannot)?;
        for name in PLACES {
            replace::check_place(&real, name).map_err(|error| {
                let at = Path::new(name).components().next().map_or(path.clone(), |first| path.join(first));
                FolderError::Unusable(format!(
                    "cannot write {}: {}; move it away, or give another folder with --out",
                    at.display(),
                    reason(&error)
                ))
            })?;
        }
        let now = new_file(&real).and_then(|file| file.as_file().metadata()?.modified()).map_err(cannot)?;
        if lock.is_some() {
            // Shards write files of their own there, each for a moment; nobody else makes folders there.
            stale::remove_unfinished(&real, has_shards(&real).then_some(now));
        }
        Ok(Folder { path, real, made, lock })
    }

    /// As it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether no other run can write to it; not where its disk has no locks.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// What an end at once has to take away: its own files, and the folders it made.
    pub fn litter(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        (self.lock.iter().map(|lock| lock.path().to_path_buf()).collect(), self.made.0.clone())
    }

    /// A new file in the folder, under a name of chance, to be handed to [`Folder::write_all`] later.
    ///
    /// # Errors
    /// Those of making it.
    pub fn part(&self) -> Result<(PathBuf, fs::File), FolderError> {
        let made = new_file(&self.real).and_then(|file| Ok(file.keep()?));
        let (file, path) =
            made.map_err(FolderError::io(format!("cannot write to {}", self.path.display())))?;
        Ok((path, file))
    }

    /// Writes one file of the folder, whole or not at all.
    ///
    /// # Errors
    /// Those of writing, and a folder that was taken away.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.still_there()?;
        put(&self.real.join(name), bytes, true)
    }

    /// Writes a report, whole or not at all: into a new folder first, of which the files then take their places. What else is in
    /// the folder stays in it.
    ///
    /// # Errors
    /// Those of writing, and a folder that was taken away.
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

    /// A folder that was taken away while the games were played is not made again: whoever did it had a reason.
    fn still_there(&self) -> io::Result<()> {
        match fs::symlink_metadata(&self.real) {
            Ok(found) if found.is_dir() => Ok(()),
            _ => Err(io::Error::other("the folder was taken away while this ran")),
        }
    }
}

impl Drop for Folder {
    /// The folder goes before its lock: no other run can have begun to write to it by then.
    fn drop(&mut self) {
        if !self.made.0.is_empty() {
            let _ = fs::remove_dir(&self.real);
        }
        drop(self.lock.take());
    }
}

/// Whether a folder keeps blocks of shards, which write to it at the same time.
fn has_shards(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| {
        let name = name.to_string_lossy();
        name.starts_with("shard-") || name.starts_with(".shard-")
    })
}

/// Folders that were made, the innermost first. They are removed with this, unless something is in them.
pub struct Made(Vec<PathBuf>);

impl Made {
    /// Makes sure of a folder, with those around it.
    ///
    /// # Errors
    /// Those of making it.
    pub fn folder(path: &Path) -> io::Result<Made> {
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let made = Made(path.ancestors().take_while(missing).map(Path::to_path_buf).collect());
        make_folder(path)?;
        Ok(made)
    }
}

impl Drop for Made {
    /// What holds something cannot be removed this way.
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
        for (blocks, is_folder) in
            [("index.html", true), ("summary.json", true), ("charts", false), ("tables", false)]
        {
            let dir = tempfile::tempdir().unwrap();
            let at = dir.path().join(blocks);
            if is_folder {
                fs::create_dir(at).unwrap()
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
