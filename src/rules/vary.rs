//! Rulesets with a few keys changed, for experiments.
//!
//! A [`Change`] is a key of a ruleset file with a new value. The changes are written as a ruleset text that extends the
//! given one, and that text goes through the ordinary loader: whatever is rejected in a file is rejected here for the
//! same reasons.
//!
//! ```
//! # extern crate saratoga_engine as saratoga;
//! use saratoga::rules::{self, Change};
//!
//! let canfield = rules::load("canfield")?;
//! let changes = [Change::new("stock.draw", "1")?, Change::new("stock.redeals", "unlimited")?];
//! let easier = rules::vary(&canfield, &changes).expect("both are allowed");
//! assert_eq!(easier.rules.name(), "Canfield, stock.draw=1, stock.redeals=unlimited");
//!
//! let faults = rules::vary(&canfield, &[Change::new("reserve.size", "41")?]).unwrap_err();
//! assert_eq!(faults[0].message, "`reserve.size` cannot be 41");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::{self, Write as _};

use serde::Serialize;
use toml::de::DeTable;

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};

use super::compile::Rules;
use super::file::{self, FileKind, Shape, text};
use super::load::Loaded;
use super::spec::{Draw, MOST_DRAWN, MOST_HEIGHT, Spec};
use super::words::Word;

/// A key of a ruleset with a new value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    key: &'static str,
    #[serde(skip)]
    value: String,
    #[serde(rename = "value")]
    shown: String,
}

/// Error in creating a [`Change`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// No ruleset has the key, or the key is only descriptive.
    #[error("`{key}` is not a key of a ruleset that can be varied; {}", instead(*suggestion))]
    Key {
        /// The requested key.
        key: String,
        /// The key that was probably meant.
        suggestion: Option<&'static str>,
    },
    /// The text is not a single value.
    #[error(
        "`{key}` cannot be `{value}`, which is not one value: write a number, a word, true, false, a list such as \
         [3, 2, 1] or a table such as {{ die = 6, roll = pass }}"
    )]
    Value {
        /// The key it was meant for.
        key: &'static str,
        /// The text that was given.
        value: String,
    },
}

/// Says what to write instead of an unknown key.
fn instead(suggestion: Option<&str>) -> String {
    let keys = || variable_keys().map(|(key, _)| key).collect::<Vec<_>>().join(", ");
    suggestion.map_or_else(|| format!("the keys are: {}", keys()), |guess| format!("did you mean `{guess}`?"))
}

/// Descriptive keys, which are not rules of the game.
const OF_ITSELF: [&str; 5] = ["name", "also", "about", "source", "extends"];
/// The parts of a die, which can be changed one by one if the ruleset already has a die.
const DIE: [(&str, &str); 2] = [
    ("stock.draw.die", "Faces of the die, where one is rolled already, or together with stock.draw.roll."),
    ("stock.draw.roll", "When the die is rolled: draw, pass or game."),
];

/// Tables whose keys are rules of play, apart from the pack, the money and the end of a game that goes nowhere.
const OF_PLAY: [&str; 5] = ["reserve.", "tableau.", "spaces.", "foundation.", "stock."];
/// The number of redeals next to unlimited ones.
const NEXT_TO_UNLIMITED: &str = "5";

/// Returns the changes of one rule of play by one step: a number by 1, a word to each other word, a list by one element.
/// Not all of them make a valid ruleset: see [`vary`].
pub fn neighbours(spec: &Spec) -> Vec<Change> {
    let of_play = Spec::KEYS.iter().filter(|key| OF_PLAY.iter().any(|table| key.def.path.starts_with(table)));
    let steps = of_play.flat_map(|key| {
        let now = (key.write)(spec).unwrap_or_default();
        let values = next_values(key.def.shape, &now);
        values.into_iter().filter(move |value| *value != now).map(|value| (key.def.path, value))
    });
    steps.filter_map(|(key, value)| Change::new(key, &value).ok()).collect()
}

