//! Opens files that other files refer to.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};
use crate::rules::find::{Missing, Origin, Shelf, named_help, resolve};

use super::syntax;

/// Opens a text that the file `from` refers to, by its name on the shelf or by its path relative to that file.
///
/// Nobody requested that particular file, and `from` may come from a stranger. So it must look like a file of the
/// shelf's kind, whose keys are `words`; otherwise only the position of the offending part is reported: messages show
/// lines, which could contain a secret key or a password.
pub(super) fn open_named(
    shelf: Shelf,
    words: &[&str],
    name: &str,
    from: &str,
) -> Result<(Origin, SourceText), Missing> {
    let (origin, text) = resolve(shelf, name, from)?;
    if matches!(origin, Origin::Shelf(_)) {
        return Ok((origin, text));
    }
    let source = Arc::new(text.clone());
    let parsed = syntax::parse(&source);
    let mut keys = Keys::default();
    keys.table(&parsed.table, words);
    let what = shelf.what;
    let (why, at) = match (parsed.faults.first(), keys.stranger()) {
        (Some(fault), _) => ("is not TOML".to_string(), fault.position()),
        (None, Some(span)) => {
            (format!("has a key that no {what} has"), Diagnostic::error(&source, span, "").position())
        }
        (None, None) => return Ok((origin, text)),
    };
    let (path, (line, column)) = (&text.name, at);
    Err(Missing {
        message: format!("{path} is no {what}: line {line}, column {column} {why}"),
        help: format!(
            "{}; `saratoga {} check` on the file itself shows its errors",
            named_help(shelf),
            command(what)
        ),
    })
}

fn command(what: &str) -> &str {
    if what == "ruleset" { "rules" } else { what }
}

/// Descriptive keys that any file may have, which do not indicate a ruleset.
pub(super) const OF_ITSELF: [&str; 4] = ["name", "also", "about", "source"];

/// Statistics of the keys in a file.
#[derive(Default)]
struct Keys {
    /// Number of known keys that few other kinds of files have.
    known: usize,
    /// Number of keys that may be misspelt.
    misspelt: usize,
    /// The first misspelt key.
    doubtful: Option<Range<usize>>,
    /// The first unknown key.
    strange: Option<Range<usize>>,
}

impl Keys {
    fn table(&mut self, table: &DeTable, words: &[&str]) {
        for (name, value) in table.iter() {
            let word: &str = name.get_ref();
            if words.contains(&word) {
                self.known += usize::from(!OF_ITSELF.contains(&word));
            } else if did_you_mean(word, words.iter().copied()).is_some() {
                self.misspelt += 1;
                self.doubtful.get_or_insert(name.span());
            } else {
                self.strange.get_or_insert(name.span());
            }
            self.value(value, words);
        }
    }

    fn value(&mut self, value: &Spanned<DeValue>, words: &[&str]) {
        match value.get_ref() {
            DeValue::Table(inner) => self.table(inner, words),
            DeValue::Array(items) => items.iter().for_each(|item| self.value(item, words)),
            _ => {}
        }
    }

    /// Returns the position of a key that shows the file to be of another kind: an unknown one, or one that resembles a
    /// key by chance, given that most of the others are not keys either.
    fn stranger(self) -> Option<Range<usize>> {
        self.strange.or(self.doubtful.filter(|_| self.misspelt > self.known))
    }
}
