//! A game played by a person in plain text: through a pipe, as with a screen reader or a script.

use saratoga::rules;
use serde_json::Value;

use crate::common::program::{Lab, has, lines};

fn record(lab: &Lab, file: &str) -> Value {
    lines(&lab.read(file)).pop().unwrap()
}

/// Typing the moves of a strategy's game gives the same game, with a valid record.
#[test]
fn a_game_that_is_typed_is_the_game_that_was_recorded() {
    let lab = Lab::new();
    let mut ends = Vec::new();
    for (rules, _) in rules::shelf() {
        if rules::load(rules).unwrap().rules.spec().casino.is_staged() {
            continue;
        }
        let own = lab.json(&format!("replay {rules} -s patient --game 7"));
        let event = |word: &&str| word.starts_with("roll:") || word.starts_with("shuffle:");
        let words: Vec<&str> =
            own["moves"].as_str().unwrap().split(' ').filter(|word| !event(word)).collect();
        let end = own["end"].as_str().unwrap().to_string();
        // A script that gives up where nothing new would come does not count as resigning.
        let last = if ["resigned", "barren"].contains(&&*end) { "resign\n" } else { "" };
        let typed = format!("{}\n{last}", words.join(" "));
        let ran = lab.run_with(&format!("play --plain {rules} --game 7 --save g.jsonl"), &typed);
        assert_eq!(ran.code, Some(0), "{rules}: {}", ran.err);
        has(&ran.out, "The game ends");
        let mut typed = record(&lab, "g.jsonl");
        assert_eq!(typed["strategy"], "person");
        typed["strategy"] = own["strategy"].clone();
        assert_eq!(typed, own, "{rules}");
        ends.push(end);
    }
    for end in ["won", "barren", "blocked"] {
        assert!(ends.iter().any(|it| it == end), "no game was {end}: {ends:?}");
    }
    // Records are appended to a file, and all of them are valid.
    assert_eq!(lab.good("check g.jsonl"), format!("{0} records checked: {0} good, 0 at fault\n", ends.len()));
}

#[test]
fn undo_and_redo_print_the_same_position() {
    let lab = Lab::new();
    for rules in ["canfield", "exorcism-die-draw", "demon-two-packs", "selective"] {
        let ran = lab.run_with(
            &format!("play --plain {rules}"),
            "watch 5 greedy\nboard\nundo 3\nredo 3\nboard\nquit\n",
        );
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{rules}");
        let boards: Vec<&str> = ran.out.split("  base ").skip(1).collect();
        assert_eq!(boards.len(), 6, "{rules}: {}", ran.out);
        assert!([2, 4, 5].iter().all(|&i| boards[i] == boards[1]), "{rules}: {}", ran.out);
        assert!(boards[3] != boards[4] && !ran.out.contains('\u{1b}'), "plain text has no colours");
    }
}

#[test]
fn stages_are_bought_and_declined() {
    let lab = Lab::new();
    let said = "draw\nbuy\nR>F\nbuy\ndraw\nbuy\ndraw\nbuy\ndraw\ndecline\nsave s.jsonl\ndraw\nquit\n";
    let ran = lab.run_with("play --plain bsd --game 3", said);
    assert_eq!(ran.code, Some(2));
    for part in [
        "Nothing is dealt yet. To play the deal costs $13.00",
        "! the stage `deal` is asked for: buy it or decline it first",
        "The cards are dealt. To play on what lies there costs $13.00",
        "To draw costs $26.00 (first-draw; who declines stops).",
        "where the cards lie that went by costs $1.00 (unknown-card; who declines plays on).",
        "staked $53.00  pays $10.00  net -$43.00",
        // Two packets were drawn since the last purchase.
        "where the cards lie that went by costs $2.00",
    ] {
        has(&ran.out, part);
    }
    has(&ran.err, "1 line of standard input could not be followed; line 1: the stage `deal`");
    lab.good("check s.jsonl");
    assert_eq!(record(&lab, "s.jsonl")["staked"], 5300);
    // Nothing of the layout is visible before it is bought.
    let unseen = ran.out.split("buy` or `decline`?").next().unwrap();
    assert!(!unseen.contains("T1"), "{unseen}");
    has(
        &lab.run_with("play --plain bsd", "decline\n").out,
        "ends resigned: The stage deal was declined.|Net $0.00.",
    );
}

