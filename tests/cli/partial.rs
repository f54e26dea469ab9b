//! Reports of a part of a run: they say so, and every figure is that of the deals which are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::run::{good, run};

fn words<'a>(line: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    line.split_whitespace().chain(more.iter().copied()).collect()
}

/// Makes all shards of a run, in as many rounds as it takes.
fn shards(line: &str, of: u64, path: &Path) {
    for _ in 0..20 {
        for shard in 1..=of {
            good(&words(line, &["--shard", &format!("{shard}/{of}"), "--out", "parts", "-q"]), path);
        }
        if run(&["merge", "parts", "-q"], path).code == Some(0) {
            return;
        }
    }
    panic!("{line} never ends");
}

/// Merges some of the shards, and gives the folder of the report and what was printed.
fn merged(some: &[u64], of: u64, more: &[&str], path: &Path) -> (std::path::PathBuf, String) {
    let (from, to) = (path.join("some"), path.join("part"));
    for folder in [&from, &to] {
        let _ = fs::remove_dir_all(folder);
    }
    fs::create_dir(&from).unwrap();
    for shard in some {
        let name = format!("shard-{shard}-of-{of}.blocks");
        fs::copy(path.join("parts").join(&name), from.join(&name)).unwrap();
    }
    let told = good(&[&["merge", "some", "--partial", "--json", "--out", "part", "-q"], more].concat(), path);
    (to, told)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn summary(folder: &Path) -> Value {
    json(&fs::read_to_string(folder.join("summary.json")).unwrap())
}

#[test]
fn json_and_page_say_that_they_are_of_a_part() {
    for (line, own) in [
        ("simulate canfield -n 3000 --csv", "simulate canfield --games=3000 --csv"),
        (
            "compare -s patient -s greedy -n 6k --difference 0.1",
            "compare --strategy=patient --strategy=greedy --games=6000 --difference=0.1",
        ),
        (
            "sweep canfield --vary stock.draw=1..3 -n 2000",
            "sweep canfield --vary=stock.draw=1..3 --games=2000",
        ),
        ("price canfield -n 3000 --variant-games 1000", "price canfield --games=3000 --variant-games=1000"),
        (
            "bankroll canfield -n 3000 --decks 30 --bootstrap 100",
            "bankroll canfield --games=3000 --decks=30 --bootstrap=100",
        ),
        (
            "bracket single-pass -s greedy -s patient -n 12 --nodes 2k",
            "bracket single-pass --strategy=greedy --strategy=patient --games=12 --nodes=2000",
        ),
        (
            "contest racing-demon -s greedy -s greedy -s greedy -s greedy -n 40 --no-factors",
            "contest racing-demon --strategy=greedy --strategy=greedy --strategy=greedy --strategy=greedy \
             --matches=40 --no-factors",
        ),
        (
            "solve single-pass -s greedy -n 12 --nodes 2k",
            "solve single-pass --strategy=greedy --games=12 --nodes=2000",
        ),
    ] {
        let dir = tempdir().unwrap();
        let path = dir.path();
        shards(line, 3, path);
        let (folder, told) = merged(&[1, 3], 3, &[], path);
        let found = summary(&folder);
        let missing = found["partial"]["blocks_missing"].as_u64();
        assert!(missing > Some(0), "{line}: {}", found["partial"]);
        // In the order of the options.
        let sorted = |line: &str| {
            let mut words: Vec<String> = line.split(' ').map(str::to_string).collect();
            words.sort();
            words
        };
        assert_eq!(sorted(found["command"].as_str().unwrap()), sorted(&format!("saratoga {own}")));
        let page = fs::read_to_string(folder.join("index.html")).unwrap();
        assert!(
            page.contains("This is a part of the run") && page.contains(&found["command"].to_string()[1..40])
        );
        // What is printed: an object, an array of them, or JSON Lines.
        let lines: Vec<&str> = told.lines().collect();
        if line.starts_with("solve") {
            let last = json(lines[lines.len() - 1]);
            assert_eq!(last["partial"]["blocks_missing"].as_u64(), missing, "{told}");
            assert_eq!(last["command"], found["command"], "{told}");
            assert_eq!(last.as_object().unwrap().len(), 2, "{told}");
        }
        let printed = match serde_json::from_str(&told) {
            Ok(Value::Array(all)) => all,
            Ok(one) => vec![one],
            Err(_) => told.lines().filter(|line| line.contains("\"summary\"")).map(json).collect(),
        };
        assert!(!printed.is_empty() || line.starts_with("solve"), "{line}: {told}");
        for it in &printed {
            assert_eq!(it["partial"]["blocks_missing"].as_u64(), missing, "{line}: {it}");
        }
        // Of the whole nothing is missing, and nothing is said.
        let (folder, told) = merged(&[1, 2, 3], 3, &[], path);
        assert!(!told.contains("\"partial\"") && summary(&folder)["partial"].is_null(), "{line}");
    }
}

/// The rows of a file of solved deals, by deal, without the seconds.
fn rows(folder: &Path) -> BTreeMap<u64, Vec<String>> {
    let text = fs::read_to_string(folder.join("deals.csv")).unwrap();
    let row = |line: &str| {
        let mut row: Vec<String> = line.split(',').map(str::to_string).collect();
        row.remove(7);
        (row[0].parse().unwrap(), row)
    };
    text.lines().skip(1).map(row).collect()
}

#[test]
fn strategies_are_paired_with_the_answers_of_their_deals() {
    const SHARDS: u64 = 5;
    const DEALS: u64 = 550;
    let dir = tempdir().unwrap();
    let path = dir.path();
    let line = format!("solve canfield -n {DEALS} --nodes 30 -s greedy -s patient");
    shards(&line, SHARDS, path);
    let truth = rows(&merged(&(1..=SHARDS).collect::<Vec<_>>(), SHARDS, &[], path).0);
    assert_eq!(truth.len() as u64, DEALS);
    // Every subset but none and all of them.
    for subset in 1..(1 << SHARDS) - 1 {
        let some: Vec<u64> = (1..=SHARDS).filter(|shard| subset >> (shard - 1) & 1 == 1).collect();
        let makes = |block: u64| some.contains(&(block % SHARDS + 1));
        let (folder, told) = merged(&some, SHARDS, &[], path);
        let (found, solved) = (summary(&folder), rows(&folder));
        let both = |deal: &u64| makes(*deal) && makes(deal / 100);
        for deal in 0..DEALS {
            let mut wanted = truth[&deal].clone();
            if !makes(deal) {
                assert!(!solved.contains_key(&deal), "{some:?}: deal {deal}");
                continue;
            }
            // A strategy may have played a deal of which the block is not there.
            if !both(&deal) {
                wanted[7..].iter_mut().for_each(String::clear);
            }
            if (0..DEALS).any(|deal| both(&deal)) {
                assert_eq!(solved[&deal], wanted, "{some:?}: deal {deal}");
            }
        }
        let paired: Vec<&Vec<String>> = (0..DEALS).filter(both).map(|deal| &truth[&deal]).collect();
        let players = found["players"].as_array().unwrap();
        assert_eq!(players.len(), if paired.is_empty() { 0 } else { 2 }, "{some:?}");
        for (player, column) in players.iter().zip([7, 9]) {
            let number = |row: &Vec<String>, at: usize| row[at].parse::<f64>().unwrap();
            let mean = |of: &dyn Fn(&Vec<String>) -> f64| {
                paired.iter().map(|row| of(row)).sum::<f64>() / paired.len() as f64
            };
            let cards = player["summary"]["cards"]["value"].as_f64().unwrap();
            assert_eq!(player["summary"]["games"].as_u64(), Some(paired.len() as u64));
            assert!((cards - mean(&|row| number(row, column))).abs() < 1e-9, "{some:?}");
            // What is left lies between the bounds of these very deals.
            let left = &player["left"]["cards"];
            let most = mean(&|row| number(row, 5) - number(row, column));
            assert!((left["most"].as_f64().unwrap() - most).abs() < 1e-9, "{some:?}: {left}, {most}");
        }
        let blocks = (0..DEALS).chain(0..DEALS.div_ceil(100));
        let missing = blocks.filter(|&block| !makes(block)).count() as u64;
        assert_eq!(found["partial"]["blocks_missing"].as_u64(), Some(missing), "{some:?}");
        // The last says that all are of a part.
        assert_eq!(told.lines().count(), solved.len() + players.len() + 1, "{some:?}");
    }
}

#[test]
fn all_deals_that_were_solved_count() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards("simulate canfield -n 3000 --clairvoyant=9 --clairvoyant-nodes 2k", 3, path);
    for (some, deals) in [(&[2, 3][..], 6), (&[1], 3), (&[1, 3], 6)] {
        let (folder, _) = merged(some, 3, &[], path);
        let known = &summary(&folder)["entries"][0]["clairvoyant"];
        assert_eq!(known["deals"].as_u64(), Some(deals), "{some:?}");
    }
    let dir = tempdir().unwrap();
    let path = dir.path();
    let line = "plan canfield demon-casino --patrons greedy:60%,patient:40% --best greedy -n 3000 --decks 30 \
                --nights 3 --bootstrap 100 --clairvoyant 9 --nodes 2k --at 52";
    shards(line, 3, path);
    let (folder, _) = merged(&[2, 3], 3, &[], path);
    let found = summary(&folder);
    assert_eq!(found["rulesets"].as_array().map(Vec::len), Some(2), "{found}");
    for rules in found["rulesets"].as_array().unwrap() {
        assert_eq!(rules["every_card_known"]["deals"].as_u64(), Some(6), "{rules}");
    }
}

