//! No script exceeds its budget, whatever it does: each ends with a fault and its position.

use saratoga::diagnostic::Severity;
use saratoga::game::PlayerState;
use saratoga::strategy::script::{MAX_OPERATIONS, Script};
use saratoga::strategy::{Strategy, StrategyError};

use crate::scripts::support::positions::of_canfield;
use crate::scripts::support::source;

/// Lets a script decide in a position; returns its operations, or its fault.
fn decide(text: &str) -> Result<u64, String> {
    let position = &of_canfield()[1];
    let mut script = Script::interpreted("costly", &source(text)).map_err(|faults| faults[0].to_string())?;
    match script.decide(&position.view(&PlayerState::new(5, 1)), &position.legal) {
        Ok(_) => Ok(script.operations()),
        Err(StrategyError::Script(fault)) => Err(fault.to_string()),
        Err(other) => panic!("{other:?} of\n{text}"),
    }
}

/// Returns the code before an endless loop, the code in it, and the number of elements or bytes scanned by each round; 0
/// if that grows, or if the first round fails.
fn loops() -> impl Iterator<Item = (&'static str, &'static str, u64)> {
    let lines = include_str!("../data/script-costs.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let [before, within, parts] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        (before, within, parts.parse().unwrap())
    })
}

const HELPERS: &str = "fn view_of(x, y) { if x == y { 1 } else { -1 } }\n\
                       fn calls(n) { if n > 0 { calls(n - 1) + calls(n - 1) } else { 0 } }\n\
                       fn longer() { loop { this += LITERAL; } }\n\
                       fn endless(view) { let a = [1, 2]; loop { a[0] = a[1]; } }\n\
                       fn faulty(view) { let i = 0; while i < 200000 { i += 1; } [1][i] }\n\
                       fn copied() { loop { this.extract(0..8000); } }\n";

/// Returns a script that does this once per decision.
fn script(statements: &str) -> String {
    let text = format!("fn choose(view) {{\nlet m = view.moves[0];\n{statements}\n}}\n{HELPERS}");
    text.replace("LITERAL", &format!("\"{}\"", "ab".repeat(1000)))
}

#[test]
fn every_loop_without_an_end_is_ended() {
    for (before, within, _) in loops() {
        let text = script(&format!("{before}\nloop {{ {within} }}"));
        let fault = decide(&text).unwrap_err();
        assert!(fault.starts_with("both.rhai:"), "{fault}");
    }
}

/// Maximum number of elements or bytes per operation: the limit on operations thereby limits time too.
const PARTS: u64 = 64;

#[test]
fn an_operation_stands_for_little_work() {
    // The operations of some rounds, or the whole budget if it is exceeded.
    let operations = |before: &str, within: &str, rounds: u64| {
        let text = script(&format!("{before}\nfor i in 0..{rounds} {{ {within} }}"));
        decide(&text).or_else(|fault| match fault.contains("took more than") {
            true => Ok(MAX_OPERATIONS),
            false => Err(format!("{within} {fault}")),
        })
    };
    let too_cheap = |(before, within, parts): (&str, &str, u64)| {
        let (once, many) = match (operations(before, within, 1), operations(before, within, 11)) {
            (Ok(once), Ok(many)) => (once, many),
            (Err(fault), _) | (_, Err(fault)) => return Some(fault),
        };
        let each = if many == MAX_OPERATIONS { MAX_OPERATIONS / 11 } else { (many - once) / 10 };
        (each * PARTS < parts).then(|| format!("{within} {each} operations for {parts} parts"))
    };
    let wrong: Vec<String> = loops().filter(|(.., parts)| *parts > 0).filter_map(too_cheap).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Scripts that are large, deep or wide: loading them ends, with or without a fault.
#[test]
fn loading_is_bounded_too() {
    let doubling = |entry: &str, last: &str, call: &dyn Fn(usize) -> String| -> String {
        let functions: String = (0..28).map(|i| format!("fn f{i}(v, n) {{ {} }}\n", call(i + 1))).collect();
        format!("{functions}fn f28(v, n) {{ {last} }}\nfn score(view, m) {{ {entry} }}\n")
    };
    let twice = |i: usize| format!("f{i}(v, n) + f{i}(v, n)");
    let either = |i: usize| format!("if v.cards > {i} {{ f{i}(v, n) }} else {{ f{i}(v, n) * 2 }}");
    let nested = |loops: &str, n: usize| {
        format!("fn score(view, m) {{ let n = 0; {} n += 1; {} n }}", loops.repeat(n), "}".repeat(n))
    };
    let texts = [
        ("constants known", "", doubling("f0(1, 2)", "n", &twice)),
        ("the view", "", doubling("f0(view, 2)", "v.cards", &twice)),
        ("the move", "", doubling("f0(view, m)", "n.count", &twice)),
        ("either way", "", doubling("f0(view, 2)", "v.cards", &either)),
        ("either way of a move", "", doubling("f0(view, m)", "n.count", &either)),
        ("short loops", "nested too deeply", nested("for i in 0..5 { ", 25)),
        ("loops of moves", "nested too deeply", nested("for k in view.moves { ", 25)),
        ("loops", "nested too deeply", nested("loop { ", 25)),
        ("an endless constant", "loading the script took more than", "const X = { loop { } };\nfn score(view, m) { 1 }".into()),
        ("a dear constant", "loading the script took more than", "const X = { let a = []; a.pad(8000, 1); let n = 0; loop { n += a.len(); } };\nfn score(view, m) { 1 }".into()),
        ("many variables", "", format!("fn score(view, m) {{ {} 1 }}", "let a = view.cards; a += 1;\n".repeat(1800))),
        ("many names", "no function `what`", format!("fn score(view, m) {{ {} 1 }}", "what(1);\n".repeat(6000))),
        ("one long line", "", format!("fn score(view, m) {{ {} 1 }}", "let a = view.cards;".repeat(3000))),
        ("many functions", "neither `fn score", (0..70).map(|i| format!("fn f{i}(v) {{ {} }}\n", "v.cards;".repeat(100))).collect()),
        ("many closures", "64 closures", format!("fn score(view, m) {{ {} 1 }}", "let f = |x| x;\n".repeat(1000))),
        ("many constants", "256 variables", format!("{}fn score(view, m) {{ 1 }}", (0..2900).map(|i| format!("const C{i} = [{i}];\n")).collect::<String>())),
        ("a wide switch", "", format!("fn score(view, m) {{ switch m.count {{ {} _ => 0 }} }}", (0..4500).map(|i| format!("{i} => {i},\n")).collect::<String>())),
    ];
    // Without limits most of them would load for years.
    for (what, fault, text) in texts {
        let loaded = Script::new("large", &source(&text));
        let faults = loaded.map(|script| drop(script.report())).err().unwrap_or_default();
        let mut errors =
            faults.iter().filter(|it| it.severity == Severity::Error).map(|it| it.message.as_str());
        let first = errors.clone().find(|it| it.contains(fault)).or(errors.next_back()).unwrap_or_default();
        assert!(first.contains(fault) && first.is_empty() == fault.is_empty(), "{what}: {first}");
    }
}