#[test]
fn hints_and_what_was_possible() {
    let lab = Lab::new();
    let said = "hint greedy\nhint patient\nhint search:level=1\nhint nobody\npossible\nline\nredo\nquit\n";
    let ran = lab.run_with("play --plain draw-one --game 2", said);
    assert_eq!(ran.code, Some(2));
    has(&ran.out, "greedy would play |patient would play |score|sampled deals, played out");
    has(&ran.out, "! no strategy is called `nobody`|With every card known ");
    let die = lab.run_with("play --plain exorcism-die-draw", "possible\n");
    has(&die.out, "! a die is rolled for each draw");
}

#[test]
fn what_is_at_fault_is_told_with_what_is_allowed() {
    let lab = Lab::with(&[("deck.txt", "AS 2S\nXX")]);
    let ran =
        lab.run_with("play --plain", "# a comment\n\nT9>F\nundoo\nundo\nend\nsave\nundo x\ndraw hint\n");
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
        has(&ran.out, part);
    }
    has(&ran.err, "error: 7 lines of standard input could not be followed; line 3: `T9>F` is not legal");
    for (line, said) in [
        ("play canfeld", "did you mean \"canfield\"?"),
        ("play -s gredy", "no strategy is called `gredy`"),
        ("play --deck 'AS AS'", "`AS` is in the deck twice"),
        ("play --deck ./none.txt", "cannot read ./none.txt: there is no such file"),
        ("play --deck -", "standard input is for moves"),
        ("play --deck deck.txt", "deck.txt:2:1"),
        ("play --game 0..3", "--game"),
        ("play --save none/g.jsonl", "--save: cannot write none/g.jsonl: there is no such folder"),
        ("replay --step --game 0..3", "--step shows one game"),
        ("replay --record g.jsonl", "--step"),
    ] {
        lab.refused(line, said);
    }
}

#[test]
fn records_and_games_are_stepped_through() {
    let lab = Lab::new();
    let records = lab.good("replay -s patient --game 15..18 --json");
    lab.write("records.jsonl", &records);
    let step = |options: &str| lab.run_with(&format!("replay --step --plain {options}"), "redo 4\nlast\n");
    let own = step("-s patient --game 17");
    let kept = step("--record records.jsonl --line 3");
    assert_eq!((own.code, kept.code, &own.out), (Some(0), Some(0), &kept.out), "{}", kept.err);
    has(&own.out, "  step 4 of |The game ends ");
    has(&step("--record records.jsonl").out, "Canfield, seed 1, game 15\n");
    let bad = records.lines().nth(1).unwrap().replacen("draw", "drow", 1);
    lab.write("bad.jsonl", format!("{}\n{bad}\n", records.lines().next().unwrap()));
    let place = format!("bad.jsonl:2:{}: word ", bad.find("drow").unwrap() + 1);
    for (options, said) in [
        ("bad.jsonl --line 2", &*format!("{place}|`drow` is not legal")),
        ("bad.jsonl --line 7", "bad.jsonl has no line 7: it has 2"),
        ("none.jsonl --line 1", "cannot read none.jsonl"),
    ] {
        lab.refused(&format!("replay --step --record {options}"), said);
    }
    // A deck is given as text or as a file.
    let deck = lab.json("deal --game 9")["deck"].take();
    lab.write("deck.txt", deck.as_str().unwrap());
    let boards = [format!("--deck {deck}"), "--deck deck.txt".into(), "--game 9".into()].map(|options| {
        let told = lab.run_with(&format!("play --plain {options}"), "draw\n").out;
        told.split_once('\n').unwrap().1.to_string()
    });
    assert!(boards[0] == boards[1] && boards[1] == boards[2], "{boards:?}");
}
