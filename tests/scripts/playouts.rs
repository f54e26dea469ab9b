//! Playouts by compiled code: the same as interpreted.

use saratoga::game::PlayerState;

use crate::scripts::support::both;
use crate::scripts::support::positions::{Position, positions};

/// Code for a move runs once, and its faults are reported, whatever is read from the view after it.
#[test]
fn moves_of_views_are_made_out_once() {
    let positions = positions(8, 4, 2);
    for body in [
        "let next = view.after(pick(view, m)); next.cards",
        "let w = view.after({ memory[0] = 1; m }); 3",
        "of(view, m, view.after({ memory[0] = 1; m }))",
        "view.after(pick(view, m)).cards * 0 + memory[0] % 3",
        "view.after(pick(view, m)).playout(0, \"greedy\") + view.random(5)",
        "view.after(pick(view, m)).pay(3) * 0 + memory[0] % 3",
        "let x = pick(view, m); view.after(x).pay(3) * 0 + memory[0] % 3",
        "view.after(m).pay(3)",
        "view.after(()).pay(3)",
        "let none = (); view.after(none).cards",
        "view.after(view.waste_top).pay(3)",
        "view.after(view.waste_top).playout(1, \"greedy\")",
        // All arguments are evaluated before the first method is called.
        "let x = 1; view.after(m).playout(x - 1, \"greedy\").max(if view.moves.len() > 1 { x = 30; 0 } else { 0 })",
        "let x = 1; view.playout(0, if x == 1 { \"greedy\" } else { \"random\" }).max(if view.moves.len() > 1 { x = 2; 0 } else { 0 })",
        "let x = 1; view.playout(if view.moves.len() > 1 { x = 2; 0 } else { 0 }, if x == 1 { \"greedy\" } else { \"random\" })",
        "let b = m; view.after(b).playout(if view.moves.len() > 1 { b = (); 0 } else { 0 }, \"greedy\")",
        "let x = 1; view.playout(0, if (if view.moves.len() > 1 { x = 7; true } else { false }) { \"greedy\" } else { \"random\" }).max(x)",
        "let x = 3; view.pay(x).max(if view.moves.len() > 0 { x = 40; 0 } else { 0 })",
    ] {
        for done in
            ["memory[0] += 1;", "let s = \"\"; memory[0] += 1;", "if view.random(2) == 0 { return m; }"]
        {
            let text = format!(
                "fn pick(view, m) {{ {done} m }}\nfn of(view, m, w) {{ w.cards }}\nfn score(view, m) {{ {body} }}"
            );
            let mut both = both(&text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
            for position in positions.iter().step_by(5) {
                both.everything(position).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
            }
        }
    }
}

/// The charge for asking many players depends on the decision alone, not on who is cached from earlier ones.
#[test]
fn players_count_the_same_whoever_was_asked_before() {
    let positions = positions(9, 0, 1);
    let of = |names: &str| format!("for i in {names} {{ n += view.playout(0, \"random:slip=\" + i); }}");
    let text = format!(
        "fn choose(view) {{ let n = 0; if view.piles == 4 {{ {} {} {} }} else {{ {} }} if n < 0 {{ () }} else {{ view.moves[0] }} }}",
        of("1..34"),
        of("13..33"),
        of("34..54"),
        of("5..30")
    );
    let four = |at: &&Position| !at.legal.is_empty() && at.view(&PlayerState::new(5, 1)).piles() == 4;
    let other = |at: &&Position| !at.legal.is_empty() && !four(at);
    let (here, before) = (positions.iter().find(four).unwrap(), positions.iter().find(other).unwrap());
    let count = |warm: &[&Position]| {
        let mut both = both(&text).unwrap();
        warm.iter().for_each(|at| drop(both.everything(at).unwrap()));
        both.everything(here).unwrap();
        both.operations
    };
    let fresh = count(&[]);
    assert!(fresh > 500_000, "{fresh}");
    assert_eq!([count(&[before]), count(&[here]), count(&[here, before, before])], [fresh; 3]);
}
