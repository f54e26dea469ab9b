//! Deals from a file: played, compared, written by the solver.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::cli::run::{good, run};

fn json(args: &[&str], folder: &Path) -> Value {
    serde_json::from_str(&good(&[args, &["--json", "-q"]].concat(), folder)).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Writes the first decks of seed 1 in both forms, with and without ids, and returns their number.
fn decks(folder: &Path, games: &str) -> usize {
    let told = good(&["deal", "canfield", "--game", games, "--json"], folder);
    fs::write(folder.join("decks.jsonl"), &told).unwrap();
    let decks = lines(&told);
    let line = |(i, deck): (usize, &Value)| format!("deal {i}, mine\t{}\n", deck["deck"].as_str().unwrap());
    let text: String = decks.iter().enumerate().map(line).collect();
    fs::write(folder.join("decks.txt"), format!("# of seed 1\n{text}")).unwrap();
    decks.len()
}

/// The deals of a seed, given as a file, give its games; so do the first of them.
#[test]
fn deals_of_a_seed_are_its_games() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    assert_eq!(decks(path, "0..500"), 500);
    let seeded = json(&["simulate", "-n", "500"], path);
    for file in ["decks.txt", "decks.jsonl"] {
        let given = json(&["simulate", "--deals", file], path);
        assert_eq!(given["entries"], seeded["entries"]);
    }
    let first = json(&["simulate", "--deals", "decks.txt", "-n", "200", "-s", "patient"], path);
    assert_eq!(first["entries"], json(&["simulate", "-n", "200", "-s", "patient"], path)["entries"]);
    // The report identifies the deals, and its own command plays them again.
    let told = good(&["simulate", "--deals", "decks.txt", "--out", "first"], path);
    assert!(told.contains("dealt from decks.txt"), "{told}");
    let summary: Value = serde_json::from_slice(&fs::read(path.join("first/summary.json")).unwrap()).unwrap();
    assert_eq!(
        (&summary["deals"]["file"], &summary["deals"]["deals"]),
        (&"decks.txt".into(), &Value::from(500))
    );
    let command = summary["command"].as_str().unwrap();
    let words: Vec<&str> = command.split(' ').skip(1).chain(["--out", "second"]).collect();
    assert!(good(&words, path).contains("dealt from decks.txt"));
    let bytes = ["first", "second"].map(|folder| fs::read(path.join(folder).join("index.html")).unwrap());
    assert!(bytes[0] == bytes[1]);
    assert!(String::from_utf8_lossy(&bytes[0]).contains("random sample of all deals of their kind"));
}

/// The id of a deal is shown with the deal everywhere, and commands replay it.
#[test]
fn ids_are_kept() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    decks(path, "0..30");
    good(&["simulate", "--deals", "decks.txt", "--csv", "--out", "out", "-q"], path);
    let csv = fs::read_to_string(path.join("out/games.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    assert!(rows[0].starts_with("game,id,cards,") && rows[8].starts_with("7,\"deal 7, mine\","), "{csv}");
    let args = ["compare", "--deals", "decks.txt", "-s", "patient", "-s", "greedy", "--show", "2"];
    let compared = json(&args, path);
    assert_eq!((&compared["games"], &compared["shown"].as_array().unwrap().len()), (&30.into(), &2));
    for deal in compared["shown"].as_array().unwrap() {
        assert_eq!(deal["id"], format!("deal {}, mine", deal["game"]));
        for (entry, command) in deal["replay"].as_array().unwrap().iter().enumerate() {
            let command = command.as_str().unwrap();
            assert!(command.contains(" --deals decks.txt "), "{command}");
            let words: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
            let record: Value = serde_json::from_str(good(&words, path).trim()).unwrap();
            assert_eq!((&record["cards"], &record["game"]), (&deal["cards"][entry], &deal["game"]));
        }
    }
    let told = good(&[&args[..], &["--no-report", "-q"]].concat(), path);
    assert!(told.contains("30 games of decks.txt, dealt to both") && told.contains("# deal deal "), "{told}");
}

/// The solver writes the deals with that answer, and `simulate` plays them.
#[test]
fn the_solver_writes_what_can_be_won() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let solve = ["solve", "single-pass", "-n", "12", "--nodes", "3k", "--memory", "4MiB", "--seed", "3"];
    let write = ["--write-deals", "won=w.txt", "--write-deals", "lost=l.txt", "--write-deals", "open=o.txt"];
    let ran = run(&[&solve[..], &write, &["--json"]].concat(), path);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("saratoga simulate single-pass --deals l.txt"), "{}", ran.err);
    // An empty list gives nothing to play.
    assert!(!ran.err.contains("--deals w.txt"), "{}", ran.err);
    for (file, verdict) in [("w.txt", "won"), ("l.txt", "lost"), ("o.txt", "unknown")] {
        let text = fs::read_to_string(path.join(file)).unwrap();
        let written: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let answers = lines(&ran.out);
        let wanted: Vec<String> = answers
            .iter()
            .filter(|it| it["verdict"] == verdict)
            .map(|it| format!("{}\t{}", it["id"].as_str().unwrap(), it["deck"].as_str().unwrap()))
            .collect();
        assert_eq!(written, wanted, "{verdict}");
        assert!(text.starts_with(&format!("# {} of 12 deals ", wanted.len())), "{text}");
        if wanted.is_empty() {
            continue;
        }
        let games = json(&["simulate", "single-pass", "--deals", file], path)["games"].clone();
        assert_eq!(games, wanted.len());
        let again = [&["solve", "single-pass", "--deals", file][..], &solve[4..8], &["--json"]].concat();
        assert!(lines(&good(&again, path)).iter().all(|it| it["verdict"] == verdict));
    }
}