/// Returns the values one step from a value, as TOML.
fn next_values(shape: Shape, now: &str) -> Vec<String> {
    let around = |least: i64, most: i64| -> Vec<String> {
        let Ok(number) = now.parse::<i64>() else { return Vec::new() };
        let next = [number - 1, number + 1].into_iter();
        next.filter(|it| (least..=most).contains(it)).map(|it| it.to_string()).collect()
    };
    let elements = || now.trim_matches(['[', ']']).split(", ").filter(|it| !it.is_empty());
    let list = |elements: Vec<&str>| format!("[{}]", elements.join(", "));
    match shape {
        Shape::Flag => vec!["true".into(), "false".into()],
        Shape::Words(words) | Shape::RankOr(words) => words().into_iter().map(text).collect(),
        Shape::WordList(words) => {
            let toggled = words().into_iter().map(text).map(|word| {
                let mut kept: Vec<&str> = elements().filter(|it| *it != word).collect();
                if kept.len() == elements().count() {
                    kept.push(&word);
                }
                list(kept)
            });
            toggled.collect()
        }
        Shape::Wholes(..) => {
            let all: Vec<&str> = elements().collect();
            let Some((last, fewer)) = all.split_last() else { return Vec::new() };
            vec![list(fewer.to_vec()), list(all.iter().copied().chain([*last]).collect())]
        }
        // A height of 0 is no limit, and not next to 1.
        Shape::Whole(0, most) if now == "0" && most == MOST_HEIGHT => Vec::new(),
        Shape::Whole(least, most) => around(least, most),
        Shape::WholeOr(..) if now == text("unlimited") => vec![NEXT_TO_UNLIMITED.into()],
        Shape::WholeOr(least, most, _) => around(least, most),
        Shape::Draw(_) => around(1, MOST_DRAWN),
        _ => Vec::new(),
    }
}

/// Returns every key that a [`Change`] can have, with its meaning.
pub fn variable_keys() -> impl Iterator<Item = (&'static str, &'static str)> {
    let defs = Spec::KEYS.iter().map(|key| (key.def.path, key.def.about));
    defs.filter(|(key, _)| !OF_ITSELF.contains(key)).chain(DIE)
}

impl Change {
    /// Creates a change of `key` (with its table, such as `stock.draw`) to `value`: TOML, in which words need no
    /// quotes. Whether a ruleset may have the value is checked by [`vary`].
    ///
    /// # Errors
    /// Fails for an unknown key, or a text that is not a single value.
    pub fn new(key: &str, value: &str) -> Result<Change, ChangeError> {
        let key = key.trim();
        let first = match key.strip_prefix("heel.") {
            Some(leaf) => format!("reserve.{leaf}"),
            None => key.to_string(),
        };
        let Some((key, _)) = variable_keys().find(|(known, _)| *known == first) else {
            // A descriptive key is not a misspelling of one that can be varied.
            let suggestion = if OF_ITSELF.contains(&&*first) { None } else { guess(&first) };
            return Err(ChangeError::Key { key: key.into(), suggestion });
        };
        let shown = value.trim();
        match one_value(shown) {
            Some(value) => Ok(Change { key, value, shown: shown.replace('"', "") }),
            None => Err(ChangeError::Value { key, value: shown.into() }),
        }
    }

    /// Returns the key with its table.
    pub fn key(&self) -> &'static str {
        self.key
    }

    /// Returns the value as TOML.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the value as a person writes it, without quotes.
    pub fn shown(&self) -> &str {
        &self.shown
    }
}

impl fmt::Display for Change {
    /// Writes `stock.redeals=unlimited`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.shown)
    }
}

/// Guesses the intended key: by its full path, or by its last part if the table is wrong or missing.
fn guess(key: &str) -> Option<&'static str> {
    let leaf = |path: &'static str| path.rsplit_once('.').map_or(path, |(_, leaf)| leaf);
    let last = key.rsplit('.').next().unwrap_or(key);
    let by_leaf = || variable_keys().map(|(known, _)| known).find(|known| leaf(known) == last);
    let keys = || variable_keys().map(|(known, _)| known);
    by_leaf().or_else(|| did_you_mean(key, keys())).or_else(|| {
        let misspelt = did_you_mean(last, keys().map(leaf))?;
        keys().find(|known| leaf(known) == misspelt)
    })
}

