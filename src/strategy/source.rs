//! A strategy with its name and origin, loaded by name or path; every thread creates its own instance.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean, one_a_line, read_file};
use crate::game::{MoveList, View};
use crate::interrupt;
use crate::rules::find::{beside, is_path};
use crate::text::undrawn;

use super::native::{Erring, NATIVE, SLIP, read_error_rate};
use super::script::{FunctionReport, Parameter, SHELF, Script, SettingError, write_parameters};
use super::settings::{self, Setting};
use super::{Greedy, Random, Strategy, StrategyError};

/// The origin of a strategy, shared between threads; each creates its own instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategySource {
    name: String,
    id: String,
    what: What,
    /// Whether a script is run by Rhai's interpreter alone.
    interpreted: bool,
    /// Number of errors per thousand decisions.
    error_rate: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Greedy,
    Random,
    Script(Arc<SourceText>),
    Made(Made),
}

/// Factory of a strategy of a higher layer.
pub trait Maker: fmt::Debug + Send + Sync {
    /// Creates the strategy of this name, for the calling thread.
    fn make(&self, name: &str) -> Box<dyn Strategy>;

    /// Returns the settings that may follow the name, like the parameters of a script.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Returns the strategies that it consists of, each with its share; empty if it is a single one.
    fn members(&self) -> &[(StrategySource, u32)] {
        &[]
    }

    /// Returns the scripts of those strategies.
    fn text(&self) -> Option<&str> {
        None
    }

    /// Returns the factory with scripts interpreted; `None` if it has none.
    fn interpreted(&self) -> Option<Arc<dyn Maker>> {
        None
    }

    /// Returns its parameters with the ranges that a race searches.
    fn tuned(&self) -> Vec<Parameter> {
        self.parameters()
    }

    /// Returns the name and the factory with these values; `None` if it has no such parameters.
    fn with_values(&self, _name: &str, _values: &[(&Parameter, i64)]) -> Option<(String, Arc<dyn Maker>)> {
        None
    }
}

#[derive(Clone, Debug)]
pub(super) struct Made(Arc<dyn Maker>);

/// Sources are equal if their names are equal and they share a factory.
impl PartialEq for Made {
    fn eq(&self, other: &Made) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Made {}

impl StrategySource {
    /// Returns whether it looks at prices or pay, as a script may and `search` does, and may therefore play differently
    /// under other prices.
    pub fn looks_at_prices(&self) -> bool {
        let names = ["pays_per_card", ".stake", "redeal_fee", ".pay("];
        let code = |script: &str| {
            let mut lines = script.lines().map(|line| line.split("//").next().unwrap_or(line));
            lines.any(|line| names.iter().any(|name| line.contains(name)))
        };
        self.name == "search" || self.name.starts_with("search:") || self.text().is_some_and(code)
    }

    /// Creates a source for a strategy that is neither native nor a script.
    pub fn made(name: impl Into<String>, maker: Arc<dyn Maker>) -> StrategySource {
        let name = name.into();
        // Its settings may contain a path.
        let id = name.replace(['/', '\\', ':', ','], "-");
        StrategySource::of(name, id, What::Made(Made(maker)))
    }

    /// Creates a source from a factory, with a short name.
    pub(super) fn made_as(name: String, id: String, maker: Arc<dyn Maker>) -> StrategySource {
        StrategySource::of(name, id, What::Made(Made(maker)))
    }

    fn of(name: String, id: String, what: What) -> StrategySource {
        StrategySource { name, id, what, interpreted: false, error_rate: 0 }
    }

    pub(super) fn new(name: String, what: What) -> StrategySource {
        let (path, settings) = settings::split(&name);
        let mut id = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path).to_string();
        settings.iter().for_each(|(name, value)| id.push_str(&format!("-{name}={value}")));
        StrategySource::of(name, id, what)
    }

