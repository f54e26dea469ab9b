//! What `scripts check` finds by types: what fails whenever it is run, and nothing else.

use std::fs;
use std::path::Path;

use saratoga::diagnostic::Severity;
use saratoga::strategy::script::{SHELF, Script};

use crate::support::source;

/// What is found in a script, one line each.
fn found(text: &str) -> Vec<String> {
    let script = Script::new("lint", &source(text)).unwrap_or_else(|faults| panic!("{text}\n{faults:?}"));
    let told = script.lint().into_iter().map(|found| {
        let (line, column) = found.position();
        let kind = if found.severity == Severity::Error { "error" } else { "warning" };
        format!("{line}:{column}: {kind}: {}", found.message)
    });
    told.collect()
}

#[test]
fn scores_that_always_fail() {
    let score = "`score` returns";
    let number = "here; it must return a whole number";
    for (body, at, what) in [
        ("return 50.5;", "1:28", "a decimal number"),
        ("\n  if m.is_draw { 1 } else {\n    \"none\"\n  }", "3:5", "a string"),
        ("m.card", "1:21", "a card or nothing (`()`)"),
        ("m.is_draw", "1:21", "a truth value"),
        ("let x = 2.0; x * 3", "1:34", "a decimal number"),
        ("switch m.count { 1 => 5, _ => [1] }", "1:51", "an array"),
        ("return;", "1:21", "nothing (`()`)"),
        ("let c = view.pile_top(1); c", "1:47", "a card or nothing (`()`)"),
        ("for n in 0..3 { if n > 1 { return view; } } 0", "1:55", "the view"),
        ("LIMIT < m.count", "1:21", "a truth value"),
    ] {
        let text = format!("fn score(view, m) {{ {body} }} const LIMIT = 2;");
        assert_eq!(found(&text), [format!("{at}: error: {score} {what} {number}")], "{text}");
    }
}

#[test]
fn other_functions_of_the_game_and_conditions() {
    let choose = "fn choose(view) { for m in view.moves { return m.count; } }";
    let wanted = "it must return one of `view.moves`, or `()` to resign";
    assert_eq!(found(choose), [format!("1:48: error: `choose` returns a whole number here; {wanted}")]);
    let stage = "fn score(view, m) { 0 }\nfn stage(view, at, cost) { cost }";
    let wanted = "it must return true to buy or false not to";
    assert_eq!(found(stage), [format!("2:28: error: `stage` returns a whole number here; {wanted}")]);
    let condition = "fn score(view, m) { if m.count { 1 } else { helper(2) } }\n\
                     fn helper(n) { while n - 1 { n -= 1; } if n * 0.5 { 1 } else { 0 } }";
    let must = "a condition must be true or false, and this is";
    assert_eq!(found(condition), [format!("1:24: error: {must} a whole number")]);
}

#[test]
fn scores_of_nothing() {
    for (body, at) in [
        ("let x = 1;", "1:21"),
        ("", "1:4"),
        ("let x = 1; x += m.count;", "1:34"),
        ("if m.is_draw { 1 }", "1:21"),
        ("if m.is_draw { 1 } else if m.is_redeal { 2 }", "1:45"),
        ("let x = 0; for o in view.moves { x += 1; }", "1:32"),
        ("let x = 0; while x < 3 { x += 1; }", "1:32"),
    ] {
        let text = format!("fn score(view, m) {{ {body} }}");
        let what = "`score` returns nothing (`()`) here; it must return a whole number";
        assert_eq!(found(&text), [format!("{at}: error: {what}")], "{text}");
    }
}

#[test]
fn assignments_to_what_is_only_looked_at() {
    let told = |at: &str, what: &str| vec![format!("{at}: error: {what} cannot be assigned to")];
    let of = |body: &str| found(&format!("fn score(view, m) {{ {body}; 1 }}"));
    assert_eq!(of("m.count = 9"), told("1:23", "`count` of a move"));
    assert_eq!(of("m.card.rank += 1"), told("1:28", "`rank` of a card or nothing (`()`)"));
    assert_eq!(of("view.pass = 2"), told("1:26", "`pass` of the view"));
    assert_eq!(of("let x = #{ count: 1 }; x.count = 9"), Vec::<String>::new());
}

#[test]
fn comparisons_of_what_has_no_size() {
    let of = |body: &str| found(&format!("fn score(view, m) {{ if {body} {{ 1 }} else {{ 2 }} }}"));
    let told = |at: &str, op: &str, what: &str| {
        vec![format!("{at}: warning: `{op}` compares sizes, and {what} has none")]
    };
    assert_eq!(of("view.waste_top < view.reserve_top"), told("1:24", "<", "a card or nothing (`()`)"));
    assert_eq!(of("5 < ()"), told("1:24", "<", "nothing (`()`)"));
    assert_eq!(of("m.card >= 3"), told("1:24", ">=", "a card or nothing (`()`)"));
    assert_eq!(of("m.count < 1.5 && m.count > view.cards"), Vec::<String>::new());
    assert_eq!(of("view.moves[0].count < 3"), Vec::<String>::new());
}