/// Returns the text as one TOML value on one line, with words in quotes; `None` if it is not exactly one value.
fn one_value(text: &str) -> Option<String> {
    let value = quote_words(text);
    let line = format!("v = {value}");
    let table = DeTable::parse(&line).ok()?;
    let whole = table.get_ref().get("v").is_some_and(|v| v.span() == (4..line.len()));
    (whole && table.get_ref().len() == 1 && !value.contains(char::is_control)).then_some(value)
}

/// Puts quotes around unquoted words that are neither keys of a table nor booleans.
fn quote_words(value: &str) -> String {
    let mut out = String::new();
    let mut rest = value;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '"' | '\'' => rest[1..].find(c).map_or(rest.len(), |end| end + 2),
            _ if c.is_alphanumeric() => {
                let word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
                rest.find(|c| !word(c)).unwrap_or(rest.len())
            }
            _ => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let key = after.trim_start().starts_with('=');
        match c.is_alphabetic() && !key && !matches!(token, "true" | "false") {
            true => out.push_str(&text(token)),
            false => out.push_str(token),
        }
        rest = after;
    }
    out
}

/// Returns the ruleset with the changes made; of two changes to the same key, the later one counts. Its first source is
/// the text of the changes, which extends the given ruleset.
///
/// # Errors
/// Returns every fault of the changed ruleset, together with its warnings.
pub fn vary(base: &Loaded, changes: &[Change]) -> Result<Loaded, Vec<Diagnostic>> {
    let told: Vec<String> = changes.iter().map(Change::to_string).collect();
    let with = |first: &str| [&[first.to_string()], &told[..]].concat();
    let name = format!("{} with {}", base.id, told.join(", "));
    let text = changed_text(base, &with(base.rules.name()).join(", "), changes);
    let document = file::read_over::<Spec>(SourceText { name, text }, &base.sources)?;
    // The document has passed the same checks that `Rules::new` makes.
    let rules = Rules::compile(document.value);
    let id = with(&base.id).join(" ");
    Ok(Loaded { id, rules, warnings: document.warnings, sources: document.sources })
}

/// Writes the changes as a ruleset text.
fn changed_text(base: &Loaded, name: &str, changes: &[Change]) -> String {
    let extends = base.sources.first().map_or(base.id.as_str(), |source| source.name.as_str());
    let mut out = format!("extends = {}\nname = {}\n", text(extends), text(name));
    let values = last_of_each(&base.rules.spec().stock.draw, changes);
    let table = |key: &'static str| key.rsplit_once('.').unwrap_or(("", key));
    // Writing to a String cannot fail.
    for (key, value) in values.iter().filter(|(key, _)| table(key).0.is_empty()) {
        let _ = writeln!(out, "{key} = {value}");
    }
    for (section, _) in Spec::TABLES {
        let inside: Vec<_> = values.iter().filter(|(key, _)| table(key).0 == *section).collect();
        if !inside.is_empty() {
            let _ = writeln!(out, "\n[{section}]");
        }
        for (key, value) in inside {
            let _ = writeln!(out, "{} = {value}", table(key).1);
        }
    }
    out
}

/// Returns the last value of each key, with the parts of a die combined to a value of `stock.draw`.
fn last_of_each(draw: &Draw, changes: &[Change]) -> Vec<(&'static str, String)> {
    let mut values: Vec<(&'static str, String)> = Vec::new();
    let mut die: Option<Vec<(&'static str, String)>> = None;
    for change in changes {
        let (key, value) = match change.key.strip_prefix("stock.draw.") {
            Some(part) => {
                let parts = die.get_or_insert_with(|| parts_of(draw));
                parts.retain(|(key, _)| *key != part);
                parts.push((part, change.value.clone()));
                let inner: Vec<String> =
                    parts.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                ("stock.draw", format!("{{ {} }}", inner.join(", ")))
            }
            None => (change.key, change.value.clone()),
        };
        values.retain(|(known, _)| *known != key);
        values.push((key, value));
    }
    values
}

/// Returns the parts of the ruleset's die.
fn parts_of(draw: &Draw) -> Vec<(&'static str, String)> {
    match draw {
        Draw::Die { faces, roll } => vec![("die", faces.to_string()), ("roll", text(roll.word()))],
        Draw::ByPass(_) => Vec::new(),
    }
}
