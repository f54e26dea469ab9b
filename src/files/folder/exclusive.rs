//! Files and folders that are new for certain. Their names are of chance, so that nobody can put something there
//! before; and they are made only where nothing is, not even a link, so that it would not help.

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// So often another name is tried.
const TRIES: usize = 16;

/// A name that nobody can foresee. The keys of the standard library's hash maps come from the system's generator.
fn name() -> String {
    format!(".saratoga-{:016x}", RandomState::new().build_hasher().finish())
}

/// Whether a name is one of these.
pub(super) fn is_name(name: &str) -> bool {
    let digits = name.strip_prefix(".saratoga-");
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// What a hidden folder beside a folder is named after: the name of that folder.
pub(super) fn owner(name: &str) -> Option<&str> {
    let (owner, rest) = name.strip_prefix('.')?.rsplit_once(".saratoga-")?;
    (!owner.is_empty() && is_name(&format!(".saratoga-{rest}"))).then_some(owner)
}

/// Something new under a name that begins with `of` and goes on by chance.
fn new<T>(folder: &Path, of: OsString, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    let mut tries = 0;
    loop {
        let mut named = of.clone();
        named.push(name());
        let path = folder.join(named);
        match make(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < TRIES => tries += 1,
            made => return made.map(|made| (path, made)),
        }
    }
}

/// A new file in a folder.
pub(super) fn new_file(folder: &Path) -> io::Result<(PathBuf, File)> {
    new(folder, OsString::new(), |path| OpenOptions::new().write(true).create_new(true).open(path))
}

/// A new file that is taken away unless it is put in its place.
pub(super) struct Part {
    path: PathBuf,
    file: File,
}

impl Part {
    pub fn create(folder: &Path) -> io::Result<Part> {
        new_file(folder).map(|(path, file)| Part { path, file })
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes a file, whole or not at all; a link is replaced, never followed. Where it may not be `over` another file,
/// one that is there is an error.
///
/// # Errors
/// Those of writing, and a file that is there where it may not be replaced.
pub fn put(path: &Path, bytes: &[u8], over: bool) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut part = Part::create(folder)?;
    part.file.write_all(bytes)?;
    if !over {
        // A second name for the file, unlike a new name, cannot take the place of another.
        match fs::hard_link(&part.path, path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {}
            done => return done,
        }
        if fs::symlink_metadata(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
    }
    fs::rename(&part.path, path)
}

/// Writes a file in the place of another, whole or not at all even where the power is lost.
///
/// # Errors
/// Those of writing.
pub fn put_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut part = Part::create(folder)?;
    part.file.write_all(bytes)?;
    part.file.sync_all()?;
    fs::rename(&part.path, path)?;
    // Not every system can make sure of a folder.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A new folder that is taken away with all that is in it, unless it is put in its place.
pub(super) struct Staging {
    path: PathBuf,
}

impl Staging {
    pub fn create(folder: &Path) -> io::Result<Staging> {
        Staging::named(folder, OsString::new())
    }

    /// A new folder beside a folder, named after it: who has locked that one may take this one away.
    pub fn beside(folder: &Path) -> io::Result<Staging> {
        let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
            return Err(io::Error::other("there is nothing above it"));
        };
        let mut of = OsString::from(".");
        of.push(name);
        Staging::named(above, of)
    }

    fn named(folder: &Path, of: OsString) -> io::Result<Staging> {
        new(folder, of, |path| DirBuilder::new().create(path)).map(|(path, ())| Staging { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file in it.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(self.place(name)?)?;
        file.write_all(bytes)
    }

    /// Moves a file into it.
    pub fn take(&self, name: &str, from: &Path) -> io::Result<()> {
        fs::rename(from, self.place(name)?)
    }

    /// The path of a file in it, with the folders around that.
    pub fn place(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        Ok(path)
    }

    /// It has another path now, and stays.
    pub fn placed(&mut self) {
        self.path = PathBuf::new();
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}
