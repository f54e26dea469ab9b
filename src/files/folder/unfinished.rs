//! Files and folders that are written under names of chance, and are taken away unless they are put in their place.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::{Builder, NamedTempFile, TempDir};

/// What their names begin with.
const PREFIX: &str = ".saratoga-";
/// So many letters and digits of chance follow.
const CHANCE: usize = 16;

/// Whether a name is one of these.
pub(super) fn is_name(name: &str) -> bool {
    let chance = name.strip_prefix(PREFIX);
    chance.is_some_and(|it| it.len() == CHANCE && it.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

/// Makes one that is readable to the same people as any other, of these permissions before the person's mask.
fn make<T>(mode: u32, make: impl FnOnce(&Builder<'_, '_>) -> io::Result<T>) -> io::Result<T> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).rand_bytes(CHANCE);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    make(&builder).map_err(|error| match error.to_string().rsplit_once(" at path ") {
        // The name of chance says nothing to people.
        Some((why, _)) => io::Error::new(error.kind(), why.to_string()),
        None => error,
    })
}

/// A new file in a folder.
pub(super) fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    make(0o666, |builder| builder.tempfile_in(folder))
}

/// A new folder in a folder.
pub(super) fn new_folder(folder: &Path) -> io::Result<TempDir> {
    make(0o777, |builder| builder.tempdir_in(folder))
}

/// The folder of a file.
fn around(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file, whole or not at all; a link is replaced, never followed. Where it may not be `over` another file,
/// one that is there is an error.
///
/// # Errors
/// Those of writing, and a file that is there where it may not be replaced.
pub fn put(path: &Path, bytes: &[u8], over: bool) -> io::Result<()> {
    let mut file = new_file(around(path))?;
    file.as_file_mut().write_all(bytes)?;
    let put = if over { file.persist(path) } else { file.persist_noclobber(path) };
    put.map(drop).map_err(|error| error.error)
}

/// Writes a file in the place of another, whole or not at all even where the power is lost.
///
/// # Errors
/// Those of writing.
pub fn put_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = new_file(around(path))?;
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // Not every system can make sure of a folder.
    let _ = File::open(around(path)).and_then(|folder| folder.sync_all());
    Ok(())
}

/// The path of a file in a folder, with the folders around that.
pub(super) fn place(folder: &Path, name: &str) -> io::Result<std::path::PathBuf> {
    let path = folder.join(name);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    Ok(path)
}
