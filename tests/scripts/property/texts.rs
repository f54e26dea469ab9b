//! Arbitrary text as a ruleset, as a contest, and as decks.

use std::time::Duration;

use saratoga::cards::{Deck, DeckShape};
use saratoga::contest;
use saratoga::diagnostic::{Diagnostic, Severity, render};
use saratoga::lab::GameRunner;
use saratoga::rules::{self, LoadError, Loaded, Rules};
use saratoga::stats::{Tally, summarize};
use saratoga::strategy::{Greedy, Random, Strategy};

use super::{text, within};

/// Returns what was read of a text, unless it has faults. They can be displayed, and so can the warnings.
fn sound<T>(read: Result<T, LoadError>, warnings: impl Fn(&T) -> &[Diagnostic]) -> Option<T> {
    match read {
        Ok(loaded) => {
            render(warnings(&loaded), true);
            Some(loaded)
        }
        Err(LoadError::Faults(faults)) => {
            assert!(faults.iter().any(|fault| fault.severity == Severity::Error));
            assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
            render(&faults, false);
            None
        }
        Err(error) => panic!("a text that is there cannot be read: {error}"),
    }
}

/// Arbitrary text as a ruleset is loaded or has faults; a loaded one reads back unchanged, and is dealt and played to the
/// end.
pub fn rules_never_panic(bytes: &[u8]) {
    if let Some(loaded) = ruleset(&text(bytes)) {
        play(&loaded.rules);
    }
}

/// Reads a text as a ruleset; one that is loaded reads back unchanged.
pub fn ruleset(text: &str) -> Option<Loaded> {
    let reading = || rules::parse_text("fuzz.toml", text);
    let read = within(Duration::from_secs(2), "reading the ruleset", reading);
    let loaded = sound(read, |loaded| &loaded.warnings)?;
    let again = rules::parse_text("fuzz.toml", &loaded.rules.spec().to_toml());
    assert_eq!(again.expect("what was written is read").rules.spec(), loaded.rules.spec());
    Some(loaded)
}

/// Arbitrary text as a contest is loaded or has faults.
pub fn contests_never_panic(bytes: &[u8]) {
    let text = text(bytes);
    let reading = || contest::parse_text("fuzz.toml", &text);
    let read = within(Duration::from_secs(10), "reading the contest", reading);
    if let Some(loaded) = sound(read, |loaded| &loaded.warnings) {
        assert_eq!(loaded.strategies.len(), loaded.spec.players.len());
    }
}

/// Plays some games, which must end, with every card in its place.
fn play(rules: &Rules) {
    let strategies: [Box<dyn Strategy>; 2] = [Box::new(Greedy), Box::new(Random)];
    let mut tally = Tally::new(rules.spec());
    for strategy in strategies {
        let mut player = GameRunner::new("fuzz", rules, strategy);
        within(Duration::from_secs(5), "three games", || {
            for game in 0..3 {
                let outcome = player.play(1, game).expect("these strategies have no faults");
                assert!(usize::from(outcome.cards) <= rules.spec().cards());
                tally.add(&outcome);
            }
        });
        let deck = Deck::shuffled(rules.deck_shape(), 1, 7);
        let record = player.record(&deck, 1, 7).expect("these strategies have no faults");
        if let Err(fault) = record.check(rules) {
            panic!("the record of a game that was played is refused: {fault}\n{record:?}");
        }
    }
    summarize(&tally, rules.spec(), vec![]);
    let shape: DeckShape = rules.deck_shape();
    assert_eq!(Deck::parse(&Deck::ordered(shape).to_string(), shape).ok(), Some(Deck::ordered(shape)));
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
