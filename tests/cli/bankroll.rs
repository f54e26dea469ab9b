//! The night of `bankroll` follows from the histogram of its games, also for patrons and for stakes bought in stages.

use std::fs;

use crate::cli::run::{good, names};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let text = good(&[args, &["--json", "-q"]].concat(), folder.path());
    assert!(names(folder.path()).is_empty(), "no report is asked for");
    serde_json::from_str(&text).unwrap()
}

const SMALL: [&str; 6] = ["-n", "3000", "--bootstrap", "100", "--decks", "40"];

fn number(value: &Value) -> f64 {
    value["value"].as_f64().unwrap()
}

#[test]
fn a_night_follows_from_the_histogram() {
    let found = json(&[&["bankroll", "canfield", "--at", "60", "--bank", "2000"], &SMALL[..]].concat());
    let histogram = found["patrons"][0]["tally"]["histogram"].as_array().unwrap();
    let games: Vec<(f64, f64)> = histogram
        .iter()
        .enumerate()
        .map(|(cards, n)| (6000.0 - 500.0 * cards as f64, n.as_f64().unwrap()))
        .collect();
    let mean = games.iter().map(|(gain, n)| gain * n).sum::<f64>() / 3000.0;
    let sd = (games.iter().map(|(gain, n)| (gain - mean).powi(2) * n).sum::<f64>() / 3000.0).sqrt();
    let night = &found["bankroll"];
    assert!((number(&night["profit"]) - 40.0 * mean).abs() < 1e-6);
    assert!((number(&night["deck_sd"]) - sd).abs() < 1e-6);
    assert!((number(&night["n0"]) - (sd / mean).powi(2)).abs() < 1e-6);
    assert_eq!((night["bank"].as_i64(), night["greatest_loss"].as_i64()), (Some(200_000), Some(20_000)));
    for figure in ["profit", "losing_night", "ruin", "bank_for_1_percent", "volatility_index"] {
        let it = &night[figure];
        assert!(
            it["low"].as_f64() <= it["value"].as_f64() && it["value"].as_f64() <= it["high"].as_f64(),
            "{figure}"
        );
    }
    assert_eq!(night["fan"].as_array().unwrap().len(), 40);
}

#[test]
fn patrons_play_games_of_their_own() {
    let shares = ["bankroll", "canfield", "--patrons", "greedy:75%,reserve-first:25%"];
    let found = json(&[&shares[..], &SMALL[..]].concat());
    let patrons = found["patrons"].as_array().unwrap();
    assert_eq!((patrons[0]["share"].as_f64(), patrons[1]["share"].as_f64()), (Some(0.75), Some(0.25)));
    let profit = |patron: &Value| -> f64 {
        let histogram = patron["tally"]["histogram"].as_array().unwrap();
        let cards =
            histogram.iter().enumerate().map(|(cards, n)| cards as f64 * n.as_f64().unwrap()).sum::<f64>();
        5200.0 - 500.0 * cards / 3000.0
    };
    let mixed = 40.0 * (0.75 * profit(&patrons[0]) + 0.25 * profit(&patrons[1]));
    assert!((number(&found["bankroll"]["profit"]) - mixed).abs() < 1e-6);
    // The second plays games 3000 to 5999.
    let alone = json(&["simulate", "canfield", "-s", "reserve-first", "-n", "6000"]);
    let both = |cards: usize| alone["entries"][0]["summary"]["histogram"][cards].as_u64().unwrap();
    let first = json(&["simulate", "canfield", "-s", "reserve-first", "-n", "3000"]);
    for cards in 0..=52 {
        let mine = first["entries"][0]["summary"]["histogram"][cards].as_u64().unwrap();
        assert_eq!(patrons[1]["tally"]["histogram"][cards].as_u64(), Some(both(cards) - mine));
    }
}

#[test]
fn a_stake_bought_in_steps_has_a_night_too() {
    let found = json(&[&["bankroll", "bsd", "-s", "cautious"], &SMALL[..]].concat());
    let night = &found["bankroll"];
    assert!(night["volatility_index"].is_null() && night["price"].is_null());
    let simulated = json(&["simulate", "bsd", "-s", "cautious", "-n", "3000"]);
    let net = simulated["entries"][0]["summary"]["net"]["value"].as_f64().unwrap();
    assert!((number(&night["deck_profit"]) + net).abs() < 1e-6);
}

#[test]
fn wins_that_were_not_seen_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    // A player who gives up at once wins nothing.
    fs::write(folder.path().join("lose.rhai"), "fn score(view, m) { -1 }").unwrap();
    let rules = "extends = \"canfield\"\n[casino]\npays_per_card = 0\npays_for_win = 500\n";
    fs::write(folder.path().join("win.toml"), rules).unwrap();
    let args = ["bankroll", "./win.toml", "-s", "./lose.rhai", "-n", "1000", "--bootstrap", "100", "-q"];
    let text = good(&[&args[..], &["--no-report"]].concat(), folder.path());
    // Lines may be broken anywhere.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("No win of lose was seen in 1,000 games. As many as 0.4% of games may be wins"),
        "{text}"
    );
    assert!(text.contains("The profit does not vary in this sample"), "{text}");
    // Several players who win equally rarely are one finding.
    fs::copy(folder.path().join("lose.rhai"), folder.path().join("also.rhai")).unwrap();
    let both = "bankroll ./win.toml --patrons ./lose.rhai:50%,./also.rhai:50% -n 1000 --bootstrap 100 -q --no-report";
    let text = good(&both.split(' ').collect::<Vec<_>>(), folder.path());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(text.matches("No win of ").count(), 1, "{text}");
    assert!(text.contains("and few of 1 other patron"), "{text}");
}