/// A ruleset of which a part has no games is named, and those after it have their plans.
#[test]
fn plans_without_games_are_named() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let line = "plan canfield draw-one demon-casino --patrons greedy:100% --best greedy -n 1000 --decks 30 --nights 3 \
                --bootstrap 100 --clairvoyant 0 --at 52";
    shards(line, 2, path);
    assert_eq!(json(&merged(&[1], 2, &[], path).1)["without"], Value::Null);
    // Its one block of canfield is in another stage than those of the others: without it the file is sound.
    let file = path.join("parts/shard-1-of-2.blocks");
    let mut frames = Vec::new();
    saratoga::lab::scan_blocks(&file, |(stage, _), (at, length), _| {
        frames.push((stage, at as usize - 24..at as usize + length as usize));
    })
    .unwrap();
    assert_eq!(frames.len(), 3, "one block for each");
    let bytes = fs::read(&file).unwrap();
    for (place, id) in [(1, "draw-one"), (0, "canfield"), (2, "demon-casino")] {
        let within = frames[place].1.clone();
        fs::write(&file, [&bytes[..within.start], &bytes[within.end..]].concat()).unwrap();
        let (folder, told) = merged(&[1], 2, &[], path);
        let found = summary(&folder);
        assert_eq!(found["without"], serde_json::json!([id]), "{found}");
        let planned: Vec<&str> =
            found["rulesets"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
        assert_eq!(planned.len(), 2);
        assert!(!planned.contains(&id), "{planned:?}");
        assert_eq!(json(&told)["partial"]["blocks_missing"].as_u64(), Some(1));
        let page = fs::read_to_string(folder.join("index.html")).unwrap();
        assert!(page.contains(&format!("There is no plan for {id}")), "{id}");
    }
    // Of none there is nothing to report.
    fs::write(&file, &bytes[..frames[0].1.start]).unwrap();
    let (from, to) = (path.join("none"), path.join("nothing"));
    fs::create_dir(&from).unwrap();
    fs::copy(&file, from.join("shard-1-of-2.blocks")).unwrap();
    let none = run(&["merge", "none", "--partial", "--out", to.to_str().unwrap(), "-q"], path);
    assert_eq!((none.code, &*none.out), (Some(1), ""), "{}", none.err);
    assert!(none.err.contains("there is nothing to report"), "{}", none.err);
}

