//! Staged stakes on the command line.

use std::fs;

use crate::cli::run::{good, run};
use serde_json::Value;
use tempfile::tempdir;

/// Takes a look, and stops at the first draw.
const TIMID: &str = "fn score(view, m) { if m.to_foundation { 2 } else { 1 } }\n\
                     fn stage(view, at, cost) { print(`${at} for ${cost}`); at == \"deal\" || at == \"first-look\" }\n";

#[test]
fn a_replay_shows_questions_and_answers() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("timid.rhai"), TIMID).unwrap();
    let told = good(&["replay", "bsd", "-s", "./timid.rhai", "--explain"], dir.path());
    let start =
        "bsd, ./timid.rhai, seed 1, game 0\n  | deal for 1300\n  stage deal for $13.00: bought\n  base ";
    assert!(told.starts_with(start), "{told}");
    assert!(told.contains("\n  | first-look for 1300\n  stage first-look for $13.00: bought\n"), "{told}");
    let end: Vec<&str> = told.lines().rev().take(4).collect();
    assert!(end[0].starts_with("With every stage bought, it would have ended barren with "), "{told}");
    assert_eq!(end[1], "Staked $26.00, paid back $0.00: net -$26.00.");
    assert!(end[2].starts_with("The game ends resigned: "), "{told}");
    assert!(told.contains("\n  | first-draw for 2600\n  stage first-draw for $26.00: declined\n\nThe player stops at first-draw.\n"));
    // A player who buys cards is told what is known then, and decides again.
    let curious = "fn score(view, m) { if m.is_draw { 2 } else { 1 } }\n\
                   fn stage(view, at, cost) { at != \"unknown-card\" || view.stock_left > 20 }\n";
    fs::write(dir.path().join("curious.rhai"), curious).unwrap();
    let told = good(&["replay", "bsd", "-s", "./curious.rhai", "--game", "2"], dir.path());
    let bought = "  stage unknown-card for $1.00: bought\n  known of the waste: ";
    assert!(told.contains(bought) && told.contains("  stage unknown-card for $1.00: declined\n"), "{told}");

    let listed = good(&["replay", "bsd", "-s", "./timid.rhai", "--game", "0..3"], dir.path());
    let rows: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][5..], ["reserve", "left", "staked", "net"]);
    assert!(rows[1..].iter().all(|row| row[6..] == ["$26.00", "-$26.00"]), "{listed}");
}

#[test]
fn a_run_reports_what_stopping_is_worth() {
    let dir = tempdir().unwrap();
    let args = ["simulate", "bsd", "-s", "cautious", "-n", "2000", "--out", "report", "--csv", "-q"];
    let told = good(&args, dir.path());
    for part in [
        "of what is staked",
        "staked a game",
        "The stake, stage by stage",
        "stopping is worth",
        "for each game dealt",
    ] {
        assert!(told.contains(part), "no {part} in\n{told}");
    }
    assert!(!told.contains("price for a 5% edge") && told.lines().all(|line| line.chars().count() <= 100));
    let file = |name: &str| fs::read_to_string(dir.path().join("report").join(name)).unwrap();
    let csv = file("games.csv");
    let header = "game,cards,end,moves,redeals,reserve_left,complete_suits,net_cents,staked_cents,stopped_at,\
                  net_buying_on_cents";
    assert_eq!((csv.lines().next(), csv.lines().count()), (Some(header), 2001));
    let page = file("index.html");
    assert!(page.contains("The stake, stage by stage") && page.contains("The value of stopping is"));
    assert!(!page.contains("Fair price of the deck") && !page.contains("NaN"));
    assert!(dir.path().join("report/charts/stopping.svg").exists());
    assert!(!dir.path().join("report/charts/price.svg").exists());
    let summary: Value = serde_json::from_str(&file("summary.json")).unwrap();
    let entry = &summary["entries"][0];
    assert_eq!(entry["summary"]["fair_price"], Value::Null);
    let pass = &entry["summary"]["stakes"]["stages"][3];
    assert_eq!((&pass["at"], &pass["cost"]), (&"pass".into(), &500.into()));
    assert!(entry["tally"]["stakes"]["nets"].as_object().unwrap().len() > 20);
    // A precision of the edge can be requested, as it does not depend on a price.
    let args = ["simulate", "bsd", "--precision", "3pp", "--no-report", "-q"];
    assert!(good(&args, dir.path()).contains("10,000, dealt from seed 1"));
}

/// A script that fails only in the continuation after stopping is reported as such.
#[test]
fn a_fault_of_buying_on_says_so() {
    let dir = tempdir().unwrap();
    let script = "fn score(view, m) { if view.pass > 1 { throw \"lost\"; } if m.is_draw { 2 } else { 1 } }\n\
                  fn stage(view, at, cost) { at != \"pass\" }\n";
    fs::write(dir.path().join("mine.rhai"), script).unwrap();
    let ran = run(&["simulate", "bsd", "-s", "./mine.rhai", "-n", "10", "--no-report", "-q"], dir.path());
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("lost") && ran.err.contains("the player had stopped at `pass`"), "{}", ran.err);
}
