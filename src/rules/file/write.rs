//! Writes a ruleset in full, with every key.

use std::fmt::Write as _;

use crate::rules::spec::*;

use super::loader::FileKind;
use super::parts::{JACKPOT_KEYS, SCORE_KEYS, STAGE_KEYS, STEP_KEYS};
use super::shape::leaf;
use super::value::Key;

impl Spec {
    /// Returns the ruleset as a file with every key written out; reading it gives an equal [`Spec`].
    ///
    /// `end.barren_passes` is a comment if no file gave it: its default depends on the die.
    pub fn to_toml(&self) -> String {
        let mut out = keys_to_toml(self);
        if self.barren_passes.is_none() && self.idle_redeals.is_none() {
            out = out.replacen("[end]\n", "[end]\n# barren_passes is left to its default\n", 1);
        }
        for path in ["casino.step", "casino.jackpot", "casino.stage", "score"] {
            out.push_str(&tables_of(self, path).unwrap_or_default());
        }
        out
    }
}

/// Returns the tables of a key that is written as tables; `None` for any other key.
pub(super) fn tables_of(spec: &Spec, path: &str) -> Option<String> {
    let mut out = String::new();
    match path {
        "casino.step" => tables_to_toml(path, STEP_KEYS, &spec.casino.steps, &mut out),
        "casino.stage" => tables_to_toml(path, STAGE_KEYS, &spec.casino.stages, &mut out),
        "score" => tables_to_toml(path, SCORE_KEYS, &spec.scores, &mut out),
        "casino.jackpot" => {
            if let Some(jackpot) = &spec.casino.jackpot {
                out.push_str("\n[casino.jackpot]\n");
                lines(JACKPOT_KEYS.iter(), jackpot, &mut out);
            }
        }
        _ => return None,
    }
    Some(out)
}

/// Returns every key of a file except those of lists of tables.
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

/// Writes a list of tables, each under its own `[[name]]`.
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
