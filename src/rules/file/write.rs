//! A ruleset written out in full, every key given.

use std::fmt::Write as _;

use crate::rules::spec::*;

use super::FileKind;
use super::keys::Key;
use super::parts::{SCORE_KEYS, STAGE_KEYS};
use super::shape::leaf;
use super::words::{BaseWord, FromReserve, Word};

impl Spec {
    /// The ruleset as a file with every key written out; reading it gives an equal [`Spec`].
    ///
    /// `end.barren_passes` stays out, as a comment, where no file gave it: its default depends on the die.
    pub fn to_toml(&self) -> String {
        let mut out = keys_to_toml(self);
        if self.barren_passes.is_none() {
            out = out.replacen("[end]\n", "[end]\n# barren_passes is left to its default\n", 1);
        }
        tables_to_toml("casino.stage", STAGE_KEYS, &self.casino.stages, &mut out);
        tables_to_toml("score", SCORE_KEYS, &self.scores, &mut out);
        out
    }
}

/// Every key of a file but those of lists of tables.
pub(crate) fn keys_to_toml<T: FileKind>(value: &T) -> String {
    let mut out = String::new();
    let inside =
        |table| move |key: &&Key<T>| key.def.path.rsplit_once('.').map_or("", |(prefix, _)| prefix) == table;
    lines(T::KEYS.iter().filter(inside("")), value, &mut out);
    for (table, _) in T::TABLES {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "\n[{table}]");
        lines(T::KEYS.iter().filter(inside(table)), value, &mut out);
    }
    out
}

/// A list of tables, each under its own `[[name]]`.
pub(crate) fn tables_to_toml<T>(name: &str, keys: &'static [Key<T>], values: &[T], out: &mut String) {
    for value in values {
        let _ = writeln!(out, "\n[[{name}]]");
        lines(keys.iter(), value, out);
    }
}

fn lines<T: 'static>(keys: impl Iterator<Item = &'static Key<T>>, value: &T, out: &mut String) {
    for key in keys {
        if let Some(value) = (key.write)(value) {
            let _ = writeln!(out, "{} = {value}", leaf(key.def.path));
        }
    }
}

/// The value of a key that is always written.
pub(crate) fn some(value: String) -> Option<String> {
    Some(value)
}

/// A text in quotes, with everything escaped that TOML wants escaped.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

pub(crate) fn word<T: Word>(value: T) -> String {
    text(value.word())
}

pub(crate) fn list<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(write).collect::<Vec<_>>().join(", "))
}

pub(super) fn word_list<T: Word>(items: &[T]) -> String {
    list(items, |&item| word(item))
}

/// Whole cents as an amount.
pub(super) fn money(cents: i64) -> String {
    match (cents / 100, cents % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) => format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, whole.abs(), rest.abs()),
    }
}

/// Whole thousandths as a decimal number.
pub(crate) fn decimal(thousandths: i64) -> String {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

pub(super) fn space_rank(rank: SpaceRank) -> String {
    match rank {
        SpaceRank::Rank(rank) => text(&rank.to_string()),
        other => word(other),
    }
}

pub(super) fn base(base: Base) -> String {
    match base {
        Base::Dealt => word(BaseWord::Dealt),
        Base::Choice(_) => word(BaseWord::Choice),
        Base::Rank(rank) => text(&rank.to_string()),
    }
}

/// Written only where the base is chosen.
pub(super) fn choice_from(base: Base) -> Option<String> {
    match base {
        Base::Choice(ChoiceFrom::Reserve) => Some(word(FromReserve)),
        Base::Choice(ChoiceFrom::Dealt(cards)) => Some(cards.to_string()),
        _ => None,
    }
}

pub(super) fn draw(draw: &Draw) -> String {
    match draw {
        Draw::ByPass(sizes) => match sizes[..] {
            [size] => size.to_string(),
            _ => list(sizes, u8::to_string),
        },
        Draw::Die { faces, roll } => format!("{{ die = {faces}, roll = {} }}", word(*roll)),
    }
}
