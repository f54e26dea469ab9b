//! The limits of a script are exact to the last operation, call and variable, compiled and interpreted.

use crate::scripts::support::both;
use crate::scripts::support::positions::of_canfield;
use saratoga::strategy::script::{MAX_CALL_DEPTH, MAX_OPERATIONS, MAX_VARIABLES};

/// Checks that a script decides without a fault; otherwise returns the fault.
fn decides(text: &str) -> Result<(), String> {
    let mut both = both(text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
    let answer =
        both.everything(&of_canfield()[1]).unwrap_or_else(|error| panic!("{error}\n{text}")).unwrap();
    answer.given.map(drop).map_err(|fault| fault.to_string())
}

/// Tries numbers around a limit: those up to `last` succeed, the others end in the fault.
fn ends_after(last: usize, fault: &str, text: impl Fn(usize) -> String) {
    for n in last - 3..last + 4 {
        let decided = decides(&text(n));
        assert_eq!(decided.is_ok(), n <= last, "{n}: {decided:?}\n{}", text(n));
        if let Err(found) = decided {
            assert!(found.contains(fault), "{found}");
        }
    }
}

const TOO_DEEP: &str = "functions called each other more than 32 deep";

#[test]
fn functions_that_call_themselves() {
    // The part after which the depth counts; N stands for the number of calls.
    let down = "fn score(view, m) { down(view, N) }\nfn down(view, n) { BODY }";
    let mut texts: Vec<(usize, String)> = [
        "if n <= 0 { 0 } else { 1 + down(view, n - 1) }",
        "if n <= 0 { return 0; } down(view, n - 1)",
        // In an expression, a condition, a loop.
        "let x = [1][0]; if n <= 0 { x } else { 1 + down(view, n - x) }",
        "if n > 0 && down(view, n - 1) > 3 { 4 } else { 5 }",
        "let sum = 0; for i in 0..n { if i == 0 { sum = down(view, n - 1); } } sum",
    ]
    .map(|body| (MAX_CALL_DEPTH, down.replace("BODY", body)))
    .into();
    // A call from the depth of the limit is one too many.
    let argument = "if n <= 1 { n } else { max(down(view, n - 1), view.cards) }";
    texts.push((MAX_CALL_DEPTH + 1, down.replace("BODY", argument)));
    // Functions of the view alone, or of a card alone, count at their full depth, even if their values are cached.
    let cached = "fn score(view, m) { FIRST + down(view, N) }\n\
                  fn down(view, n) { if n <= 0 { ASKED } else { down(view, n - 1) } }\n\
                  fn of_view(view) { inner(view.pile_len(1)) }\n\
                  fn of_card(c) { if c == () { inner(0) } else { inner(c.rank) } }\n\
                  fn inner(n) { n * 2 }";
    for (first, asked) in [
        ("of_view(view)", "of_view(view)"),
        ("of_card(view.pile_top(1))", "of_card(view.pile_top(1))"),
        ("0", "of_view(view)"),
    ] {
        // The inner one is two calls deeper.
        texts.push((MAX_CALL_DEPTH - 2, cached.replace("FIRST", first).replace("ASKED", asked)));
    }
    // Compiled and interpreted functions in turn.
    let turns = "fn score(view, m) { one(view, N) }\n\
                 fn one(view, n) { if n <= 0 { 1 } else { view.cards + two(view, n - 1) } }\n\
                 fn two(view, n) { let list = [n]; if n <= 0 { 1 } else { one(view, list[0] - 1) } }";
    texts.push((MAX_CALL_DEPTH, turns.into()));
    for (last, text) in texts {
        ends_after(last, TOO_DEEP, |n| text.replace('N', &(n - 1).to_string()));
    }
}

/// Functions that could be inlined still count as calls.
#[test]
fn functions_in_a_row() {
    for (last, by, beyond) in
        [("m.count", "", ""), ("view.pile_len(1)", "1 + ", ""), ("view.piles", "", "let t = \"\"; ")]
    {
        ends_after(MAX_CALL_DEPTH, TOO_DEEP, |n| {
            let function = |i: usize| {
                let body = if i + 1 < n { format!("{by}f{}(view, m)", i + 1) } else { last.to_string() };
                // Some of them interpreted, if any.
                let beyond = if i % 3 == 1 { beyond } else { "" };
                format!("fn f{i}(view, m) {{ {beyond}{body} }}\n")
            };
            (0..n).map(function).collect::<String>() + "fn score(view, m) { f0(view, m) }"
        });
    }
}

/// Variables at one time, including parameters, wherever they are.
#[test]
fn variables() {
    let fault = "there are more than 256 variables";
    let many =
        |n: usize, value: &str| -> String { (0..n).map(|i| format!("let a{i} = {value};\n")).collect() };
    let last = MAX_VARIABLES - 2;
    for value in ["1", "view.cards", "m.is_draw", "()"] {
        ends_after(last, fault, |n| format!("fn score(view, m) {{ {} 5 }}", many(n, value)));
        ends_after(last, fault, |n| {
            format!("fn score(view, m) {{ helper(view, m) }}\nfn helper(view, m) {{ {} 5 }}", many(n, value))
        });
    }
    // The variables of a block that was left are gone; those of a loop or a block exist within it.
    for (before, within, fewer) in [
        ("{ let b = m.count; let c = b; b + c; }", "", 0),
        ("for (i, k) in view.moves { view.piles; }", "", 0),
        ("", "for i in 0..2 { a0 = i; }", 1),
        ("", "for (i, k) in view.moves { a0 = k; }", 2),
        ("", "if m.count >= 0 { let b = m.count; a0 = b; }", 1),
        ("", "if m.count < 0 { let b = m.count; a0 = b; }", 0),
        ("", "for i in 3..3 { a0 = i; }", 1),
        ("", "while m.count >= 0 { let b = m.count; let c = b; a0 = c; break; }", 2),
        ("", "switch m.count { _ => { let b = m.count; a0 = b; } }", 1),
        // In the same block it replaces the one that it hides.
        ("", "let a0 = m.count; a0 += 1;", 0),
        ("", "{ let a0 = m.count; a0 += 1; }", 1),
    ] {
        ends_after(last - fewer, fault, |n| {
            format!("fn score(view, m) {{ {before} {} {within} m.count; 5 }}", many(n, "1"))
        });
    }
    // A function has its own variables.
    let (own, other) = (many(200, "1"), many(200, "2"));
    let calls = format!("fn score(view, m) {{ {own} helper(view, m) }}\nfn helper(view, m) {{ {other} 5 }}");
    assert_eq!(decides(&calls), Ok(()));
}

/// Just before and after the budget is exhausted.
#[test]
fn the_budget_is_the_same_operation_for_operation() {
    let position = &of_canfield()[1];
    for (rounds, body) in [
        (150_000, "for i in 0..N { sum += i; }"),
        (70_000, "let i = 0; while i < N { i += 1; sum += 1; }"),
        (45_000, "let i = 0; loop { i += 1; if i > N { break; } sum = one(view, i); }"),
        (60_000, "let i = 0; do { i += 1; if view.pile_top(1) == () { sum += 1; } } until i >= N;"),
        (
            60_000,
            "for (i, k) in 0..N { switch k % 3 { 0 => { sum += 1; } 1 | 2 if i > 5 => sum -= 1, _ => () } }",
        ),
    ] {
        let took = |rounds: u64| {
            let body = body.replace('N', &rounds.to_string());
            let text = format!(
                "fn score(view, m) {{ let sum = 0; {body} 1 }}\n\
                 fn one(view, n) {{ if n > 3 && view.piles > 0 {{ 2 }} else {{ 3 }} }}"
            );
            let mut both = both(&text).unwrap();
            let answer = both.decide(position).unwrap_or_else(|error| panic!("{error}\n{text}"));
            (answer.given.is_ok(), both.operations)
        };
        // As many rounds as there is room for, and nearby numbers.
        let (least, most) = (took(rounds / 100).1, took(rounds / 50).1);
        let each = (most - least) / (rounds / 100);
        let last = rounds / 100 + (MAX_OPERATIONS - least) / each;
        let ends: Vec<(bool, u64)> = (last - 4..last + 5).map(took).collect();
        assert!(ends[0].0 && !ends[8].0, "{body}: {ends:?}");
        assert!(ends.iter().all(|&(sound, took)| sound == (took <= MAX_OPERATIONS)), "{body}: {ends:?}");
    }
}
