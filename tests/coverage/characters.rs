//! Every figure of `character`, on a game small enough to be solved.

use std::collections::BTreeMap;

use saratoga::lab::{Characterizing, Pace, Workers, characterize};
use saratoga::players::load;
use saratoga::rules::{Loaded, parse_text};
use saratoga::stats::Estimate;
use serde_json::Value;

use super::Row;
use super::coverage::{PROGRAM, Study};

/// One pass through a stock of eight cards.
const SMALL: &str = "extends = \"single-pass\"\n[reserve]\nsize = 23\n[tableau]\ndeal = [5, 5, 5, 5]\n";
const PLAYERS: [&str; 3] = ["random", "beginner", "greedy"];

pub fn all(quick: bool) -> Vec<Row> {
    let loaded = parse_text("small.toml", SMALL).unwrap();
    let truth = figures(&loaded, if quick { 500 } else { 20_000 }, 1);
    let (n, runs) = (100, if quick { 5 } else { 400 });
    let mut study = Study::default();
    for run in 0..runs {
        for (name, found) in figures(&loaded, n, 100 + run) {
            if let Some(truth) = truth.get(&name) {
                study.add(name.leak(), PROGRAM, found, truth.value, n);
            }
        }
    }
    vec![("small, character".into(), n.to_string(), study)]
}

/// Returns every figure that has limits, by its place in the JSON.
fn figures(loaded: &Loaded, deals: u64, seed: u64) -> BTreeMap<String, Estimate> {
    let sources = PLAYERS.map(|name| load(name).unwrap());
    let players = PLAYERS.into_iter().zip(&sources).map(|(name, source)| (name, source as _)).collect();
    let asked = Characterizing {
        rules: vec![("small", loaded)],
        players,
        beginner: 0,
        examined: 1,
        seed,
        deals,
        judged: deals.min(2_000),
        matter: 1.0,
        nodes: 200_000,
        pace: Pace::load(None).unwrap(),
        workers: Workers::new(2),
    };
    let found = characterize(&asked, &mut |_, _| {}).unwrap();
    let mut all = BTreeMap::new();
    walk("", &serde_json::to_value(&found.rulesets[0]).unwrap(), &mut all);
    all
}

fn walk(path: &str, value: &Value, all: &mut BTreeMap<String, Estimate>) {
    let number = |key: &str| value[key].as_f64();
    let of_value = number("value").or_else(|| number("least"));
    if let (Some(value), Some(low), Some(high)) = (of_value, number("low"), number("high")) {
        all.insert(path.into(), Estimate { value, low, high });
        return;
    }
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, it)| walk(&format!("{path}.{key}"), it, all)),
        // Elements are known by their words, since their order may differ.
        Value::Array(items) => items.iter().for_each(|it| {
            let words = ["strategy", "ability", "without", "key", "value"];
            let name: Vec<&str> = words.iter().filter_map(|key| it[*key].as_str()).collect();
            walk(&format!("{path}.{}", name.join(" ")), it, all);
        }),
        _ => {}
    }
}
