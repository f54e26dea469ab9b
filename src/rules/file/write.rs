//! Writes values, and a file in full with every key.

use crate::rules::spec::Spec;

use super::loader::FileKind;
use super::shape::table_of;
use super::value::{Key, lines};

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
