//! The second implementation's counts equal the reference data, and the engine's under any rules.

use crate::support::scale;
use crate::support::specs::numbered;
use saratoga::cards::{Deck, DeckShape};
use saratoga::game::{NoChance, Table, perft};
use saratoga::rules::{Base, Draw, OnRedeal, Rules, Spec, Start};
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

fn shape(spec: &Spec) -> DeckShape {
    let without = match (spec.foundation.start, spec.foundation.base) {
        (Start::All, Base::Rank(rank)) => Some(rank),
        _ => None,
    };
    DeckShape { packs: spec.deal.packs as usize, without }
}

#[test]
fn counts_agree_with_the_reference() {
    let text = std::fs::read_to_string(crate::plain::load::data().join("perft.jsonl")).unwrap();
    let mut faults = Vec::new();
    let mut deals = 0;
    for line in text.lines() {
        let line: Line = serde_json::from_str(line).unwrap();
        let spec = crate::plain::load::load(&line.rules);
        let deck = Deck::parse(&line.deck, shape(&spec)).unwrap();
        deals += 1;
        for (depth, &expected) in (1..).zip(&line.perft) {
            let found = crate::plain::perft(&spec, deck.cards(), depth);
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

#[test]
fn counts_agree_with_the_engine_under_any_rules() {
    let (mut deals, mut several, mut chosen) = (0, 0, 0);
    for number in 1000..1000 + 150 * scale() {
        // Counts are not defined if a die or a shuffle is involved.
        let mut spec = numbered(number);
        spec.stock.on_redeal = OnRedeal::Turn;
        if matches!(spec.stock.draw, Draw::Die { .. }) {
            spec.stock.draw = Draw::ByPass(vec![3]);
        }
        let rules = Rules::new(spec).unwrap();
        let (spec, deck) = (rules.spec(), crate::support::deck(&rules, number));
        deals += 1;
        several += u32::from(spec.deal.packs > 1);
        chosen += u32::from(matches!(spec.foundation.base, Base::Choice(_)));
        let table = Table::deal(&rules, deck.cards(), &mut NoChance);
        for depth in 1..=6 {
            let found = crate::plain::perft(spec, deck.cards(), depth);
            assert_eq!(perft(&table, &rules, depth), Ok(found), "ruleset {number} depth {depth}: {spec:?}");
            if found == 0 || found > ENOUGH {
                break;
            }
        }
    }
    assert!(deals >= 150 && several > deals / 4 && chosen > deals / 8, "{several} and {chosen} of {deals}");
}
