//! Loads contests by name or by path: from the shelf or from files, with what they extend and refer to.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};
use crate::rules::file::{FileKind, read};
use crate::rules::find::{Origin, open, stem};
use crate::rules::{self, LoadError};
use crate::strategy::StrategySource;

use super::file::{Draft, Whole};
use super::spec::ContestSpec;

/// A contest ready to be played.
#[derive(Clone, Debug)]
pub struct LoadedContest {
    /// Its name on the shelf, or the name of its file without the extension.
    pub id: String,
    /// Its contents.
    pub spec: ContestSpec,
    /// Whether the file gives a number of equal players, instead of listing them.
    pub equal: bool,
    /// The ruleset that each player deals.
    pub rules: rules::Loaded,
    /// The strategies of the players, by seat.
    pub strategies: Vec<StrategySource>,
    /// Warnings about the contest and its ruleset.
    pub warnings: Vec<Diagnostic>,
    /// The requested text, then the texts it extends, nearest first.
    pub sources: Vec<Arc<SourceText>>,
}

/// Loads a contest of the shelf by its name, or a file by its path: an argument with a `/` or an extension is a path.
///
/// # Errors
/// Fails for an unknown name or an unreadable file; returns every fault of the file, of those it extends, of its
/// ruleset and of its strategies.
pub fn load(name_or_path: &str) -> Result<LoadedContest, LoadError> {
    let (origin, source) = open(Draft::SHELF, name_or_path)?;
    finish(source, origin)
}

/// Parses a contest from a text; `name` takes the place of its file name in messages and in the resolution of relative
/// paths.
///
/// # Errors
/// Returns every fault of the text, of the files it extends, of its ruleset and of its strategies.
pub fn parse_text(name: &str, text: &str) -> Result<LoadedContest, LoadError> {
    finish(SourceText::of(name, text), Origin::file(name))
}

fn finish(source: SourceText, origin: Origin) -> Result<LoadedContest, LoadError> {
    let id = stem(&source.name);
    let document = read::<Draft>(source, origin).map_err(LoadError::Faults)?;
    let Whole { spec, equal, rules, strategies } = document.value;
    let (warnings, sources) = (document.warnings, document.sources);
    Ok(LoadedContest { id, spec, equal, rules, strategies, warnings, sources })
}
