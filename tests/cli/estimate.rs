//! `estimate` finds who played a night, from decks that are listed or paid together.

use std::fs;
use std::path::Path;

use crate::cli::run::{good, names};
use serde_json::Value;

const SMALL: &str = "--at 60 --patrons ordinary:70%,patient:30% -n 20000";

/// Returns the cards of some games, one row each.
fn decks(player: &str, games: &str, folder: &Path) -> String {
    let shown = good(&["replay", "canfield", "-s", player, "--game", games, "--seed", "5", "--json"], folder);
    let cards = |line: &str| serde_json::from_str::<Value>(line).unwrap()["cards"].to_string();
    shown.lines().map(cards).collect::<Vec<_>>().join("\n")
}

fn json(line: &str, folder: &Path) -> Value {
    let words: Vec<&str> = line.split_whitespace().chain(["--json", "-q"]).collect();
    serde_json::from_str(&good(&words, folder)).unwrap()
}

fn of(found: &Value, key: &str) -> f64 {
    found[key].as_f64().or(found[key]["value"].as_f64()).unwrap()
}

#[test]
fn a_night_says_who_came() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("weak.csv"), format!("cards\n{}\n", decks("ordinary", "0..400", path))).unwrap();
    fs::write(path.join("strong.csv"), format!("cards\n{}\n", decks("search:level=1", "0..120", path)))
        .unwrap();
    let weak = json(&format!("estimate weak.csv {SMALL}"), path);
    let strong = json(&format!("estimate strong.csv {SMALL}"), path);
    let share = |found: &Value, i: usize| of(&found["players"][i], "share");
    assert!(share(&weak, 0) > share(&strong, 0), "{} {}", share(&weak, 0), share(&strong, 0));
    assert!((share(&weak, 0) + share(&weak, 1) - 1.0).abs() < 1e-9);
    assert!(of(&weak, "edge") > of(&strong, "edge"));
    assert!(weak["too_bad_after"].is_null(), "{}", weak["too_bad_after"]);
    assert!(strong["too_bad_after"].as_u64().is_some_and(|decks| decks <= 120));
    assert!(of(&weak, "chance") > 0.01 && of(&strong, "chance") < 1e-4);
    let strong_in_words = good(
        &format!("estimate strong.csv {SMALL} --no-report -q").split_whitespace().collect::<Vec<_>>(),
        path,
    );
    for said in
        ["Was the sum luck? No: chance alone pays", "Watched deck by deck, the night gave an alarm after"]
    {
        assert!(strong_in_words.contains(said), "{said}: {strong_in_words}");
    }
    // Neither kind plays like that, so no edge of theirs is shown.
    assert!(strong_in_words.starts_with("No mix of these kinds explains the night"), "{strong_in_words}");
    for hidden in ["leave the house", "after the night"] {
        assert!(!strong_in_words.contains(hidden), "{hidden}: {strong_in_words}");
    }
    assert_eq!([&weak, &strong].map(|it| it["unexplained"].as_bool()), [Some(false), Some(true)]);
    assert!(of(&strong, "fit") < 1e-4 && strong_in_words.contains("trusted"));
    // The edge is computed from the shares.
    for found in [&weak, &strong] {
        let edge: f64 = (0..2).map(|i| share(found, i) * of(&found["players"][i], "edge")).sum();
        assert!((edge - of(found, "edge")).abs() < 0.005, "{edge} {}", of(found, "edge"));
    }
    let paid: i64 =
        decks("ordinary", "0..400", path).lines().map(|it| 500 * it.parse::<i64>().unwrap()).sum();
    assert_eq!(weak["paid"].as_i64(), Some(paid));
    assert!((of(&weak, "kept") - (1.0 - paid as f64 / 400.0 / 6000.0)).abs() < 1e-12);
    assert!(names(path).iter().all(|name| name.ends_with(".csv")), "no report is asked for");
}

#[test]
fn decks_may_be_counted_or_paid_together() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let cards: Vec<u64> = decks("ordinary", "0..90", path).lines().map(|it| it.parse().unwrap()).collect();
    let mut sorted = cards.clone();
    sorted.sort_unstable();
    let each: Vec<String> = sorted.iter().map(u64::to_string).collect();
    fs::write(path.join("each.csv"), format!("cards\n{}\n", each.join("\n"))).unwrap();
    let counted = sorted.chunk_by(|a, b| a == b).map(|same| format!("{};{}", same.len(), same[0]));
    fs::write(path.join("counted.csv"), format!("decks;cards\n{}\n", counted.collect::<Vec<_>>().join("\n")))
        .unwrap();
    let paid: u64 = cards.iter().map(|cards| cards * 5).sum();
    fs::write(path.join("together.csv"), format!("decks,paid\n90,{paid}\n")).unwrap();
    let [each, counted, together] =
        ["each", "counted", "together"].map(|name| json(&format!("estimate {name}.csv {SMALL}"), path));
    for key in ["edge", "players", "chance", "evidence", "paid"] {
        assert_eq!(each[key], counted[key], "{key}");
    }
    assert_eq!((&together["paid"], &together["chance"]), (&each["paid"], &each["chance"]));
    let width = |found: &Value| {
        let share = &found["players"][0]["share"];
        share["high"].as_f64().unwrap() - share["low"].as_f64().unwrap()
    };
    assert!((width(&together) - width(&each)).abs() < 0.2 && of(&together, "edge") < 0.5);
}
