//! Writing: a folder of files so that nobody finds half of one, lists, and words for a shell.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::CliError;
use super::input::reason;

use crate::text::{one_line, steers};

/// How wide lists are printed, in a terminal or not.
const WIDTH: usize = 80;

/// The folder of a report. What it made itself it takes away again, unless it is written or holds
/// something by then.
pub(super) struct Folder {
    path: PathBuf,
    made: Vec<PathBuf>,
}

impl Folder {
    /// Makes sure that the folder is there and can be written to, before any game is played.
    pub fn prepare(path: PathBuf) -> Result<Folder, CliError> {
        let missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let made = path.ancestors().take_while(missing).map(Path::to_path_buf).collect();
        let folder = Folder { path, made };
        let path = &folder.path;
        let cannot = |error: io::Error| {
            let why = match error.kind() {
                io::ErrorKind::AlreadyExists => "it is a file, and the report needs a folder".into(),
                _ => reason(&error),
            };
            CliError::input(format!("cannot write to {}: {why}", path.display()))
        };
        fs::create_dir_all(path).map_err(cannot)?;
        let probe = path.join(".saratoga-probe");
        fs::write(&probe, "").map_err(cannot)?;
        fs::remove_file(&probe).map_err(cannot)?;
        Ok(folder)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folders it made, the innermost first.
    pub fn made(&self) -> &[PathBuf] {
        &self.made
    }

    /// Writes files: all of them under other names first, then each is put in its place.
    pub fn write_all(&mut self, files: &[(String, Vec<u8>)]) -> Result<(), CliError> {
        let mut parts = Parts(Vec::new());
        for (name, bytes) in files {
            let path = self.path.join(name);
            let cannot = || CliError::io(format!("cannot write {}", path.display()));
            if let Some(parent) = path.parent().filter(|parent| !parent.exists()) {
                fs::create_dir_all(parent).map_err(cannot())?;
                self.made.insert(0, parent.to_path_buf());
            }
            let part = self.path.join(format!("{name}.part"));
            parts.0.push(part.clone());
            fs::write(&part, bytes).map_err(cannot())?;
        }
        for ((name, _), part) in files.iter().zip(&parts.0) {
            let path = self.path.join(name);
            fs::rename(part, &path).map_err(CliError::io(format!("cannot write {}", path.display())))?;
        }
        Ok(())
    }
}

impl Drop for Folder {
    /// Folders that hold something stay: they cannot be removed this way.
    fn drop(&mut self) {
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Files not yet in their place; what is left of them is taken away.
struct Parts(Vec<PathBuf>);

impl Drop for Parts {
    fn drop(&mut self) {
        for part in &self.0 {
            let _ = fs::remove_file(part);
        }
    }
}

/// Writes one file: under another name first, then in its place.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let cannot = || CliError::io(format!("cannot write {}", path.display()));
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let parts = Parts(vec![path.with_file_name(name)]);
    fs::write(&parts.0[0], bytes).map_err(cannot())?;
    fs::rename(&parts.0[0], path).map_err(cannot())
}

/// Prints a name in a column of its own, and beside it a text wrapped at [`WIDTH`].
pub(super) fn row(out: &mut impl Write, column: usize, name: &str, text: &str) -> io::Result<()> {
    let mut line = format!("{name:<column$} ");
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            writeln!(out, "{line}")?;
            line = " ".repeat(column + 1);
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    writeln!(out, "{}", line.trim_end())
}

/// A word as a shell reads it.
pub(super) fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+=:,@%".contains(c);
    let bare = !word.is_empty() && word.chars().all(plain);
    if word.chars().any(steers) {
        // Bash and others read the characters that must not be shown so.
        let word = word.replace('\\', "\\\\").replace('\'', "\\'").replace('\t', "\\t");
        format!("$'{}'", one_line(&word))
    } else if bare {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
