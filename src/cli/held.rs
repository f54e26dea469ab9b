//! A folder among the temporary files that is taken away at the end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// So many names are tried: others may have some, also of a process that was killed and had the same number.
const NAMES: u32 = 1_000;

/// The folder.
pub(super) struct Held(PathBuf);

impl Held {
    /// A new folder for this purpose.
    pub fn new(purpose: &str) -> io::Result<Held> {
        let process = std::process::id();
        let mut made = Err(io::ErrorKind::AlreadyExists.into());
        for number in 0..NAMES {
            let path = std::env::temp_dir().join(format!("saratoga-{purpose}-{process}-{number}"));
            made = fs::create_dir(&path).map(|()| Held(path));
            if !is_there(&made) {
                break;
            }
        }
        made
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

fn is_there(made: &io::Result<Held>) -> bool {
    made.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_there_is_anothers() {
        let first = Held::new("test").unwrap();
        let second = Held::new("test").unwrap();
        assert!(first.path() != second.path() && first.path().is_dir() && second.path().is_dir());
        let path = first.path().to_path_buf();
        drop(first);
        assert!(!path.exists() && second.path().exists());
    }
}
