//! A script answers the same compiled and interpreted: random scripts over everything that is compiled, on random
//! positions.

use std::collections::BTreeSet;

use crate::common::scale;
use crate::scripts::support::grow::{self, GRAMMAR, NAMES, Random};
use crate::scripts::support::positions::{Position, positions};
use crate::scripts::support::{Answer, Difference, both, check, left};

/// Number of scripts tried for each part at full size; half as many at the usual size.
const SCRIPTS: u32 = 600;

type Decided = Answer<Option<usize>>;

/// Runs a script on some of the positions, which depend on its text.
fn compare(script: &Random, positions: &[Position]) -> Result<Vec<Decided>, Difference> {
    let text = &script.text;
    let Ok(mut both) = both(text) else { return Ok(vec![]) };
    // The size of a script is limited, whatever it does.
    let left = left(&both.compiled);
    let mut unexpected = left.iter().filter(|(.., reason)| !reason.contains("too large"));
    if let Some((function, line, reason)) = unexpected.next().filter(|_| !script.mixed) {
        return Err(format!("line {line} of `{function}` is an obstacle: {reason}"));
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
        return Err(format!("asked again: {:?}\n{:?}", decided[0], decided[6]));
    }
    Ok(decided)
}

#[test]
fn random_scripts_answer_the_same_both_ways() {
    let positions = positions(1, 10, 3);
    let scripts = if scale() == 1 { SCRIPTS / 2 } else { SCRIPTS * scale() as u32 };
    check(scripts, |script| compare(script, &positions).map(drop));
}

/// The generator uses every name and every line of its grammar, and most of its scripts are valid.
#[test]
fn the_scripts_hold_every_construct_and_name() {
    let positions = positions(2, 10, 2);
    let (mut all, mut loaded, mut whole, mut values, mut faults) = (String::new(), 0, 0, 0, 0);
    let (number, mut used) = (600, BTreeSet::<usize>::new());
    for i in 0..number {
        let script = grow::script(i);
        all += &script.text;
        used.extend(&script.lines);
        match both(&script.text) {
            Ok(both) => (loaded, whole) = (loaded + 1, whole + u64::from(both.whole)),
            Err(faults) => println!("{i}: {faults:?}\n{}", script.text),
        }
        // Decisions of some are enough for their shares.
        if i % 6 > 0 {
            continue;
        }
        for decided in compare(&script, &positions).unwrap_or_else(|error| panic!("{error}\n{script:?}")) {
            *if decided.given.is_ok() { &mut values } else { &mut faults } += 1;
        }
    }
    println!("{loaded} of {number} load, {whole} are compiled whole; {values} decisions, {faults} faults");
    let names = NAMES.iter().filter(|name| all.matches(&format!(".{}", name.word)).count() < 10);
    let rare: Vec<&str> = names.map(|name| &*name.word).collect();
    let lines = GRAMMAR.values().flatten().filter(|line| !used.contains(&line.number));
    let lines: Vec<&str> = lines.map(|line| line.text).collect();
    assert!(rare.is_empty() && lines.is_empty(), "{rare:?} {lines:?}");
    assert!(loaded * 100 >= number * 99 && whole * 100 >= number * 75);
    let share = 100 * faults / (values + faults);
    assert!((8..40).contains(&share), "{share}% of the decisions end in faults");
}
