//! One run at a time writes to a folder.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// A file beside a folder that one run has locked. The system lifts the lock when that run ends, however it ends; the
/// file that a killed run leaves locks nobody out.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

/// Why a folder cannot be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another run has it.
    Busy,
    /// What the system says.
    Io(io::Error),
}

impl Lock {
    /// Locks a folder or a file: by a file beside it, or in it where none can be beside it.
    ///
    /// # Errors
    /// Another run that has it; those of making the file.
    pub fn of(folder: &Path) -> Result<Lock, LockError> {
        if let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(".lock");
            match Lock::at(above.join(hidden)) {
                Err(LockError::Io(_)) => {}
                done => return done,
            }
        }
        Lock::at(folder.join(".saratoga.lock"))
    }

    fn at(path: PathBuf) -> Result<Lock, LockError> {
        loop {
            let file = open(&path).map_err(LockError::Io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Busy),
                // There are network disks without locks; a report is still written whole there.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
            }
            // The run that had it may have removed the file between the two, and a third may have made another.
            if is_at(&file, &path) {
                return Ok(Lock { path, _file: file });
            }
        }
    }

    /// The file that is locked.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Lock {
    /// The file goes while it is locked still, so that it is no other run's.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens or makes a file of a lock. Nothing is ever written to it.
fn open(path: &Path) -> io::Result<File> {
    match OpenOptions::new().read(true).write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{} is no file", path.display())));
    }
    // That of another person can only be read, which is enough for a lock on most disks.
    OpenOptions::new().read(true).write(true).open(path).or_else(|_| File::open(path))
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(opened), Ok(found)) = (file.metadata(), fs::symlink_metadata(path)) else { return false };
    (opened.dev(), opened.ino()) == (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
