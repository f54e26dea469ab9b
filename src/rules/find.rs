//! Finds the text of a file by name or by path: on a shelf, or on the disk.

use std::io;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean, one_a_line, read_file};

/// A shelf: files of one kind that are compiled into the program, so that it runs from anywhere.
#[derive(Clone, Copy, Debug)]
pub struct Shelf {
    /// What its files are called in messages: `ruleset`, `contest`.
    pub what: &'static str,
    /// A name that stands for any, in messages.
    pub example: &'static str,
    /// Every name with its text, sorted by name.
    pub texts: &'static [(&'static str, &'static str)],
}

impl Shelf {
    /// The names on the shelf, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.texts.iter().map(|(name, _)| *name)
    }

    fn find(&self, name: &str) -> Option<(&'static str, &'static str)> {
        self.texts.iter().copied().find(|(known, _)| *known == name)
    }

    /// What to try instead of a name that is not on the shelf.
    pub(super) fn help(&self, suggestion: Option<&str>) -> String {
        let guess = suggestion.map_or(String::new(), |guess| format!("did you mean \"{guess}\"? "));
        let names: Vec<&str> = self.names().collect();
        format!("{guess}the shelf has: {}; a path needs a `/` or an extension", names.join(", "))
    }
}

/// Why there is no ruleset, or no contest.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The file as it was named.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// Nothing on the shelf has this name.
    #[error("there is no {} \"{name}\" on the shelf; {}", shelf.what, shelf.help(*suggestion))]
    Unknown {
        /// The shelf that was searched.
        shelf: Shelf,
        /// The name that was asked for.
        name: String,
        /// The name that was likely meant.
        suggestion: Option<&'static str>,
    },
    /// The text, or one it extends, is at fault; every fault is there, and the warnings too.
    #[error("{}", one_a_line(.0))]
    Faults(Vec<Diagnostic>),
}

/// Where a text comes from: by this a circle is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Shelf(&'static str),
    /// A file, by its real path where it has one.
    File(PathBuf),
}

impl Origin {
    /// The origin of a text that goes by the path of a file, whether there is one or not.
    pub fn file(path: &str) -> Origin {
        Origin::File(real(Path::new(path)))
    }
}

/// A text that a person asks for, by its name on the shelf or by its path: what has a `/` or an extension is a path.
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

/// Why a text that another names is not there.
pub(crate) struct Missing {
    pub message: String,
    pub help: String,
}

/// A text that the file `from` names: by its name on the shelf, or by its path from that file.
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

/// What a file may be that another names: whoever wrote that one is not to have any file of this machine opened and
/// shown.
pub(super) fn named_help(shelf: Shelf) -> String {
    let what = shelf.what;
    format!(
        "a {what} that a file names is on the shelf, or a regular file of at most 256 KiB that ends in .toml and has \
         only keys of a {what}"
    )
}

/// The path that the file `from` gives as `name`, as this program can open it.
pub(crate) fn beside(name: &str, from: &str) -> PathBuf {
    // `./` before a name says only that it is a path.
    let name = Path::new(name).strip_prefix("./").unwrap_or(Path::new(name));
    Path::new(from).parent().unwrap_or(Path::new("")).join(name)
}

/// Whether a path leads to a file in the folder, or to none in it: links are followed. The folder's path is real.
pub(crate) fn is_within(folder: &Path, path: &Path) -> bool {
    match path.canonicalize().or_else(|_| path.parent().unwrap_or(Path::new("")).canonicalize()) {
        Ok(real) => real.starts_with(folder),
        Err(_) => false,
    }
}

/// What to try instead of a file that is not there.
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

/// Whether a person means a file, and not a name on the shelf.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}

/// The name of a file without folders and extension.
pub(crate) fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| name.to_string())
}

/// The path by which two names of one file are seen to be the same.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