/// The race of a part may be won by other values: games of those that won the whole race are not told as theirs.
#[test]
fn tuned_values_have_their_own_games() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    let line =
        "tune canfield tunable --candidates 4 --generations 2 --deals 1000 -n 3000 --no-write --seed 12";
    good(&words(line, &["--out", "whole", "-q"]), path);
    let file = path.join("whole/run.blocks");
    let mut frames: Vec<(u64, std::ops::Range<usize>)> = Vec::new();
    saratoga::lab::scan_blocks(&file, |(stage, _), (at, length), _| {
        frames.push((stage, at as usize - 24..at as usize + length as usize));
    })
    .unwrap();
    let mut stages: Vec<u64> = frames.iter().map(|(stage, _)| *stage).collect();
    stages.dedup();
    assert_eq!(stages.len(), 5, "two heats in each generation, and the fresh deals");
    // Without the second generation.
    let bytes = fs::read(&file).unwrap();
    let mut part = bytes[..frames[0].1.start].to_vec();
    for (_, within) in frames.iter().filter(|(stage, _)| !stages[2..4].contains(stage)) {
        part.extend_from_slice(&bytes[within.clone()]);
    }
    fs::create_dir(path.join("some")).unwrap();
    fs::write(path.join("some/run.blocks"), part).unwrap();
    let told = json(&good(&["merge", "some", "--partial", "--json", "--out", "part", "-q"], path));
    assert_ne!(told["found"], summary(&path.join("whole"))["found"]);
    let tuned = &told["fresh"]["entries"][0];
    assert!(tuned["summary"].is_null(), "no game of these values is there: {tuned}");
}

