//! No script takes more than its budget, whatever it does with it: each ends with a fault at a place.

use std::sync::Arc;
use std::time::{Duration, Instant};

use saratoga::diagnostic::SourceText;
use saratoga::lab::Player;
use saratoga::rules;
use saratoga::strategy::StrategyError;
use saratoga::strategy::script::Script;

/// Loads a script and has it play a game: its fault, and how long it took to find.
fn fault(text: &str) -> (String, Duration) {
    let started = Instant::now();
    let source = Arc::new(SourceText { name: "costly.rhai".into(), text: text.into() });
    let found = match Script::new("costly", &source) {
        Err(faults) => faults[0].to_string(),
        Ok(script) => {
            let canfield = rules::load("canfield").unwrap().rules;
            let played = Player::new("canfield", &canfield, Box::new(script)).play(1, 0);
            match played.map_err(|error| error.error) {
                Err(StrategyError::Script(fault)) => fault.to_string(),
                other => panic!("{other:?} of\n{text}"),
            }
        }
    };
    (found, started.elapsed())
}

/// What is done before a loop without an end, and in it.
const LOOPS: &[(&str, &str)] = &[
    ("let a = []; a.pad(8000, 1);", "a.contains(2);"),
    ("let a = []; a.pad(8000, 1);", "a.index_of(2);"),
    ("let a = []; a.pad(8000, 1);", "a.index_of(2, -4000);"),
    ("let a = []; a.pad(8000, 1);", "2 in a;"),
    ("let a = []; a.pad(8000, 1); let b = a;", "a == b;"),
    ("let a = []; a.pad(4000, [1]); let b = a;", "a == b;"),
    ("let a = []; a.pad(4000, 1.5); let b = a;", "a != b;"),
    ("let a = []; a.pad(8000, 1);", "a.sort();"),
    ("let a = []; for i in 0..800 { a.push(i * 7919 % 1000); }", "a.sort_desc(); a.sort();"),
    ("let a = []; a.pad(8000, \"x\");", "a.order();"),
    ("let a = []; a.pad(8000, 1);", "let b = a; b.dedup();"),
    ("let a = []; a.pad(8000, 1);", "let b = a;"),
    ("let a = []; a.pad(8000, 1);", "a[7];"),
    ("let a = []; a.pad(8000, 1);", "a.reverse();"),
    ("let a = []; a.pad(8000, 1);", "a.insert(0, 1); a.shift();"),
    ("let a = []; a.pad(8000, 1);", "a.extract(0..8000).extract(0..8000).extract(0..8000).contains(2);"),
    ("let a = []; a.pad(8000, 1);", "a.splice(0, 8000, a);"),
    ("let a = []; a.pad(8000, 1);", "a.filter(|x| true);"),
    ("let a = []; a.pad(8000, 1);", "a.map(|x| [x]);"),
    ("let a = []; a.pad(8000, 1);", "a.reduce(|sum, x| [sum, x]);"),
    ("let a = []; a.pad(8000, 1);", "a.zip(a, |x, y| x + y);"),
    ("let a = []; a.pad(8000, 1);", "a.to_string();"),
    ("let a = []; a.pad(8000, 1);", "print(a);"),
    ("let a = []; a.pad(8000, 1);", "`${a}`;"),
    ("let a = []; a.pad(8000, 1);", "for x in a { break; }"),
    ("", "[].pad(8000, 1);"),
    ("", "let a = []; a.pad(8000, [1, [2, [3]]]);"),
    ("", "[].pad(9223372036854775807, 1);"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "s.to_upper().to_lower().to_chars();"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "s.split(\"\");"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "s.split();"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "s.contains(\"zz\"); s.index_of(\"ba\", 9000);"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "let t = s; t.replace(\"a\", s);"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "let t = s; t.replace(\"ab\", \"ba\");"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "s.len(); s[15000]; s.sub_string(9, 9000);"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "s + \"x\";"),
    ("let s = \"\"; s.pad(16000, \"ab\");", "for c in s { break; }"),
    ("let s = \"x\";", "s.pad(10, \"\"); s.pad(9223372036854775807, '*');"),
    ("let m = #{}; for i in 0..1000 { m[`k${i}`] = i; }", "m.to_json();"),
    ("let m = #{}; for i in 0..1000 { m[`k${i}`] = i; }", "let n = m; n == m;"),
    ("let m = #{}; for i in 0..1000 { m[`k${i}`] = i; }", "m.keys(); m.values();"),
    ("let m = #{}; for i in 0..1000 { m[`k${i}`] = i; }", "m + m;"),
    ("let m = #{}; for i in 0..1000 { m[`k${i}`] = i; }", "m.mixin(m); m.fill_with(m);"),
    ("let m = #{}; for i in 0..1000 { m[`k${i}`] = i; }", "m.filter(|k, v| true);"),
    ("let a = []; a.pad(3000, 1);", "a.sort(|x, y| view_of(x, y));"),
    ("let a = [];", "a = [a, a];"),
    ("let a = [];", "a.push(a);"),
    ("let a = [1];", "a += a;"),
    ("let a = [1];", "a = a + a;"),
    ("let a = #{};", "a.x = a;"),
    ("let a = [[[[]]]];", "a[0][0][0] = a;"),
    ("let s = \"x\";", "s += s;"),
    ("let s = \"x\";", "s = `${s}${s}`;"),
    ("let f = |x| x;", "f = [f, f];"),
    ("", "try { throw [1, 2, 3]; } catch (e) { e.len(); }"),
    ("", "try { loop { } } catch { }"),
    ("", "view.moves; view.moves.len(); view.moves.filter(|x| x.is_draw);"),
    ("", "[1, 2, 3].for_each(|x| { loop { } });"),
    ("", "[3, 1, 2].sort(|a, b| { loop { } });"),
    ("", "for i in 0..9223372036854775807 { }"),
    ("", "for i in range(0, 9223372036854775807, 3) { }"),
    ("let n = 0;", "while n >= 0 { n += 1; n %= 7; }"),
    ("", "calls(30);"),
    ("", "print(LITERAL);"),
    ("", "debug(LITERAL);"),
    ("let a = []; a.pad(8000, m);", "a.to_string();"),
    ("let a = []; a.pad(8000, 0.5);", "`${a}`;"),
    ("let a = []; a.pad(8000, m);", "let b = a;"),
    ("let s = \"\"; s.pad(8000, \"ab\");", "s.chars();"),
    ("let x = \"\";", "x.longer();"),
    ("let x = []; x.pad(8000, m);", "x.copied();"),
];

