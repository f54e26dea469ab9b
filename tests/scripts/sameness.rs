//! A script answers the same compiled and interpreted: random scripts over everything that is compiled, on random
//! positions.

use std::cell::Cell;

use crate::common::scale;
use crate::support::count::Counts;
use crate::support::grow;
use crate::support::positions::{Position, positions};
use crate::support::shrink::{Shrinking, scripts};
use crate::support::tree::Tree;
use crate::support::{Answer, Difference, both, left};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

/// Number of scripts tried for each part at full size; half as many at the usual size.
const SCRIPTS: u32 = 600;

type Decided = Answer<Option<usize>>;

/// Runs a script on some of the positions, which depend on its text.
fn compare(tree: &Tree, positions: &[Position]) -> Result<Vec<Decided>, Difference> {
    let text = tree.text();
    let Ok(mut both) = both(&text) else { return Ok(vec![]) };
    if let Some((function, line, reason)) = left(&both.compiled).first().filter(|_| !tree.mixed) {
        return Err(Difference::new("obstacle", format!("line {line} of `{function}`: {reason}")));
    }
    let first = text.bytes().fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let mut decided = Vec::new();
    // Some of the same rules, others, and the first once more: nothing remains of what happened in between.
    let far = positions.len() / 5;
    for at in [first, first + 1, first + 2, first + far, first + 3 * far, first + 4 * far + 1, first] {
        if let Some(answer) = both.everything(&positions[at % positions.len()])? {
            decided.push(answer);
        }
    }
    if decided.len() == 7 && decided[0] != decided[6] {
        return Err(Difference::new("asked again", format!("{:?}\n{:?}", decided[0], decided[6])));
    }
    Ok(decided)
}

#[test]
fn random_scripts_answer_the_same_both_ways() {
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 30_000,
        ..ProptestConfig::with_cases(if scale() == 1 { SCRIPTS / 2 } else { SCRIPTS * scale() as u32 })
    };
    let positions = positions(1, 10, 3);
    // While it shrinks, a script must keep failing in the same way.
    let way = Cell::new(None);
    let same = |tree: Tree| match compare(&tree, &positions) {
        Err(difference) if way.get().is_none_or(|way| way == difference.way) => {
            way.set(Some(difference.way));
            Err(TestCaseError::fail(difference.to_string()))
        }
        _ => Ok(()),
    };
    // The same scripts each time.
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    if let Err(failure) = TestRunner::new_with_rng(config, rng).run(&scripts(), same) {
        panic!("{failure}");
    }
}

/// The generator produces every construct, and most of its scripts are valid.
#[test]
fn the_scripts_hold_every_construct_and_name() {
    let positions = positions(2, 10, 2);
    let mut counts = Counts::expected();
    let (mut loaded, mut whole, mut values, mut faults) = (0, 0, 0, 0);
    let number = 600;
    for i in 0..number {
        let tree = grow::tree(i);
        counts.script(&tree);
        match both(&tree.text()) {
            Ok(both) => (loaded, whole) = (loaded + 1, whole + u64::from(both.whole)),
            Err(faults) => println!("{i}: {faults:?}\n{tree:?}"),
        }
        // Decisions of some are enough for their shares.
        if i % 3 > 0 {
            continue;
        }
        for decided in compare(&tree, &positions).unwrap_or_else(|error| panic!("{error}\n{tree:?}")) {
            match decided.given {
                Ok(_) => values += 1,
                Err(_) => faults += 1,
            }
        }
    }
    for (what, times) in &counts.0 {
        println!("{times:>8} {what}");
    }
    println!("{loaded} of {number} load, {whole} are compiled whole; {values} decisions, {faults} faults");
    let rare: Vec<&String> =
        counts.0.iter().filter(|(_, times)| **times < 10).map(|(what, _)| what).collect();
    assert!(rare.is_empty(), "{rare:?}");
    assert!(loaded * 100 >= number * 99 && whole * 100 >= number * 75);
    let share = 100 * faults / (values + faults);
    assert!((8..40).contains(&share), "{share}% of the decisions end in faults");
}

/// Facts known under one set of rules are not used under another.
#[test]
fn rules_in_turn() {
    let numbers = |from: i64| -> String { (from..from + 40).map(|i| format!("n += n % {i};\n")).collect() };
    let text = format!(
        "fn score(view, m) {{
            let n = view.cards * 1001 + m.count;
            if view.redeals_left < 0 {{ {} }}
            if view.piles > 4 {{ {} }}
            if view.stake > 5200 {{ n += of_view(view); }}
            n * 100 + of_view(view) * 10 + other(view)
        }}
        fn of_view(view) {{ let n = view.reserve_left; for p in 1..=view.piles {{ n += view.pile_len(p); }} n % 9 }}
        fn other(view) {{ let n = view.stock_left + of_view(view); n += n * view.waste_left; n % 7 }}",
        numbers(2),
        numbers(20),
    );
    let mut both = both(&text).unwrap();
    let positions = positions(4, 10, 4);
    for i in 0..400 {
        both.everything(&positions[i * 7 % positions.len()])
            .unwrap_or_else(|difference| panic!("{difference}"));
    }
    assert_eq!(both.compiled.bailouts(), 0);
}

/// A failing script shrinks to the smallest that still fails.
#[test]
fn scripts_shrink() {
    let fails = |tree: &Tree| {
        let text = tree.text();
        both(&text).is_ok() && text.contains("view.stock_left") && text.contains("switch")
    };
    let large = (0..).map(grow::tree).find(|tree| fails(tree) && tree.text().len() > 2000).unwrap();
    let mut shrinking = Shrinking::new(large);
    let mut fewer = shrinking.simplify();
    while fewer {
        fewer = if fails(&shrinking.current()) { shrinking.simplify() } else { shrinking.complicate() };
    }
    let small = shrinking.current().text();
    assert!(small.len() < 300, "{small}");
}
