//! Arbitrary text as a script, and random scripts.

use std::sync::LazyLock;
use std::time::Duration;

use saratoga::diagnostic;
use saratoga::game::PlayerState;
use saratoga::rules::{self, Rules, Stage, StageAt};
use saratoga::strategy::script::{MAX_OPERATIONS, MAX_PRINTED, Script};
use saratoga::strategy::{Strategy, StrategyError};

use super::super::support::grow;
use super::super::support::positions::{Position, positions};
use super::super::support::{Games, NEEDLESS, both, source};
use super::{CHOICES, Choices, within};

/// The stated times for loading a script, and for one decision: the limit, and the delay until it is noticed.
const LOADING: Duration = Duration::from_secs(2 + 2);
const DECIDING: Duration = Duration::from_millis(250 + 2000);
const STAGE: Stage = Stage { at: StageAt::FirstLook, cost: 100, limit: 0 };

/// A decision with more operations is not repeated.
const LONG: u64 = 50_000;

/// Returns the script for an input: its text, or a generated one.
fn script(bytes: &[u8]) -> String {
    match bytes {
        [CHOICES, choices @ ..] => {
            let mut choices = Choices::new(choices);
            grow::grown(|n| choices.below(n)).text
        }
        _ => super::text(bytes),
    }
}

static CANFIELD: LazyLock<Rules> = LazyLock::new(|| rules::load("canfield").expect("it is there").rules);

thread_local! {
    /// Positions of the whole shelf and of some random rulesets, for the lifetime of the thread.
    static POSITIONS: &'static [Position] = Vec::leak(positions(3, 6, 2));
}

/// Returns some of them, depending on the text.
fn some_positions(text: &str, number: usize) -> Vec<&'static Position> {
    let first = text.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let all = POSITIONS.with(|positions| *positions);
    (0..number).map(|i| &all[(first % all.len() + i * (all.len() / number + 1)) % all.len()]).collect()
}

fn rng(position: &Position) -> PlayerState {
    PlayerState::new(5, position.legal.len() as u64)
}

