//! What is wrong with a record is told with its place. That records replay to the recorded game, and whether others are
//! judged rightly, is tried in `tests/scripts/property/records.rs`.

use crate::engine::support::deck;
use saratoga::game::{End, Record};
use saratoga::lab::GameRunner;
use saratoga::rules::{self, Rules};
use saratoga::strategy::Greedy;

/// Returns a greedy game on a ruleset of the shelf.
fn one(name: &str) -> (Rules, Record) {
    let rules = rules::load(name).unwrap().rules;
    let record = GameRunner::new("here", &rules, Box::new(Greedy)).record(&deck(&rules, 5), 5, 0).unwrap();
    (rules, record)
}

#[test]
fn faults_name_the_word_and_what_is_allowed() {
    type Words = fn(&mut Vec<&str>);
    type Change = fn(&mut Record);
    let cases: [(&str, Words, usize, &str); 4] = [
        ("canfield", |words| words[4] = "T9>F", 5, "`T9>F` is not legal here; legal: "),
        ("canfield", |words| words.push("redeal"), 0, "`redeal` is not made: the game had ended barren"),
        (
            "exorcism-die-pass",
            |words| words[0] = "roll:9",
            1,
            "`roll:9` is no roll of a die with faces 1 to 6",
        ),
        ("exorcism-die-game", |words| words[0] = "draw", 1, "`roll:..` is missing here; found `"),
    ];
    for (name, change, at, said) in cases {
        let (rules, record) = one(name);
        let mut words: Vec<&str> = record.moves.split(' ').collect();
        change(&mut words);
        let at = if at == 0 { words.len() } else { at };
        let fault = Record { seed: None, moves: words.join(" "), ..record }.check(&rules).unwrap_err();
        assert_eq!(fault.word, Some(at));
        assert!(fault.message.starts_with(said), "{}", fault.message);
    }
    let (rules, record) = one("canfield");
    let cards = format!("it says {} cards, but there are {}", record.cards + 1, record.cards);
    let cases: [(Change, &str); 3] = [
        (|record| record.cards += 1, &cards),
        (|record| record.end = End::Won, "it says `won`, but the game goes on; legal: "),
        (|record| record.deck = record.deck.replacen("AS", "AX", 1), "the deck: "),
    ];
    for (change, said) in cases {
        let mut record = record.clone();
        change(&mut record);
        let fault = record.check(&rules).unwrap_err().to_string();
        assert!(
            fault.starts_with(said) && (!said.starts_with("the deck") || fault.contains("`AX`")),
            "{fault}"
        );
    }
}

#[test]
fn records_with_unknown_or_missing_fields_are_refused() {
    let line = serde_json::to_string(&one("canfield").1).unwrap();
    let read = |from: &str, to: &str| serde_json::from_str::<Record>(&line.replacen(from, to, 1));
    for (from, to) in [("\"moves\"", "\"move\""), ("\"barren\"", "\"lost\""), ("{", "{\"more\":1,")] {
        assert!(read(from, to).is_err(), "{to}");
    }
    // A handwritten record need not have a seed.
    let by_hand = read("\"seed\":5,\"game\":0,", "").unwrap();
    assert_eq!((by_hand.seed, by_hand.chance, by_hand.game), (None, None, 0));
}