/// The deals are part of a run's identity.
#[test]
fn shards_have_the_same_deals() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    decks(path, "0..3000");
    let line = ["simulate", "--deals", "decks.txt", "--csv", "-q"];
    good(&[&line[..], &["--out", "whole"]].concat(), path);
    good(&[&line[..], &["--out", "parts", "--shard", "1/2"]].concat(), path);
    good(&[&line[..], &["--out", "parts", "--shard", "2/2"]].concat(), path);
    good(&["merge", "parts", "-q"], path);
    for file in ["summary.json", "games.csv"] {
        let bytes = ["whole", "parts"].map(|folder| fs::read(path.join(folder).join(file)).unwrap());
        assert!(bytes[0] == bytes[1], "{file}");
    }
    // The contents of the files count, not their location.
    fs::create_dir(path.join("elsewhere")).unwrap();
    fs::copy(path.join("decks.txt"), path.join("elsewhere/same.txt")).unwrap();
    for (folder, rules) in [("", "mine.toml"), ("elsewhere", "yours.toml")] {
        let folder = path.join(folder);
        fs::write(folder.join("base.toml"), "extends = \"canfield\"\n[stock]\ndraw = 2\n").unwrap();
        fs::write(folder.join(rules), "extends = \"base.toml\"\n[stock]\nredeals = 2\n").unwrap();
        fs::write(folder.join("first.rhai"), "fn score(view, m) { if m.to_foundation { 2 } else { 1 } }")
            .unwrap();
    }
    let of =
        |rules, script, deals| ["simulate", rules, "-s", script, "--deals", deals, "-q", "--out", "moved"];
    good(&[&of("mine.toml", "first.rhai", "decks.txt")[..], &["--shard", "1/2"]].concat(), path);
    let moved = of("elsewhere/yours.toml", "./elsewhere/first.rhai", "elsewhere/same.txt");
    good(&[&moved[..], &["--shard", "2/2"]].concat(), path);
    let merged: Value = serde_json::from_str(&good(&["merge", "moved", "-q", "--json"], path)).unwrap();
    assert_eq!(merged["games"], 3000);
    good(&[&line[..], &["--out", "other", "--shard", "1/2"]].concat(), path);
    let text = fs::read_to_string(path.join("decks.txt")).unwrap().replace("deal 5, mine", "deal 5, changed");
    fs::write(path.join("decks.txt"), text).unwrap();
    let ran = run(&[&line[..], &["--out", "other", "--shard", "1/2"]].concat(), path);
    assert!(ran.code == Some(2) && ran.err.contains("decks 3000 of a file"), "{}", ran.err);
}

/// Probable mistakes are played, and reported with their line: a repeated deck, a deck for another game.
#[test]
fn doubtful_lines_are_told() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    decks(path, "0..20");
    let text = fs::read_to_string(path.join("decks.txt")).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    fs::write(path.join("twice.txt"), format!("{text}{}\n{}\n", rows[3], rows[5])).unwrap();
    let ran = run(&["simulate", "--deals", "twice.txt", "--no-report"], path);
    assert!(ran.code == Some(0) && ran.err.contains("twice.txt:22:14"), "{}", ran.err);
    let warning = "warning: this deck stands in line 4 already (the first of 2 such lines)";
    assert!(ran.err.contains(warning), "{}", ran.err);
    let told = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("2 of them have the deck of one before them"), "{told}");
    // A list has no further games.
    assert!(told.contains("A longer list of such deals") && !told.contains("More games"), "{told}");
    for line in ["solve --nodes 1k", "compare -s greedy -s patient"] {
        let args = line.split(' ').chain(["--deals", "twice.txt", "--no-report"]);
        let ran = run(&args.collect::<Vec<_>>(), path);
        assert!(ran.code == Some(0) && ran.err.contains("in line 4 already"), "{line}: {}", ran.err);
    }
    let once = run(&["simulate", "--deals", "decks.jsonl", "--no-report"], path);
    assert!(!once.err.contains("warning") && !once.out.contains("before them"), "{}", once.err);
    // The rules of the list may be one of several.
    let several = run(&["simulate", "superior", "canfield", "--deals", "decks.jsonl", "--no-report"], path);
    assert!(!several.err.contains("warning"), "{}", several.err);
    for line in ["simulate superior --no-report", "solve superior --nodes 1k --no-report", "replay superior"]
    {
        let ran = run(&line.split(' ').chain(["--deals", "decks.jsonl"]).collect::<Vec<_>>(), path);
        let warning = "this deck was dealt for canfield, not for superior (the first of 20 such lines)";
        assert!(ran.code == Some(0) && ran.err.contains("decks.jsonl:1:"), "{line}: {}", ran.err);
        assert!(ran.err.contains(warning), "{line}: {}", ran.err);
    }
}
