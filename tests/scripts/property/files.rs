//! Arbitrary text as a contest, and as decks.

use std::time::Duration;

use saratoga::cards::{Deck, DeckShape};
use saratoga::contest;
use saratoga::diagnostic;
use saratoga::lab::GameRunner;
use saratoga::rules::{self, LoadError};
use saratoga::strategy::Greedy;

use super::clock::within;
use super::text;

/// Arbitrary text as a contest is loaded or has faults, which can be displayed.
pub fn contests_never_panic(bytes: &[u8]) {
    let text = text(bytes);
    let read =
        within(Duration::from_secs(10), "reading the contest", || contest::parse_text("fuzz.toml", &text));
    match read {
        Ok(loaded) => drop(diagnostic::render(&loaded.warnings, true)),
        Err(LoadError::Faults(faults)) => {
            assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
            diagnostic::render(&faults, false);
        }
        Err(error) => panic!("a text that is there cannot be read: {error}"),
    }
}

/// Arbitrary text as a deck is dealt and played, or has faults at positions within it.
pub fn deals_never_panic(bytes: &[u8]) {
    let text = text(bytes);
    for (name, line) in ["canfield", "demon-two-packs", "acme"].into_iter().cycle().zip(text.lines().take(20))
    {
        let rules = rules::load(name).expect("it is on the shelf").rules;
        let shape: DeckShape = rules.deck_shape();
        match Deck::parse(line, shape) {
            Ok(deck) => {
                assert_eq!(Deck::parse(&deck.to_string(), shape).as_ref(), Ok(&deck));
                let record = GameRunner::new(name, &rules, Box::new(Greedy)).record(&deck, 1, 0);
                let record = record.expect("this strategy has no faults");
                assert_eq!(record.check(&rules).map(|outcome| outcome.cards), Ok(record.cards));
            }
            Err(faults) => {
                assert!(!faults.is_empty());
                for fault in faults {
                    assert!(!fault.message.is_empty() && line.get(fault.span).is_some());
                }
            }
        }
    }
}
