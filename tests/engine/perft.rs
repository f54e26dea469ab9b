//! Counts of move sequences: those of both implementations equal the reference data, and each other's under any rules.

use std::path::Path;

use crate::engine::support::scale;
use crate::engine::support::specs::numbered;
use saratoga::cards::Deck;
use saratoga::game::{NoChance, Table, perft};
use saratoga::rules::{self, Base, Draw, OnRedeal, Rules};
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
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
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
    assert_eq!((deals, counts), (144, 2107));
}

#[test]
fn counts_agree_under_any_rules() {
    let (mut deals, mut several, mut chosen) = (0, 0, 0);
    for number in 1000..1000 + 150 * scale() {
        // Counts are not defined if a die or a shuffle is involved.
        let mut spec = numbered(number);
        spec.stock.on_redeal = OnRedeal::Turn;
        if matches!(spec.stock.draw, Draw::Die { .. }) {
            spec.stock.draw = Draw::ByPass(vec![3]);
        }
        let rules = Rules::new(spec).unwrap();
        let (spec, deck) = (rules.spec(), crate::engine::support::deck(&rules, number));
        deals += 1;
        several += u32::from(spec.deal.packs > 1);
        chosen += u32::from(matches!(spec.foundation.base, Base::Choice(_)));
        let table = Table::deal(&rules, deck.cards(), &mut NoChance);
        for depth in 1..=6 {
            let found = crate::engine::plain::perft(spec, deck.cards(), depth);
            assert_eq!(perft(&table, &rules, depth), Ok(found), "ruleset {number} depth {depth}: {spec:?}");
            if found == 0 || found > ENOUGH {
                break;
            }
        }
    }
    assert!(deals >= 150 && several > deals / 4 && chosen > deals / 8, "{several} and {chosen} of {deals}");
}
