//! Loads a strategy by its name or path.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean, one_a_line, read_file};
use crate::rules::find::{beside, is_path};

use super::native::NATIVE;
use super::script::{SHELF, SettingError};
use super::settings::{self, Setting};
use super::source::{StrategySource, What};

/// Error in loading a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// There is no strategy of that name.
    #[error("no strategy is called `{name}`; {help}")]
    Unknown {
        /// The requested name.
        name: String,
        /// What is available.
        help: String,
    },
    /// Its file cannot be read.
    #[error("{path}: {reason}")]
    Unreadable {
        /// The path as given.
        path: String,
        /// The reason, and what to do.
        reason: String,
    },
    /// The script has faults: all of them, in the order of their positions.
    #[error("{}", one_a_line(.0))]
    Faults(Vec<Diagnostic>),
    /// A strategy of a higher layer cannot be created.
    #[error("{name}: {reason}")]
    Player {
        /// The strategy.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// Its parameters cannot have these settings.
    #[error("{name}: {error}")]
    Setting {
        /// The strategy.
        name: String,
        /// What is wrong.
        error: SettingError,
    },
}

impl LoadError {
    /// Returns the message for a file that refers to the strategy, and advice.
    ///
    /// # Errors
    /// Returns the faults of a script, which have positions of their own.
    pub(crate) fn in_file(self) -> Result<(String, String), Vec<Diagnostic>> {
        Ok(match self {
            LoadError::Faults(faults) => return Err(faults),
            LoadError::Unknown { name, help } => (format!("no strategy is called \"{name}\""), help),
            LoadError::Setting { name, error } => (
                format!("{name}: {error}"),
                "settings follow a script's name, as in \"./mine.rhai:hold=4\"".into(),
            ),
            LoadError::Player { name, reason } => (
                format!("{name}: {reason}"),
                "settings of a player follow its name, as in \"search:level=2\"".into(),
            ),
            LoadError::Unreadable { path, reason } => (
                format!("cannot read {path}: {reason}"),
                "a path in a TOML file starts at that file, any other at the current folder; a name like \"greedy\" is on \
                 the shelf"
                    .into(),
            ),
        })
    }
}

/// Loads a strategy by name, native or from the shelf; an argument with a `/` or an extension is the path of a script.
/// `greedy` is the native strategy, `scripts/greedy.rhai` the script. Settings of a script's parameters may follow, as
/// in `patient:hold=4`.
///
/// # Errors
/// Fails for an unknown name or an unreadable file; returns all the faults of a script, or an invalid setting.
pub fn load(name_or_path: &str) -> Result<StrategySource, LoadError> {
    let (name, changes) = settings::split(name_or_path);
    set(load_plain(name)?, &changes)
}

fn set(source: StrategySource, changes: &[Setting]) -> Result<StrategySource, LoadError> {
    let name = source.name().to_string();
    source.set(changes).map_err(|error| LoadError::Setting { name, error })
}

fn load_plain(name_or_path: &str) -> Result<StrategySource, LoadError> {
    let path = Path::new(name_or_path);
    if is_path(name_or_path) {
        return load_path(name_or_path, path);
    }
    match name_or_path {
        "greedy" => Ok(StrategySource::new(name_or_path.into(), What::Greedy)),
        "random" => Ok(StrategySource::new(name_or_path.into(), What::Random)),
        name => match on_shelf(name) {
            Some(source) => StrategySource::from_script(name, source).map_err(LoadError::Faults),
            None => Err(unknown(name)),
        },
    }
}

/// Returns the names of all strategies that need no file, sorted, each with the first line of its description.
pub fn names() -> Vec<(&'static str, &'static str)> {
    let scripts = SHELF.iter().filter(|(name, _)| NATIVE.iter().all(|(native, _)| native != name));
    let about = |text: &'static str| text.lines().next().unwrap_or("").trim_start_matches("// ");
    let mut all: Vec<_> = scripts.map(|(name, text)| (*name, about(text))).collect();
    all.extend(NATIVE);
    all.sort_unstable();
    all
}

fn on_shelf(name: &str) -> Option<Arc<SourceText>> {
    let (_, text) = SHELF.iter().find(|(shelf, _)| *shelf == name)?;
    Some(Arc::new(SourceText { name: format!("scripts/{name}.rhai"), text: (*text).to_string() }))
}

fn unknown(name: &str) -> LoadError {
    unknown_among(name, &names())
}

