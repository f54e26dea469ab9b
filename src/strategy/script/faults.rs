//! Collects the faults of a script.

use std::ops::Range;
use std::sync::Arc;

use rhai::Position;

use crate::diagnostic::{Diagnostic, Severity, SourceText};

use super::places::Lines;

/// The faults of a script so far.
pub struct Faults<'s> {
    source: &'s Arc<SourceText>,
    pub lines: Lines<'s>,
    found: Vec<Diagnostic>,
}

/// A position in a script.
pub trait Place {
    fn span(self, lines: &Lines<'_>) -> Range<usize>;
}

impl Place for Position {
    fn span(self, lines: &Lines<'_>) -> Range<usize> {
        lines.span(self)
    }
}

impl Place for &Range<usize> {
    fn span(self, _: &Lines<'_>) -> Range<usize> {
        self.clone()
    }
}

impl<'s> Faults<'s> {
    pub fn new(source: &'s Arc<SourceText>) -> Faults<'s> {
        Faults { source, lines: Lines::of(&source.text), found: Vec::new() }
    }

    /// Adds an error, with advice if there is any.
    pub fn error(&mut self, at: impl Place, message: impl Into<String>, help: impl Into<String>) {
        self.add(Severity::Error, at, message, help);
    }

    /// Adds a warning, with advice if there is any.
    pub fn warning(&mut self, at: impl Place, message: impl Into<String>, help: impl Into<String>) {
        self.add(Severity::Warning, at, message, help);
    }

    fn add(
        &mut self,
        severity: Severity,
        at: impl Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let (source, span) = (self.source.clone(), at.span(&self.lines));
        let help = Some(help.into()).filter(|help| !help.is_empty());
        self.found.push(Diagnostic { severity, source, span, message: message.into(), help });
    }

    /// Adds faults with positions of their own.
    pub fn extend(&mut self, faults: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(faults);
    }

    /// Returns all faults so far, in the order in which they were found.
    pub fn found(&self) -> &[Diagnostic] {
        &self.found
    }

    /// Returns whether an error mentions a word: conclusions about it may change once the error is fixed.
    pub fn names(&self, word: &str) -> bool {
        let word = format!("`{word}`");
        let errors = self.found.iter().filter(|fault| fault.severity == Severity::Error);
        errors
            .flat_map(|fault| [Some(&fault.message), fault.help.as_ref()])
            .flatten()
            .any(|text| text.contains(&word))
    }

    /// Returns whether the script cannot play.
    pub fn fails(&self) -> bool {
        self.found.iter().any(|fault| fault.severity == Severity::Error)
    }

    /// Returns all faults in the order of their positions; at one position an error hides other faults.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|fault| (fault.span.start, fault.severity == Severity::Warning));
        self.found.dedup_by(|next, first| {
            next.span == first.span && (first.severity == Severity::Error || next.message == first.message)
        });
        self.found
    }
}