    /// Creates a source for a loaded script.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn from_script(
        name: impl Into<String>,
        source: Arc<SourceText>,
    ) -> Result<StrategySource, Vec<Diagnostic>> {
        let name = name.into();
        Script::new(&name, &source)?;
        Ok(StrategySource::new(name, What::Script(source)))
    }

    /// Returns its name in records and reports, as given: a name on the shelf, or a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the short name: without folders and extension, usable as a file name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the parameters of a script or of another strategy that has some; empty for a native strategy.
    pub fn parameters(&self) -> Vec<Parameter> {
        if let What::Made(Made(maker)) = &self.what {
            return maker.parameters();
        }
        self.loaded().map_or(Vec::new(), |script| script.parameters().to_vec())
    }

    /// Returns the parameters with the ranges that a race searches.
    pub fn tuned_parameters(&self) -> Vec<Parameter> {
        match &self.what {
            What::Made(Made(maker)) => maker.tuned(),
            _ => self.parameters(),
        }
    }

    /// Returns whether its name sets this parameter.
    pub fn is_set(&self, parameter: &Parameter) -> bool {
        settings::split(&self.name).1.iter().any(|(name, _)| parameter.is_called(name))
    }

    /// Changes values of its script's parameters, which its name then includes: a setting replaces the one in the name.
    ///
    /// # Errors
    /// Fails if the script does not have a parameter, if it is set twice, or if its value is not possible.
    pub fn set(self, changes: &[Setting]) -> Result<StrategySource, SettingError> {
        if changes.is_empty() {
            return Ok(self);
        }
        let parameters = self.parameters();
        let (values, slip) = settings::resolve(&parameters, changes)?;
        let changed = self.with_values(&values);
        let percent = changes.iter().find(|(name, _)| slip.is_some() && name.eq_ignore_ascii_case(SLIP));
        percent.map_or(Ok(changed.clone()), |(_, percent)| changed.with_error_rate(percent))
    }

    /// Sets an error rate, in percent, which its name then includes.
    ///
    /// # Errors
    /// Fails for an invalid rate.
    pub fn with_error_rate(self, percent: &str) -> Result<StrategySource, SettingError> {
        let error_rate = read_error_rate(percent)?;
        let told = format!("{SLIP}={}", percent.trim_end_matches('%'));
        let others = self.name.split([':', ',']).any(|part| part.contains('='));
        // What follows a policy may be the policy's own settings.
        let policy = [":policy=", ",policy="].iter().find_map(|it| self.name.find(it));
        let name = match policy.filter(|_| matches!(self.what, What::Made(_))) {
            Some(at) => format!("{}{told},{}", &self.name[..=at], &self.name[at + 1..]),
            None => format!("{}{}{told}", self.name, if others { ',' } else { ':' }),
        };
        let id = format!("{}-{told}", self.id);
        Ok(StrategySource { name, id, error_rate, ..self })
    }

    /// Returns whether it makes errors.
    pub fn makes_errors(&self) -> bool {
        self.error_rate > 0
    }

    /// Renames the strategy.
    pub fn called(self, name: &str) -> StrategySource {
        StrategySource { name: name.into(), id: name.into(), ..self }
    }

    /// Sets some of its own parameters, each once and to an allowed value.
    pub fn with_values(&self, values: &[(&Parameter, i64)]) -> StrategySource {
        if values.is_empty() {
            return self.clone();
        }
        if let What::Made(Made(maker)) = &self.what {
            let changed = maker.with_values(&self.name, values);
            let error_rate = self.error_rate;
            let with = |(name, maker)| StrategySource { error_rate, ..StrategySource::made(name, maker) };
            return changed.map_or(self.clone(), with);
        }
        let What::Script(source) = &self.what else { return self.clone() };
        let (name, mut told) = settings::split(&self.name);
        for (parameter, value) in values {
            told.retain(|(other, _)| !parameter.is_called(other));
            told.push((parameter.name.to_lowercase(), parameter.write(*value)));
        }
        let text = write_parameters(&source.text, values);
        let what = What::Script(Arc::new(SourceText { name: source.name.clone(), text }));
        let (interpreted, error_rate) = (self.interpreted, self.error_rate);
        StrategySource { interpreted, error_rate, ..StrategySource::new(settings::join(name, &told), what) }
    }

    /// Runs the script entirely in Rhai's interpreter: it decides the same, more slowly.
    pub fn interpreted(self) -> StrategySource {
        if let Some(maker) = self.maker().and_then(Maker::interpreted) {
            return StrategySource { what: What::Made(Made(maker)), ..self };
        }
        StrategySource { interpreted: true, ..self }
    }

    fn maker(&self) -> Option<&dyn Maker> {
        match &self.what {
            What::Made(Made(maker)) => Some(&**maker),
            _ => None,
        }
    }

    /// Returns the strategies that it consists of, with their shares; empty if it is a single one.
    pub fn members(&self) -> &[(StrategySource, u32)] {
        self.maker().map_or(&[], |maker| maker.members())
    }

    /// Returns the text of a script, or all scripts of a mix; `None` for a native strategy.
    pub fn text(&self) -> Option<&str> {
        self.maker().and_then(Maker::text).or_else(|| self.script().map(|source| &*source.text))
    }

    /// Returns a script with its name; `None` for a native strategy.
    pub fn script(&self) -> Option<&Arc<SourceText>> {
        match &self.what {
            What::Script(source) => Some(source),
            _ => None,
        }
    }

    /// Returns whether both are one player: the same name, or the same script with the same error rate.
    pub fn is_same(&self, other: &StrategySource) -> bool {
        let same_script = self.script().is_some() && self.script() == other.script();
        self.name == other.name || same_script && self.error_rate == other.error_rate
    }

    /// Reports which functions of a script are compiled; empty for a native strategy.
    pub fn functions(&self) -> Vec<FunctionReport> {
        self.loaded().map_or(Vec::new(), |script| script.report())
    }

    /// Returns lint warnings for a script, and for a name that charts cannot draw; empty for a native strategy.
    pub fn lint(&self) -> Vec<Diagnostic> {
        let mut found = self.loaded().map_or(Vec::new(), |script| script.lint());
        let letters = undrawn(&self.id);
        if let Some(source) = self.script().filter(|_| !letters.is_empty()) {
            let message = format!(
                "no font of the program has {letters} of the script's name: charts as PNG number the script instead"
            );
            let help = "give the file a name in Latin, Greek or Cyrillic letters, which can be drawn";
            found.insert(0, Diagnostic::warning(source, 0..0, message).help(help));
        }
        found
    }

    /// Returns the typed syntax tree that a script is compiled from under the rules of Canfield; `None` if it is not
    /// compiled.
    pub fn emit(&self) -> Option<String> {
        self.loaded()?.emit()
    }

    fn loaded(&self) -> Option<Script> {
        self.script().and_then(|source| Script::new(&self.name, source).ok())
    }

    /// Creates the strategy for the calling thread. A script is compiled here.
    pub fn instantiate(&self) -> Box<dyn Strategy> {
        match self.error_rate {
            0 => self.without_errors(),
            rate => Box::new(Erring::new(self.without_errors(), &self.name, rate)),
        }
    }

    fn without_errors(&self) -> Box<dyn Strategy> {
        match &self.what {
            What::Greedy => Box::new(Greedy),
            What::Random => Box::new(Random),
            What::Made(Made(maker)) => maker.make(&self.name),
            What::Script(source) => {
                let load = if self.interpreted { Script::interpreted } else { Script::new };
                match load(&self.name, source) {
                    Ok(script) => Box::new(script),
                    Err(faults) => Box::new(Faulty { name: self.name.clone(), faults }),
                }
            }
        }
    }
}

