//! The program as a whole: its output, where it goes, and its exit codes.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;

use crate::cli::run::{command, good, names, ran, run, run_with};
use serde_json::Value;
use tempfile::tempdir;

const DECK: &str = "8S 9H 4S 8C JC 6H 6C 6S QD 8H 9C 2C 2H AD 6D 4C 9D QH 3H 7H TS 2S KC 5H AC KH JH 8D TC 7S \
                    3S 3D QC 4H 4D JD AS QS JS 3C 9S TD 5C 2D KS AH 7C 5D 7D TH KD 5S";

#[test]
fn completions_and_the_man_page() {
    let here = Path::new(".");
    for shell in ["bash", "zsh", "fish"] {
        assert!(good(&["completions", shell], here).contains("simulate"), "{shell}");
    }
    let page = good(&["man"], here);
    assert!(page.contains(".TH saratoga 1") && page.contains(".TH saratoga-rules-list 1"), "{page}");
}

#[test]
fn one_game_is_drawn_and_several_are_listed() {
    let here = Path::new(".");
    let drawn = good(&["replay", "--game", "0..1"], here);
    assert!(drawn.starts_with("canfield, greedy, seed 1, game 0\n  base A"), "{drawn}");
    assert!(drawn.contains("\n1. draw\n") && drawn.contains("\n8. W>T4  JS\n"), "{drawn}");
    assert!(
        drawn.ends_with("The game ends barren: 1 card up, 13 left in the reserve; 27 moves, 1 redeal.\n")
    );
    let listed = good(&["replay", "--game", "0..3"], here);
    let rows: Vec<Vec<&str>> = listed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["game", "end", "cards", "moves", "redeals", "reserve", "left"]);
    assert_eq!((rows.len(), &rows[1][..]), (4, &["0", "barren", "1", "27", "1", "13"][..]));
    // The same game as a deck, from the command line and from a file.
    let same = good(&["replay", "--deck", DECK], here);
    assert_eq!(same.lines().skip(1).collect::<Vec<_>>(), drawn.lines().skip(1).collect::<Vec<_>>());
    let ran = run_with(&["replay", "--deals", "-"], here, &format!("# mine\nfirst\t{DECK}\n"));
    assert!(ran.out.starts_with("canfield, greedy, deal first\n"), "{}", ran.out);
    // Records keep the ids of the file; a deck without an id has none.
    let decks = format!("first\t{DECK}\n{DECK}\n");
    let records = run_with(&["replay", "--deals", "-", "--json"], here, &decks);
    let ids: Vec<Value> =
        records.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert_eq!(ids, [Value::from("first"), Value::Null]);
    assert_eq!(run_with(&["check", "-"], here, &records.out).code, Some(0));
}

#[test]
fn explain_marks_the_chosen_of_all_legal_moves() {
    let here = Path::new(".");
    let text = good(&["replay", "--game", "3", "-s", "random", "--explain"], here);
    let marked = text.lines().filter(|line| line.starts_with("  > ")).count();
    let moves = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).count();
    // The last choice may be the draw or redeal that ends a game.
    assert!(marked == moves || marked == moves + 1, "{marked} marks for {moves} moves");
    // Explaining a game does not change it.
    let plain = good(&["replay", "--game", "3", "-s", "random"], here);
    assert_eq!(text.lines().last(), plain.lines().last());
}

#[test]
fn records_at_fault_are_told_with_their_place() {
    let dir = tempdir().unwrap();
    let record = good(&["replay", "--json"], dir.path());
    let column = |text: &str| record.find(text).unwrap() + 1;
    let cases = [
        ("not JSON\n".to_string(), 1, "a record is a JSON object"),
        ("{\"rules\":\"canfield\"}\n".into(), 20, "missing field `deck`"),
        (record.replace("canfield", "canfeild"), column("canfield"), "did you mean \"canfield\"?"),
        (record.replace("8S 9H", "8S 9X"), column("9H"), "`9X` is not a card"),
        (record.replace("draw W>T1", "draw W>T2"), column("W>T1"), "`W>T2` is not legal here; legal: "),
        (record.replace("barren", "won"), column("\"end\""), "it says `won`"),
        (record.replace("\"cards\":1", "\"cards\":2"), column("\"cards\""), "it says 2 cards"),
    ];
    for (text, column, message) in cases {
        let ran = run_with(&["check", "-"], dir.path(), &text);
        let start = format!("standard input:1:{column}: ");
        assert!(ran.out.starts_with(&start) && ran.out.contains(message), "{start}{message}: {}", ran.out);
        assert_eq!(ran.code, Some(2), "{message}");
    }
    let json = run_with(&["check", "-", "--json"], dir.path(), "{}\n");
    let line: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((json.code, &line["good"], &line["line"]), (Some(2), &false.into(), &1.into()));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let lines = [
        "replay --game 0..1000000000",
        "deal --game 0..1000000000 --json",
        "rules list",
        "rules schema",
        "--help",
        "man",
        "completions bash",
        "simulate -n 50 --no-report --json",
        "simulate -n 50 --no-report",
        "contest nerts --match 0",
        "contest nerts -n 5 --no-factors --no-report",
    ];
    for line in lines {
        let args: Vec<&str> = line.split(' ').collect();
        let mut command = command(&args, Path::new("."));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        // The reader, and with it the pipe, is closed after one line.
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let ran = ran(child.wait_with_output().unwrap());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{line}");
        assert!(!first.is_empty(), "{line}");
    }
}

