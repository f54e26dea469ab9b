//! A fault in something a person wrote, and the place it stands.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A text a person wrote, and what to call it in errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// A path, or the name of something on the shelf.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// How grave a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// What was asked for cannot be done.
    Error,
    /// It can be done, but is likely not meant.
    Warning,
}

/// One fault: where it stands, what was found, what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The text it stands in.
    pub source: Arc<SourceText>,
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// What is wrong, naming what was found.
    pub message: String,
    /// What is allowed or what to do, where that helps.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at `span` of `source`.
    pub fn error(source: &Arc<SourceText>, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            source: source.clone(),
            span,
            message: message.into(),
            help: None,
        }
    }

    /// A warning at `span` of `source`.
    pub fn warning(source: &Arc<SourceText>, span: Range<usize>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(source, span, message) }
    }

    /// The same, with a line of what is allowed or what to do.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Line and column of the fault, both from 1, columns in characters.
    pub fn position(&self) -> (usize, usize) {
        line_column(&self.source.text, self.span.start)
    }
}

/// Line and column (in characters) of a byte offset, both from 1.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

impl fmt::Display for Diagnostic {
    /// One line: `file:line:column: message; help`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        write!(f, "{}:{line}:{column}: {}", self.source.name, self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// The closest of `known` to a misspelt `word`, if one is close enough to suggest.
pub fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(&word, &k.to_lowercase()), k))
        .filter(|(d, k)| *d <= 1 + k.len().min(word.len()) / 4)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}
