//! What commands read: rulesets, strategies, decks.

use std::path::Path;
use std::sync::Arc;

use crate::cards::{Deck, DeckShape};
use crate::diagnostic::{Diagnostic, SourceText};
use crate::rules::{self, LoadError, Loaded};
use crate::strategy::{self, StrategySource};

use super::args::Deals;
use super::error::{CliError, warn};

/// Loads rulesets; the faults of all of them are told together.
pub(super) fn load_all_rules(names: &[String]) -> Result<Vec<Loaded>, CliError> {
    let mut loaded = Vec::new();
    let mut faults = Vec::new();
    for name in names {
        match rules::load(name) {
            Ok(rules) => {
                warn(&rules.warnings);
                loaded.push(rules);
            }
            Err(LoadError::Faults(more)) => faults.extend(more),
            Err(other) => return Err(CliError::input(other)),
        }
    }
    if faults.is_empty() { Ok(loaded) } else { Err(CliError::Faults(faults)) }
}

/// Loads one ruleset.
pub(super) fn load_rules(name: &str) -> Result<Loaded, CliError> {
    match rules::load(name) {
        Ok(rules) => {
            warn(&rules.warnings);
            Ok(rules)
        }
        Err(LoadError::Faults(faults)) => Err(CliError::Faults(faults)),
        Err(other) => Err(CliError::input(other)),
    }
}

/// Loads strategies; the faults of all of them are told together.
pub(super) fn load_all_strategies(names: Vec<String>) -> Result<Vec<StrategySource>, CliError> {
    let mut loaded = Vec::new();
    let mut faults = Vec::new();
    for name in names {
        match strategy::load(&name) {
            Ok(source) => loaded.push(source),
            Err(strategy::LoadError::Faults(more)) => faults.extend(more),
            Err(other) => return Err(CliError::input(other)),
        }
    }
    if faults.is_empty() { Ok(loaded) } else { Err(CliError::Faults(faults)) }
}

/// Loads one strategy.
pub(super) fn load_strategy(name: &str) -> Result<StrategySource, CliError> {
    strategy::load(name).map_err(|error| match error {
        strategy::LoadError::Faults(faults) => CliError::Faults(faults),
        other => CliError::input(other),
    })
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

/// Reads a file of decks; every fault of it is told.
fn deals_file(path: &Path, shape: DeckShape) -> Result<Vec<NamedDeal>, CliError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|error| CliError::input(format!("cannot read {name}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line =
            1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|&&b| b == b'\n').count();
        CliError::input(format!("{name}:{line}: this is not text (UTF-8)"))
    })?;
    let source = Arc::new(SourceText { name, text });
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
    }
    match (faults.is_empty(), deals.is_empty()) {
        (false, _) => Err(CliError::Faults(faults)),
        (true, true) => Err(CliError::input(format!("{} has no decks: one a line is expected", source.name))),
        (true, false) => Ok(deals),
    }
}
