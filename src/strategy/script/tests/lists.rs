//! Lists, sets of cards and ranges with steps, compiled and interpreted.

use super::sameness::both_ways;
use super::*;

/// Checks that a script is fully compiled, decides the same both ways, and leaves nothing to the interpreter.
fn compiled_whole(text: &str) {
    let (compiled, _) = both_ways(text);
    let stops: Vec<_> = compiled.report().into_iter().filter_map(|it| it.stops).collect();
    assert!(stops.is_empty(), "{stops:?}\n{text}");
    assert!(compiled.is_compiled(), "{text}");
    assert_eq!(compiled.bailouts(), 0, "{text}");
}

/// Checks a script of which some decisions are faults, or are left to the interpreter for another reason.
fn the_same(text: &str) {
    both_ways(text);
}

#[test]
fn lists_are_made_read_and_changed() {
    compiled_whole(
        "fn score(view, m) {
            let lens = [];
            for p in 1..=view.piles { lens.push(view.pile_len(p)); }
            lens[0] += 3;
            lens[-1] = lens.len() * 2 + lens[0];
            let sum = if lens.is_empty { 1 } else { 0 };
            for (n, i) in lens { sum += n * (i + 1); }
            let last = lens.pop();
            lens.clear();
            sum * 10 + last + lens.len + if lens.pop() == () { 1 } else { 0 } + view.moves.len()
        }",
    );
}

#[test]
fn lists_hold_cards_moves_and_truth_values() {
    compiled_whole(
        "fn score(view, m) {
            let seen = [view.waste_top, view.reserve_top, m.card];
            let ranks = 0;
            for c in seen { if c != () { ranks += c.rank; } }
            let same = [m == m, m.to_space];
            if same[0] { ranks += 1; }
            let others = [];
            for o in view.moves { if o != m && others.len() < 20 { others.push(o); } }
            for o in others { ranks += o.count; }
            let mixed = [1, true, ()];
            mixed.push(m.card);
            if mixed[2] == () { ranks += 7; }
            if mixed[1] { ranks += mixed[0]; }
            ranks
        }",
    );
}

#[test]
fn a_list_belongs_to_one_variable() {
    compiled_whole(
        "fn score(view, m) {
            let a = [1, 2, 3];
            let b = a;
            b.push(4);
            a[0] = 50;
            let c = grown(a);
            let d = a;
            d = if view.spaces > 0 { b } else { a };
            d[1] = 70;
            let rounds = 0;
            for x in a { a.push(x); if a.len() > 5 { a = [9]; } rounds += x; }
            let e = [a[0], a.len()];
            e = [e[1], e[0]];
            for i in 0..4 { let f = [i]; b = f; f.push(7); }
            a.len() + 10 * b.len() + 100 * c[3] + d[1] + rounds + e[0] * 3 + e[1] + m.count
        }
        fn grown(list) { list.push(5); list[0] += 1; list }",
    );
}

#[test]
fn functions_take_and_give_lists() {
    compiled_whole(
        "const WEIGHTS = [5, 3, 2, 1];
         fn score(view, m) {
            let lens = [0, 0, 0];
            lens = counted(view, lens, 3);
            let both = min_max(lens);
            both[1] * 10 - both[0] + WEIGHTS[both[0] % 4] + own(WEIGHTS) + m.source
        }
        fn counted(view, list, n) {
            if n == 0 { return list; }
            list[n - 1] += view.pile_len(n);
            counted(view, list, n - 1)
        }
        fn min_max(list) {
            let low = list[0];
            let high = list[0];
            for n in list { low = min(low, n); high = max(high, n); }
            [low, high]
        }
        fn own(list) { list[0] = 9; list.push(1); list[0] + list.len() }",
    );
    // A function of the view that returns a list is computed each time; one that uses a list may be cached.
    compiled_whole(
        "fn score(view, m) {
            let a = tops(view);
            a.push(1);
            let b = tops(view);
            a.len() * 100 + b.len() * 10 + longest(view) + longest(view) + m.target
        }
        fn tops(view) { let all = []; for p in 1..=view.piles { all.push(view.pile_len(p)); } all }
        fn longest(view) { let most = 0; for n in tops(view) { most = max(most, n); } most }",
    );
}

