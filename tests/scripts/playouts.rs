//! Playouts by compiled code: the same as interpreted, in random scripts.

use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Purpose, below, generator};
use saratoga::game::PlayerState;

use crate::common::scale;
use crate::support::both;
use crate::support::positions::{Position, positions};

/// Number of scripts tried, at the usual size.
const SCRIPTS: u64 = 40;

/// Generates parts of scripts.
struct Writer(ChaCha8Rng);

impl Writer {
    fn below(&mut self, n: u32) -> u32 {
        below(&mut self.0, n)
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u32) as usize]
    }

    fn test(&mut self) -> String {
        self.one(&[
            "view.redeals_left < 0",
            "n > 20",
            "view.spaces == 0",
            "true",
            "false",
            "view.cards % 2 == 0",
        ])
        .into()
    }

    fn player(&mut self, depth: u32) -> String {
        if depth < 2 && self.below(4) == 0 {
            let (test, yes, no) = (self.test(), self.player(depth + 1), self.player(depth + 1));
            return format!("if {test} {{ {yes} }} else {{ {no} }}");
        }
        let names =
            ["greedy", "greedy", "patient", "hoarder", "random", "cautious", "beginner", "tunable:late=2"];
        // Rarely a function of the script, which stays interpreted.
        let name = if self.below(24) == 0 { "own" } else { self.one(&names) };
        format!("\"{name}\"")
    }

    fn number(&mut self) -> String {
        self.one(&["0", "1", "i", "2 * i + 1", "view.cards", "n", "7 - i", "i - 1", "view.piles * i"]).into()
    }

    fn view(&mut self) -> String {
        let rolled = "(if m.rolls { view.after_roll(m, 1 + i % view.faces) } else { view.after(m) })";
        // Code for a move runs once, wherever it is.
        let once = "view.after(same(view, m))";
        let within = "view.after({ memory[0] += 1; m })";
        self.one(&["view", "view", "view.after(m)", "next", "next", rolled, once, within]).into()
    }

    fn playout(&mut self) -> String {
        let (view, number, player) = (self.view(), self.number(), self.player(0));
        format!("{view}.playout({number}, {player})")
    }

    fn statement(&mut self) -> String {
        let playout = self.playout();
        match self.below(9) {
            7 => format!("n += {}.cards;", self.view()),
            8 => format!("n += {}.pay({}) % 7;", self.view(), self.below(4)),
            0 => format!("n += {playout};"),
            1 => format!("n = max(n, {playout} - 3);"),
            2 => format!("if {playout} > 12 {{ n += 1; }} else {{ n -= 2; }}"),
            3 => format!("let more = {playout}; n += more * more;"),
            4 => "n += worth(view, i);".into(),
            5 => "n += tried(view, m);".into(),
            _ => format!("for i in 0..{} {{ n += {playout} % 5; }}", self.below(4)),
        }
    }

    fn statements(&mut self) -> String {
        (0..1 + self.below(2)).map(|_| self.statement()).collect::<Vec<_>>().join("\n        ")
    }

    fn script(&mut self) -> String {
        let rounds = if self.below(30) == 0 { 60_000 } else { self.below(4) };
        let (outer, inner) = (self.statements(), self.statements());
        let (worth, tried) = (self.player(0), self.player(0));
        // Sometimes an interpreted function.
        let same = self.one(&["", "let text = \"\"; ", "if view.random(2) == 0 { return m; } "]);
        format!(
            "fn score(view, m) {{
    let n = 0; let i = 1;
    let next = if m.rolls {{ view.after_roll(m, view.faces) }} else {{ view.after(m) }};
    {outer}
    for i in 0..{rounds} {{
        {inner}
    }}
    n + next.cards + memory[0]
}}
fn same(view, m) {{ memory[0] += 1; {same}m }}
fn worth(view, k) {{ let n = view.cards; view.playout(k, {worth}) + n }}
fn tried(view, m) {{ let n = m.count; if m.rolls {{ return 3; }} view.after(m).playout(n, {tried}) }}
fn own(view) {{ if view.moves.len() > 2 {{ view.moves[1] }} else {{ view.moves[0] }} }}
"
        )
    }
}

#[test]
fn random_playouts_are_the_same_both_ways() {
    let positions = positions(6, 6, 2);
    let (mut decided, mut compiled, mut faults) = (0, 0, 0);
    for number in 0..SCRIPTS * scale() {
        let mut writer = Writer(generator(number, 1, Purpose::Strategy));
        let text = writer.script();
        let mut both = both(&text).unwrap_or_else(|faults| panic!("{faults:?}\n{text}"));
        for i in 0..6 {
            let position = &positions[(number as usize * 37 + i * 101) % positions.len()];
            let before = both.compiled.bailouts();
            let answer =
                both.everything(position).unwrap_or_else(|difference| panic!("{difference}\n{text}"));
            let Some(answer) = answer else { continue };
            decided += 1;
            faults += u64::from(answer.given.is_err());
            compiled += u64::from(both.compiled.is_compiled() && both.compiled.bailouts() == before);
        }
    }
    println!("{decided} decisions, {compiled} compiled, {faults} faults");
    assert!(compiled * 2 > decided && faults * 50 > decided && faults * 2 < decided);
}

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
