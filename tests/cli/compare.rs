//! `saratoga compare` from outside.

use std::fs;
use std::path::Path;

use crate::run::{good, names, run};
use serde_json::Value;
use tempfile::tempdir;

fn json(args: &[&str], folder: &Path) -> Value {
    serde_json::from_str(&good(&[args, &["--json", "--quiet"]].concat(), folder)).unwrap()
}

/// The report's own command plays the same run again, to the byte; so does any number of threads.
#[test]
fn a_report_is_made_again_by_its_command() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let args =
        ["compare", "canfield", "-s", "hoarder", "-s", "greedy", "-d", "0.4", "-n", "20k", "--show", "2"];
    let said = good(&[&args[..], &["--out", "first", "--threads", "1"]].concat(), path);
    let page = fs::read_to_string(path.join("first/index.html")).unwrap();
    let command = page.split("To run it again:").nth(1).unwrap();
    let command = command.split("<code>").nth(1).unwrap().split("</code>").next().unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--out", "second"]).collect();
    let again = good(&words, path);
    assert_eq!(said.replace("first/", ""), again.replace("second/", ""));
    for file in ["index.html", "summary.json", "charts/test.svg", "charts/wins-dark.png"] {
        let bytes = ["first", "second"].map(|folder| fs::read(path.join(folder).join(file)).unwrap());
        assert!(bytes[0] == bytes[1], "{file}");
    }
    assert!(said.starts_with("hoarder is better than greedy by 0."), "{said}");
    // There is one figure of the difference that was tested, wherever it stands.
    let of = |row: &str| said.lines().find(|line| line.trim_start().starts_with(row)).unwrap();
    let difference = of("difference in cards").trim_start_matches("  difference in cards").trim();
    assert!(of("cards  ").ends_with(difference), "{difference}: {}", of("cards  "));
    for part in
        ["H1: hoarder is better", "H0: greedy is better", "won by hoarder only", "found at +3.69 or more"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    // One line to paste, with all that is needed to judge it.
    let line = said.lines().find(|line| line.starts_with("canfield: ")).unwrap();
    for part in
        ["hoarder is better", "deals of seed 1", "LLR +", "d = 0.40 cards", "errors 5% and 5%", "saratoga"]
    {
        assert!(line.contains(part), "{part}: {line}");
    }
    let data: Value = serde_json::from_slice(&fs::read(path.join("first/summary.json")).unwrap()).unwrap();
    assert_eq!(data, json(&args, path));
    assert_eq!(
        (&data["test"]["verdict"], &data["ranking"][0]["id"]),
        (&"a".into(), &"canfield-hoarder".into())
    );
    let wins = &data["pairs"][0]["wins"];
    let deals: u64 =
        ["a_only", "b_only", "both", "neither"].iter().map(|key| wins[key].as_u64().unwrap()).sum();
    assert_eq!(Some(deals), data["games"].as_u64());
}

/// Each shown command replays a game that ends as it says.
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
    for (deal, lines) in data["deals"].as_array().unwrap().iter().zip(lines.chunks(2)) {
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
    assert_eq!(data["entries"][0]["rules"]["id"], "canfield");
    assert_eq!(
        (&data["test"]["verdict"], &data["entries"][1]["strategy"]["name"]),
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
    let group = |i: usize| data["ranking"][i]["groups"].as_str().unwrap().to_string();
    assert_eq!(data["ranking"][0]["id"], "canfield-hoarder");
    // The same player twice over shares a letter with itself.
    assert_eq!(group(1), group(2));
    let said = good(&[&args[..], &["--no-report", "-q"]].concat(), path);
    assert!(said.contains("greedy and scripts/greedy.rhai") && said.contains("Bonferroni"), "{said}");
    let tables = said.lines().take_while(|line| !line.starts_with("To quote"));
    for line in tables {
        assert!(line.chars().count() <= 100 && line.is_ascii(), "{line}");
    }
}

#[test]
fn faults_end_with_two_and_leave_nothing() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    for (args, why) in [
        (&["-s", "greedy"][..], "nothing to compare"),
        (&["-s", "greedy", "-s", "greedy"], "named twice"),
        (&["--rules", "canfield,double-canfield"], "with the same number of packs"),
        (&["--rules", "canfield,superior", "-s", "greedy", "-s", "random"], "saratoga simulate"),
        (&["canfield", "--rules", "superior,rainbow"], "cannot be used with"),
        (&["-s", "greedy", "-s", "random", "--measure", "points"], "cards, wins, money"),
        (&["-s", "greedy", "-s", "random", "--measure", "wins", "-d", "0.5"], "`0.5pp`"),
        (&["-s", "greedy", "-s", "random", "-d", "-1"], "above 0"),
        (&["-s", "greedy", "-s", "random", "--alpha", "60%"], "`5%` or `0.05`"),
        (&["-s", "greedy", "-s", "random", "-s", "hoarder", "-d", "1"], "test of two"),
        (&["-s", "greedy", "-s", "gredy"], "did you mean"),
        (&["-s", "greedy", "-s", "random", "-n", "0"], "at least 1"),
        (&["-s", "greedy", "-s", "random", "--show", "101"], "from 0 to 100"),
    ] {
        let ran = run(&[&["compare"], args].concat(), path);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(why), "{args:?}: {}", ran.err);
    }
    assert_eq!(names(path), Vec::<String>::new());
    // A script's fault names the game that shows it.
    fs::write(path.join("bad.rhai"), "fn score(view, m) { if view.cards > 9 { 1 / 0 } else { 1 } }").unwrap();
    let ran = run(&["compare", "-s", "greedy", "-s", "./bad.rhai", "-q"], path);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("saratoga replay canfield -s ./bad.rhai --seed 1 --game "), "{}", ran.err);
    assert_eq!(names(path), ["bad.rhai"]);
}

/// What is ruled out already is not said to be open.
#[test]
fn an_open_test_says_what_it_has_ruled_out() {
    let dir = tempfile::tempdir().unwrap();
    let told = good(&["compare", "-s", "patient", "-s", "greedy", "-n", "2000", "--no-report"], dir.path());
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = "it is ruled out that greedy is better by 0.10 cards a game, and open whether patient is or neither is";
    assert!(told.contains(said), "{told}");
}
