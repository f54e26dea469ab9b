//! A ruleset written out in full, every key given.

use std::fmt::Write as _;

use crate::rules::spec::*;

use super::keys::{KEYS, TABLES};
use super::parts::SCORE_KEYS;
use super::shape::leaf;
use super::words::{BaseWord, FromReserve, Word};

impl Spec {
    /// The ruleset as a file with every key written out; reading it gives an equal [`Spec`].
    ///
    /// `end.barren_passes` stays out, as a comment, where no file gave it: its default depends on the die.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        let lines = |prefix: &str, out: &mut String| {
            for key in
                KEYS.iter().filter(|key| key.entry.path.rsplit_once('.').map_or("", |(t, _)| t) == prefix)
            {
                if let Some(value) = (key.write)(self) {
                    // Writing to a String cannot fail.
                    let _ = writeln!(out, "{} = {value}", leaf(key.entry.path));
                }
            }
        };
        lines("", &mut out);
        for (table, _) in TABLES {
            let _ = writeln!(out, "\n[{table}]");
            if *table == "end" && self.barren_passes.is_none() {
                out.push_str("# barren_passes is left to its default\n");
            }
            lines(table, &mut out);
        }
        for score in &self.scores {
            out.push_str("\n[[score]]\n");
            for key in SCORE_KEYS {
                if let Some(value) = (key.write)(score) {
                    let _ = writeln!(out, "{} = {value}", leaf(key.entry.path));
                }
            }
        }
        out
    }
}

/// The value of a key that is always written.
pub(super) fn some(value: String) -> Option<String> {
    Some(value)
}

/// A text in quotes, with everything escaped that TOML wants escaped.
pub(super) fn text(text: &str) -> String {
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

pub(super) fn word<T: Word>(value: T) -> String {
    text(value.word())
}

pub(super) fn list<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
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
