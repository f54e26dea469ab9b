//! What commands read: rulesets, strategies, decks.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::cards::{Deck, DeckShape};
use crate::contest::{self, LoadedContest};
use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};
use crate::files::{self, MOST_DEALS, reason};
use crate::players;
use crate::rules::{self, LoadError, Loaded, find::is_path};
use crate::strategy::script::{Parameter, SettingError};
use crate::strategy::{self, Setting, StrategySource};

use super::args::{Deals, ScriptArgs};
use super::error::{CliError, warn};
use super::mistakes;

/// Loads several files; the faults of all of them are told together.
pub(super) fn load_all<T>(
    names: &[String],
    load: impl Fn(&str) -> Result<T, CliError>,
) -> Result<Vec<T>, CliError> {
    let mut loaded = Vec::new();
    let mut faults = Vec::new();
    for name in names {
        match load(name) {
            Ok(file) => loaded.push(file),
            Err(fault) => faults.push(fault),
        }
    }
    CliError::all(faults).map_or(Ok(loaded), Err)
}

/// Loads rulesets; the faults of all of them are told together.
pub(super) fn load_all_rules(names: &[String]) -> Result<Vec<Loaded>, CliError> {
    load_all(names, load_rules)
}

/// Why a ruleset or a contest cannot be played, in the words of the command line.
fn not_loaded(error: LoadError) -> CliError {
    match error {
        LoadError::Faults(faults) => CliError::of_scripts(faults),
        LoadError::Unreadable { path, error } => {
            CliError::input(format!("cannot read {path}: {}{}", reason(&error), near(&path)))
        }
        LoadError::Unknown { shelf, name, suggestion } => {
            let guess = suggestion.map_or(String::new(), |guess| format!("; did you mean \"{guess}\"?"));
            let what = shelf.what;
            let (list, meant) = match what {
                "ruleset" => ("rules", mistakes::no_ruleset(&name)),
                _ => (what, mistakes::no_contest(&name)),
            };
            CliError::lines(&[
                &format!("there is no {what} \"{name}\" on the shelf{guess}"),
                &meant.unwrap_or_else(|| {
                    format!("`saratoga {list} list` shows the shelf; the path of a file needs a `/` or an extension")
                }),
            ])
        }
    }
}

/// A file beside one that is not there, if its name is close.
fn near(path: &str) -> String {
    let path = Path::new(path);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (false, Some(wanted), Ok(entries)) =
        (path.exists(), path.file_name().and_then(|name| name.to_str()), folder.read_dir())
    else {
        return String::new();
    };
    let mut names: Vec<String> = entries.flatten().filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort();
    did_you_mean(wanted, names.iter().map(String::as_str))
        .map_or(String::new(), |name| format!("; did you mean {}?", path.with_file_name(name).display()))
}

/// Loads one ruleset.
pub(super) fn load_rules(name: &str) -> Result<Loaded, CliError> {
    if let (true, Some(meant)) = (name.ends_with(".rhai"), mistakes::no_ruleset(name)) {
        return Err(CliError::input(meant));
    }
    let loaded = rules::load(name).map_err(not_loaded)?;
    warn(&loaded.warnings);
    Ok(loaded)
}

/// Loads the ruleset that a record names: a record may come from a stranger, so that of a path only what looks like a
/// ruleset is told.
pub(super) fn load_named_rules(name: &str) -> Result<Loaded, CliError> {
    if !is_path(name) {
        return load_rules(name);
    }
    match rules::load_beside(name, "") {
        Ok(Ok(loaded)) => {
            warn(&loaded.warnings);
            Ok(loaded)
        }
        Ok(Err(faults)) => Err(CliError::Faults(faults)),
        Err(missing) => Err(CliError::input(format!("{}; {}", missing.message, missing.help))),
    }
}

/// Loads one contest.
pub(super) fn load_contest(name: &str) -> Result<LoadedContest, CliError> {
    let loaded = contest::load(name).map_err(not_loaded)?;
    warn(&loaded.warnings);
    Ok(loaded)
}

/// Loads strategies; the faults of all of them are told together.
pub(super) fn load_all_strategies(names: Vec<String>) -> Result<Vec<StrategySource>, CliError> {
    load_all(&names, load_strategy)
}

/// Loads strategies as the options of scripts have them; the faults of all are reported together.
pub(super) fn load_players(
    names: Vec<String>,
    options: &ScriptArgs,
) -> Result<Vec<StrategySource>, CliError> {
    set_up(load_all_strategies(names)?, options)
}

