//! Collects the faults of a script.

use std::ops::Range;
use std::rc::Rc;

use rhai::Position;

use crate::diagnostic::{Diagnostic, Severity};

use super::places::Lines;

pub struct Faults {
    lines: Rc<Lines>,
    /// In the order in which they were found.
    pub found: Vec<Diagnostic>,
}

pub trait Place {
    fn span(self, lines: &Lines) -> Range<usize>;
}

impl Place for Position {
    fn span(self, lines: &Lines) -> Range<usize> {
        lines.span(self)
    }
}

impl Place for &Range<usize> {
    fn span(self, _: &Lines) -> Range<usize> {
        self.clone()
    }
}

impl Faults {
    pub fn new(lines: &Rc<Lines>) -> Faults {
        Faults { lines: lines.clone(), found: Vec::new() }
    }

    pub fn error(&mut self, at: impl Place, message: impl Into<String>, help: impl Into<String>) {
        self.add(Severity::Error, at, message.into(), help.into());
    }

    pub fn warning(&mut self, at: impl Place, message: impl Into<String>, help: impl Into<String>) {
        self.add(Severity::Warning, at, message.into(), help.into());
    }

    fn add(&mut self, severity: Severity, at: impl Place, message: String, help: String) {
        let (source, span) = (self.lines.source.clone(), at.span(&self.lines));
        let help = Some(help).filter(|help| !help.is_empty());
        self.found.push(Diagnostic { severity, source, span, message, help });
    }

    pub fn extend(&mut self, faults: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(faults);
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter().filter(|fault| fault.severity == Severity::Error)
    }

    /// Returns whether an error mentions a word: conclusions about it may change once the error is fixed.
    pub fn names(&self, word: &str) -> bool {
        let word = format!("`{word}`");
        let texts = self.errors().flat_map(|fault| [Some(&fault.message), fault.help.as_ref()]);
        texts.flatten().any(|text| text.contains(&word))
    }

    /// Returns whether the script cannot play.
    pub fn fails(&self) -> bool {
        self.errors().next().is_some()
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
