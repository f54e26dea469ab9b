//! Counts of move sequences: those of both implementations equal the reference data.

use std::path::Path;

use saratoga::cards::Deck;
use saratoga::game::{NoChance, Table, perft};
use saratoga::rules;
use serde::Deserialize;

/// A line of the reference data: the counts of depth 1, 2, ..
#[derive(Deserialize)]
struct Line {
    rules: String,
    deck: String,
    perft: Vec<u64>,
}

/// Depths beyond the first count above this are left to the engine, which is faster.
const ENOUGH: u64 = 2000;

#[test]
fn counts_agree_with_the_reference() {
    let data = Path::new("tests/data");
    let text = std::fs::read_to_string(data.join("perft.jsonl")).unwrap();
    let (mut deals, mut counts, mut faults) = (0, 0, Vec::new());
    for line in text.lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        let rules = rules::load(data.join(&line.rules).to_str().unwrap()).unwrap().rules;
        let deck = Deck::parse(&line.deck, rules.deck_shape()).unwrap();
        let table = Table::deal(&rules, deck.cards(), &mut NoChance);
        deals += 1;
        let mut plainly = true;
        for (depth, &expected) in (1..).zip(&line.perft) {
            let found = perft(&table, &rules, depth).unwrap();
            let plain =
                if plainly { crate::engine::plain::perft(rules.spec(), deck.cards(), depth) } else { found };
            plainly &= found <= ENOUGH;
            counts += 1;
            if [found, plain] != [expected; 2] {
                faults.push(format!("{} depth {depth}: {found} {plain} {expected}: {deck}", line.rules));
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{} deals differ:\n{}", faults.len(), faults.join("\n"));
    assert_eq!((deals, counts), (146, 2127));
}
