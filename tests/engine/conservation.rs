//! No move loses, duplicates or creates a card, and a copy of a table is independent.

use crate::engine::support::specs::specs;
use crate::engine::support::{cards, dump, scale, shelf, walk};
use proptest::prelude::*;
use saratoga::cards::DeckShape;
use saratoga::game::{Game, NoChance, SeededChance};
use saratoga::rules::{Base, ChoiceFrom, Rules, Start};

/// Plays a game and checks all cards after every move.
fn keeps_every_card(rules: &Rules, seed: u64) {
    // With the base cards put up before the deal, the deck holds the other 48 of each pack.
    let packs = usize::from(rules.spec().deal.packs);
    let dealt = if rules.spec().foundation.start == Start::All { 48 } else { 52 };
    assert_eq!(crate::engine::support::deck(rules, seed).cards().len(), dealt * packs);
    let mut all: Vec<_> = DeckShape { packs, without: None }.cards().collect();
    all.sort();
    assert_eq!(all.len(), 52 * packs);
    walk(rules, seed, 120, |game, word| {
        let table = game.table();
        assert_eq!(cards(rules, table), all, "after {word:?}\n{}", dump(rules, table));
        let foundations = 0..4 * packs;
        let up: usize = foundations.clone().map(|f| table.foundation(f).count()).sum();
        assert_eq!((table.cards(), game.outcome().cards as usize), (up, up));
        let reserve: usize = (0..rules.spec().reserve.piles.into()).map(|r| table.reserve(r).count()).sum();
        assert_eq!((table.reserve_left(), game.outcome().reserve_left as usize), (reserve, reserve));
        let suits = foundations.filter(|&f| table.foundation(f).count() == 13).count();
        assert_eq!(game.outcome().complete_suits as usize, suits);
    });
}

/// Each foundation holds one suit, rank after rank from the base up, and so never more than 13 cards. Before the base
/// is chosen it is empty, and nothing lies where the chosen card and the others will go.
fn foundations_stand_in_order(rules: &Rules, seed: u64) {
    let choice = match rules.spec().foundation.base {
        Base::Choice(ChoiceFrom::Dealt(n)) => Some(usize::from(n)),
        Base::Choice(ChoiceFrom::Reserve) => Some(0),
        _ => None,
    };
    walk(rules, seed, 120, |game, word| {
        let (table, first) = (game.table(), word.is_none());
        assert_eq!(table.base().is_none(), first && choice.is_some());
        let offered = choice.filter(|_| first).unwrap_or(0);
        assert_eq!(table.offered().len(), offered);
        if offered > 0 {
            assert!((0..rules.spec().piles()).all(|p| table.pile(p).next().is_none()));
        }
        for f in 0..4 * usize::from(rules.spec().deal.packs) {
            let mut held: Vec<_> = table.foundation(f).collect();
            held.reverse();
            for (i, card) in held.iter().enumerate() {
                assert_eq!(
                    (card.suit().index(), Some(card.rank())),
                    (f % 4, table.base().map(|base| base.up(i)))
                );
            }
            assert!(held.len() <= 13);
        }
    });
}

/// Changing a copy never affects the original table.
fn copies_are_independent(rules: &Rules, seed: u64) {
    let mut luck = SeededChance::new(seed, 1);
    walk(rules, seed, 40, |game, _| {
        let before = dump(rules, game.table());
        for &m in game.legal().iter() {
            let mut copy = *game.table();
            copy.apply(rules, m, &mut luck);
            let all = cards(rules, game.table());
            assert_eq!(cards(rules, &copy), all, "after {m}\n{before}");
            assert_eq!(dump(rules, game.table()), before);
        }
    });
}

#[test]
fn play_keeps_every_card_on_the_shelf() {
    for (_, rules) in shelf() {
        for seed in 0..40 {
            keeps_every_card(&rules, seed);
            foundations_stand_in_order(&rules, seed);
        }
        copies_are_independent(&rules, 1);
    }
}

/// A game dealt into used tables equals the game dealt into fresh ones.
#[test]
fn a_deal_leaves_nothing_of_the_game_before() {
    for (name, rules) in shelf() {
        let mut used = Game::new(&rules);
        for seed in 0..20 {
            used.deal(crate::engine::support::deck(&rules, seed + 100).cards(), &mut NoChance);
            while used.end().is_none() {
                let m = used.legal()[seed as usize % used.legal().len()];
                used.make(m, &mut NoChance);
            }
            let mut fresh = Game::new(&rules);
            for game in [&mut used, &mut fresh] {
                game.deal(crate::engine::support::deck(&rules, seed).cards(), &mut NoChance);
            }
            assert_eq!(dump(&rules, used.table()), dump(&rules, fresh.table()), "{name} {seed}");
            assert_eq!(used.legal().to_vec(), fresh.legal().to_vec());
            assert_eq!((used.end(), used.outcome()), (fresh.end(), fresh.outcome()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000 * scale() as u32) })]

    #[test]
    fn play_keeps_every_card(spec in specs(), seed in 0u64..1000) {
        let rules = Rules::new(spec).unwrap();
        keeps_every_card(&rules, seed);
        foundations_stand_in_order(&rules, seed);
    }

    #[test]
    fn a_copy_leaves_the_table_as_it_was(spec in specs(), seed in 0u64..1000) {
        copies_are_independent(&Rules::new(spec).unwrap(), seed);
    }
}
