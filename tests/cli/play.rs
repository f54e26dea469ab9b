//! A game played by a person in plain text: through a pipe, as with a screen reader or a script.

use saratoga::rules;

use crate::common::program::{Lab, has, lines};

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
        let mut typed = lines(&lab.read("g.jsonl")).pop().unwrap();
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
