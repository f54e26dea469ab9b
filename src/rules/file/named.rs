//! Files that other files name.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};
use crate::rules::find::{Missing, Origin, Shelf, named_help, resolve};

use super::syntax;

/// A text that the file `from` names, by its name on the shelf or by its path from that file.
///
/// Nobody asked for that very file, and `from` may come from a stranger. So it must look like a file of the shelf's
/// kind, whose keys are `words`, or nothing of it is told but the place of what does not: messages show lines, which may be those of a key or a password.
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

/// What any file may say of itself: no sign of a ruleset.
pub(super) const OF_ITSELF: [&str; 4] = ["name", "also", "about", "source"];

/// The keys of a file, all that are in it.
#[derive(Default)]
struct Keys {
    /// So many are keys that few other files have.
    known: usize,
    /// And so many may be misspelt ones.
    misspelt: usize,
    /// The first that is misspelt.
    doubtful: Option<Range<usize>>,
    /// The first that is no key at all.
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

    /// The place of a key by which the file is something else: one that is no key, or one that is close to a key
    /// by chance, as most of the others are no keys either.
    fn stranger(self) -> Option<Range<usize>> {
        self.strange.or(self.doubtful.filter(|_| self.misspelt > self.known))
    }
}
