//! Compares the fast method of listing moves with the general one.

use crate::cards::{Deck, Purpose, below, generator};
use crate::rules::*;

use super::chance::SeededChance;
use super::play::Game;
use super::specs;

/// Makes a random ruleset plain.
fn plain(number: u64) -> Option<Rules> {
    let mut spec = specs::numbered(number);
    spec.deal.packs = 1;
    spec.reserve.piles = 1;
    spec.tableau.deal.resize(4, 1);
    spec.tableau.max_height = 0;
    spec.tableau.unit = MoveUnit::SingleOrWhole;
    spec.foundation.returns = Returns::Never;
    spec.foundation.base_play = BasePlay::Optional;
    Rules::new(spec).ok().filter(|rules| rules.hot.plain)
}

/// Plays games under plain rules, and under the same rules with the general method.
#[test]
fn both_ways_list_the_same_moves() {
    let (mut rulesets, mut positions, mut runs, mut spaces) = (0, 0, 0, 0);
    for number in 0..600 {
        let Some(rules) = plain(number) else { continue };
        let mut any = rules.clone();
        any.hot.plain = false;
        rulesets += 1;
        let (mut fast, mut slow) = (Game::new(&rules), Game::new(&any));
        for game in 0..8 {
            let deck = Deck::shuffled(rules.deck_shape(), number, game);
            let mut chances = [0; 2].map(|_| SeededChance::new(number, game));
            let mut rng = generator(number, game, Purpose::Strategy);
            fast.deal(deck.cards(), &mut chances[0]);
            slow.deal(deck.cards(), &mut chances[1]);
            for _ in 0..150 {
                assert_eq!(**fast.legal(), **slow.legal(), "ruleset {number}, game {game}");
                assert_eq!(fast.end(), slow.end(), "ruleset {number}, game {game}");
                if fast.end().is_some() {
                    break;
                }
                positions += 1;
                runs += u32::from(fast.legal().iter().any(|m| m.count() > 1));
                spaces += u32::from(fast.table().takes[SPACE as usize] != 0);
                let m = fast.legal()[below(&mut rng, fast.legal().len() as u32) as usize];
                fast.make(m, &mut chances[0]);
                slow.make(m, &mut chances[1]);
            }
        }
    }
    let seen = format!("{rulesets} rulesets, {positions} positions, {runs} with runs, {spaces} with spaces");
    assert!(rulesets > 50 && positions > 10_000 && runs > 500 && spaces > 500, "{seen}");
}
