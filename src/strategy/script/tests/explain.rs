//! Which line gives a score, and what variables hold.

use super::super::{Explained, Explanation};
use super::*;

const TEXT: &str = "fn score(view, m) {
    if m.to_foundation { return 100; }
    let sum = 2;
    for (i, n) in 0..3 {
        let twice = i * 2;
        sum += twice;
    }
    if m.is_draw {
        sum
    } else {
        let c = m.card;
        helped(c, [sum, n_of(view)])
    }
}
fn n_of(view) {
    view.reserve_left
}
fn helped(c, list) {
    let rank = if c == () { 0 } else { c.rank };
    rank + list[0]
}
";

fn explained(trace: Option<usize>) -> (Vec<Explanation>, Vec<i64>, MoveList) {
    let rules = &rulesets()[0];
    let source = Arc::new(SourceText { name: "test.rhai".into(), text: TEXT.into() });
    let mut explained = Explained::new("test", &source, trace).unwrap();
    let (rng, mut game) = (PlayerState::new(1, 1), Game::new(rules));
    game.deal(Deck::shuffled(rules.deck_shape(), 1, 3).cards(), &mut crate::game::NoChance);
    let view = View::new(game.table(), rules, &rng);
    let told = explained.explain(&view, game.legal()).unwrap();
    let scores = sound(TEXT).scores(&view, game.legal()).unwrap().unwrap();
    (told, scores, game.legal().clone())
}

#[test]
fn each_score_has_the_line_that_gave_it() {
    let (told, scores, legal) = explained(None);
    assert_eq!(told.len(), legal.len());
    let mut lines = Vec::new();
    for ((told, score), m) in told.iter().zip(scores).zip(legal.iter()) {
        let wanted = match score {
            100 => 2,
            _ if m.is_draw() => 9,
            _ => 12,
        };
        assert_eq!(told.line, Some(wanted), "{m:?}");
        assert!(told.traced.is_empty());
        lines.push(wanted);
    }
    assert_eq!(lines, [2, 12, 9]);
}

#[test]
fn a_traced_line_shows_what_its_variables_hold() {
    let (told, _, legal) = explained(Some(6));
    let draw = legal.iter().position(|m| m.is_draw()).unwrap();
    assert_eq!(
        told[draw].traced,
        [
            "view = the view, m = draw, sum = 2, i = 0, n = 0, twice = 0",
            "view = the view, m = draw, sum = 2, i = 1, n = 1, twice = 2",
            "view = the view, m = draw, sum = 4, i = 2, n = 2, twice = 4",
        ]
    );
    // In a called function, its own variables and no others.
    let (told, _, _) = explained(Some(20));
    let shown: Vec<&String> = told.iter().flat_map(|it| &it.traced).collect();
    assert!(!shown.is_empty());
    for line in shown {
        assert!(line.starts_with("c = ") && line.contains(", list = [8, 13], rank = "), "{line}");
    }
}

/// The inserted calls use none of the script's budget, so it may use no more memory than without them.
#[test]
fn explanations_cost_no_operations() {
    let long = "fn score(view, m) {\n    let all = [];\n    all.pad(300, m);\n    for i in 0..300 {\n        all[i] = i;\n    }\n    all.len\n}\n";
    for (text, lines) in [(TEXT, [2, 6, 12, 20]), (long, [2, 4, 5, 7])] {
        let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
        let (rules, rng) = (&rulesets()[0], PlayerState::new(1, 1));
        let mut game = Game::new(rules);
        game.deal(Deck::shuffled(rules.deck_shape(), 1, 3).cards(), &mut crate::game::NoChance);
        let view = View::new(game.table(), rules, &rng);
        let mut plain = Script::interpreted("test", &source).unwrap();
        plain.scores(&view, game.legal()).unwrap();
        for trace in [None].into_iter().chain(lines.map(Some)) {
            let mut explained = Explained::new("test", &source, trace).unwrap();
            explained.explain(&view, game.legal()).unwrap();
            assert_eq!(explained.spent(), plain.spent(), "line {trace:?} of {text}");
        }
    }
}

#[test]
fn a_line_without_a_statement_is_not_traced() {
    let source = Arc::new(SourceText { name: "test.rhai".into(), text: TEXT.into() });
    let fault = Explained::new("test", &source, Some(7)).err().unwrap().remove(0);
    assert_eq!(fault.message, "no statement begins on line 7");
    assert_eq!(fault.position(), (7, 1));
    assert!(fault.help.unwrap().ends_with("such as 5, 6, 8"));
}

#[test]
fn a_script_that_chooses_has_one_explanation() {
    let text = "fn choose(view) {\n    for m in view.moves {\n        if m.is_draw {\n            return m;\n        }\n    }\n    ()\n}\n";
    let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
    let mut explained = Explained::new("test", &source, Some(3)).unwrap();
    let (rules, rng) = (&rulesets()[0], PlayerState::new(1, 1));
    let mut game = Game::new(rules);
    game.deal(Deck::shuffled(rules.deck_shape(), 1, 3).cards(), &mut crate::game::NoChance);
    let told = explained.explain(&View::new(game.table(), rules, &rng), game.legal()).unwrap();
    let [told] = &told[..] else { panic!("{told:?}") };
    assert_eq!(told.line, Some(4));
    assert_eq!(told.traced.len(), game.legal().len());
    assert!(told.traced[0].starts_with("view = the view, m = "), "{told:?}");
}
