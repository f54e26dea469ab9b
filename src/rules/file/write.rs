//! Writes values, and a file in full with every key.

use std::fmt::Write as _;

use crate::rules::spec::Spec;

use super::loader::FileKind;
use super::shape::{leaf, table_of};
use super::value::Key;

impl Spec {
    /// Returns the ruleset as a file with every key written out; reading it gives an equal [`Spec`].
    ///
    /// `end.barren_passes` is a comment if no file gave it: its default depends on the die.
    pub fn to_toml(&self) -> String {
        let out = to_toml(self);
        if self.barren_passes.is_some() || self.idle_redeals.is_some() {
            return out;
        }
        out.replacen("[end]\n", "[end]\n# barren_passes is left to its default\n", 1)
    }
}

/// Returns a file with every key: the values of each table, then the keys that are tables themselves.
pub(crate) fn to_toml<T: FileKind>(value: &T) -> String {
    let inside = |table| move |key: &&Key<T>| table_of(key.def.path) == table;
    let mut out = lines(T::KEYS.iter().filter(inside("")), value);
    for (table, _) in T::TABLES {
        out += &format!("\n[{table}]\n{}", lines(T::KEYS.iter().filter(inside(table)), value));
    }
    out.extend(T::KEYS.iter().filter_map(|key| (key.tables)(value)));
    out
}

/// Writes a nested table under its header.
pub(super) fn tables_to_toml<T>(header: &str, keys: &'static [Key<T>], value: &T) -> String {
    format!("\n{header}\n{}", lines(keys.iter(), value))
}

fn lines<T: 'static>(keys: impl Iterator<Item = &'static Key<T>>, value: &T) -> String {
    let line = |key: &Key<T>| Some(format!("{} = {}\n", leaf(key.def.path), (key.write)(value)?));
    keys.filter_map(line).collect()
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

pub(super) fn list<T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(write).collect::<Vec<_>>().join(", "))
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
