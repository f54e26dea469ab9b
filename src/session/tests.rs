//! What is shown does not depend on hidden cards, including cards that were seen before and are hidden again.

use crate::cards::{Card, Purpose, below, generator, shuffle};
use crate::game::specs;
use crate::game::{Game, PlayerState, SeededChance, View};
use crate::rules::{self, Rules, WasteFace};

use super::state::{Seen, describe};

/// Collects everything shown of a position.
fn shown(view: &View<'_>, game: &Game<'_>) -> String {
    let moves: Vec<_> = game.legal().iter().map(|&m| describe(m, view)).collect();
    serde_json::to_string(&(Seen::of(view, true), moves)).unwrap()
}

#[test]
fn what_is_shown_stays_the_same_whatever_is_hidden() {
    let shelf = rules::shelf().iter().map(|(name, _)| rules::load(name).unwrap().rules);
    let random = (0..150).map(|number| Rules::new(specs::numbered(number)).unwrap());
    let (mut positions, mut different, mut squared) = (0, 0, 0);
    for (number, rules) in shelf.chain(random).enumerate() {
        let seed = number as u64;
        let mut rng = generator(seed, 0, Purpose::Strategy);
        let mut chance = SeededChance::new(seed, 0);
        let stream = PlayerState::new(seed, 0);
        let mut game = Game::new(&rules);
        let deck = crate::cards::Deck::shuffled(rules.deck_shape(), seed, 0);
        game.deal(deck.cards(), &mut chance);
        for _ in 0..60 {
            let view = game.view(&stream);
            let mut moved = false;
            let other = view.with_hidden(|hidden: &mut [Card]| {
                let before = hidden.to_vec();
                shuffle(hidden, &mut rng);
                moved = before != hidden;
            });
            let here = shown(&view, &game);
            assert_eq!(shown(&View::new(&other, &rules, &stream), &game), here, "ruleset {number}");
            positions += 1;
            different += u32::from(moved);
            squared += u32::from(moved && rules.spec().stock.waste == WasteFace::Squared);
            if game.end().is_some() {
                break;
            }
            let m = game.legal()[below(&mut rng, game.legal().len() as u32) as usize];
            game.make(m, &mut chance);
        }
    }
    assert!(different > positions / 3 && squared > 500, "{different} and {squared} of {positions}");
}
