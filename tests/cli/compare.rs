//! `compare` plays all entries on the same shuffles, and states what its test found or ruled out; the script that `tune` writes
//! plays as reported.

use serde_json::{Value, json};

use crate::common::program::{Lab, has, list, number, one_line};

#[test]
fn a_finished_test_says_what_it_found() {
    let lab = Lab::new();
    let line = "compare canfield -s hoarder -s greedy -d 0.4 -n 20k --show 2";
    let said = lab.good(&format!("{line} --out first -q"));
    // The tested difference has the same value everywhere.
    let of = |row: &str| said.lines().find(|line| line.trim_start().starts_with(row)).unwrap();
    let difference = of("difference in cards").trim_start_matches("  difference in cards").trim();
    assert!(of("cards  ").ends_with(difference), "{difference}: {}", of("cards  "));
    has(&one_line(&said), "hoarder is better than greedy by 0.|H1: hoarder is better|H0: greedy is better");
    // One line to paste, with everything needed to judge it.
    let line_to_paste = of("hoarder against greedy on Canfield: ");
    has(line_to_paste, "hoarder is better|seed 1|LLR +|d = 0.40 cards|errors 5% and 5%|saratoga");
    let data = lab.data("first/summary.json");
    assert_eq!(data, lab.json(line));
    let best = &data["entries"][0];
    assert_eq!((&best["strategy"], &best["place"]), (&"hoarder".into(), &1.into()));
    assert_eq!(data["test"]["verdict"], "a");
    let wins = &data["pairs"][0]["wins"];
    let deals: f64 = ["a_only", "b_only", "both", "neither"].iter().map(|key| number(&wins[key])).sum();
    assert_eq!(deals, number(&data["games"]));
}

#[test]
fn several_are_ranked() {
    let lab = Lab::new();
    let line = "compare -s greedy -s hoarder -s scripts/greedy.rhai -n 4k";
    let data = lab.json(line);
    assert!(data["test"].is_null() && list(&data["pairs"]).len() == 3);
    let group = |i: usize| data["entries"][i]["groups"].as_str().unwrap();
    // Two entries of the same player share a letter.
    assert_eq!(([0, 1, 2].map(group), &data["entries"][1]["place"]), (["b", "a", "b"], &1.into()));
    has(&lab.told(line), "greedy and scripts/greedy.rhai|Bonferroni");
}

/// What is already ruled out is not reported as open.
#[test]
fn an_open_test_says_what_it_has_ruled_out() {
    let lab = Lab::new();
    let line = "compare -s patient -s greedy -n 2000 -d 0.1";
    has(
        &lab.told(line),
        "ruled out that greedy is better|open whether patient is or neither is|only if you look once",
    );
    let test = lab.json(line)["test"].take();
    // A test at this number of deals is reported as well.
    let fixed = &test["at_fixed_deals"];
    assert!(number(&fixed["p"]) < 1e-5 && number(&fixed["difference"]["low"]) > 0.0, "{fixed}");
    assert_eq!((&test["verdict"], &test["fitted"]), (&"undecided".into(), &Value::Null));
}

/// Without a given difference, the first deals set one that the budget is likely to decide, and the report says so.
#[test]
fn the_first_deals_set_the_difference() {
    let prize = "extends = \"canfield\"\nname = \"Prize\"\n[casino]\npays_per_card = 0\npays_for_win = 500\n";
    let lab = Lab::with(&[("prize.toml", prize)]);
    let line = |n: u32| format!("compare -s patient -s greedy -n {n}");
    let test = lab.json(&line(2000))["test"].take();
    let [d, variance] = ["difference", "variance"].map(|key| number(&test[key]));
    let wanted = 5.31 * (variance / 2000.0).sqrt();
    assert!((d - wanted).abs() < 0.2 * wanted, "{d} {wanted}");
    assert_eq!(test["verdict"], "a");
    assert_eq!(test["fitted"], json!({ "deals": 1000, "budget": 2000, "enough": true }));
    has(&lab.told(&line(2000)), "from the spread of the first 1,000 deals|--difference");
    // So few deals decide nothing, and do not rule out a difference of half the pack.
    for (n, finding) in [(1, "One deal is too little"), (10, "10 deals are too few")] {
        let test = lab.json(&line(n))["test"].take();
        assert_eq!((&test["verdict"], number(&test["difference"])), (&"undecided".into(), 2.6));
        assert_eq!(test["fitted"]["enough"], false);
        has(&lab.told(&line(n)), finding);
    }
    // If nothing is paid for a card, the deals alone set it.
    let data = lab.json("compare prize.toml --measure money -s hoarder -s greedy -n 3k");
    assert!(number(&data["test"]["difference"]) > 0.0, "{}", data["test"]);
}

const SCRIPT: &str = "// Draws on and on where it may.
const STOP = param(3, 0..=9);
fn score(view, m) { if view.cards > STOP { -1 } else if m.to_foundation { 9 } else if m.is_draw { 3 } else { 5 } }
";

/// The written script plays as reported; see `tests/data/transcripts/runs.txt` for when it is written.
#[test]
fn the_tuned_script_plays_as_reported() {
    let lab = Lab::with(&[("mine.rhai", SCRIPT)]);
    lab.good(
        "tune single-pass ./mine.rhai --candidates 10 --generations 1 --deals 200 -n 2000 -q --out page",
    );
    let cards = |strategy: &str| {
        let mut found = lab.json(&format!("simulate single-pass -n 2000 -s {strategy}"));
        found["entries"][0]["summary"]["cards"].take()
    };
    let fresh = lab.data("page/summary.json")["fresh"]["entries"].take();
    assert_eq!(fresh[0]["summary"]["cards"], cards("./mine-tuned.rhai"));
    assert_eq!(fresh[1]["summary"]["cards"], cards("./mine.rhai"));
    assert_eq!(cards("./mine.rhai:stop=9"), cards("./mine-tuned.rhai"));
    // A setting in a name takes precedence over one for all, and both are shown wherever the player is.
    let named = lab.json("compare single-pass -s ./mine.rhai:stop=2 -s ./mine.rhai --set stop=5 -n 2000");
    let strategies = [0, 1].map(|i| named["entries"][i]["strategy"].as_str().unwrap());
    assert_eq!(strategies, ["./mine.rhai:stop=2", "./mine.rhai:stop=5"]);
    has(named["command"].as_str().unwrap(), "-s ./mine.rhai:stop=2 -s ./mine.rhai -n 2000 --set stop=5");
}
