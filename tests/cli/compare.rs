//! `compare` plays all entries on the same shuffles, states what its test found or ruled out, and shows deals that
//! replay.

use std::fs;
use std::path::Path;

use crate::cli::run::good;
use serde_json::Value;
use tempfile::tempdir;

fn json(args: &[&str], folder: &Path) -> Value {
    serde_json::from_str(&good(&[args, &["--json", "--quiet"]].concat(), folder)).unwrap()
}

#[test]
fn a_finished_test_says_what_it_found() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let args =
        ["compare", "canfield", "-s", "hoarder", "-s", "greedy", "-d", "0.4", "-n", "20k", "--show", "2"];
    let said = good(&[&args[..], &["--out", "first"]].concat(), path);
    assert!(said.starts_with("hoarder is better than greedy by 0."), "{said}");
    let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
    // The tested difference has the same value everywhere.
    let of = |row: &str| said.lines().find(|line| line.trim_start().starts_with(row)).unwrap();
    let difference = of("difference in cards").trim_start_matches("  difference in cards").trim();
    assert!(of("cards  ").ends_with(difference), "{difference}: {}", of("cards  "));
    for part in
        ["H1: hoarder is better", "H0: greedy is better", "won by hoarder only", "found at +3.69 or more"]
    {
        assert!(words.contains(part), "{part}: {said}");
    }
    // One line to paste, with everything needed to judge it.
    let line = said.lines().find(|line| line.starts_with("hoarder against greedy on Canfield: ")).unwrap();
    for part in
        ["hoarder is better", "deals of seed 1", "LLR +", "d = 0.40 cards", "errors 5% and 5%", "saratoga"]
    {
        assert!(line.contains(part), "{part}: {line}");
    }
    let data: Value = serde_json::from_slice(&fs::read(path.join("first/summary.json")).unwrap()).unwrap();
    assert_eq!(data, json(&args, path));
    assert_eq!(
        (&data["test"]["verdict"], &data["entries"][0]["strategy"], &data["entries"][0]["place"]),
        (&"a".into(), &"hoarder".into(), &1.into())
    );
    let wins = &data["pairs"][0]["wins"];
    let deals: u64 =
        ["a_only", "b_only", "both", "neither"].iter().map(|key| wins[key].as_u64().unwrap()).sum();
    assert_eq!(Some(deals), data["games"].as_u64());
}

/// Each suggested command replays a game that ends as stated.
#[test]
fn shown_deals_can_be_replayed() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    fs::create_dir(path.join("my scripts")).unwrap();
    let script = "fn score(view, m) { if m.to_foundation { 50 } else if m.is_draw { 20 } else if m.is_redeal { 10 } else { -1 } }";
    fs::write(path.join("my scripts/mine.rhai"), script).unwrap();
    let args =
        ["compare", "superior", "-s", "my scripts/mine.rhai", "-s", "greedy", "-n", "2k", "--show", "3"];
    let said = good(&[&args[..], &["--no-report", "--quiet"]].concat(), path);
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("saratoga replay")).collect();
    assert_eq!(lines.len(), 6, "{said}");
    let data = json(&args, path);
    for (deal, lines) in data["shown"].as_array().unwrap().iter().zip(lines.chunks(2)) {
        for line in lines {
            let (command, comment) = line.split_once("  # ").unwrap();
            let quoted = command.replace("'my scripts/mine.rhai'", "my\u{1}scripts/mine.rhai");
            let words: Vec<String> =
                quoted.split(' ').skip(1).map(|word| word.replace('\u{1}', " ")).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).chain(["--json"]).collect();
            let record: Value = serde_json::from_str(good(&words, path).trim()).unwrap();
            let cards = format!("{} card", record["cards"]);
            assert!(comment.split(": ").nth(1).unwrap().starts_with(&cards), "{comment} {cards}");
            assert_eq!(record["game"], deal["game"]);
            assert!(deal["cards"].as_array().unwrap().contains(&record["cards"]));
        }
    }
}

#[test]
fn rulesets_are_compared_on_the_same_shuffles() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let data = json(&["compare", "--rules", "canfield,superior", "-n", "4k", "-s", "greedy"], path);
    assert_eq!(data["entries"][0]["rules"], "canfield");
    assert_eq!(
        (&data["test"]["verdict"], &data["entries"][1]["strategy"]),
        (&"no_difference".into(), &"greedy".into())
    );
    let said = good(
        &["compare", "--rules", "draw-one,canfield", "--measure", "wins", "-n", "4k", "--no-report", "-q"],
        path,
    );
    assert!(said.starts_with("draw-one is better than canfield by "), "{said}");
    assert!(said.contains(" pp of games won"), "{said}");
}