/// Takes the place of a script that compiled once and does not again: it reports an error when asked to decide. If the
/// program was asked to stop, that is the reason.
struct Faulty {
    name: String,
    faults: Vec<Diagnostic>,
}

impl Strategy for Faulty {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, _view: &View<'_>, _legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        match self.faults.first() {
            _ if interrupt::requested() => Err(StrategyError::Interrupted),
            Some(fault) => Err(StrategyError::Script(Box::new(fault.clone()))),
            None => Ok(None),
        }
    }
}

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
    /// It cannot have these settings, or a strategy of a higher layer cannot be created.
    #[error("{name}: {reason}")]
    Player {
        /// The strategy.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

impl LoadError {
    /// Returns the error for a file that the system does not give.
    pub(crate) fn unreadable(path: &str, error: &io::Error) -> LoadError {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            _ => error.to_string(),
        };
        LoadError::Unreadable { path: path.into(), reason }
    }

    /// Returns the message for a file that refers to the strategy, and advice.
    ///
    /// # Errors
    /// Returns the faults of a script, which have positions of their own.
    pub(crate) fn in_file(self) -> Result<(String, String), Vec<Diagnostic>> {
        Ok(match self {
            LoadError::Faults(faults) => return Err(faults),
            LoadError::Unknown { name, help } => (format!("no strategy is called \"{name}\""), help),
            LoadError::Player { name, reason } => (
                format!("{name}: {reason}"),
                "settings follow a name, as in \"./mine.rhai:hold=4\" or \"search:level=2\"".into(),
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
    source.set(changes).map_err(|error| LoadError::Player { name, reason: error.to_string() })
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
            None => Err(unknown_among(name, &names())),
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
        Err(error) => shelf_path(given)
            .filter(|_| error.kind() == io::ErrorKind::NotFound)
            .ok_or_else(|| LoadError::unreadable(given, &error))?,
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
    fn a_name_that_no_font_has_is_a_warning() {
        let warnings = |name: &str| {
            let text = Arc::new(SourceText::of(name, "fn score(_view, _m) { 0 }"));
            StrategySource::from_script(name, text).unwrap().lint()
        };
        let found = warnings("folder/四つの山.rhai");
        assert!(found[0].message.contains("四つの山") && found[0].position() == (1, 1), "{found:?}");
        assert_eq!(warnings("folder/жадный.rhai"), []);
    }

    #[test]
    fn players_with_other_error_rates_are_two() {
        let text = Arc::new(SourceText::of("mine", "fn score(view, m) { 0 }"));
        let make = |name: &str, percent: &str| {
            StrategySource::from_script(name, text.clone()).unwrap().with_error_rate(percent).unwrap()
        };
        assert!(make("mine", "5").is_same(&make("other", "5")));
        assert!(!make("mine", "5").is_same(&make("mine", "10")));
        assert!(!make("mine", "0").is_same(&make("other", "10")));
    }

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
