//! A game played by a person in plain text: through a pipe, as with a screen reader or a script.

use std::fs;
use std::path::Path;

use saratoga::rules;
use serde_json::Value;
use tempfile::tempdir;

use crate::cli::run::{Ran, good, run, run_with};

/// Plays in plain text; requires exit code 0 and no errors.
fn play(args: &[&str], folder: &Path, input: &str) -> Ran {
    run_with(&[&["play", "--plain"], args].concat(), folder, input)
}

fn record(file: &Path) -> Value {
    let text = fs::read_to_string(file).unwrap();
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

/// Typing the moves of a strategy's game gives the same game, with a valid record.
#[test]
fn a_game_that_is_typed_is_the_game_that_was_recorded() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let mut ends = Vec::new();
    for (rules, _) in rules::shelf() {
        if rules::load(rules).unwrap().rules.spec().casino.is_staged() {
            continue;
        }
        let line = good(&["replay", rules, "-s", "patient", "--game", "7", "--json"], path);
        let own: Value = serde_json::from_str(&line).unwrap();
        let event = |word: &&str| word.starts_with("roll:") || word.starts_with("shuffle:");
        let moves = own["moves"].as_str().unwrap();
        let words: Vec<&str> = moves.split(' ').filter(|word| !event(word)).collect();
        // A script that gives up where nothing new would come does not count as resigning.
        let end = match own["end"].as_str().unwrap() {
            "resigned" | "barren" => "resign\n",
            _ => "",
        };
        let ran =
            play(&[rules, "--game", "7", "--save", "g.jsonl"], path, &format!("{}\n{end}", words.join(" ")));
        assert_eq!(ran.code, Some(0), "{rules}: {}", ran.err);
        assert!(ran.out.contains("The game ends"), "{rules}: {}", ran.out);
        let mut typed = record(&path.join("g.jsonl"));
        assert_eq!(typed["strategy"], "person");
        typed["strategy"] = own["strategy"].clone();
        assert_eq!(typed, own, "{rules}");
        ends.push(own["end"].as_str().unwrap().to_string());
    }
    for end in ["won", "barren", "blocked"] {
        assert!(ends.iter().any(|it| it == end), "no game was {end}: {ends:?}");
    }
    // Records are appended to a file, and all of them are valid.
    let checked = good(&["check", "g.jsonl"], path);
    assert_eq!(checked, format!("{0} records checked: {0} good, 0 at fault\n", ends.len()));
}

#[test]
fn undo_and_redo_print_the_same_position() {
    let folder = tempdir().unwrap();
    for rules in ["canfield", "exorcism-die-draw", "demon-two-packs", "selective"] {
        let ran = play(&[rules], folder.path(), "watch 5 greedy\nboard\nundo 3\nredo 3\nboard\nquit\n");
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{rules}");
        let boards: Vec<&str> = ran.out.split("  base ").skip(1).collect();
        assert_eq!(boards.len(), 6, "{rules}: {}", ran.out);
        assert_eq!(boards[1], boards[2]);
        assert!(boards[2] == boards[4] && boards[4] == boards[5], "{rules}: {}", ran.out);
        assert!(boards[3] != boards[4]);
        assert!(!ran.out.contains('\u{1b}'), "plain text has no colours");
    }
}

