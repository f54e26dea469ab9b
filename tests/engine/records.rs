//! Records replay to the recorded game, and what is wrong with one is told with its place. Records that were tampered
//! with are judged in `tests/scripts/property/records.rs`.

use crate::engine::plain::judge::judge;
use crate::engine::support::shelf;
use crate::engine::support::specs::numbered;
use saratoga::cards::Deck;
use saratoga::game::{End, Outcome, Record};
use saratoga::lab::GameRunner;
use saratoga::rules::Rules;
use saratoga::strategy::{Greedy, Random, Strategy};

/// Returns the record of a game, and how it ended.
fn played(rules: &Rules, strategy: Box<dyn Strategy>, seed: u64) -> (Record, Outcome) {
    let mut player = GameRunner::new("here", rules, strategy);
    let deck = Deck::shuffled(rules.deck_shape(), seed, 3);
    (player.record(&deck, seed, 3).unwrap(), player.play(seed, 3).unwrap())
}

/// On every ruleset of the shelf, and on some with dice and shuffles.
#[test]
fn records_are_sound_and_survive_json() {
    let numbered = (0..30).map(|number| Rules::new(numbered(number)).unwrap());
    for rules in shelf().into_iter().map(|(_, rules)| rules).chain(numbered) {
        for number in 0..8 {
            let strategy: Box<dyn Strategy> =
                if number % 2 == 0 { Box::new(Greedy) } else { Box::new(Random) };
            let (record, outcome) = played(&rules, strategy, number / 2);
            // Which unknown cards were offered is not part of a record.
            assert_eq!(record.check(&rules), Ok(Outcome { stake: None, ..outcome }));
            // The plain judge is slow.
            if record.moves.len() < 6000 {
                assert_eq!(judge(&rules, &record), Ok(()), "{record:?}");
            }
            let line = serde_json::to_string(&record).unwrap();
            assert!(!line.contains('\n'));
            assert_eq!(serde_json::from_str::<Record>(&line).unwrap(), record);
        }
    }
}

/// Returns a greedy game on a ruleset of the shelf.
fn one(name: &str) -> (Rules, Record) {
    let rules = shelf().into_iter().find(|(known, _)| *known == name).unwrap().1;
    let record = played(&rules, Box::new(Greedy), 5).0;
    (rules, record)
}

#[test]
fn faults_name_the_word_and_what_is_allowed() {
    type Change = fn(&mut Vec<&str>);
    let cases: [(&str, Change, usize, &str); 4] = [
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
    let cases: [(fn(&mut Record), &str); 3] = [
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
    let by_hand = read("\"seed\":5,\"game\":3,", "").unwrap();
    assert_eq!((by_hand.seed, by_hand.chance, by_hand.game), (None, None, 0));
}
