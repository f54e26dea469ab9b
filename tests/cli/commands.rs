//! The program as a whole: its output, where it goes, and its exit codes.

use std::io::{BufRead, BufReader};

use serde_json::Value;

use crate::common::program::{DECK, Lab, Ran, has, lines, list, names, number, one_line};

#[test]
fn completions_and_the_man_page() {
    let lab = Lab::new();
    for shell in ["bash", "zsh", "fish"] {
        has(&lab.good(&format!("completions {shell}")), "simulate");
    }
    has(&lab.good("man"), ".TH saratoga 1|.TH saratoga-rules-list 1");
}

#[test]
fn one_game_is_drawn_and_several_are_listed() {
    let lab = Lab::new();
    let drawn = lab.good("replay --game 0..1");
    has(&drawn, "canfield, greedy, seed 1, game 0\n  base A|\n1. draw\n|\n8. W>T4  JS\n");
    has(&drawn, "The game ends barren: 1 card up, 13 left in the reserve; 27 moves, 1 redeal.\n");
    let listed = lab.good("replay --game 0..3");
    has(&one_line(&listed), "game end cards moves redeals reserve left 0 barren 1 27 1 13 1 ");
    assert_eq!(listed.lines().count(), 4);
    // The same game as a deck, from the command line and from a file.
    let same = lab.good(&format!("replay --deck '{DECK}'"));
    assert_eq!(same.split_once('\n').unwrap().1, drawn.split_once('\n').unwrap().1);
    let ran = lab.run_with("replay --deals -", &format!("# mine\nfirst\t{DECK}\n"));
    assert!(ran.out.starts_with("canfield, greedy, deal first\n"), "{}", ran.out);
    // Records keep the ids of the file; a deck without an id has none.
    let records = lab.run_with("replay --deals - --json", &format!("first\t{DECK}\n{DECK}\n")).out;
    let ids: Vec<Value> = lines(&records).iter().map(|record| record["id"].clone()).collect();
    assert_eq!(ids, [Value::from("first"), Value::Null]);
    assert_eq!(lab.run_with("check -", &records).code, Some(0));
    // Explaining a game marks the chosen of all legal moves, and does not change it.
    let [explained, plain] = ["--explain", ""].map(|it| lab.good(&format!("replay --game 3 -s random {it}")));
    let count = |start: fn(&str) -> bool| explained.lines().filter(|line| start(line)).count();
    let marked = count(|line| line.starts_with("  > "));
    let moves = count(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    // The last choice may be the draw or redeal that ends a game.
    assert!(marked == moves || marked == moves + 1, "{marked} marks for {moves} moves");
    assert_eq!(explained.lines().last(), plain.lines().last());
}

#[test]
fn records_at_fault_are_told_with_their_place() {
    let lab = Lab::new();
    let record = lab.good("replay --json");
    let column = |text: &str| record.find(text).unwrap() + 1;
    for (text, column, message) in [
        ("not JSON\n".to_string(), 1, "a record is a JSON object"),
        ("{\"rules\":\"canfield\"}\n".into(), 20, "missing field `deck`"),
        (record.replace("canfield", "canfeild"), column("canfield"), "did you mean \"canfield\"?"),
        (record.replace("8S 9H", "8S 9X"), column("9H"), "`9X` is not a card"),
        (record.replace("draw W>T1", "draw W>T2"), column("W>T1"), "`W>T2` is not legal here; legal: "),
        (record.replace("barren", "won"), column("\"end\""), "it says `won`"),
        (record.replace("\"cards\":1", "\"cards\":2"), column("\"cards\""), "it says 2 cards"),
    ] {
        let ran = lab.run_with("check -", &text);
        assert_eq!(ran.code, Some(2), "{message}");
        has(&ran.out, &format!("standard input:1:{column}: |{message}"));
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let lab = Lab::new();
    for line in [
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
    ] {
        let mut child = lab.start(line);
        let mut first = String::new();
        // The reader, and with it the pipe, is closed after one line.
        BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let ran = Ran::end(child);
        assert_eq!((ran.code, &*ran.err, first.is_empty()), (Some(0), "", false), "{line}");
    }
}

#[test]
fn json_alone_goes_to_standard_output() {
    let lab = Lab::new();
    let found = lab.json("simulate canfield rainbow -n 1500");
    let played = [0, 1].map(|i| [&found["entries"][i]["rules"], &found["entries"][i]["strategy"]]);
    assert_eq!(played, [["canfield", "greedy"], ["rainbow", "greedy"]]);
    assert!(lab.names().is_empty(), "no report was asked for");
    let few = lab.run("simulate -n 20 --precision 0.01 --json");
    assert!(few.code == Some(0) && few.err.starts_with("warning: 20 games were too few"), "{}", few.err);
    serde_json::from_str::<Value>(&few.out).unwrap();
    let games = lab.json("simulate -n 1e6 --precision 5pp --threads 2")["games"].as_u64().unwrap();
    assert!((10_000..1_000_000).contains(&games) && games.is_multiple_of(1000), "{games}");
}

#[test]
fn reports_go_to_their_folders() {
    let lab = Lab::with(&[("deep/one/mine.txt", "keep me")]);
    let told = lab.good("simulate canfield rainbow -n 2500 --csv --out deep/one");
    has(&told, "Report: deep/one/index.html");
    let games = ["games-canfield-greedy.csv", "games-rainbow-greedy.csv"];
    let files = ["index.html", "mine.txt", "run.blocks", "summary.json", "tables"];
    assert_eq!(names(&lab.at("deep/one")), [&["charts"], &games[..], &files].concat());
    assert_eq!(lab.read("deep/one/mine.txt"), "keep me");
    assert_eq!(lab.read("deep/one/games-rainbow-greedy.csv").lines().count(), 2501);
    lab.good("simulate canfield rainbow -n 10 --seed 7");
    assert_eq!(names(&lab.at("reports")), ["canfield+rainbow-greedy-7"]);
}

/// Statements about several entries or cells use simultaneous intervals, in terminal and data.
#[test]
fn claims_over_several_hold_at_once() {
    let lab = Lab::new();
    for (line, key, said) in [
        (
            "simulate canfield single-pass -s greedy -s patient -n 2k",
            "entries",
            "combinations of rules and player",
        ),
        ("sweep canfield --vary stock.redeals=4..7 --games 2k", "cells", "Of 4 cells the house gains in"),
    ] {
        has(&lab.told(line), &format!("{said}|(95% confidence for all"));
        let data = lab.json(line);
        let mut counts = std::collections::BTreeMap::from([("house", 0), ("player", 0), ("open", 0)]);
        for it in list(&data[key]) {
            let [(low, value, high), (own_low, own, own_high)] = [&it["at_once"], &it["summary"]].map(|of| {
                let edge = &of["house_edge"];
                (number(&edge["low"]), number(edge), number(&edge["high"]))
            });
            assert!(low < own_low && value == own && high > own_high, "{it}");
            let side = if low > 0.0 {
                "house"
            } else if high < 0.0 {
                "player"
            } else {
                "open"
            };
            assert_eq!(it["side"], side);
            *counts.get_mut(side).unwrap() += 1;
        }
        assert!(counts.iter().all(|(side, n)| data["sides"][side] == *n), "{} {counts:?}", data["sides"]);
    }
    assert!(!lab.good("simulate -n 1k --json").contains("at_once"));
}
