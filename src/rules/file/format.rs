//! Formats single values as TOML.

use std::fmt::Write as _;

use crate::rules::spec::*;

use super::words::{BaseWord, FromReserve, Word};

/// Returns the value of a key that is always written.
pub(crate) fn some(value: String) -> Option<String> {
    Some(value)
}

/// Quotes a text, with everything escaped that TOML requires.
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

/// Formats whole cents as an amount.
pub(super) fn money(cents: i64) -> String {
    match (cents / 100, cents % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) => format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, whole.abs(), rest.abs()),
    }
}

/// Formats whole thousandths as a decimal number.
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

/// Returns a value only if the base is chosen.
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
