//! Files named by users, which may come from strangers: regular files up to a maximum size. A pipe that blocks, an
//! endless device and a file that fills the memory are refused at once. And the folder of a report, which is written
//! completely or not at all.

#[cfg(feature = "native")]
mod folder;
#[cfg(feature = "native")]
mod lock;

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, BufRead, Read};
use std::path::Path;

#[cfg(feature = "native")]
pub use folder::{
    Folder, FolderError, Made, Ready, between_reports, put, put_durably, remove_unfinished_files,
};
#[cfg(feature = "native")]
pub use lock::{Lock, LockError, is_locked};

/// Maximum bytes of a ruleset, a contest or a script.
pub const MOST_TEXT: u64 = 256 << 10;
/// Maximum bytes of a file of decks.
pub const MOST_DEALS: u64 = 64 << 20;
/// Maximum bytes of a file of records.
pub const MOST_RECORDS: u64 = 4 << 30;

/// Returns the system's message about a file, without error numbers.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::NotADirectory => "a part of its path is no folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// Byte order mark that some editors put before UTF-8 text.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Opens a regular file of at most `most` bytes.
///
/// # Errors
/// A file that cannot be opened, is no regular file, or is larger.
pub fn open(path: &Path, most: u64) -> io::Result<File> {
    // Before opening, which would block on a pipe until someone writes to it.
    check(&fs::metadata(path)?, most)?;
    let file = File::open(path)?;
    // And after opening, as it may be another file by then.
    check(&file.metadata()?, most)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// Those of [`open()`], and failures to read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_all(open(path, most)?, most)
}

/// Reads everything from a reader, if it has at most `most` bytes.
///
/// # Errors
/// Failures to read, or more bytes.
pub fn read_all(from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn check(found: &Metadata, most: u64) -> io::Result<()> {
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !found.is_file() {
        let message = format!("it is {}, and a regular file is expected", kind(found.file_type()));
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    if found.len() > most { Err(too_large(most)) } else { Ok(()) }
}

fn too_large(most: u64) -> io::Error {
    let message = format!("it is larger than {}, the limit for such a file", size(most));
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Formats a number of bytes that is a multiple of its unit.
fn size(bytes: u64) -> String {
    [(30, "GiB"), (20, "MiB"), (10, "KiB")]
        .into_iter()
        .find(|(shift, _)| bytes >> shift << shift == bytes)
        .map_or(format!("{bytes} bytes"), |(shift, unit)| format!("{} {unit}", bytes >> shift))
}

#[cfg(unix)]
fn kind(of: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match of {
        _ if of.is_fifo() => "a pipe",
        _ if of.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn kind(_: FileType) -> &'static str {
    "something else"
}

/// Creates a folder and its parents if they are missing.
///
/// # Errors
/// Failures to create it.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => io::Error::other("it is a file, and a folder is needed"),
        _ => error,
    })
}

/// Lists a folder.
///
/// # Errors
/// The reason why it cannot be read, as part of a sentence.
pub fn read_folder(path: &Path) -> io::Result<fs::ReadDir> {
    fs::read_dir(path).map_err(|error| match fs::metadata(path) {
        Ok(found) if found.is_file() => io::Error::other("it is a file, and a folder is needed"),
        _ => error,
    })
}

/// Checks that a file can be written at a path, as well as can be known in advance.
///
/// # Errors
/// The reason why not, as a sentence.
pub fn check_writable(path: &Path) -> Result<(), String> {
    let why = match path.parent() {
        _ if path.is_dir() => "it is a folder",
        _ if path.exists() && !path.is_file() => "it is a device or a pipe, and a regular file is expected",
        Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => "there is no such folder",
        _ => return Ok(()),
    };
    Err(format!("cannot write {}: {why}", path.display()))
}

/// Reads a line without its end into `line`; if it has more than `most` bytes, only enough to detect that. Returns
/// whether there was one.
///
/// # Errors
/// Failures to read.
pub fn next_line(from: &mut dyn BufRead, line: &mut Vec<u8>, most: u64) -> io::Result<bool> {
    line.clear();
    let read = Read::take(&mut *from, most + 1).read_until(b'\n', line)?;
    match line.last() {
        Some(b'\n') => drop(line.pop()),
        _ if read as u64 > most => from.skip_until(b'\n').map(drop)?,
        _ => {}
    }
    Ok(read > 0)
}

/// Removes a byte order mark.
pub fn without_bom(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(BOM) {
        bytes.drain(..BOM.len());
    }
    bytes
}

/// Skips a byte order mark, if there is one.
///
/// # Errors
/// Failures to read.
pub fn after_bom(mut from: impl BufRead) -> io::Result<impl BufRead> {
    let mut first = Vec::new();
    from.by_ref().take(BOM.len() as u64).read_to_end(&mut first)?;
    Ok(io::Cursor::new(without_bom(first)).chain(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_of_utf_8_is_passed_over_once() {
        for (bytes, rest) in
            [("\u{feff}ab", "ab"), ("ab", "ab"), ("a", "a"), ("", ""), ("\u{feff}\u{feff}", "\u{feff}")]
        {
            assert_eq!(without_bom(bytes.into()), rest.as_bytes());
            let mut read = String::new();
            after_bom(bytes.as_bytes()).unwrap().read_to_string(&mut read).unwrap();
            assert_eq!(read, rest);
        }
    }

    #[test]
    fn sizes_are_told_in_their_unit() {
        assert_eq!([MOST_TEXT, MOST_RECORDS, 1001].map(size), ["256 KiB", "4 GiB", "1001 bytes"]);
    }
}
