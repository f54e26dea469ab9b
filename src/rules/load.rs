//! Rulesets by name or by path: the shelf, files, and what they extend.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean, read_file};

use super::compile::Rules;
use super::{file, shelf};

/// A ruleset ready to be played.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its name on the shelf, or the name of its file without the extension.
    pub id: String,
    /// The compiled rules.
    pub rules: Rules,
    /// What is allowed but likely not meant.
    pub warnings: Vec<Diagnostic>,
    /// The text that was asked for, then the texts it extends, nearest first.
    pub sources: Vec<Arc<SourceText>>,
}

/// Why there is no ruleset.
#[derive(Debug)]
pub enum LoadError {
    /// The file cannot be read.
    Unreadable {
        /// The file as it was named.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// No ruleset on the shelf has this name.
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The name that was likely meant.
        suggestion: Option<&'static str>,
    },
    /// The text, or one it extends, is at fault; every fault is listed, and the warnings too.
    Faults(Vec<Diagnostic>),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Unreadable { path, error } => write!(f, "cannot read {path}: {error}"),
            LoadError::Unknown { name, suggestion } => {
                write!(f, "there is no ruleset \"{name}\" on the shelf; {}", shelf_help(*suggestion))
            }
            LoadError::Faults(faults) => {
                for (i, fault) in faults.iter().enumerate() {
                    write!(f, "{}{fault}", if i == 0 { "" } else { "\n" })?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for LoadError {}

fn shelf_help(suggestion: Option<&str>) -> String {
    let guess = suggestion.map_or(String::new(), |guess| format!("did you mean \"{guess}\"? "));
    let names: Vec<&str> = shelf::names().collect();
    format!("{guess}the shelf has: {}; a path needs a `/` or an extension", names.join(", "))
}

/// Where a text comes from: by this a circle is seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Shelf(&'static str),
    /// A file, by its real path where it has one.
    File(PathBuf),
}

/// Loads a ruleset of the shelf by its name, or a file by its path: what has a `/` or an extension is a path.
///
/// # Errors
/// An unknown name, a file that cannot be read, or every fault of the file and of those it extends.
pub fn load(name_or_path: &str) -> Result<Loaded, LoadError> {
    if !is_path(name_or_path) {
        let Some((name, text)) = shelf::find(name_or_path) else {
            let suggestion = did_you_mean(name_or_path, shelf::names());
            return Err(LoadError::Unknown { name: name_or_path.into(), suggestion });
        };
        let source = SourceText { name: name.into(), text: text.into() };
        return finish(name.into(), source, Origin::Shelf(name));
    }
    let path = Path::new(name_or_path);
    let bytes =
        read_file(path).map_err(|error| LoadError::Unreadable { path: name_or_path.into(), error })?;
    let source = SourceText::decode(name_or_path, bytes).map_err(|fault| LoadError::Faults(vec![fault]))?;
    finish(stem(name_or_path), source, Origin::File(real(path)))
}

/// Reads a ruleset from a text; `name` stands for its file in messages, and what it extends is looked for beside it.
///
/// # Errors
/// Every fault of the text and of the files it extends.
pub fn parse_text(name: &str, text: &str) -> Result<Loaded, LoadError> {
    let source = SourceText { name: name.into(), text: text.into() };
    finish(stem(name), source, Origin::File(real(Path::new(name))))
}

fn finish(id: String, source: SourceText, origin: Origin) -> Result<Loaded, LoadError> {
    let document = file::read(source, origin).map_err(LoadError::Faults)?;
    // The document has passed the same checks that `Rules::new` makes.
    let rules = Rules::compile(document.spec);
    Ok(Loaded { id, rules, warnings: document.warnings, sources: document.sources })
}

/// Why an extended ruleset is not there.
pub(super) struct Missing {
    pub message: String,
    pub help: String,
}

/// The ruleset that a text extends: a name of the shelf, or a path from the file that extends it.
pub(super) fn resolve(name: &str, from: &str) -> Result<(Origin, SourceText), Missing> {
    if !is_path(name) {
        return match shelf::find(name) {
            Some((name, text)) => {
                Ok((Origin::Shelf(name), SourceText { name: name.into(), text: text.into() }))
            }
            None => Err(Missing {
                message: format!("there is no ruleset \"{name}\" on the shelf"),
                help: shelf_help(did_you_mean(name, shelf::names())),
            }),
        };
    }
    // `./` before a name says only that it is a path.
    let name = Path::new(name).strip_prefix("./").unwrap_or(Path::new(name));
    let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
    let missing = |message: String| Missing { message, help: siblings(&path) };
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

/// What to try instead of a file that is not there.
fn siblings(path: &Path) -> String {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .map(|entries| entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
        .unwrap_or_default();
    names.sort();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let tomls = names.iter().map(String::as_str).filter(|name| name.ends_with(".toml"));
    let guess =
        did_you_mean(wanted, tomls).map_or(String::new(), |guess| format!("did you mean \"{guess}\"? "));
    format!(
        "{guess}a path is looked for from the file that extends it, a name like \"canfield\" on the shelf"
    )
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\']) || Path::new(name).extension().is_some()
}

/// The name of a file without folders and extension.
pub(super) fn stem(name: &str) -> String {
    let stem = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| name.to_string())
}

/// The path by which two names of one file are seen to be the same.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}
