//! Temporary files and folders with random names, removed unless they are moved into place.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempDir};

use super::lock::is_at;

/// Prefix of their names.
const PREFIX: &str = ".saratoga-";
/// Number of random letters and digits that follow.
const CHANCE: usize = 16;

/// Returns whether a name is one of these.
pub(super) fn is_name(name: &str) -> bool {
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
pub(super) fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
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
pub(super) fn new_folder(folder: &Path) -> io::Result<TempDir> {
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
pub(super) fn place(folder: &Path, name: &str) -> io::Result<std::path::PathBuf> {
    let path = folder.join(name);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    Ok(path)
}
