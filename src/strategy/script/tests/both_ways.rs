//! Compiled and interpreted scripts decide the same.

use super::*;

/// Plays games of a strategy, calling `ask` at every position.
fn positions(rules: &Rules, games: u64, mut ask: impl FnMut(&View<'_>, &MoveList) -> Option<usize>) {
    for number in 0..games {
        let rng = PlayerState::new(3, number);
        let mut chance = SeededChance::new(3, number);
        let mut game = Game::new(rules);
        game.deal(Deck::shuffled(rules.deck_shape(), 3, number).cards(), &mut chance);
        while game.end().is_none() {
            let view = View::new(game.table(), rules, &rng);
            match ask(&view, game.legal()).and_then(|i| game.legal().get(i).copied()) {
                Some(m) => drop(game.make(m, &mut chance)),
                None => game.resign(),
            }
        }
    }
}

/// Asks a script for scores of some positions, both ways, and compares what it scores, prints and draws.
fn both_ways(text: &str) -> (Script, Script) {
    let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
    let mut compiled = Script::new("test", &source).unwrap();
    let mut interpreted = Script::interpreted("test", &source).unwrap();
    for rules in rulesets() {
        let mut asked = 0;
        positions(&rules, 2, |view, legal| {
            asked += 1;
            // Each draws from its own stream, of the same seed.
            let rng = PlayerState::new(7, asked);
            let (a, b) = (view.with_rng(&rng), PlayerState::new(7, asked));
            let found = (compiled.decide(&a, legal), compiled.printed(), a.random(1_000_000));
            let b = view.with_rng(&b);
            let wanted = (interpreted.decide(&b, legal), interpreted.printed(), b.random(1_000_000));
            assert_eq!(found, wanted, "{text}\non {}", rules.name());
            found.0.ok().flatten().filter(|_| asked < 200)
        });
    }
    (compiled, interpreted)
}

#[test]
fn a_decision_that_bails_out_draws_and_prints_once() {
    // The product of two cards' characters is not a number: compiled code does not support it.
    let (compiled, _) = both_ways(
        "fn score(view, m) {
            let n = view.random(10);
            note(n);
            let c = view.pile_top(1);
            if c == () { return n; }
            let both = c + c;
            if both == 5 { 1 } else { n }
         }
         fn note(n) { print(n); }",
    );
    assert_eq!(compiled.bailouts(), 0, "after many in vain the script is interpreted for good");
}

/// Inlined, these would need more registers or more code than there is.
#[test]
fn functions_too_large_together_call_each_other() {
    // Each level keeps its variables while it calls the next one.
    let level = |name: &str, next: &str| {
        let variables: String = (0..60).map(|i| format!("let v{i} = m.count + {i};\n")).collect();
        let adds: String = (0..60).map(|i| format!("n += v{i};\n")).collect();
        format!("fn {name}(view, m) {{ {variables} let n = {next}; {adds} n }}\n")
    };
    let deep = [level("score", "a(view, m)"), level("a", "b(view, m)"), level("b", "m.source")].concat();
    // A loop over the moves has a body for each class of moves, and so do the loops in it.
    let wide = "fn score(view, m) { let n = 0; for a in view.moves { n += first(view, m, a) + first(view, a, m); } n }
        fn first(view, m, p) {
            let n = 0;
            for a in view.moves {
                n += second(view, a == p) + if a.count > m.count { view.pile_len(1) } else { second(view, n > 3) };
            }
            n
        }
        fn second(view, q) {
            let total = 0;
            for w in view.moves {
                total += if q { w.source } else if view.reserve_top == () { total % 7 } else { w.target };
            }
            total
        }";
    for text in [&deep[..], wide] {
        let (compiled, _) = both_ways(text);
        assert!(compiled.is_compiled(), "{text}");
        assert!(compiled.report().iter().all(|function| function.stops.is_none()), "{text}");
        assert_eq!(compiled.bailouts(), 0, "{text}");
    }
}

