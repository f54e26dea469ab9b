//! Loads the rulesets of the test data: only the keys and values used there.

use std::path::{Path, PathBuf};

use saratoga::rules::{
    Base, Build, Direction, Draw, Filler, MoveUnit, Part, ReserveFace, Spec, Start, TableauFace, Wrap,
};
use toml::{Table, Value};

/// Returns the directory of the test data.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Loads a ruleset of the test data, such as `rules/canfield.toml`.
pub fn load(file: &str) -> Spec {
    let text = std::fs::read_to_string(data().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let table: Table = text.parse().unwrap_or_else(|e| panic!("{file}: {e}"));
    let mut spec = Spec::default();
    for (section, value) in &table {
        if section == "name" {
            spec.name = word(value).to_string();
            continue;
        }
        for (key, value) in value.as_table().unwrap_or_else(|| panic!("{file}: {section} is no table")) {
            set(&mut spec, &format!("{section}.{key}"), value);
        }
    }
    spec
}

fn set(spec: &mut Spec, key: &str, value: &Value) {
    match key {
        "deal.order" => {
            spec.deal.order = list(value, |v| match word(v) {
                "reserve" => Part::Reserve,
                "foundation" => Part::Foundation,
                "tableau" => Part::Tableau,
                other => unknown(key, other),
            })
        }
        "reserve.piles" => spec.reserve.piles = number(value),
        "reserve.size" => spec.reserve.size = number(value),
        "reserve.face" => {
            spec.reserve.face = match word(value) {
                "top" => ReserveFace::Top,
                "all" => ReserveFace::All,
                "last" => ReserveFace::Last,
                other => unknown(key, other),
            }
        }
        "tableau.deal" => spec.tableau.deal = list(value, number),
        "tableau.face" => {
            spec.tableau.face = match word(value) {
                "all" => TableauFace::All,
                "top" => TableauFace::Top,
                "alternate" => TableauFace::Alternate,
                other => unknown(key, other),
            }
        }
        "tableau.build" => {
            spec.tableau.build = match word(value) {
                "alternate-color" => Build::AlternateColor,
                "same-suit" => Build::SameSuit,
                "same-color" => Build::SameColor,
                "any" => Build::Any,
                other => unknown(key, other),
            }
        }
        "tableau.direction" => {
            spec.tableau.direction = match word(value) {
                "down" => Direction::Down,
                "up" => Direction::Up,
                "same" => Direction::Same,
                other => unknown(key, other),
            }
        }
        "tableau.wrap" => {
            spec.tableau.wrap = match word(value) {
                "full" => Wrap::Full,
                "to-base" => Wrap::ToBase,
                "none" => Wrap::None,
                other => unknown(key, other),
            }
        }
        "tableau.move" => {
            spec.tableau.unit = match word(value) {
                "single" => MoveUnit::Single,
                "whole" => MoveUnit::Whole,
                "single-or-whole" => MoveUnit::SingleOrWhole,
                "sequence" => MoveUnit::Sequence,
                other => unknown(key, other),
            }
        }
        "spaces.auto" => spec.spaces.auto = list(value, filler),
        "spaces.while_reserve" => spec.spaces.while_reserve = list(value, filler),
        "spaces.after_reserve" => spec.spaces.after_reserve = list(value, filler),
        "foundation.base" => {
            spec.foundation.base = match word(value) {
                "dealt" => Base::Dealt,
                rank => Base::Rank(rank.parse().unwrap_or_else(|_| unknown(key, rank))),
            }
        }
        "foundation.start" => {
            spec.foundation.start = match word(value) {
                "none" => Start::None,
                "one" => Start::One,
                "all" => Start::All,
                other => unknown(key, other),
            }
        }
        "stock.draw" => spec.stock.draw = Draw::ByPass(vec![number(value)]),
        "stock.redeals" => {
            spec.stock.redeals = match value.as_str() {
                Some("unlimited") => None,
                Some(other) => unknown(key, other),
                None => Some(number(value).into()),
            }
        }
        _ => panic!("{key}: the test data uses a key this reader does not know"),
    }
}

fn filler(value: &Value) -> Filler {
    match word(value) {
        "reserve" => Filler::Reserve,
        "waste" => Filler::Waste,
        "stock" => Filler::Stock,
        "tableau" => Filler::Tableau,
        "foundation" => Filler::Foundation,
        other => unknown("a filler", other),
    }
}

fn list<T>(value: &Value, read: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list")).iter().map(read).collect()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn number(value: &Value) -> u8 {
    let whole = value.as_integer().unwrap_or_else(|| panic!("{value} is no whole number"));
    u8::try_from(whole).unwrap_or_else(|_| panic!("{whole} is out of range"))
}

fn unknown(key: &str, found: &str) -> ! {
    panic!("{key}: `{found}` is unknown")
}
