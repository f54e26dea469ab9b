//! The terms that `price` finds follow from the histogram, and changed rules are played on the same shuffles.

use std::fs;

use crate::cli::run::{good, names};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let text = good(&[args, &["--json", "-q"]].concat(), folder.path());
    assert!(names(folder.path()).is_empty(), "no report is asked for");
    serde_json::from_str(&text).unwrap()
}

const SMALL: [&str; 4] = ["-n", "4000", "--variant-games", "1000"];

#[test]
fn terms_follow_from_the_histogram() {
    let found = json(&[&["price", "canfield"], &SMALL[..]].concat());
    let player = &found["players"][0];
    let histogram: Vec<f64> =
        player["tally"]["histogram"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    let games: f64 = histogram.iter().sum();
    assert_eq!(games, 4000.0);
    let cards: f64 = histogram.iter().enumerate().map(|(cards, n)| cards as f64 * n).sum::<f64>() / games;
    let exact = |term: &str| player["offers"][term]["exact"]["value"].as_f64().unwrap();
    assert!((exact("deck_price") - 500.0 * cards / 0.95).abs() < 1e-6);
    assert!((exact("pay_per_card") - 5200.0 * 0.95 / cards).abs() < 1e-6);
    // The cards alone pay more than an edge of 5% leaves of $52.
    assert_eq!(player["offers"]["win_bonus"]["reason"], "negative");
    let priced = &player["offers"]["deck_price"]["rounded"];
    assert_eq!(priced["cents"].as_f64().unwrap(), exact("deck_price").ceil());
    assert!(priced["edge"]["value"].as_f64().unwrap() >= 0.05);
}

#[test]
fn changed_rules_are_played_on_the_same_shuffles() {
    let all = [&["price", "canfield", "--at", "50", "--target-edge", "40%"], &SMALL[..]].concat();
    let found = json(&all);
    let variants = found["variants"].as_array().unwrap();
    assert_eq!(variants.len(), 17);
    let distance = |it: &Value| it["at_price"]["distance"]["value"].as_f64().unwrap();
    assert!(variants.windows(2).all(|two| distance(&two[0]) <= distance(&two[1])));
    let one = variants
        .iter()
        .find(|it| it["change"]["value"] == "1" && it["change"]["key"] == "stock.redeals")
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let rules = "extends = \"canfield\"\n[stock]\nredeals = 1\n[casino]\nstake = 50\n";
    fs::write(folder.path().join("one.toml"), rules).unwrap();
    let simulated = good(&["simulate", "./one.toml", "-n", "1000", "--json", "-q"], folder.path());
    let simulated: Value = serde_json::from_str(&simulated).unwrap();
    let alone = &simulated["entries"][0]["summary"]["house_edge"];
    assert_eq!(&one["edges"][0], alone);
    // Chosen among many, it has a simultaneous interval.
    let chosen = &one["at_price"]["edge"];
    assert_eq!(chosen["value"], alone["value"]);
    assert!(chosen["low"].as_f64() < alone["low"].as_f64(), "{chosen}");
    assert_eq!(one["at_price"]["cents"], 5000);
    let round = one["round_price"]["cents"].as_i64().unwrap();
    assert_eq!(round % 100, 0);
    // The unchanged ruleset is one of them.
    assert!(variants.iter().any(|it| it["change"].is_null()));
}

#[test]
fn a_price_that_holds_against_each_is_that_of_the_hardest() {
    let found = json(&["price", "-s", "greedy", "-s", "patient", "-n", "2000", "--variant-games", "0"]);
    let asked = |i: usize| found["players"][i]["offers"]["deck_price"]["rounded"]["cents"].as_i64().unwrap();
    let each = &found["against_each"]["deck_price"];
    assert_eq!(each["cents"].as_i64().unwrap(), asked(0).max(asked(1)));
    assert_eq!(each["hardest"], 1);
    assert!(
        each["edges"].as_array().unwrap().iter().all(|edge| edge["value"].as_f64().unwrap() >= 0.05 - 1e-9)
    );
}

#[test]
fn payments_below_a_cent_are_none_and_only_changed_rules_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let args =
        ["price", "--target-edge", "99.99%", "-n", "1000", "--variant-games", "1000", "-q", "--no-report"];
    let text = good(&args, folder.path());
    // Lines may be broken anywhere.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!text.contains("$0.00 for each card") && text.contains("less than a cent"), "{text}");
    assert!(text.contains("each of 16 rulesets that differ"), "{text}");
}

#[test]
fn free_decks_and_scripts_that_look_at_prices_are_told() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("free.toml"), "extends = \"canfield\"\n[casino]\nstake = 0\n").unwrap();
    let text = good(&["price", "./free.toml", "-n", "1000", "-q", "--no-report"], folder.path());
    assert!(text.starts_with("The deck is free, so there is no house edge"), "{text}");
    assert!(text.contains("Sell the deck at $"), "{text}");
    let script =
        "// Never mind view.stake.\nfn score(view, m) { if view.pays_per_card > 300 { 1 } else { 2 } }";
    fs::write(folder.path().join("greed.rhai"), script).unwrap();
    let args = ["price", "-s", "./greed.rhai", "-n", "1000", "-q", "--no-report", "--variant-games", "0"];
    let text = good(&args, folder.path());
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("What is paid may change how greed plays"), "{text}");
}
