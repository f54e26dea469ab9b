//! Bad command lines, files and scripts: they are refused before anything is played, or told with the game that shows
//! them, and write nothing.

use crate::common::program::{DECK, Lab, Ran, has};

const MINE: &str =
    "const STOP = param(1, 0..=9);\nfn score(view, m) { if view.cards > STOP { -1 } else { 1 } }\n";
const GUESTS: &str = "[[patron]]\nname = \"tourist\"\nstrategy = \"greedy\"\nshare = 60\n\
                      [[patron]]\nname = \"regular\"\nstrategy = \"./mine.rhai\"\nshare = 40\n";

fn lab() -> Lab {
    let lab = Lab::with(&[
        ("empty.txt", "# nothing\n"),
        ("bad.txt", &format!("a\t{DECK}\nb\t{DECK} 5S\n8S 1X\n")),
        ("decks.txt", &format!("a\t{DECK}\nb\t{DECK}\nc\t{DECK}\n")),
        ("bad.jsonl", "{\"deck\": \"AS\"}\n{\"id\": \"x\"}\n"),
        ("house.toml", "name = \"House\"\nextends = \"canfield\"\n"),
        ("mine.rhai", MINE),
        ("bad.rhai", "fn score(view, m) { view.wast_top }\n"),
        ("guests.toml", GUESTS),
        ("few.toml", &GUESTS.replace("40", "30").replace("mine", "other")),
        ("free.toml", "extends = \"canfield\"\n[casino]\nstake = 0\n"),
        ("unpaid.toml", "extends = \"canfield\"\n[casino]\npays_per_card = 0\n"),
        ("rich.toml", "extends = \"canfield\"\n[casino]\nstake = 1000\npays_per_card = 10000000\n"),
        ("fee.toml", "extends = \"canfield\"\n[casino]\nredeal_fee = 1\n"),
        ("nine.toml", "rules = \"nerts\"\nplayers = 9\n"),
        ("slow.toml", "extends = \"nerts\"\n[clock]\nspeed = 0.02\n"),
        ("night.csv", "cards\n5\n"),
        ("many.csv", "cards\n5\n53\n"),
        ("both.csv", "Deck,Cards,Paid\n1,7,$35.00\n2,14,$75.00\n"),
        ("paid.csv", "decks,paid\n50,2000\n"),
        ("much.csv", "decks,paid\n50,20000\n"),
        ("theirs/run.blocks", "a film"),
    ]);
    // Folders where files are expected.
    for within in ["folder", "part/shard-1-of-2.blocks", "whole/run.blocks", "merged/run.blocks"] {
        std::fs::create_dir_all(lab.at(within)).unwrap();
    }
    lab.write("latin.txt", b"8S\nab\xff");
    lab.write("latin.toml", b"name = \"x\"\nabout = \"\xff\"\n");
    lab
}

#[test]
fn faults_are_told_before_anything_is_played() {
    let lab = lab();
    let before = lab.names();
    let rows =
        include_str!("../data/faults.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut tried = 0;
    for row in rows {
        let (line, said) = row.split_once(" -> ").unwrap_or_else(|| panic!("no words: {row}"));
        let told = lab.refused(line, said);
        assert!(!told.contains("os error"), "{line}: {told}");
        assert_eq!(lab.names(), before, "{line}");
        tried += 1;
    }
    assert!(tried > 200, "{tried}");
    assert_eq!(lab.read("theirs/run.blocks"), "a film");
}

fn failed(lab: &Lab, line: &str) -> Ran {
    let ran = lab.run(line);
    assert_eq!(ran.code, Some(1), "{line}: {}", ran.err);
    ran
}

/// A script that fails is told with its place and the command that shows it, of whatever experiment.
#[test]
fn a_faulty_script_is_told_with_the_game_that_shows_it() {
    let lab = Lab::with(&[
        ("my house.toml", "extends = \"canfield\"\n"),
        ("bad one.rhai", "fn score(view, m) { view.waste_top.rank }\n"),
        ("decks.txt", &format!("{DECK}\nmine\t{DECK}\n")),
    ]);
    let before = lab.names();
    let played = "'./my house.toml' -s 'bad one.rhai'";
    let shown = |line: &str| {
        let (command, options) = line.split_once(' ').unwrap();
        let ran = failed(&lab, &format!("{command} {played} {options}"));
        has(&ran.err, "bad one.rhai:1:36");
        ran.err.lines().last().unwrap().replace("the game that shows it: ", "")
    };
    for line in [
        "simulate --seed 7 -n 20 --no-report",
        "replay --seed 7",
        "compare -s greedy --seed 7 -n 20",
        "price --seed 7 -n 20",
        "bankroll --seed 7 -n 1000",
        "bracket --seed 7 -n 5 --choose 5",
        "solve --seed 7 -n 1 --nodes 10",
    ] {
        let told = shown(line);
        assert!(told.starts_with(&format!("saratoga replay {played} --seed 7 --game ")), "{line}: {told}");
    }
    assert_eq!(shown(&format!("replay --deck '{DECK}'")), "the deck given with --deck");
    assert_eq!(shown("replay --deals decks.txt"), "deal number 1 of decks.txt");
    let given = format!("saratoga replay {played} --deals decks.txt --seed 1 --game 0");
    assert_eq!(shown("simulate --deals decks.txt"), given);
    assert_eq!(lab.names(), before);
}

/// Under rules that no file has, they are told too.
#[test]
fn a_faulty_script_is_told_with_changed_rules() {
    let lab = Lab::with(&[
        ("draw.rhai", "fn score(view, m) { if view.draw == 2 { view.pile_top(99).rank } else { 1 } }"),
        (
            "last.rhai",
            "fn score(view, m) { if view.redeals_left == 0 { view.pile_top(9).rank } else { -1 } }",
        ),
    ]);
    let ran = failed(&lab, "sweep --vary stock.draw=1..3 -s draw.rhai --budget 3k --out out");
    // Nothing remains that would conflict with the script's next version.
    assert_eq!(lab.names(), ["draw.rhai", "last.rhai"]);
    let (shows, text) = ran.err.split_once("where cell.toml, in this folder, says:\n\n").unwrap();
    has(shows, "saratoga replay cell.toml -s draw.rhai --seed 1 --game 0");
    lab.write("cell.toml", text);
    has(&failed(&lab, "replay cell.toml -s draw.rhai --seed 1 --game 0").err, "draw.rhai");
    has(&failed(&lab, "price canfield -s ./last.rhai -n 1000 -q").err, "last.rhai|stock.redeals=0");
}
