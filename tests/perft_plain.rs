//! The second opinion counts the same games as the reference data.

mod plain;

use saratoga::cards::{Deck, DeckShape};
use saratoga::rules::{Base, Spec, Start};
use serde::Deserialize;

/// A line of the reference data: the counts of depth 1, 2, ..
#[derive(Deserialize)]
struct Line {
    rules: String,
    deck: String,
    perft: Vec<u64>,
}

/// Deeper counts than the first above this are left to the engine, which is faster.
const ENOUGH: u64 = 2000;

fn shape(spec: &Spec) -> DeckShape {
    let without = match (spec.foundation.start, spec.foundation.base) {
        (Start::All, Base::Rank(rank)) => Some(rank),
        _ => None,
    };
    DeckShape { packs: spec.deal.packs as usize, without }
}

#[test]
fn counts_agree_with_the_reference() {
    let text = std::fs::read_to_string(plain::load::data().join("perft.jsonl")).unwrap();
    let mut faults = Vec::new();
    let mut deals = 0;
    for line in text.lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        let spec = plain::load::load(&line.rules);
        let deck = Deck::parse(&line.deck, shape(&spec)).unwrap();
        deals += 1;
        for (depth, &expected) in (1..).zip(&line.perft) {
            let found = plain::perft(&spec, deck.cards(), depth);
            if found != expected {
                faults.push(format!("{} depth {depth}: {found}, not {expected}: {deck}", line.rules));
                break;
            }
            if found > ENOUGH {
                break;
            }
        }
    }
    assert_eq!(deals, 144);
    assert!(faults.is_empty(), "{} deals differ:\n{}", faults.len(), faults.join("\n"));
}