#[test]
fn numbers_that_no_rules_allow() {
    // In a function of the script's own, too, where nothing says what a parameter is.
    let of = |body: &str| {
        let own = "fn own(it) { it.pile_top(17) }";
        found(&format!("const FAR = 64; fn score(view, m) {{ {body}; 1 }}\n{own}"))
    };
    let own = "2:26: error: `pile_top` was given 17: piles count from 1 to 16".to_string();
    for (body, at, told) in [
        ("memory[64] = 2", 44, "`memory` was given 64: its places count from 0 to 63"),
        ("let x = memory[-1]", 52, "`memory` was given -1: its places count from 0 to 63"),
        ("memory[FAR] += 1", 44, "`memory` was given 64: its places count from 0 to 63"),
        ("view.coming(-1)", 49, "`coming` was given -1: cards count from 0"),
        ("view.foundation(5)", 53, "`foundation` was given 5: suits count from 1 to 4"),
        ("view.reserve_pile(5, 0)", 55, "`reserve_pile` was given 5: reserves count from 1 to 4"),
        ("view.at(1).pile(1, -2)", 56, "`pile` was given -2: cards count from 0"),
        ("view.random(0)", 49, "`random` was given 0: numbers count from 1 to 4294967295"),
        ("view.pay(209)", 46, "`pay` was given 209: cards count from 0 to 208"),
        ("view.sample(-1)", 49, "`sample` was given -1: samples count from 0"),
    ] {
        assert_eq!(of(body), [format!("1:{at}: error: {told}"), own.clone()], "{body}");
    }
    for body in [
        "memory[63] = 0; view.pile_top(16); view.coming(0); view.pay(208)",
        "let memory = [1]; memory[64]",
        "let FAR = 2; memory[FAR]",
    ] {
        assert_eq!(of(body).join("\n"), own, "{body}");
    }
    // What fails may be caught.
    for body in ["try { memory[64] } catch { }", "try { bad() } catch { } 2 } fn bad() { memory[64]"] {
        assert_eq!(of(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn values_of_the_wrong_kind() {
    let of = |body: &str| found(&format!("fn score(view, m) {{ {body}; 1 }}"));
    for (body, at, told) in [
        ("view.playout(\"patient\", 0)", 34, "`playout` was given a string where it takes a whole number"),
        ("view.playout(0, 1)", 37, "`playout` was given a whole number where it takes a string"),
        ("view.after(3)", 32, "`after` was given a whole number where it takes a move"),
        ("view.pile_top(m)", 35, "`pile_top` was given a move where it takes a whole number"),
        ("memory[0] = true", 33, "`memory` holds whole numbers, and this is a truth value"),
        ("memory[0] = m", 33, "`memory` holds whole numbers, and this is a move"),
    ] {
        assert_eq!(of(body), [format!("1:{at}: error: {told}")], "{body}");
    }
    for body in [
        // A map may hold a function of any name, and `?.` asks nothing of what is not there.
        "let h = #{ wants: |x| x }; h.wants(1.5)",
        "let none = (); none?.pile_len(\"a\")",
        "memory[0] = m.count",
        "view.wants(m.card)",
        "view.pile_top(view.piles)",
        "let x = [1]; x[0] = true",
    ] {
        assert_eq!(of(body), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn more_variables_than_there_may_be() {
    let many = |n: usize| (0..n).map(|i| format!("let a{i} = 1;\n")).collect::<String>();
    assert_eq!(found(&format!("fn score(view, m) {{\n{}1 }}", many(254))), Vec::<String>::new());
    let told = "256:5: error: there are more than 256 variables at one time";
    assert_eq!(found(&format!("fn score(view, m) {{\n{}1 }}", many(3000))), [told]);
    let twice = format!("fn score(view, m) {{\n{{ {} }}\n{}1 }}", many(200), many(200));
    assert_eq!(found(&twice), Vec::<String>::new());
}

#[test]
fn what_may_succeed_is_not_reported() {
    for body in [
        "let x = 1.5; x = 2; x",
        "if m.is_draw { let n = 1; n } else { let n = 2; n }",
        "let x = 0.5; if m.is_draw { let x = 3; return x; } 1",
        "to_int(2.5)",
        "view.moves.len()",
        "let t = \"abc\"; t.len",
        "return 1; \"never\"",
        "loop { return 1; }",
        "helper(m)",
        "let a = [1.5, 2]; a[1]",
        "#{ x: 1 }.x",
        "if m.is_draw { 1 } else { throw \"no\" }",
        "m.card ?? 3",
        "try { if m.count { 1 } else { 2 } } catch { 3 } 4",
        "view.count_up()",
    ] {
        let text = format!(
            "fn score(view, m) {{ {body} }}\n\
             fn helper(m) {{ m.count }}\n\
             fn count_up() {{ 1.5 }}"
        );
        assert_eq!(found(&text), Vec::<String>::new(), "{body}");
    }
}

#[test]
fn assignments_to_a_constant_change_nothing() {
    let text = "const SEEN = [0, 0];\nconst BY = #{ a: 1 };\nfn score(view, m) {\n  SEEN[0] = 1;\n  BY.a += 1;\n  \
                let own = [0];\n  own[0] = 1;\n  own[0]\n}";
    let told = |at: &str, name: &str| {
        format!("{at}: warning: `{name}` is constant: this assignment changes nothing")
    };
    assert_eq!(found(text), [told("4:3", "SEEN"), told("5:3", "BY")]);
}

#[test]
fn the_shelf_and_the_corpus_are_without_alarms() {
    for (name, text) in SHELF {
        assert_eq!(found(text), Vec::<String>::new(), "{name}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scripts");
    let mut failing = Vec::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        if path.extension().is_some_and(|ending| ending == "rhai")
            && Script::new("lint", &source(&text)).is_ok()
            && !found(&text).is_empty()
        {
            failing.push(path.file_stem().unwrap().to_string_lossy().into_owned());
        }
    }
    failing.sort();
    // They fail whenever they decide, but for one that compares what has no size, and one whose fault is never reached in the layouts that it is tried on.
    assert_eq!(
        failing,
        [
            "choose-number",
            "choose-seat",
            "different-kinds",
            "early-return",
            "score-card",
            "score-move",
            "score-nothing",
            "score-truth",
            "score-view"
        ]
    );
}
