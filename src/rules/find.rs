//! Finds the text of a file by name or by path: on a shelf, or on the disk.

use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean, one_a_line, read_file};

/// A shelf: files of one kind that are embedded in the program, so that it runs from anywhere.
#[derive(Clone, Copy, Debug)]
pub struct Shelf {
    /// What its files are called in messages: `ruleset`, `contest`.
    pub what: &'static str,
    /// An example of a name, for messages.
    pub example: &'static str,
    /// Every name with its text, sorted by name.
    pub texts: &'static [(&'static str, &'static str)],
}

impl Shelf {
    /// Returns the names on the shelf, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.texts.iter().map(|(name, _)| *name)
    }

    fn find(&self, name: &str) -> Option<(&'static str, &'static str)> {
        self.texts.iter().copied().find(|(known, _)| *known == name)
    }

    /// Suggests what to try instead of a name that is not on the shelf.
    pub(super) fn help(&self, suggestion: Option<&str>) -> String {
        let guess = suggestion.map_or(String::new(), |guess| format!("did you mean \"{guess}\"? "));
        let names: Vec<&str> = self.names().collect();
        format!("{guess}the shelf has: {}; a path needs a `/` or an extension", names.join(", "))
    }
}

/// Reason why a ruleset or a contest cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The file as it was named.
        path: String,
        /// The error of the system.
        error: io::Error,
    },
    /// Nothing on the shelf has this name.
    #[error("there is no {} \"{name}\" on the shelf; {}", shelf.what, shelf.help(*suggestion))]
    Unknown {
        /// The shelf that was searched.
        shelf: Shelf,
        /// The requested name.
        name: String,
        /// The name that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// The text, or one it extends, has faults; all are included, and the warnings too.
    #[error("{}", one_a_line(.0))]
    Faults(Vec<Diagnostic>),
}

/// Origin of a text, used to detect cycles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Shelf(&'static str),
    /// A file, by its canonical path if it has one.
    File(PathBuf),
}

impl Origin {
    /// Returns the origin of a text under the path of a file, whether that file exists or not.
    pub fn file(path: &str) -> Origin {
        Origin::File(real(Path::new(path)))
    }
}

/// Opens a text requested by a person, by its name on the shelf or by its path: an argument with a `/` or an extension
/// is a path.
pub(crate) fn open(shelf: Shelf, name_or_path: &str) -> Result<(Origin, SourceText), LoadError> {
    if !is_path(name_or_path) {
        return match shelf.find(name_or_path) {
            Some((name, text)) => Ok(on_shelf(name, text)),
            None => {
                let suggestion = did_you_mean(name_or_path, shelf.names());
                Err(LoadError::Unknown { shelf, name: name_or_path.into(), suggestion })
            }
        };
    }
    let bytes = read_file(Path::new(name_or_path))
        .map_err(|error| LoadError::Unreadable { path: name_or_path.into(), error })?;
    let source = SourceText::decode(name_or_path, bytes).map_err(|fault| LoadError::Faults(vec![fault]))?;
    Ok((Origin::file(name_or_path), source))
}

fn on_shelf(name: &'static str, text: &str) -> (Origin, SourceText) {
    (Origin::Shelf(name), SourceText { name: name.into(), text: text.into() })
}

/// Reason why a text referred to by another is not available.
pub struct Missing {
    /// What was not found.
    pub message: String,
    /// What there is.
    pub help: String,
}

/// Opens a text that the file `from` refers to: by its name on the shelf, or by its path relative to that file.
pub(crate) fn resolve(shelf: Shelf, name: &str, from: &str) -> Result<(Origin, SourceText), Missing> {
    if !is_path(name) {
        return shelf.find(name).map(|(name, text)| on_shelf(name, text)).ok_or_else(|| Missing {
            message: format!("there is no {} \"{name}\" on the shelf", shelf.what),
            help: shelf.help(did_you_mean(name, shelf.names())),
        });
    }
    let path = beside(name, from);
    if path.extension().is_none_or(|extension| extension != "toml") {
        let message =
            format!("{} is not read as a {}: its name does not end in .toml", path.display(), shelf.what);
        return Err(Missing { message, help: named_help(shelf) });
    }
    let missing = |message: String| Missing { message, help: siblings(shelf, &path) };
    let bytes = read_file(&path).map_err(|error| {
        missing(match error.kind() {
            io::ErrorKind::NotFound => format!("there is no file {}", path.display()),
            _ => format!("cannot read {}: {error}", path.display()),
        })
    })?;
    let shown = path.display().to_string();
    let text = SourceText::decode(&shown, bytes).map_err(|fault| missing(fault.to_string()))?;
    Ok((Origin::File(real(&path)), text))
}

/// Describes which files may be referred to: the author of a file must not be able to have any file of this machine
/// opened and shown.
pub(super) fn named_help(shelf: Shelf) -> String {
    let what = shelf.what;
    format!(
        "a {what} that a file names is on the shelf, or a regular file of at most 256 KiB that ends in .toml and has \
         only keys of a {what}"
    )
}

/// Converts a path relative to the file `from` to one that this program can open.
pub(crate) fn beside(name: &str, from: &str) -> PathBuf {
    // A leading `./` only marks a path.
    let name = Path::new(name).strip_prefix("./").unwrap_or(Path::new(name));
    Path::new(from).parent().unwrap_or(Path::new("")).join(name)
}

/// Returns whether a path leads to a file in the folder, or to a missing one in it: links are followed. The folder's
/// path is canonical.
pub(crate) fn is_within(folder: &Path, path: &Path) -> bool {
    match path.canonicalize().or_else(|_| path.parent().unwrap_or(Path::new("")).canonicalize()) {
        Ok(real) => real.starts_with(folder),
        Err(_) => false,
    }
}

/// Suggests what to try instead of a missing file.
fn siblings(shelf: Shelf, path: &Path) -> String {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .map(|entries| entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
        .unwrap_or_default();
    names.sort();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let tomls = names.iter().map(String::as_str).filter(|name| name.ends_with(".toml") && *name != wanted);
    let guess =
        did_you_mean(wanted, tomls).map_or(String::new(), |guess| format!("did you mean \"{guess}\"? "));
    let example = shelf.example;
    format!(
        "{guess}a path in a TOML file starts at that file, any other at the current folder; a name like \"{example}\" is on \
         the shelf"
    )
}

/// Returns whether an argument means a file, and not a name on the shelf.
pub fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}

/// Returns the name of a file without folders and extension.
pub fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| name.to_string())
}

/// Returns the canonical path, which identifies a file under different names.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
