//! The folder of a report: written completely or not at all, and by one run at a time.

mod exclusive;
mod lock;
mod replace;
mod stale;

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{make_folder, reason};
use exclusive::{Part, Staging, new_file, owner};

pub use exclusive::{put, put_durably};
pub use lock::{Lock, LockError, is_locked};

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
    /// A new folder can take its place.
    movable: bool,
    made: Made,
    lock: Option<Lock>,
}

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
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let mut made = Made(path.ancestors().take_while(missing).map(Path::to_path_buf).collect());
        make_folder(&path).map_err(cannot)?;
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
        drop(Part::create(&real).map_err(cannot)?);
        if lock.is_some() && !has_shards(&real) {
            stale::remove_unfinished(&real);
        }
        if lock.is_some() {
            clear_beside(&real);
        }
        let movable = is_movable(&real);
        Ok(Folder { path, real, movable, made, lock })
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
        new_file(&self.real).map_err(FolderError::io(format!("cannot write to {}", self.path.display())))
    }

    /// Writes one file of the folder, whole or not at all.
    ///
    /// # Errors
    /// Those of writing, and a folder that was taken away.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.still_there()?;
        put(&self.real.join(name), bytes, true)
    }

    /// Writes a report, whole or not at all: into a new folder first, which then takes the place of this one. What
    /// is in this one beside reports stays in it.
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
        let staging = if self.movable { Staging::beside(&self.real) } else { Staging::create(&self.real) };
        let mut staging = staging.map_err(cannot(""))?;
        for (name, bytes) in files {
            staging.put(name, bytes).map_err(cannot(name))?;
        }
        for (name, path) in ready {
            staging.take(name, path).map_err(cannot(name))?;
        }
        let _whole = between_reports();
        let replaced = stale::report_in(&self.real);
        let moves = self.movable && !has_blocks(&self.real);
        if !moves || !replace::whole(&mut staging, &self.real).map_err(cannot(""))? {
            replace::each(&staging, &self.real, &names).map_err(|(name, error)| cannot(&name)(error))?;
        }
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

/// Clears away the hidden folders that runs which were killed have left beside the folder of a report, which this run has
/// locked. Those beside another report are cleared only under its lock, so that none is taken from a run under way.
fn clear_beside(folder: &Path) {
    let Some(above) = folder.parent() else { return };
    for entry in fs::read_dir(above).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(owner) = name.to_str().and_then(owner) else { continue };
        let of = above.join(owner);
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let lock = (of != folder && !is_locked(&of)).then(|| Lock::of(&of));
        if of == folder || matches!(lock, Some(Ok(_))) {
            let _ = replace::take_up(&entry.path(), &of);
        }
    }
}

/// Whether a folder keeps blocks of runs. Others may be writing to them, under locks in the folder, and a run that is killed
/// must not leave them elsewhere: so such a folder is never moved.
fn has_blocks(folder: &Path) -> bool {
    names(folder).any(|name| name.ends_with(".blocks") || name.ends_with(".blocks.lock"))
}

/// Whether it keeps those of shards, which write to it at the same time.
fn has_shards(folder: &Path) -> bool {
    names(folder).any(|name| name.starts_with("shard-") || name.starts_with(".shard-"))
}

fn names(folder: &Path) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned())
}

/// Folders that were made, the innermost first.
struct Made(Vec<PathBuf>);

impl Drop for Made {
    /// Folders that hold something stay: they cannot be removed this way.
    fn drop(&mut self) {
        for folder in &self.0 {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Whether a new folder can take the place of this one: not where nothing can be made above, as in a container with a folder
/// of its own for what comes out; not on another disk; and not around the working directory, which would be pulled from
/// under whoever is in it.
fn is_movable(real: &Path) -> bool {
    let same_disk = real.parent().is_some_and(|above| same_disk(real, above).unwrap_or(false));
    let around =
        env::current_dir().and_then(|here| here.canonicalize()).is_ok_and(|here| here.starts_with(real));
    same_disk && !around && Staging::beside(real).is_ok()
}

#[cfg(unix)]
fn same_disk(a: &Path, b: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(a)?.dev() == fs::metadata(b)?.dev())
}

#[cfg(not(unix))]
fn same_disk(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

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