#[test]
fn interpreted_functions_take_and_give_lists() {
    let (compiled, _) = both_ways(
        "fn score(view, m) {
            let list = [m.count, 2, view.reserve_left];
            let sorted = sorted(list);
            list.push(1);
            sorted[0] * 100 + sorted.len() * 10 + list.len()
        }
        fn sorted(list) { list.sort(); list }",
    );
    assert!(compiled.is_compiled());
    assert_eq!(compiled.bailouts(), 0);
}

#[test]
fn wrong_uses_of_lists_are_told_by_the_interpreter() {
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
    ] {
        the_same(&format!("const A = [1, 2];\nfn score(view, m) {{ {body} }}"));
    }
}

#[test]
fn ranges_have_steps() {
    compiled_whole(
        "fn score(view, m) {
            let sum = 0;
            for i in range(0, 10, 3) { sum = sum * 7 % 1001 + i; }
            for (i, j) in range(10, -3, -4) { sum = sum * 5 % 1001 + i + j; }
            for i in range(5, 5, 1) { sum += 1000; }
            for i in range(0, 5, -1) { sum += 1000; }
            for i in range(2, 6) { sum += i; }
            for i in range(0..view.piles, 2) { if i == 2 { continue; } sum += i; i += 5; }
            let step = m.count + 1;
            for i in range(-3, step * 4, step) { sum += i; if sum > 900 { break; } }
            sum
        }",
    );
    for range in [
        "range(0, 5, 0)",
        "range(0, 5, view.spaces)",
        "range(9223372036854775806, 9223372036854775807, 5)",
        "range(9223372036854775800, 9223372036854775807, 3)",
        "range(0, 3, true)",
    ] {
        the_same(&format!("fn score(view, m) {{ let n = 1; for i in {range} {{ n += 1; }} n }}"));
    }
}

#[test]
fn sets_of_cards_are_numbers() {
    compiled_whole(
        "fn score(view, m) {
            let seen = 0;
            for p in 1..=view.piles {
                let c = view.pile_top(p);
                if c != () { seen = seen.add(c); }
            }
            let c = view.waste_top;
            let known = if c != () && seen.has(c) { 100 } else { 0 };
            if c != () { seen |= c.bit; seen = seen.without(c); }
            known + seen.popcount() + popcount(7.bit_not()) + (bit_not(seen) & 15) + m.source
        }",
    );
    the_same("fn score(view, m) { let s = 5; if s.has(m.card) { 1 } else { 0 } }");
    the_same("fn score(view, m) { true.popcount() }");
}

/// However far a script goes with lists, it is stopped, or it plays.
#[test]
fn hostile_lists_end() {
    for text in [
        "fn score(view, m) { let a = [1]; loop { a.push(a.len()); } }",
        "fn score(view, m) { deep([1, 2, 3], 0) } fn deep(a, n) { a.push(n); deep(a, n + 1) }",
        "fn score(view, m) { let n = 0; loop { let a = [n, n]; n = a[1] + 1; } }",
        "fn score(view, m) { let a = [0]; for i in 0..250 { a.push(i); } let n = 0; loop { for x in a { n ^= x; } } }",
    ] {
        let mut script = sound(text);
        assert!(play(&rulesets()[0], &mut script, 1).is_err(), "{text}");
    }
}

/// What follows from a move alone is read from the view after it without creating a position.
#[test]
fn cards_after_a_move_are_compiled() {
    compiled_whole(
        "fn score(view, m) {
            if m.rolls { return 1; }
            let next = view.after(m);
            next.cards * 10 + next.pay(next.cards) / 100 + best(view, m) + if m.to_foundation { 2 } else { 1 }
        }
        fn best(view, m) {
            let most = 0;
            for o in view.moves { if !o.rolls { most = max(most, view.after(o).cards); } }
            most
        }",
    );
    // If a die is rolled it is a fault, whatever is read.
    the_same("fn score(view, m) { let next = view.after(m); 1 }");
    the_same("fn score(view, m) { view.after(m).cards }");
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
