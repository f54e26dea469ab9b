//! Compiled and interpreted scripts decide the same.

use super::*;

/// Plays games of a strategy, asking `ask` at every position.
fn positions(rules: &Rules, games: u64, mut ask: impl FnMut(&View<'_>, &MoveList) -> Option<usize>) {
    for number in 0..games {
        let luck = Luck::new(3, number);
        let mut chance = SeededChance::new(3, number);
        let mut game = Game::new(rules);
        game.deal(Deck::shuffled(rules.deck_shape(), 3, number).cards(), &mut chance);
        while game.end().is_none() {
            let view = View::new(game.table(), rules, &luck);
            match ask(&view, game.legal()).and_then(|i| game.legal().get(i).copied()) {
                Some(m) => drop(game.make(m, &mut chance)),
                None => game.resign(),
            }
        }
    }
}

#[test]
fn every_shelf_script_scores_the_same_and_nothing_is_handed_over() {
    for rules in rulesets() {
        for (name, _) in SHELF {
            let source = load(&format!("scripts/{name}.rhai")).unwrap();
            let mut compiled = Script::new(name, source.script().unwrap()).unwrap();
            let mut interpreted = Script::interpreted(name, source.script().unwrap()).unwrap();
            positions(&rules, 12, |view, legal| {
                let both = (compiled.scores(view, legal), interpreted.scores(view, legal));
                assert_eq!(both.0, both.1, "{name} on {}: {legal:?}", rules.name());
                let chosen = compiled.decide(view, legal);
                assert_eq!(chosen, interpreted.decide(view, legal), "{name} on {}: {legal:?}", rules.name());
                assert!(compiled.operations() >= interpreted.operations(), "{name} on {}", rules.name());
                chosen.unwrap()
            });
            assert_eq!(compiled.handed_over(), 0, "{name} on {}", rules.name());
        }
    }
}
