//! Bad command lines, files and scripts: they are refused before anything is played, and write nothing.

use crate::common::program::{DECK, Lab};

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