const HELPERS: &str = "fn view_of(x, y) { if x == y { 1 } else { -1 } }\n\
                       fn calls(n) { if n > 0 { calls(n - 1) + calls(n - 1) } else { 0 } }\n\
                       fn longer() { loop { this += LITERAL; } }\n\
                       fn copied() { loop { this.extract(0..8000); } }\n";

#[test]
fn every_loop_without_an_end_is_ended() {
    let mut slowest: Vec<(Duration, &str)> = Vec::new();
    for (before, within) in LOOPS {
        let text = format!("fn score(view, m) {{\n{before}\nloop {{ {within} }}\n}}\n{HELPERS}")
            .replace("LITERAL", &format!("\"{}\"", "ab".repeat(1000)));
        let (said, took) = fault(&text);
        assert!(said.starts_with("costly.rhai:"), "{said}");
        slowest.push((took, within));
    }
    slowest.sort();
    for (took, within) in slowest.iter().rev().take(8) {
        println!("{took:.2?}  {within}");
    }
    // The guide promises 4 s for a program that is built for speed on an idle core; tests have neither.
    assert!(slowest[LOOPS.len() - 1].0 < Duration::from_secs(90), "{:?}", slowest.last());
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
        ("constants known", doubling("f0(1, 2)", "n", &twice)),
        ("the view", doubling("f0(view, 2)", "v.cards", &twice)),
        ("the move", doubling("f0(view, m)", "n.count", &twice)),
        ("either way", doubling("f0(view, 2)", "v.cards", &either)),
        ("either way of a move", doubling("f0(view, m)", "n.count", &either)),
        ("short loops", nested("for i in 0..5 { ", 25)),
        ("loops of moves", nested("for k in view.moves { ", 25)),
        ("loops", nested("loop { ", 25)),
        ("an endless constant", "const X = { loop { } };\nfn score(view, m) { 1 }".into()),
        ("a dear constant", "const X = { let a = []; a.pad(8000, 1); let n = 0; loop { n += a.len(); } };\nfn score(view, m) { 1 }".into()),
        ("many variables", format!("fn score(view, m) {{ {} 1 }}", "let a = view.cards; a += 1;\n".repeat(8000))),
        ("many names", format!("fn score(view, m) {{ {} 1 }}", "what(1);\n".repeat(20_000))),
        ("one long line", format!("fn score(view, m) {{ {} 1 }}", "let a = view.cards;".repeat(3000))),
        ("many functions", (0..250).map(|i| format!("fn f{i}(v) {{ {} }}\n", "v.cards;".repeat(100))).collect()),
        ("many closures", format!("fn score(view, m) {{ {} 1 }}", "let f = |x| x;\n".repeat(1000))),
        ("many constants", format!("{}fn score(view, m) {{ 1 }}", (0..5000).map(|i| format!("const C{i} = [{i}];\n")).collect::<String>())),
        ("a wide switch", format!("fn score(view, m) {{ switch m.count {{ {} _ => 0 }} }}", (0..5000).map(|i| format!("{i} => {i},\n")).collect::<String>())),
    ];
    for (what, text) in texts {
        let started = Instant::now();
        let source = Arc::new(SourceText { name: "large.rhai".into(), text });
        let loaded = Script::new("large", &source);
        let compiled = loaded.map(|script| drop(script.report()));
        let took = started.elapsed();
        println!("{took:.2?}  {what}: {}", compiled.err().map_or("good".into(), |f| f[0].to_string()));
        assert!(took < Duration::from_secs(20), "{what}: {took:?}");
    }
}
