//! Lock of a folder: only one run at a time writes to it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The lock file within a folder, if there can be none beside it.
const INSIDE: &str = ".saratoga.lock";

/// A lock file beside a folder. The system releases the lock when the run ends, for any reason; the file left by a
/// killed run locks nobody out.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

/// Reason why a folder cannot be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another run holds the lock.
    Busy,
    /// The file system does not support locks.
    Unsupported,
    /// Error of the operating system.
    Io(io::Error),
}

/// Returns whether a run has locked a folder.
pub fn is_locked(folder: &Path) -> bool {
    beside(folder).into_iter().chain([folder.join(INSIDE)]).any(|path| {
        // A shared lock, held only for a moment: the file of a killed run locks nobody out.
        fs::symlink_metadata(&path).is_ok_and(|it| it.is_file())
            && File::open(&path)
                .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    })
}

/// Returns the lock file beside a folder or file.
fn beside(folder: &Path) -> Option<PathBuf> {
    let (above, name) = (folder.parent()?, folder.file_name()?);
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".lock");
    Some(above.join(hidden))
}

impl Lock {
    /// Locks a folder or a file: by a file beside it, or within it if there can be none beside it.
    ///
    /// # Errors
    /// Another run that holds the lock; failures to create the file.
    pub fn of(folder: &Path) -> Result<Lock, LockError> {
        if let Some(path) = beside(folder) {
            return match Lock::at(path) {
                Err(LockError::Io(beside)) => match Lock::at(folder.join(INSIDE)) {
                    // A file has no inside, so the error is the one for the file beside it.
                    Err(LockError::Io(error)) if is_no_folder(&error) => Err(LockError::Io(beside)),
                    done => done,
                },
                done => done,
            };
        }
        Lock::at(folder.join(INSIDE))
    }

    fn at(path: PathBuf) -> Result<Lock, LockError> {
        loop {
            let file = open(&path).map_err(LockError::Io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Busy),
                Err(TryLockError::Error(error)) if has_no_locks(&error) => {
                    let _ = fs::remove_file(&path);
                    return Err(LockError::Unsupported);
                }
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
            }
            // The previous holder may have removed the file in between, and a third run may have created another.
            if is_at(&file, &path) {
                return Ok(Lock { path, _file: file });
            }
        }
    }

    /// Returns the path of the lock file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Lock {
    /// Removes the file while still locked, so that it cannot belong to another run.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Returns whether the file system has no locks, or their service does not run.
fn has_no_locks(error: &io::Error) -> bool {
    #[cfg(unix)]
    if error.raw_os_error() == Some(nix::errno::Errno::ENOLCK as i32) {
        return true;
    }
    error.kind() == io::ErrorKind::Unsupported
}

fn is_no_folder(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Opens or creates a lock file. Nothing is ever written to it.
fn open(path: &Path) -> io::Result<File> {
    match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{} is no file", path.display())));
    }
    // Another user's file can only be read, which is enough for a lock on most file systems.
    OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path))
}

/// Returns whether an open file is the one at a path.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(opened), Ok(found)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    (opened.dev(), opened.ino()) == (found.dev(), found.ino())
}

#[cfg(not(unix))]
pub fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    use super::*;

    #[cfg(unix)]
    #[test]
    fn disks_without_locks_are_known() {
        use nix::errno::Errno;
        for (errno, none) in
            [(Errno::ENOLCK, true), (Errno::ENOSYS, true), (Errno::EOPNOTSUPP, true), (Errno::EACCES, false)]
        {
            assert_eq!(has_no_locks(&io::Error::from_raw_os_error(errno as i32)), none, "{errno}");
        }
    }
}
