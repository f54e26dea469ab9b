//! How often each line runs.

use super::super::{Profiled, SHELF};
use super::*;

const TEXT: &str = "const LATE = 3;
fn score(view, m) {
    if m.to_foundation { return 100; }
    let sum = 0;
    for i in 0..4 {
        sum += i;
    }
    if sum == 7 {
        sum = 1;
    } else if m.is_draw {
        // Nothing.
        sum -= 1
    } else {
        sum += switch m.count {
            0 => -2,
            _ => { helped(m) }
        };
    }
    (sum + 1) * 2
}
fn helped(m) {
    (m.count)
        + m.source
}
";

#[test]
fn lines_are_counted_and_decisions_stay_the_same() {
    let rules = &rulesets()[0];
    let source = Arc::new(SourceText { name: "test.rhai".into(), text: TEXT.into() });
    let (mut profiled, profile) = Profiled::new("test", &source).unwrap();
    let mut plain = sound(TEXT);
    for game in 0..5 {
        assert_eq!(play(rules, &mut profiled, game), play(rules, &mut plain, game));
    }
    let runs: Vec<Option<u64>> = profile.lines().iter().map(|line| line.map(|line| line.runs)).collect();
    assert_eq!(runs.len(), TEXT.lines().count());
    let at = |line: usize| runs[line - 1].unwrap_or_else(|| panic!("line {line} has no statement"));
    for none in [1, 2, 7, 10, 11, 13, 15, 18, 20, 21, 23, 24] {
        assert_eq!(runs[none - 1], None, "line {none}");
    }
    assert_eq!(at(5), at(4));
    assert_eq!(at(6), 4 * at(5));
    assert_eq!(at(9), 0);
    assert_eq!(at(12) + at(14), at(8));
    assert!(at(22) > 0 && at(22) < at(14) && at(3) > at(4));
    assert!(profile.lines().iter().flatten().any(|line| !line.time.is_zero()));
}

/// The recording calls use none of the script's budget, so it may use no more memory than without them.
#[test]
fn notes_cost_no_operations() {
    let texts =
        [TEXT].into_iter().chain(SHELF.iter().map(|(_, text)| *text).filter(|it| !it.contains(".playout(")));
    for text in texts {
        let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
        let (mut profiled, _) = Profiled::new("test", &source).unwrap();
        let mut plain = Script::interpreted("test", &source).unwrap();
        for game in 0..3 {
            assert_eq!(play(&rulesets()[0], &mut profiled, game), play(&rulesets()[0], &mut plain, game));
            assert_eq!(profiled.spent(), plain.spent(), "{text}");
        }
    }
}

#[test]
fn a_script_with_faults_is_not_profiled() {
    let source =
        Arc::new(SourceText { name: "test.rhai".into(), text: "fn score(view, m) { m.cards }".into() });
    assert_eq!(Profiled::new("test", &source).err(), Script::interpreted("test", &source).err());
}

#[test]
fn the_shelf_can_be_profiled() {
    let rules = &rulesets()[0];
    for (name, text) in SHELF {
        let source = Arc::new(SourceText { name: format!("{name}.rhai"), text: (*text).into() });
        let (mut profiled, profile) = Profiled::new(name, &source).unwrap();
        let (rng, mut game) = (PlayerState::new(1, 1), Game::new(rules));
        game.deal(Deck::shuffled(rules.deck_shape(), 1, 1).cards(), &mut crate::game::NoChance);
        profiled.decide(&View::new(game.table(), rules, &rng), game.legal()).unwrap();
        assert!(profile.lines().iter().flatten().any(|line| line.runs > 0), "{name}");
    }
}