#[test]
fn a_script_too_large_for_the_machine_is_interpreted() {
    // Variables, and products that are kept while the rest of the sum is computed.
    let variables: String = (0..125).map(|i| format!("let v{i} = m.count + {i};\n")).collect();
    let sum = (0..24).fold("0".into(), |rest: String, i| format!("(v{i} * v{}) + ({rest})", i + 1));
    let adds: String = (0..125).map(|i| format!("n += v{i};\n")).collect();
    let text = format!("fn score(view, m) {{ {variables} let n = {sum}; {adds} n }}\n");
    let (compiled, _) = both_ways(&text);
    assert!(!compiled.is_compiled(), "it needs more registers than there are");
    let report = compiled.report();
    let told =
        |function: &FunctionReport| function.stops.as_ref().is_some_and(|s| s.message.contains("too large"));
    assert!(report.iter().all(told), "{report:?}");
}

/// Code dropped by the passes must not hide that offsets are too large.
#[test]
fn code_just_too_large_for_its_offsets_is_interpreted() {
    let sum = |terms: usize| {
        // A loop over the moves has a body for each class of moves.
        let body = "n += if view.coming(n) == () { a.count } else { b.count };\n".repeat(terms);
        format!(
            "fn score(view, m) {{ let n = 1; for a in view.moves {{ for b in view.moves {{ {body} }} }} n }}\n"
        )
    };
    let terms = [88, 89, 90, 91, 92];
    let compiled = terms.map(|terms| both_ways(&sum(terms)).0.is_compiled());
    assert!(compiled[0] && !compiled[4], "{compiled:?}");
}

/// Some decisions of these are faults, or are left to the interpreter for another reason.
#[test]
fn what_may_be_a_fault_is_the_same_both_ways() {
    for body in [
        "let a = [1, 2]; a[m.count + 1]",
        "let a = [1]; a[-2] = 1; 3",
        "let a = []; a[0]",
        "let a = 5; a.push(1); a",
        "let a = m.card; for c in a { } 1",
        "let a = [1, 2]; a",
        "let a = [1, 2]; if a { 1 } else { 2 }",
        "let a = [view]; a[0].spaces",
        "let a = [1]; let b = [a]; b[0][0]",
        "let a = [1, 2]; let b = [1, 2]; if a == b { 5 } else { 6 }",
        "let a = []; for i in 0..m.count + 300 { a.push(i); } a.len()",
        "let a = [3]; a += 4; a.len()",
        "A[0] = 7; A[0]",
        "let a = A; a[0] = 7; A[0] + a[0]",
        "let a = [1, 2, 3]; a[true]",
        "let n = 1; for i in range(0, 5, 0) { n += 1; } n",
        "let n = 1; for i in range(0, 5, view.spaces) { n += 1; } n",
        "let n = 1; for i in range(9223372036854775806, 9223372036854775807, 5) { n += 1; } n",
        "let n = 1; for i in range(9223372036854775800, 9223372036854775807, 3) { n += 1; } n",
        "let n = 1; for i in range(0, 3, true) { n += 1; } n",
        "let s = 5; if s.has(m.card) { 1 } else { 0 }",
        "true.popcount()",
        "let next = view.after(m); 1",
        "view.after(m).cards",
    ] {
        both_ways(&format!("const A = [1, 2];\nfn score(view, m) {{ {body} }}"));
    }
}

#[test]
fn views_after_a_move_are_compiled_in_part() {
    for (text, stops) in [
        ("fn score(view, m) { view.after(m).spaces }", "`spaces` of a view after a move"),
        ("fn score(view, m) { view.after(m).moves.len() }", "`moves` of a view after a move"),
        ("fn score(view, m) { let n = view.after(m); n = view; n.cards }", "one view after the other"),
        (
            "fn score(view, m) { f(view.after(m)) } fn f(v) { v.cards }",
            "a view after a move that is passed on",
        ),
        ("fn score(view, m) { let n = view.after(m); f(n) } fn f(v) { v.cards }", "that is passed on"),
    ] {
        let (compiled, _) = both_ways(text);
        let report = compiled.report();
        let found = report[0].stops.as_ref().map(|stops| stops.message.clone()).unwrap_or_default();
        assert!(found.contains(stops), "{text}: {found}");
    }
}
