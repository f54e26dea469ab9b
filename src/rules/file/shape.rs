//! The shape of values, for messages and for the schema, and single values as TOML.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::rules::spec::{MOST_DRAWN, MOST_SIZES};

/// The shape of one value of a file.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Text,
    /// A text on one line, not empty.
    Name,
    /// A list of texts.
    Texts,
    Flag,
    /// A whole number in an inclusive range.
    Whole(i64, i64),
    /// A list of whole numbers in a range, with its maximum length.
    Wholes(i64, i64, usize),
    /// One of a few words.
    Words(fn() -> Vec<&'static str>),
    /// A list of words.
    WordList(fn() -> Vec<&'static str>),
    /// A rank, or one of a few words.
    RankOr(fn() -> Vec<&'static str>),
    /// A whole number in a range, or one of a few words.
    WholeOr(i64, i64, fn() -> Vec<&'static str>),
    /// Packet sizes, or a die.
    Draw(fn() -> Vec<KeyDef>),
    /// An amount, kept as whole cents.
    Money,
    /// An amount that may be negative.
    SignedMoney,
    /// An amount, or a list of them by redeal, with its maximum length.
    MoneyOrList(usize),
    /// A number with decimals in an inclusive range, kept as whole thousandths.
    Decimal(i64, i64),
    /// A list of tables with these keys.
    Tables(fn() -> Vec<KeyDef>),
    /// One table with these keys.
    Table(fn() -> Vec<KeyDef>),
}

/// The documentation of one key of a file.
#[derive(Clone, Copy)]
pub(crate) struct KeyDef {
    /// The key with its table, such as `tableau.deal`.
    pub path: &'static str,
    /// The shape of its value.
    pub shape: Shape,
    /// Its meaning, in one line.
    pub about: &'static str,
}

pub(super) const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

impl Shape {
    /// Describes what is allowed, to complete the sentence "allowed: ...".
    pub fn allowed(&self) -> String {
        match self {
            Shape::Text | Shape::Name => "text in quotes".into(),
            Shape::Texts => "a list of texts, each in quotes".into(),
            Shape::Flag => "true or false".into(),
            Shape::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Shape::Wholes(low, high, most) => {
                format!("a list of 1 to {most} whole numbers from {low} to {high}, such as [1, 1, 1, 1]")
            }
            Shape::Words(words) => quoted(&words()),
            Shape::WordList(words) => format!("a list of {}", quoted(&words())),
            Shape::RankOr(words) => {
                format!("{}, or a rank \"A\", \"2\", ... \"10\", \"J\", \"Q\", \"K\"", quoted(&words()))
            }
            Shape::WholeOr(low, high, words) => {
                format!("a whole number from {low} to {high}, or {}", quoted(&words()))
            }
            Shape::Draw(_) => format!(
                "a whole number from 1 to {MOST_DRAWN}, a list of them by pass such as [3, 2, 1], or {{ die = 6, roll = \"pass\" }}"
            ),
            Shape::Money => {
                "an amount from 0 to 10000000000 with at most two decimals, such as 52 or \"4.75\"".into()
            }
            Shape::SignedMoney => {
                "an amount from -10000000000 to 10000000000 with at most two decimals, such as 20 or \"-4.75\"".into()
            }
            Shape::MoneyOrList(_) => {
                "an amount from 0 to 10000000000 with at most two decimals, or a list of them by redeal such as [0, 1]".into()
            }
            Shape::Decimal(low, high) => {
                let (low, high) = (decimal(*low), decimal(*high));
                format!("a number from {low} to {high} with at most three decimals")
            }
            Shape::Tables(_) => "a list of tables, each under its own [[...]]".into(),
            Shape::Table(_) => "a table under its own [...]".into(),
        }
    }

    /// Describes what is allowed as an element, if the value is a list.
    pub fn allowed_item(&self) -> String {
        match self {
            Shape::Texts => Shape::Text.allowed(),
            Shape::Wholes(low, high, _) => Shape::Whole(*low, *high).allowed(),
            Shape::WordList(words) => Shape::Words(*words).allowed(),
            Shape::Draw(_) => Shape::Whole(1, MOST_DRAWN).allowed(),
            Shape::MoneyOrList(_) => Shape::Money.allowed(),
            _ => self.allowed(),
        }
    }

    /// Returns single words that the value may be, for guessing the intended one.
    pub fn known_words(&self) -> Vec<&'static str> {
        match self {
            Shape::Words(words)
            | Shape::WordList(words)
            | Shape::WholeOr(_, _, words)
            | Shape::RankOr(words) => words(),
            _ => Vec::new(),
        }
    }

    /// Returns whether a word stands for an unlimited number.
    pub fn instead_of_number(&self, word: &str) -> bool {
        matches!(self, Shape::WholeOr(_, _, words) if words().contains(&word))
    }

    /// Returns the maximum length of a list.
    pub fn most_items(&self) -> usize {
        match self {
            Shape::Wholes(_, _, most) | Shape::MoneyOrList(most) => *most,
            _ => MOST_SIZES,
        }
    }

    /// Returns the JSON Schema of the value.
    pub fn schema(&self) -> Value {
        let whole = |low: &i64, high: &i64| json!({ "type": "integer", "minimum": low, "maximum": high });
        match self {
            Shape::Text | Shape::Name => json!({ "type": "string" }),
            Shape::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Shape::Flag => json!({ "type": "boolean" }),
            Shape::Whole(low, high) => whole(low, high),
            Shape::Wholes(low, high, most) => {
                json!({ "type": "array", "items": whole(low, high), "minItems": 1, "maxItems": most })
            }
            Shape::Words(words) => json!({ "enum": words() }),
            Shape::WordList(words) => {
                json!({ "type": "array", "items": { "enum": words() }, "uniqueItems": true })
            }
            Shape::RankOr(words) => json!({ "anyOf": [
                { "enum": words() },
                { "enum": RANKS },
                { "const": "T" },
                { "type": "integer", "minimum": 2, "maximum": 10 },
            ] }),
            Shape::WholeOr(low, high, words) => json!({ "anyOf": [whole(low, high), { "enum": words() }] }),
            Shape::Draw(die) => json!({ "anyOf": [
                whole(&1, &MOST_DRAWN),
                { "type": "array", "items": whole(&1, &MOST_DRAWN), "minItems": 1, "maxItems": MOST_SIZES },
                table_schema(&die(), &["die", "roll"]),
            ] }),
            Shape::Money => json!({ "anyOf": [
                { "type": "number", "minimum": 0, "maximum": 10_000_000_000i64 },
                { "type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,2})?$" },
            ] }),
            Shape::SignedMoney => json!({ "anyOf": [
                { "type": "number", "minimum": -10_000_000_000i64, "maximum": 10_000_000_000i64 },
                { "type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,2})?$" },
            ] }),
            Shape::MoneyOrList(most) => {
                let money = Shape::Money.schema();
                json!({ "anyOf": [money, { "type": "array", "items": money, "minItems": 1, "maxItems": most }] })
            }
            Shape::Decimal(low, high) => json!({ "anyOf": [
                { "type": "number", "minimum": *low as f64 / 1000.0, "maximum": *high as f64 / 1000.0 },
                { "type": "string", "pattern": "^[0-9]+(\\.[0-9]{1,3})?$" },
            ] }),
            Shape::Tables(defs) => json!({ "type": "array", "items": table_schema(&defs(), &[]) }),
            Shape::Table(defs) => table_schema(&defs(), &[]),
        }
    }
}

/// Returns the JSON Schema of a table with these keys; the last part of a path is the key.
pub(super) fn table_schema(defs: &[KeyDef], required: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> = defs
        .iter()
        .map(|def| (leaf(def.path).to_string(), described(def.shape.schema(), def.about)))
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// Adds a description to a schema.
pub(super) fn described(mut schema: Value, about: &str) -> Value {
    schema["description"] = json!(about);
    schema
}

/// Returns the last part of a path.
pub(super) fn leaf(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// Returns a path without its last part: the table of a key.
pub(super) fn table_of(path: &'static str) -> &'static str {
    path.rsplit_once('.').map_or("", |(table, _)| table)
}

/// Quotes a text, with everything escaped that TOML requires.
pub fn text(text: &str) -> String {
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
pub fn decimal(thousandths: i64) -> String {
    let text = format!("{}.{:03}", thousandths / 1000, thousandths % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
