//! A script answers the same compiled and interpreted: random scripts over everything that is compiled, on random
//! positions.

use crate::common::scale;
use crate::scripts::support::grow::{self, Random};
use crate::scripts::support::names::NAMES;
use crate::scripts::support::positions::{Position, positions};
use crate::scripts::support::shrink::{self, Shrinking};
use crate::scripts::support::{Answer, Difference, both, left, source};
use proptest::strategy::ValueTree;
use saratoga::rules;
use saratoga::strategy::script::Script;

/// Number of scripts tried for each part at full size; half as many at the usual size.
const SCRIPTS: u32 = 600;

type Decided = Answer<Option<usize>>;

/// Runs a script on some of the positions, which depend on its text.
fn compare(script: &Random, positions: &[Position]) -> Result<Vec<Decided>, Difference> {
    let text = &script.text;
    let Ok(mut both) = both(text) else { return Ok(vec![]) };
    if let Some((function, line, reason)) = left(&both.compiled).first().filter(|_| !script.mixed) {
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
    let positions = positions(1, 10, 3);
    let scripts = if scale() == 1 { SCRIPTS / 2 } else { SCRIPTS * scale() as u32 };
    shrink::check(scripts, |script| compare(script, &positions).map(drop));
}

/// What random scripts hold, besides the names of the game.
const CONSTRUCTS: [&str; 85] = [
    "if ",
    "} else if ",
    "switch ",
    "_ => ",
    "() => ",
    "true => ",
    " | ",
    "..=",
    " if ",
    " => {",
    "while ",
    "loop {",
    "do {",
    "} until (",
    "} while (",
    " in range(",
    ") in ",
    ".moves {",
    "1..view.piles",
    ".push(",
    ".pop()",
    ".playout(",
    ".after(",
    ".clear()",
    ".len",
    ".is_empty",
    ".is_empty()",
    "memory[0] ",
    " & 7] ",
    "[]",
    "] = ",
    "] += ",
    "let a;",
    "let total = 0;",
    "break;",
    "break ",
    "continue;",
    "return;",
    "return ",
    "f1(",
    "n - 1",
    "const A = ",
    "const C = ",
    "A + ",
    " min(",
    ".min(",
    " max(",
    ".max(",
    "abs(",
    ".abs()",
    "fn score(",
    "fn choose(",
    "fn stage(",
    "p = ",
    "9223372036854775807",
    " != ()",
    "!(",
    "-(",
    " + ",
    " - ",
    " * ",
    " / ",
    " % ",
    " ** ",
    " << ",
    " >> ",
    " & ",
    " ^ ",
    " == ",
    " != ",
    " < ",
    " <= ",
    " > ",
    " >= ",
    " && ",
    " || ",
    " -= ",
    " *= ",
    " /= ",
    " %= ",
    " **= ",
    " <<= ",
    " &= ",
    " |= ",
    " ^= ",
];

/// The generator produces every construct, and most of its scripts are valid.
#[test]
fn the_scripts_hold_every_construct_and_name() {
    let positions = positions(2, 10, 2);
    let (mut all, mut loaded, mut whole, mut values, mut faults) = (String::new(), 0, 0, 0, 0);
    let number = 600;
    for i in 0..number {
        let script = grow::script(i);
        all += &script.text;
        match both(&script.text) {
            Ok(both) => (loaded, whole) = (loaded + 1, whole + u64::from(both.whole)),
            Err(faults) => println!("{i}: {faults:?}\n{script:?}"),
        }
        // Decisions of some are enough for their shares.
        if i % 3 > 0 {
            continue;
        }
        for decided in compare(&script, &positions).unwrap_or_else(|error| panic!("{error}\n{script:?}")) {
            match decided.given {
                Ok(_) => values += 1,
                Err(_) => faults += 1,
            }
        }
    }
    println!("{loaded} of {number} load, {whole} are compiled whole; {values} decisions, {faults} faults");
    let names = NAMES.iter().map(|name| format!(".{}", name.word));
    let rare: Vec<String> = names
        .chain(CONSTRUCTS.map(String::from))
        .filter(|what| all.matches(what.as_str()).count() < 10)
        .collect();
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

/// A failing script shrinks to a small one that still fails.
#[test]
fn scripts_shrink() {
    let fails = |script: &Random| {
        let text = &script.text;
        text.contains("view.stock_left") && text.contains("switch") && both(text).is_ok()
    };
    let large = (0..).map(grow::script).find(|script| script.text.len() > 2000 && fails(script)).unwrap();
    let mut shrinking = Shrinking::new(large);
    let mut fewer = shrinking.simplify();
    while fewer {
        fewer = if fails(&shrinking.current()) { shrinking.simplify() } else { shrinking.complicate() };
    }
    let small = shrinking.current().text;
    assert!(small.len() < 300, "{small}");
}

const SHORT: &str = "fn score(view, m) {
    if m.to_foundation { return 100; }
    if m.card != () && m.card.rank > view.spaces + 2 { 5 } else { -1 }
}";

/// Facts about a class of moves, and about the rules, are folded.
#[test]
fn a_tree_for_each_class_of_moves() {
    let rules = rules::load("canfield").unwrap().rules;
    let tree = Script::new("short", &source(SHORT)).unwrap().emit(&rules).unwrap();
    let up = "score of WasteUp cost=14\n  block b3\n    leave b3 with 100\n";
    let to_pile = "score of WasteToPile cost=56\n  block b7\n    \
        if ((view.waste_top != ()) && (view.waste_top.rank > (view.spaces + 2)))\n    then 5\n    else -1\n";
    assert!(tree.contains(up) && tree.contains(to_pile), "{tree}");
}