#[test]
fn json_alone_goes_to_standard_output() {
    let dir = tempdir().unwrap();
    let out = good(&["simulate", "canfield", "rainbow", "-n", "1500", "--json"], dir.path());
    let found: Value = serde_json::from_str(&out).unwrap();
    let entries = found["entries"].as_array().unwrap().iter();
    let played: Vec<_> = entries.map(|it| [&it["rules"], &it["strategy"]].map(Value::as_str)).collect();
    assert_eq!(played, [[Some("canfield"), Some("greedy")], [Some("rainbow"), Some("greedy")]]);
    assert!(names(dir.path()).is_empty(), "no report was asked for");
    let few = run(&["simulate", "-n", "20", "--precision", "0.01", "--json"], dir.path());
    assert!(few.code == Some(0) && few.err.starts_with("warning: 20 games were too few"), "{}", few.err);
    serde_json::from_str::<Value>(&few.out).unwrap();
    let line = ["simulate", "-n", "1e6", "--precision", "5pp", "--json", "--threads", "2"];
    let stopped: Value = serde_json::from_str(&good(&line, dir.path())).unwrap();
    let games = stopped["games"].as_u64().unwrap();
    assert!((10_000..1_000_000).contains(&games) && games.is_multiple_of(1000), "{games}");
}

#[test]
fn reports_are_the_same_at_any_number_of_threads() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    fs::create_dir(path.join("two")).unwrap();
    fs::write(path.join("two/mine.txt"), "keep me").unwrap();
    for (threads, folder) in [("1", "one/deep"), ("2", "two")] {
        let line = ["simulate", "canfield", "rainbow", "-n", "2500", "--csv", "--threads", threads];
        let out = good(&[&line[..], &["--out", folder]].concat(), path);
        assert!(out.contains(&format!("Report: {folder}/index.html")), "{out}");
    }
    let files = ["charts", "games-canfield-greedy.csv", "games-rainbow-greedy.csv", "index.html"];
    assert_eq!(
        names(&path.join("one/deep")),
        [&files[..], &["run.blocks", "summary.json", "tables"]].concat()
    );
    for file in ["summary.json", "games-canfield-greedy.csv"] {
        let read = |folder: &str| fs::read(path.join(folder).join(file)).unwrap();
        assert!(read("one/deep") == read("two"), "{file}");
    }
    assert_eq!(fs::read_to_string(path.join("two/mine.txt")).unwrap(), "keep me");
    let csv = fs::read_to_string(path.join("two/games-rainbow-greedy.csv")).unwrap();
    assert!(csv.starts_with("game,cards,end,moves,redeals,reserve_left,"), "{csv}");
    assert_eq!(csv.lines().count(), 2501);
    good(&["simulate", "canfield", "rainbow", "-n", "10", "--seed", "7"], path);
    assert_eq!(names(&path.join("reports")), ["canfield+rainbow-greedy-7"]);
}

/// Statements about several entries or cells use simultaneous intervals, in terminal and data.
#[test]
fn claims_over_several_hold_at_once() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let wider = |at_once: &Value, alone: &Value| {
        let [a, b] = [at_once, alone].map(|e| ["low", "value", "high"].map(|key| e[key].as_f64().unwrap()));
        assert!(a[0] < b[0] && a[1] == b[1] && a[2] > b[2], "{at_once} {alone}");
        if a[0] > 0.0 {
            "house"
        } else if a[2] < 0.0 {
            "player"
        } else {
            "open"
        }
    };
    let lines = [
        (
            "simulate canfield single-pass -s greedy -s patient -n 2k",
            "entries",
            "combinations of rules and player",
        ),
        ("sweep canfield --vary stock.redeals=4..7 --games 2k", "cells", "Of 4 cells the house gains in"),
    ];
    for (line, key, said) in lines {
        let words: Vec<&str> = line.split(' ').chain(["--out", "out", "-q", "--restart"]).collect();
        let told = good(&words, path);
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(said) && told.contains("(95% confidence for all"), "{told}");
        let data: Value = serde_json::from_slice(&fs::read(path.join("out/summary.json")).unwrap()).unwrap();
        let mut counts = std::collections::BTreeMap::from([("house", 0), ("player", 0), ("open", 0)]);
        for it in data[key].as_array().unwrap() {
            let found = wider(&it["at_once"]["house_edge"], &it["summary"]["house_edge"]);
            assert_eq!(it["side"], found);
            *counts.get_mut(found).unwrap() += 1;
        }
        assert!(counts.iter().all(|(side, n)| data["sides"][side] == *n), "{} {counts:?}", data["sides"]);
    }
    let alone = good(&["simulate", "-n", "1k", "--no-report", "--json"], path);
    assert!(!alone.contains("at_once"), "{alone}");
}