#[test]
fn stages_are_bought_and_declined() {
    let folder = tempdir().unwrap();
    let said = "draw\nbuy\nR>F\nbuy\ndraw\nbuy\ndraw\nbuy\ndraw\ndecline\nsave s.jsonl\ndraw\nquit\n";
    let ran = play(&["bsd", "--game", "3"], folder.path(), said);
    assert_eq!(ran.code, Some(2));
    for part in [
        "Nothing is dealt yet. To play the deal costs $13.00 (deal; who declines stops). `buy` or `decline`?",
        "! the stage `deal` is asked for: buy it or decline it first",
        "The cards are dealt. To play on what lies there costs $13.00",
        "To draw costs $26.00 (first-draw; who declines stops).",
        "To be shown where the cards lie that went by costs $1.00 (unknown-card; who declines plays on).",
        "staked $53.00  pays $10.00  net -$43.00",
        // Two packets were drawn since the last purchase.
        "To be shown where the cards lie that went by costs $2.00",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert!(
        ran.err.contains("1 line of standard input could not be followed; line 1: the stage `deal`"),
        "{}",
        ran.err
    );
    good(&["check", "s.jsonl"], folder.path());
    assert_eq!(record(&folder.path().join("s.jsonl"))["staked"], 5300);
    // Nothing of the layout is visible before it is bought.
    let unseen = ran.out.split("buy` or `decline`?").next().unwrap();
    assert!(!unseen.contains("T1"), "{unseen}");
    let ran = play(&["bsd", "--save", "d.jsonl"], folder.path(), "decline\n");
    assert!(
        ran.out
            .contains("The game ends resigned: The stage deal was declined. 1 card up, 0 moves. Net $0.00."),
        "{}",
        ran.out
    );
}

#[test]
fn hints_and_what_was_possible() {
    let folder = tempdir().unwrap();
    let said = "hint greedy\nhint patient\nhint search:level=1\nhint nobody\npossible\nline\nredo\nquit\n";
    let ran = play(&["draw-one", "--game", "2"], folder.path(), said);
    assert_eq!(ran.code, Some(2));
    for part in [
        "greedy would play ",
        "patient would play ",
        "score",
        "sampled deals, played out",
        "! no strategy is called `nobody`",
        "With every card known ",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    let ran = play(&["exorcism-die-draw"], folder.path(), "possible\n");
    assert!(
        ran.out.contains("! a die is rolled for each draw, so not everything is known at the deal"),
        "{}",
        ran.out
    );
}

#[test]
fn what_is_at_fault_is_told_with_what_is_allowed() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let ran = play(&[], path, "# a comment\n\nT9>F\nundoo\nundo\nend\nsave\nundo x\ndraw hint\n");
    assert_eq!(ran.code, Some(2));
    for part in [
        "! `T9>F` is not legal here; legal: draw",
        "! `undoo` is not legal here; legal: draw; did you mean `undo`?",
        "! there is nothing to undo",
        "! `end` follows a move that would end the game",
        "! name a file: save games.jsonl",
        "! `x` is no number of choices",
        "! `hint` stands at the beginning of a line of its own\n",
    ] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert_eq!(
        ran.err,
        "error: 7 lines of standard input could not be followed; line 3: `T9>F` is not legal here; legal: draw\n"
    );
    for (args, said) in [
        (
            &["play", "canfeld"][..],
            "there is no ruleset \"canfeld\" on the shelf; did you mean \"canfield\"?",
        ),
        (&["play", "-s", "gredy"], "no strategy is called `gredy`"),
        (&["play", "--deck", "AS AS"], "`AS` is in the deck twice"),
        (&["play", "--deck", "./none.txt"], "cannot read ./none.txt: there is no such file"),
        (&["play", "--deck", "-"], "standard input is for moves"),
        (&["play", "--game", "0..3"], "--game"),
        (&["play", "--save", "none/g.jsonl"], "--save: cannot write none/g.jsonl: there is no such folder"),
        (&["replay", "--step", "--game", "0..3"], "--step shows one game"),
        (&["replay", "--record", "g.jsonl"], "--step"),
    ] {
        let ran = run(args, path);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(said), "{args:?}: {}", ran.err);
    }
    // A fault of a deck file has its line and column.
    fs::write(path.join("deck.txt"), "AS 2S\nXX").unwrap();
    let ran = run(&["play", "--deck", "deck.txt"], path);
    assert!(ran.code == Some(2) && ran.err.contains("deck.txt:2:1"), "{}", ran.err);
}

#[test]
fn a_deck_is_given_as_text_or_as_a_file() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let deal: Value = serde_json::from_str(&good(&["deal", "--game", "9", "--json"], path)).unwrap();
    let deck = deal["deck"].as_str().unwrap();
    fs::write(path.join("deck.txt"), format!("{deck}\n")).unwrap();
    let boards: Vec<String> = [&["--deck", deck][..], &["--deck", "deck.txt"], &["--game", "9"]]
        .into_iter()
        .map(|args| play(args, path, "draw\n").out.split_once('\n').unwrap().1.to_string())
        .collect();
    assert!(boards[0] == boards[1] && boards[1] == boards[2], "{boards:?}");
}

#[test]
fn records_and_games_are_stepped_through() {
    let folder = tempdir().unwrap();
    let path = folder.path();
    let records = good(&["replay", "-s", "patient", "--game", "15..18", "--json"], path);
    fs::write(path.join("records.jsonl"), &records).unwrap();
    let own =
        run_with(&["replay", "--step", "--plain", "-s", "patient", "--game", "17"], path, "redo 4\nlast\n");
    let kept = run_with(
        &["replay", "--step", "--plain", "--record", "records.jsonl", "--line", "3"],
        path,
        "redo 4\nlast\n",
    );
    assert_eq!((own.code, kept.code), (Some(0), Some(0)), "{}", kept.err);
    assert_eq!(own.out, kept.out);
    assert!(own.out.contains("  step 4 of ") && own.out.contains("The game ends "), "{}", own.out);
    let first = run_with(&["replay", "--step", "--record", "records.jsonl"], path, "");
    assert!(first.out.starts_with("Canfield, seed 1, game 15\n"), "{}", first.out);

    let lines: Vec<&str> = records.lines().collect();
    let bad = lines[1].replacen("draw", "drow", 1);
    fs::write(path.join("bad.jsonl"), format!("{}\n{bad}\n", lines[0])).unwrap();
    let column = bad.find("drow").unwrap() + 1;
    let ran = run(&["replay", "--step", "--record", "bad.jsonl", "--line", "2"], path);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains(&format!("bad.jsonl:2:{column}: word ")) && ran.err.contains("`drow` is not legal"),
        "{}",
        ran.err
    );
    for (file, line, said) in [
        ("bad.jsonl", "7", "bad.jsonl has no line 7: it has 2"),
        ("none.jsonl", "1", "cannot read none.jsonl"),
    ] {
        let ran = run(&["replay", "--step", "--record", file, "--line", line], path);
        assert!(ran.code == Some(2) && ran.err.contains(said), "{}", ran.err);
    }
}
