//! The memory of scripts: the same compiled and interpreted, limited to one game, and without hidden information.

use super::*;

/// Chooses by everything that it has seen and done before and stored in its memory.
const MIXES: &str = "
    const PLACE = 3;
    fn score(view, m) {
        memory[0] += 1;
        memory[PLACE] = (memory[PLACE] * 31 + view.cards + mixed(m.count)) & 0xffffff;
        memory[view.cards & 63] ^= m.source;
        if m.is_draw && memory[1] > 3 { memory[1] = 0; return 50; }
        memory[1] += if m.is_draw { 1 } else { 0 };
        (memory[PLACE] ^ memory[0]) & 63
    }
    fn mixed(n) { if n > 0 { memory[2] = 7 - n; } memory[2] * n }";

fn interpreted(text: &str) -> Script {
    let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
    Script::interpreted("test", &source).unwrap()
}

#[test]
fn looking_at_scores_changes_no_memory() {
    for mut script in [sound(MIXES), interpreted(MIXES)] {
        at_the_deal(1, |view, legal| {
            let rng = PlayerState::new(1, 1);
            let view = view.with_rng(&rng);
            let scores = script.scores(&view, legal).unwrap().unwrap();
            assert!(rng.memory().is_empty());
            assert_eq!(script.scores(&view, legal).unwrap().unwrap(), scores);
            let chosen = script.decide(&view, legal).unwrap().unwrap();
            assert_eq!(scores.iter().max(), Some(&scores[chosen]));
            assert_eq!(rng.memory()[0], legal.len() as i64);
        });
    }
}

/// A decision that compiled code leaves to the interpreter begins with the original memory.
#[test]
fn a_bailout_forgets_what_it_remembered() {
    let rules = &rulesets()[0];
    let text = "fn score(view, m) {
        memory[0] += 1;
        // More than any compiled decision may use.
        if memory[0] == 9 { for i in 0..240000 { } }
        memory[0]
    }";
    let (mut fast, mut slow) = (sound(text), interpreted(text));
    for game in 0..3 {
        assert_eq!(play(rules, &mut fast, game), play(rules, &mut slow, game));
    }
}

#[test]
fn a_script_may_use_the_word_for_something_else() {
    for text in [
        "const memory = [7, 8]; fn score(view, m) { memory[1] }",
        "fn score(view, m) { let memory = [8]; memory[0] += 0; memory[0] }",
        "fn score(view, m) { of(8) } fn of(memory) { memory }",
        "fn score(view, m) { memory[63] = 4; let kept = memory; kept[63] *= 2; max(memory[63], 8) }",
    ] {
        for mut script in [sound(text), interpreted(text)] {
            let scores = at_the_deal(1, |view, legal| script.scores(view, legal)).unwrap().unwrap();
            assert!(scores.iter().all(|&score| score == 8), "{text}: {scores:?}");
        }
    }
}