/// Sets the parameters of all scripts that have them, where their names do not say otherwise.
pub(super) fn set_up(
    loaded: Vec<StrategySource>,
    options: &ScriptArgs,
) -> Result<Vec<StrategySource>, CliError> {
    let settings: &[Setting] = &options.settings;
    for (i, (name, _)) in settings.iter().enumerate() {
        if settings[..i].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
            return Err(CliError::input(format!("--set: `{name}` is set twice")));
        }
    }
    let mut taken = vec![None; settings.len()];
    let set = |source: StrategySource| {
        let mut source = source;
        let own: Vec<Parameter> = source.parameters().into_iter().filter(|it| source.is_set(it)).collect();
        for (setting, taken) in settings.iter().zip(&mut taken) {
            match source.clone().set(std::slice::from_ref(setting)) {
                Ok(_) if own.iter().any(|it| it.is_called(&setting.0)) => *taken = Some(Ok(())),
                Ok(changed) => {
                    source = changed;
                    *taken = Some(Ok(()));
                }
                Err(error @ (SettingError::Value { .. } | SettingError::Twice { .. })) => {
                    *taken = Some(Err(error))
                }
                // Another strategy may have it.
                Err(error) => drop(taken.get_or_insert(Err(error))),
            }
        }
        if options.interpret { source.interpreted() } else { source }
    };
    let changed = loaded.into_iter().map(set).collect();
    let wrong = taken.into_iter().flatten().filter_map(Result::err);
    let faults = wrong.map(|error| CliError::input(format!("--set: {error}"))).collect();
    CliError::all(faults).map_or(Ok(changed), Err)
}

/// Loads one strategy.
pub(super) fn load_strategy(name: &str) -> Result<StrategySource, CliError> {
    if let (true, Some(meant)) = (name.ends_with(".toml"), mistakes::no_strategy(name)) {
        return Err(CliError::input(meant));
    }
    players::load(name).map_err(no_strategy)
}

fn no_strategy(error: strategy::LoadError) -> CliError {
    match error {
        strategy::LoadError::Faults(faults) => CliError::of_scripts(faults),
        strategy::LoadError::Unknown { name, help } => {
            let said = format!("there is no strategy `{name}`");
            match mistakes::no_strategy(&name) {
                Some(meant) => CliError::lines(&[&said, &meant]),
                None => CliError::input(format!("{said}; {help}")),
            }
        }
        other => CliError::input(other),
    }
}

/// One deal a command is about.
pub(super) struct NamedDeal {
    /// Its id in a deals file.
    pub id: Option<String>,
    /// The game whose seeded chance goes with it.
    pub game: u64,
    /// The deck.
    pub deck: Deck,
}

/// The deals that a command line names, in order.
pub(super) fn deals<'a>(
    args: &'a Deals,
    shape: DeckShape,
) -> Result<Box<dyn Iterator<Item = NamedDeal> + 'a>, CliError> {
    if let Some(text) = &args.deck {
        let deck = parse_deck("--deck", text, shape)?;
        return Ok(Box::new(std::iter::once(NamedDeal { id: None, game: 0, deck })));
    }
    if let Some(path) = &args.deals {
        return Ok(Box::new(deals_file(path, shape)?.into_iter()));
    }
    let games = args.game.as_ref().map_or(0..1, |games| games.0.clone());
    Ok(Box::new(games.map(move |game| NamedDeal {
        id: None,
        game,
        deck: Deck::shuffled(shape, args.seed, game),
    })))
}

/// Reads a deck from the command line.
pub(super) fn parse_deck(flag: &str, text: &str, shape: DeckShape) -> Result<Deck, CliError> {
    let source = Arc::new(SourceText { name: flag.to_string(), text: text.to_string() });
    Deck::parse(text, shape)
        .map_err(|faults| CliError::Faults(faults.into_iter().map(|f| deck_fault(&source, 0, f)).collect()))
}

fn deck_fault(source: &Arc<SourceText>, start: usize, fault: crate::cards::DeckError) -> Diagnostic {
    let span = start + fault.span.start..start + fault.span.end;
    Diagnostic::error(source, span, fault.message)
        .help("a deck lists its cards in the order they leave the pack, such as `TH 7C AS ...`")
}

/// A deals file with more faults than this is read no further: it is surely something else.
const MOST_FAULTS: usize = 1000;

/// Reads a file of decks; its faults are told together.
pub(super) fn deals_file(path: &Path, shape: DeckShape) -> Result<Vec<NamedDeal>, CliError> {
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_string(), files::read_all(io::stdin().lock(), MOST_DEALS))
    } else {
        (path.display().to_string(), files::read(path, MOST_DEALS))
    };
    let bytes = bytes.map_err(|error| {
        let near = path.to_str().map_or(String::new(), near);
        CliError::input(format!("cannot read {name}: {}{near}", reason(&error)))
    })?;
    let source = SourceText::decode(&name, bytes).map_err(|fault| CliError::Faults(vec![fault]))?;
    let source = Arc::new(source);
    let (mut deals, mut faults) = (Vec::new(), Vec::new());
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let content = line.trim_end();
        if !content.is_empty() && !content.starts_with('#') {
            let (id, deck_at) = match content.find('\t') {
                Some(tab) => (Some(content[..tab].to_string()), tab + 1),
                None => (None, 0),
            };
            match Deck::parse(&content[deck_at..], shape) {
                Ok(deck) => deals.push(NamedDeal { id, game: deals.len() as u64, deck }),
                Err(found) => {
                    faults.extend(found.into_iter().map(|f| deck_fault(&source, start + deck_at, f)));
                }
            }
        }
        start += line.len();
        if faults.len() > MOST_FAULTS {
            break;
        }
    }
    match (faults.is_empty(), deals.is_empty()) {
        (false, _) => Err(CliError::Faults(faults)),
        (true, true) => {
            Err(CliError::input(format!("{} has no decks: one per line is expected", source.name)))
        }
        (true, false) => Ok(deals),
    }
}
