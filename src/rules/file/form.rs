//! Every key of a ruleset file, as a form shows it.

use crate::rules::spec::Spec;

use super::keys::{KEYS, TABLES};
use super::shape::{RANKS, Shape, leaf};
use super::write::tables_of;

/// What changes a key in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// A text.
    Text,
    /// Yes or no.
    Flag,
    /// A whole number from the first to the second, or one of a few words.
    Number {
        /// The lowest.
        low: i64,
        /// The highest.
        high: i64,
        /// Words that stand for no number.
        words: Vec<&'static str>,
    },
    /// One of a few words.
    Choice(Vec<&'static str>),
    /// Any of a few words, in an order.
    Several(Vec<&'static str>),
    /// An amount of money.
    Money,
    /// Anything else on one line, written as TOML.
    Toml,
    /// Tables under the name of the key, written as TOML.
    Tables,
    /// One such table.
    Table,
}

/// A key of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormKey {
    /// The key with its table, as in `tableau.deal`.
    pub path: &'static str,
    /// What it means.
    pub about: &'static str,
    /// The values it may have.
    pub allowed: String,
    /// What changes it.
    pub control: Control,
}

impl FormKey {
    /// The key without its table.
    pub fn leaf(&self) -> &'static str {
        leaf(self.path)
    }
}

/// A table of a form, with its keys in the order of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormTable {
    /// Its name; empty for the keys above the first table.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// Its keys.
    pub keys: Vec<FormKey>,
}

/// Every table and key of a ruleset file, from the same table of keys that reads it.
pub fn form() -> Vec<FormTable> {
    let first = ("", "What the ruleset is called, and where it comes from.");
    let table = |path: &'static str| path.rsplit_once('.').map_or("", |(table, _)| table);
    let keys = |name: &'static str| KEYS.iter().map(|key| key.def).filter(move |def| table(def.path) == name);
    let key = |def: super::shape::KeyDef| FormKey {
        path: def.path,
        about: def.about,
        allowed: def.shape.allowed(),
        control: control(&def.shape),
    };
    std::iter::once(&first)
        .chain(TABLES)
        .map(|&(name, about)| FormTable { name, about, keys: keys(name).map(key).collect() })
        .collect()
}

fn control(shape: &Shape) -> Control {
    match *shape {
        Shape::Text => Control::Text,
        Shape::Flag => Control::Flag,
        Shape::Whole(low, high) => Control::Number { low, high, words: Vec::new() },
        Shape::WholeOr(low, high, words) => Control::Number { low, high, words: words() },
        Shape::Words(words) => Control::Choice(words()),
        Shape::RankOr(words) => Control::Choice(words().into_iter().chain(RANKS).collect()),
        Shape::WordList(words) => Control::Several(words()),
        Shape::Money | Shape::SignedMoney => Control::Money,
        Shape::Texts | Shape::Wholes(..) | Shape::Draw(_) | Shape::MoneyOrList(_) | Shape::Decimal(..) => {
            Control::Toml
        }
        Shape::Tables(_) => Control::Tables,
        Shape::Table(_) => Control::Table,
    }
}

/// Every key with its value as TOML, in the order of a file: empty where a file leaves it out. Tables are written as a
/// file has them.
pub fn key_values(spec: &Spec) -> Vec<(&'static str, String)> {
    let value = |path, written: Option<String>| {
        written.or_else(|| tables_of(spec, path).map(|text| text.trim().to_string())).unwrap_or_default()
    };
    KEYS.iter().map(|key| (key.def.path, value(key.def.path, (key.write)(spec)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{load, reference, shelf};

    #[test]
    fn the_form_has_every_key_of_a_file_once() {
        let form = form();
        let shown: Vec<&str> = form.iter().flat_map(|table| &table.keys).map(|key| key.path).collect();
        let mut sorted = shown.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), shown.len());
        // The guide also lists the keys within tables of tables, which a form shows as one.
        for key in reference() {
            let inside = shown.iter().any(|path| key.path.starts_with(&format!("{path}.")));
            assert!(shown.contains(&key.path) || inside, "{}", key.path);
        }
    }

    #[test]
    fn values_of_the_shelf_read_back() {
        for (name, _) in shelf() {
            let spec = load(name).unwrap().rules.spec().clone();
            for (path, value) in key_values(&spec).iter().filter(|(_, value)| !value.is_empty()) {
                let line = if value.starts_with('[') && value.contains(']') && value.contains('=') {
                    value.clone()
                } else {
                    format!("v = {value}")
                };
                assert!(toml::de::DeTable::parse(&line).is_ok(), "{name}: {path}: {value}");
            }
        }
    }
}