/// Arbitrary text as a script is loaded or has faults, and decides or has a fault, all within its budget.
pub fn scripts_stay_within_budget(bytes: &[u8]) {
    let text = script(bytes);
    let Some(mut script) = load(&text) else { return };
    for position in some_positions(&text, 4) {
        let rng = rng(position);
        let deciding = || script.decide(&position.view(&rng), &position.legal);
        let decided = within(DECIDING, "a decision", deciding);
        if position.legal.is_empty() {
            continue;
        }
        match decided {
            Ok(chosen) => {
                assert!(chosen.is_none_or(|chosen| chosen < position.legal.len()), "{chosen:?} is not legal");
                assert!(script.operations() <= MAX_OPERATIONS, "{} operations", script.operations());
            }
            Err(StrategyError::Script(fault)) => {
                assert!(fault.span.end <= fault.source.text.len() && fault.position().0 >= 1);
                diagnostic::render(std::slice::from_ref(&*fault), false);
            }
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
        within(DECIDING, "scoring", || script.scores(&position.view(&rng), &position.legal)).ok();
        let asked = within(DECIDING, "a stage of a stake", || {
            script.buys(&position.view(&rng), &position.legal, &STAGE)
        });
        asked.ok();
        assert!(script.printed().len() <= 2 * MAX_PRINTED);
        if script.operations() > LONG {
            break;
        }
    }
}

/// Loads a script like all commands together: reads it, compiles it, and reports what is compiled.
fn load(text: &str) -> Option<Script> {
    let source = source(text);
    let loading = || {
        let mut script = Script::new("fuzz", &source)?;
        script.compile_for(&CANFIELD);
        assert!(!script.report().is_empty(), "a script without functions");
        Ok(script)
    };
    let loaded: Result<Script, Vec<diagnostic::Diagnostic>> = within(LOADING, "loading", loading);
    if let Err(faults) = &loaded {
        assert!(!faults.is_empty() && faults.iter().all(|fault| !fault.to_string().is_empty()));
        within(LOADING, "drawing the faults", || diagnostic::render(faults, true));
    }
    loaded.ok()
}

/// Returns every observable result of a script in a position as text: the decision or its fault with its position, the
/// state of its random numbers, its output, and the scores.
fn answer(script: &mut Script, position: &Position) -> String {
    let rng = rng(position);
    let mut told = String::new();
    if !position.legal.is_empty() {
        let chosen = script.decide(&position.view(&rng), &position.legal);
        told += &format!("{chosen:?} {} {:?}", position.view(&rng).random(1 << 30), script.printed());
    }
    let bought = script.buys(&position.view(&rng), &position.legal, &STAGE);
    format!("{told} {bought:?} {:?}", script.printed())
}

/// Returns the answers of an input's script in some positions, each from a fresh script; empty if it cannot be loaded.
pub fn answers(bytes: &[u8], number: usize) -> Vec<String> {
    let text = script(bytes);
    let fresh = |position: &&Position| Some(answer(&mut Script::new("fuzz", &source(&text)).ok()?, position));
    some_positions(&text, number).iter().filter_map(fresh).collect()
}

/// A script keeps no state: its answer in a position does not depend on earlier calls, on those of other scripts, on
/// games played, or on computing scores.
pub fn decisions_depend_on_the_view_alone(bytes: &[u8]) {
    let text = script(bytes);
    let read = source(&text);
    let make = || Script::new("fuzz", &read);
    let mut one = match (make(), make()) {
        (Ok(one), Ok(_)) => one,
        (first, second) => return assert_eq!(first.err(), second.err(), "loaded twice"),
    };
    // Slow scripts get fewer calls.
    let first = some_positions(&text, 1)[0];
    answer(&mut one, first);
    let (number, rounds) = if one.operations() > LONG { (2, 1) } else { (6, 3) };
    let positions = some_positions(&text, number);
    let expected = answers(bytes, number);
    let mut other = Script::new("other", &source(OTHER)).expect("it is sound");
    let ask = |script: &mut Script, i: usize, how: &str| {
        let now = answer(script, positions[i]);
        assert_eq!(now, expected[i], "{how}: {}\n{text}", positions[i].from);
    };
    let twice = (0..number).flat_map(|i| [i, i]);
    for i in twice.chain((0..number).rev()) {
        ask(&mut one, i, "after others, or once more");
    }
    for i in (0..rounds * number).map(|i| (i * 5 + 3 * (i / number) + 1) % number) {
        answer(&mut other, positions[i]);
        let rng = rng(positions[i]);
        // Computing scores leaves no trace, nor does its fault.
        let scores = |script: &mut Script| {
            let scores = script.scores(&positions[i].view(&rng), &positions[i].legal);
            (scores, script.printed())
        };
        let looked = scores(&mut one);
        ask(&mut one, i, "after scores");
        assert_eq!(scores(&mut one), looked, "scores again: {}\n{text}", positions[i].from);
    }
    if one.operations() <= LONG {
        games_are_the_same(&text);
    }
}

/// Stores as much of its own as possible.
const OTHER: &str =
    "const K = [1, 2, 3];\nfn score(view, m) { let l = K; l.push(view.random(9)); print(l); l[3] }";

/// A game is the same whichever was played before it by the same script.
fn games_are_the_same(text: &str) {
    let make = || Games::new(&CANFIELD, Script::new("fuzz", &source(text)).expect("it was loaded before"), 9);
    let (alone, mut games) = (make().watched(2), make());
    for game in [1, 2, 3, 2] {
        let played = games.watched(game);
        assert!(game != 2 || played == alone, "a game after others\n{played:?}\n{alone:?}\n{text}");
    }
}

/// Compiled or interpreted, a script answers the same in every position, with the same faults.
pub fn compiled_and_interpreted_agree(bytes: &[u8]) {
    let text = script(bytes);
    let Ok(mut both) = both(&text) else { return };
    for position in some_positions(&text, 5) {
        match both.everything(position) {
            // Being slow is not a fault; this way is for scripts that are made to be compiled.
            Err(difference) if difference.starts_with(NEEDLESS) => {}
            Err(difference) => panic!("{difference}\n{text}"),
            Ok(_) => {}
        }
        if both.operations > LONG {
            break;
        }
    }
}