#[test]
fn several_are_ranked() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let args = ["compare", "-s", "greedy", "-s", "hoarder", "-s", "scripts/greedy.rhai", "-n", "4k"];
    let data = json(&args, path);
    assert!(data["test"].is_null());
    assert_eq!(data["pairs"].as_array().unwrap().len(), 3);
    let [greedy, hoarder, script] = [0, 1, 2].map(|i| &data["entries"][i]);
    assert_eq!((&hoarder["place"], &hoarder["groups"]), (&1.into(), &"a".into()));
    // Two entries of the same player share a letter.
    assert_eq!((&greedy["groups"], &script["groups"]), (&"b".into(), &"b".into()));
    let said = good(&[&args[..], &["--no-report", "-q"]].concat(), path);
    assert!(said.contains("greedy and scripts/greedy.rhai") && said.contains("Bonferroni"), "{said}");
    let tables = said.lines().take_while(|line| !line.starts_with("To quote"));
    for line in tables {
        assert!(line.chars().count() <= 100 && line.is_ascii(), "{line}");
    }
}

/// What is already ruled out is not reported as open.
#[test]
fn an_open_test_says_what_it_has_ruled_out() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["compare", "-s", "patient", "-s", "greedy", "-n", "2000", "-d", "0.1"];
    let told = good(&[&args[..], &["--no-report"]].concat(), dir.path());
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "it is ruled out that greedy is better by 0.10 cards a game, and open whether patient is or neither is";
    assert!(told.contains(said), "{told}");
    // Reports a test at this number of deals, and that it does not permit looking again.
    let fixed = "A test for a number of deals fixed beforehand (Student's paired test) finds that patient is better: p = under 0.001%";
    assert!(told.contains(fixed) && told.contains("It is right only if you look once"), "{told}");
    let data = json(&args, dir.path());
    let fixed = &data["test"]["at_fixed_deals"];
    assert!(
        fixed["p"].as_f64().unwrap() < 1e-5 && fixed["difference"]["low"].as_f64().unwrap() > 0.0,
        "{fixed}"
    );
    assert_eq!((&data["test"]["verdict"], &data["test"]["fitted"]), (&"undecided".into(), &Value::Null));
}

/// Without a given difference, the first deals set one that the budget is likely to decide, and the report says so.
#[test]
fn the_first_deals_set_the_difference() {
    let dir = tempfile::tempdir().unwrap();
    let args = ["compare", "-s", "patient", "-s", "greedy", "-n", "2000"];
    let data = json(&args, dir.path());
    let test = &data["test"];
    let [d, at] = ["difference", "variance"].map(|key| test[key].as_f64().unwrap());
    let wanted = 5.31 * (at / 2000.0).sqrt();
    assert!((d - wanted).abs() < 0.2 * wanted, "{d} {wanted}");
    assert_eq!(test["verdict"], "a");
    assert_eq!(test["fitted"], serde_json::json!({ "deals": 1000, "budget": 2000, "enough": true }));
    let told = good(&[&args[..], &["--no-report", "-q"]].concat(), dir.path());
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "so that the mean difference is above 0",
        "accepting H1 does not say that it is",
        "taken from the spread of the first 1,000 deals, so that 2,000 were likely to be enough; --difference",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    // So few deals decide nothing, and do not rule out a difference of half the pack.
    for (n, finding) in
        [("1", "One deal is too little for an answer"), ("10", "10 deals are too few for an answer")]
    {
        let few = ["compare", "-s", "patient", "-s", "greedy", "-n", n];
        let data = json(&few, dir.path());
        assert_eq!(
            (&data["test"]["verdict"], &data["test"]["difference"], &data["test"]["fitted"]["enough"]),
            (&"undecided".into(), &2.6.into(), &false.into())
        );
        let told = good(&[&few[..], &["--no-report", "-q"]].concat(), dir.path());
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        for said in [finding, "likely to be too few. The", "the greatest that is taken then"] {
            assert!(told.contains(said), "{said}: {told}");
        }
    }
    // If nothing is paid for a card, the deals alone set it.
    std::fs::write(
        dir.path().join("prize.toml"),
        "extends = \"canfield\"\nname = \"Prize\"\n[casino]\npays_per_card = 0\npays_for_win = 500\n",
    )
    .unwrap();
    let data = json(
        &["compare", "prize.toml", "--measure", "money", "-s", "hoarder", "-s", "greedy", "-n", "3k"],
        dir.path(),
    );
    assert!(data["test"]["difference"].as_f64().unwrap() > 0.0, "{}", data["test"]);
}