/// Reports that none of `known` has the name, and lists them.
pub(crate) fn unknown_among(name: &str, known: &[(&'static str, &'static str)]) -> LoadError {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let mut help = format!("there are {}, and paths of scripts such as ./mine.rhai", names.join(", "));
    if name.contains(':') {
        help.push_str("; a parameter is set as in NAME:hold=4");
    }
    if let Some(meant) = did_you_mean(name, names) {
        help = format!("did you mean `{meant}`? {help}");
    }
    LoadError::Unknown { name: name.into(), help }
}

/// Reads the script of a path. For a shelf script named with its extension, alone or in `scripts/`, this is the file if
/// there is one, otherwise the shelf's own: so the commands in the documentation run from anywhere, and the script with
/// a native strategy's name can be named too.
fn load_path(given: &str, path: &Path) -> Result<StrategySource, LoadError> {
    let source = match read_file(path) {
        Ok(bytes) => {
            Arc::new(SourceText::decode(given, bytes).map_err(|fault| LoadError::Faults(vec![fault]))?)
        }
        Err(error) => {
            let missing = error.kind() == std::io::ErrorKind::NotFound;
            match shelf_path(given).filter(|_| missing) {
                Some(source) => source,
                None => {
                    let reason = if missing { "there is no such file".into() } else { error.to_string() };
                    return Err(LoadError::Unreadable { path: given.into(), reason });
                }
            }
        }
    };
    StrategySource::from_script(given, source).map_err(LoadError::Faults)
}

fn shelf_path(given: &str) -> Option<Arc<SourceText>> {
    let stem = given.strip_suffix(".rhai")?;
    let stem = stem.strip_prefix("./").unwrap_or(stem);
    on_shelf(stem.strip_prefix("scripts/").unwrap_or(stem))
}

/// Loads a strategy referred to in a file, like [`load`], but with a path relative to the file `from`. The path must
/// look like that of a script, and its file like a script: a contest may come from a stranger, who must not have other
/// files shown.
///
/// # Errors
/// As with [`load`].
pub(crate) fn load_beside(name: &str, from: &str) -> Result<StrategySource, LoadError> {
    let (name, changes) = settings::split(name);
    let found = if !is_path(name) {
        load_plain(name)
    } else {
        let path = beside(name, from);
        match (path.exists(), shelf_path(name)) {
            (false, Some(source)) => StrategySource::from_script(name, source).map_err(LoadError::Faults),
            _ => {
                let given = path.display().to_string();
                looks_like_script(&path)
                    .map_err(|reason| LoadError::Unreadable { path: given.clone(), reason })?;
                load_path(&given, &path)
            }
        }
    };
    set(found?, &changes)
}

/// Checks that a file is named like a script and has the function of one; otherwise returns a message.
fn looks_like_script(path: &Path) -> Result<(), String> {
    if path.extension().is_none_or(|extension| extension != "rhai") {
        return Err("a script that a file names must end in .rhai".into());
    }
    // The next reader reports a file that cannot be read.
    let Ok(bytes) = read_file(path) else { return Ok(()) };
    let text = String::from_utf8_lossy(&bytes);
    let decides = |after: &str| {
        let name = after.trim_start();
        name.len() < after.len() && (name.starts_with("score") || name.starts_with("choose"))
    };
    if text.match_indices("fn").any(|(at, word)| decides(&text[at + word.len()..])) {
        return Ok(());
    }
    Err("it is no script: it has neither `fn score` nor `fn choose`, so nothing of it is shown".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths() {
        assert_eq!(load("greedy").unwrap().script(), None);
        for (name, about) in names() {
            let source = load(name).unwrap();
            assert_eq!((source.name(), source.instantiate().name()), (name, name));
            assert!(!about.is_empty());
        }
        let script = load("scripts/greedy.rhai").unwrap();
        assert_eq!(
            (script.name(), script.script().unwrap().name.as_str()),
            ("scripts/greedy.rhai", "scripts/greedy.rhai")
        );
        assert!(load("greedy.rhai").unwrap().script().is_some());

        let said = |name: &str| load(name).unwrap_err().to_string();
        assert!(said("patiend").contains("did you mean `patient`"), "{}", said("patiend"));
        for path in ["hoarder.rhai", "scripts/hoarder.rhai", "./scripts/hoarder.rhai"] {
            assert_eq!(load(path).unwrap().text(), load("hoarder").unwrap().text(), "{path}");
        }
        assert!(said("elsewhere/hoarder.rhai").contains("no such file"));
        assert_eq!(said("./nowhere/mine.rhai"), "./nowhere/mine.rhai: there is no such file");
        assert!(said("src/").starts_with("src/: "));
    }

    #[test]
    fn sources_go_to_other_threads() {
        fn shared<T: Send + Sync + Clone>(_: T) {}
        shared(load("patient").unwrap());
    }
}
