//! All keys of a file, described for an input form, for the guide, and as a JSON Schema for editors.

use serde_json::{Value, json};

use crate::rules::spec::Spec;

use super::keys::{KEYS, TABLES};
use super::loader::FileKind;
use super::shape::{KeyDef, RANKS, Shape, described, leaf, table_of, table_schema};
use super::value::Key;

/// The kind of input for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// A text.
    Text,
    /// Yes or no.
    Flag,
    /// A whole number in a range, or one of a few words.
    Number {
        /// The lowest.
        low: i64,
        /// The highest.
        high: i64,
        /// Words allowed instead of a number.
        words: Vec<&'static str>,
    },
    /// One of a few words.
    Choice(Vec<&'static str>),
    /// Any selection of a few words, in order.
    Several(Vec<&'static str>),
    /// An amount of money.
    Money,
    /// Anything else on one line, as TOML.
    Toml,
    /// Tables named after the key, as TOML.
    Tables,
    /// One such table.
    Table,
}

/// A key of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormKey {
    /// The key with its table, such as `tableau.deal`.
    pub path: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// The allowed values.
    pub allowed: String,
    /// Its input.
    pub control: Control,
}

impl FormKey {
    /// Returns the key without its table.
    pub fn leaf(&self) -> &'static str {
        leaf(self.path)
    }
}

/// A table of a form, with its keys in file order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormTable {
    /// Its name; empty for the keys before the first table.
    pub name: &'static str,
    /// Its description.
    pub about: &'static str,
    /// Its keys.
    pub keys: Vec<FormKey>,
}

/// Returns every table and key of a ruleset file, from the table of keys that the loader uses.
pub fn form() -> Vec<FormTable> {
    let first = ("", "What the ruleset is called, and where it comes from.");
    let keys =
        |name: &'static str| KEYS.iter().map(|key| key.def).filter(move |def| table_of(def.path) == name);
    let key = |def: KeyDef| FormKey {
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
        Shape::Text | Shape::Name => Control::Text,
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

/// Returns every key with its value as TOML, in file order: empty if a file omits it. Tables are written as in a file.
pub fn key_values(spec: &Spec) -> Vec<(&'static str, String)> {
    let tables = |key: &Key<Spec>| (key.tables)(spec).map(|text| text.trim().to_string());
    let value = |key: &Key<Spec>| (key.write)(spec).or_else(|| tables(key)).unwrap_or_default();
    KEYS.iter().map(|key| (key.def.path, value(key))).collect()
}

/// One key of a ruleset file, as listed in the guide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReference {
    /// The key with its table, such as `tableau.deal`.
    pub path: &'static str,
    /// The allowed values.
    pub allowed: String,
    /// Its value in Canfield, as TOML; `None` if a file omits it.
    pub default: Option<String>,
    /// Its meaning.
    pub about: &'static str,
}

/// Returns every key of a ruleset file with its values, default and meaning, in file order.
pub fn reference() -> Vec<KeyReference> {
    let canfield = Spec::default();
    let keys = KEYS.iter().map(|key| (key.def, (key.write)(&canfield)));
    let nested = KEYS.iter().filter_map(|key| match key.def.shape {
        Shape::Tables(keys) | Shape::Table(keys) => Some(keys()),
        _ => None,
    });
    keys.chain(nested.flatten().map(|def| (def, None)))
        .map(|(def, default)| KeyReference {
            path: def.path,
            allowed: def.shape.allowed(),
            default: default.filter(|value| value != "\"\"" && value != "[]" || def.path.contains('.')),
            about: def.about,
        })
        .collect()
}

/// Returns the JSON Schema (draft 2020-12) of a ruleset file, built from the table of keys that the loader uses.
pub fn schema() -> Value {
    let about = "A variant of Canfield: what is dealt, what is allowed and what is paid.";
    let mut schema = schema_of::<Spec>("Saratoga ruleset", about);
    schema["properties"]["score"]["items"]["required"] = json!(["name"]);
    schema["properties"]["casino"]["properties"]["stage"]["items"]["required"] = json!(["at", "cost"]);
    schema["properties"]["casino"]["properties"]["step"]["items"]["required"] = json!(["from"]);
    schema["properties"]["casino"]["properties"]["jackpot"]["required"] = json!(["start", "share"]);
    schema
}

/// Returns the JSON Schema of a kind of file.
pub(crate) fn schema_of<T: FileKind>(title: &str, about: &str) -> Value {
    let of = |table: &str| -> Vec<KeyDef> {
        T::KEYS.iter().map(|key| key.def).filter(|def| table_of(def.path) == table).collect()
    };
    let mut schema = table_schema(&of(""), &[]);
    for (table, about) in T::TABLES {
        schema["properties"][*table] = described(table_schema(&of(table), &[]), about);
    }
    if let Some((second, first)) = T::SECOND_NAME {
        let about = format!("Another name for [{first}]; a file has one of the two.");
        schema["properties"][second] = described(table_schema(&of(first), &[]), &about);
        schema["not"] = json!({ "required": [first, second] });
    }
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!(title);
    schema["description"] = json!(about);
    schema
}

/// Returns the schema as indented text, to be saved beside rulesets.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
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
        // The guide also lists the keys within nested tables, which a form shows as one input.
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
