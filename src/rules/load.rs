//! Loads rulesets by name or by path: from the shelf or from files, with what they extend.

use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};

use super::compile::Rules;
use super::file;
use super::file::FileKind;
use super::find::{LoadError, Missing, Origin, open, stem};
use super::spec::Spec;

/// A ruleset ready to be played.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Its name on the shelf, or the name of its file without the extension.
    pub id: String,
    /// The compiled rules.
    pub rules: Rules,
    /// Warnings about things allowed but probably unintended.
    pub warnings: Vec<Diagnostic>,
    /// The requested text, then the texts it extends, nearest first.
    pub sources: Vec<Arc<SourceText>>,
}

/// Loads a ruleset of the shelf by its name, or a file by its path: an argument with a `/` or an extension is a path.
///
/// # Errors
/// Fails for an unknown name or an unreadable file; returns every fault of the file and of those it extends.
pub fn load(name_or_path: &str) -> Result<Loaded, LoadError> {
    let (origin, source) = open(Spec::SHELF, name_or_path)?;
    finish(source, origin).map_err(LoadError::Faults)
}

/// Parses a ruleset from a text; `name` takes the place of its file name in messages and in the resolution of relative
/// paths.
///
/// # Errors
/// Returns every fault of the text and of the files it extends.
pub fn parse_text(name: &str, text: &str) -> Result<Loaded, LoadError> {
    finish(SourceText::of(name, text), Origin::file(name)).map_err(LoadError::Faults)
}

/// Parses a text in a folder, given by its canonical path: a file that it extends must be in that folder too.
///
/// # Errors
/// As with [`parse_text`], and for a file elsewhere.
pub fn parse_text_within(folder: &Path, name: &str, text: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let source = SourceText::of(name, text);
    let id = stem(&source.name);
    let document = file::read_within::<Spec>(source, Origin::file(name), Some(folder))?;
    Ok(loaded(id, document))
}

/// Loads a ruleset that the file `from` refers to: from the shelf, or by its path relative to that file. The inner
/// error holds the faults of the ruleset itself.
pub fn load_beside(name: &str, from: &str) -> Result<Result<Loaded, Vec<Diagnostic>>, Missing> {
    let (origin, source) = file::named::<Spec>(name, from)?;
    Ok(finish(source, origin))
}

fn finish(source: SourceText, origin: Origin) -> Result<Loaded, Vec<Diagnostic>> {
    let id = stem(&source.name);
    Ok(loaded(id, file::read::<Spec>(source, origin)?))
}

fn loaded(id: String, document: file::Document<Spec>) -> Loaded {
    // The document has passed the same checks that `Rules::new` makes.
    let rules = Rules::compile(document.value);
    Loaded { id, rules, warnings: document.warnings, sources: document.sources }
}
