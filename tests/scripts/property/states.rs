//! Any bytes as the saved state of a sweep.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use saratoga::lab::sweep::{Aim, SavedPlan, SavedSweep, SavedText, SoFar, SweepBatch, SweepStep, sweep};
use saratoga::lab::{BatchError, Pairing};
use saratoga::rules::{self, Rules};
use saratoga::stats::{Precision, summarize};
use saratoga::strategy::{Greedy, Strategy};
use serde_json::{Value, json};

use super::CHOICES;
use super::choices::Choices;

static CANFIELD: LazyLock<Rules> = LazyLock::new(|| rules::load("canfield").expect("it is there").rules);
static DRAW_ONE: LazyLock<Rules> = LazyLock::new(|| rules::load("draw-one").expect("it is there").rules);

fn greedy() -> Box<dyn Strategy> {
    Box::new(Greedy)
}

/// A small sweep of two games and a cell that is none.
fn batch() -> SweepBatch<'static> {
    let entry = |id, rules| Some(Pairing { id, rules, strategy: &greedy });
    SweepBatch {
        cells: vec![entry("a", &*CANFIELD), None, entry("b", &*DRAW_ONE)],
        bases: vec![Pairing { id: "a", rules: &CANFIELD, strategy: &greedy }],
        against: vec![None, None, Some(0)],
        seed: 1,
        aim: Aim { precision: Precision::Edge(0.2), line: 0.0, budget: 3000, each: None },
        threads: 1,
    }
}

fn plan() -> SavedPlan {
    let text = |name: &str| SavedText { name: name.into(), text: String::new() };
    SavedPlan {
        saratoga: env!("CARGO_PKG_VERSION").into(),
        seed: 1,
        axes: vec![("stock.draw".into(), vec!["3".into(), "1".into()])],
        latin: None,
        precision: "20pp".into(),
        line: "0%".into(),
        budget: 3000,
        each: None,
        rules: vec![text("canfield")],
        strategies: vec![text("greedy")],
        against: "the original rules".into(),
    }
}

/// A sound state: of a sweep that is over, or that was stopped.
fn state(over: bool) -> String {
    let batch = batch();
    let mut so_far = SoFar::new(&batch).expect("the budget is large enough");
    let stop = AtomicBool::new(false);
    let played: Result<(), BatchError> = sweep(&batch, &mut so_far, &stop, |_, _| {
        stop.store(!over, Ordering::Relaxed);
        Ok(())
    });
    played.expect("this strategy has no faults");
    serde_json::to_string(&SavedSweep { plan: plan(), so_far }).expect("a state is written")
}

/// Any bytes as a saved sweep are accepted or refused; what is accepted can be told and gone on with.
pub fn state_files(bytes: &[u8]) {
    let changed;
    let bytes = match bytes {
        [CHOICES, choices @ ..] => {
            changed = mutated(&mut Choices::new(choices));
            changed.as_bytes()
        }
        _ => bytes,
    };
    // A checksum is no signature, so what it covers is held to be hostile too.
    let within = serde_json::from_slice::<SavedSweep>(bytes).ok();
    let Some(saved) = SavedSweep::from_bytes(bytes).ok().or(within) else { return };
    damaged(&saved, bytes.len());
    saved.plan.differences(&plan()).iter().for_each(|difference| assert!(!difference.is_empty()));
    let batch = batch();
    let mut so_far = saved.so_far;
    if so_far.check(&batch).is_err() {
        return;
    }
    assert!(so_far.games() <= batch.aim.budget, "{} games, of {}", so_far.games(), batch.aim.budget);
    for (tally, entry) in so_far.tallies.iter().zip(&batch.cells) {
        if let (Some(tally), Some(entry)) = (tally, entry) {
            summarize(tally, entry.rules.spec(), vec![]);
        }
    }
    let mut steps = 0;
    let went_on: Result<(), BatchError> =
        sweep(&batch, &mut so_far, &AtomicBool::new(false), |so_far, step| {
            steps += 1;
            assert!(so_far.games() <= batch.aim.budget + batch.cells.len() as u64, "it plays on without end");
            assert!(steps < 1000 || matches!(step, SweepStep::Round), "it goes on without end");
            Ok(())
        });
    went_on.expect("this strategy has no faults");
}

/// A file reads back as it was written, and not with a byte changed or cut off.
fn damaged(saved: &SavedSweep, at: usize) {
    let written = saved.to_bytes().expect("a state is written");
    assert_eq!(SavedSweep::from_bytes(&written).as_ref(), Ok(saved));
    let mut other = written.clone();
    let at = at % other.len();
    other[at] ^= 1;
    assert!(SavedSweep::from_bytes(&other).is_err(), "byte {at} is another");
    assert!(SavedSweep::from_bytes(&written[..at]).is_err(), "cut off at {at}");
}

/// A sound state with some of its values changed.
fn mutated(choices: &mut Choices<'_>) -> String {
    static SOUND: LazyLock<[Value; 2]> = LazyLock::new(|| {
        [true, false].map(|over| serde_json::from_str(&state(over)).expect("what was written is read"))
    });
    let mut value = SOUND[choices.below(2)].clone();
    for _ in 0..choices.below(4) {
        change(&mut value, choices);
    }
    value.to_string()
}

/// Changes a value somewhere within.
fn change(value: &mut Value, choices: &mut Choices<'_>) {
    match value {
        Value::Array(values) if !values.is_empty() => {
            let at = choices.below(values.len());
            match choices.below(12) {
                0 => drop(values.remove(at)),
                1 => values.push(values[at].clone()),
                _ => change(&mut values[at], choices),
            }
        }
        Value::Object(values) if !values.is_empty() => {
            let at = choices.below(values.len());
            let key = values.keys().nth(at).expect("it has so many").clone();
            match choices.below(24) {
                0 => drop(values.remove(&key)),
                _ => change(&mut values[&key], choices),
            }
        }
        value => {
            let number = choices.number();
            *value = match choices.below(10) {
                0 => json!(u64::MAX),
                1 => json!(i64::MIN),
                2 => json!(number),
                3 => json!(-1),
                4 => json!(1e300),
                5 => Value::Null,
                6 => json!("x"),
                7 => json!(true),
                8 => json!(value.as_u64().unwrap_or(0).wrapping_add(1)),
                _ => json!(number % 5000),
            }
        }
    }
}