/// The deals that are there choose the best players, and judge them.
#[test]
fn brackets_are_of_all_deals_that_are_there() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards("bracket single-pass -s greedy -s patient -n 40 --nodes 2k", 4, path);
    let judged = |folder: &Path| summary(folder)["points"][0]["deals"].as_u64().unwrap();
    let whole = judged(&merged(&[1, 2, 3, 4], 4, &[], path).0);
    let part = judged(&merged(&[1, 2, 4], 4, &[], path).0);
    assert!(whole == 40 && (20..40).contains(&part), "{part} of {whole}");
}

/// Who looks ahead, on other threads, counts nothing.
#[test]
fn what_is_missing_is_the_same_at_any_number_of_threads() {
    let dir = tempdir().unwrap();
    let path = dir.path();
    shards("simulate canfield --precision 2pp -n 100k", 3, path);
    let found = |threads| summary(&merged(&[1, 3], 3, &["--threads", threads], path).0);
    let one = found("1");
    let (games, missing) =
        (one["games"].as_u64().unwrap(), one["partial"]["blocks_missing"].as_u64().unwrap());
    // Every third block up to where it is precise enough.
    assert!(games < 60_000 && missing == (games / 1000) / 2, "{games} games, {missing} missing");
    for threads in ["2", "8", "8", "8"] {
        assert_eq!(found(threads), one);
    }
}

/// A report of a part is not that of a finished run.
#[test]
fn status_tells_a_part_from_the_whole() {
    let dir = tempdir().unwrap();
    let state = || {
        let told = good(&["status", "both", "--json"], dir.path());
        serde_json::from_str::<Value>(&told).unwrap()[0]["state"].clone()
    };
    for (shard, more, wanted) in [("1/2", &["--partial"][..], "stopped"), ("2/2", &[], "finished")] {
        good(&words("simulate -n 4000 -q --out parts --shard", &[shard]), dir.path());
        good(&words("merge parts --out both -q", more), dir.path());
        assert_eq!(state(), wanted);
    }
}
