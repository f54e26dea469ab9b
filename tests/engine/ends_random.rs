//! Games end when and as the plain accounting of whole passes and whole positions says.

use std::collections::BTreeMap;

use crate::engine::plain::PlainGame;
use crate::engine::plain::ends::PlainEnds;
use crate::engine::support::specs::{numbered, specs};
use crate::engine::support::{Whim, answer, dump, scale, shelf};
use proptest::prelude::*;
use saratoga::game::{End, Game, SeededChance};
use saratoga::rules::{OnRedeal, Rules};

/// Players who go up when they can, who move cards around, who draw through the stock, and mixtures.
fn whim(seed: u64) -> Whim {
    let likings = [(4, 2, 0), (0, 8, 1), (1, 6, 2), (0, 0, 9), (2, 0, 7), (8, 0, 1)];
    let (up, dither, turn) = likings[seed as usize % likings.len()];
    let mut whim = Whim::new(seed, up, dither);
    whim.turn = turn;
    whim
}

/// Plays one game with both watching; returns how it ended, if within the limit of moves.
fn compare(rules: &Rules, seed: u64, most: usize) -> Option<End> {
    let spec = rules.spec();
    let mut luck = SeededChance::new(seed, 0);
    let mut same_luck = luck.clone();
    let mut chance = |request| answer(&mut same_luck, request);
    let mut whim = whim(seed);
    let mut game = Game::new(rules);
    game.deal(crate::engine::support::deck(rules, seed).cards(), &mut luck);
    let mut plain = PlainGame::deal(spec, crate::engine::support::deck(rules, seed).cards(), &mut chance);
    let mut ends = PlainEnds::begin(spec, &plain);
    assert_eq!(game.end(), PlainEnds::stands(spec, &plain));
    for made in 0..most {
        if game.end().is_some() {
            return game.end();
        }
        let chosen = game.legal()[whim.choose(game.legal())];
        let word = chosen.notation(spec.reserve.piles.into());
        let nowhere = !chosen.is_play() && ends.goes_nowhere(spec, &word, &plain);
        let shown = || format!("seed {seed}, move {made}: {word} at\n{}", plain.dump());
        assert_eq!(game.would_be_barren(chosen), nowhere, "{}", shown());
        if nowhere {
            let before = (dump(rules, game.table()), game.outcome().moves);
            assert!(!game.make(chosen, &mut luck));
            assert_eq!(game.end(), Some(End::Barren));
            assert_eq!((dump(rules, game.table()), game.outcome().moves), before);
            return Some(End::Barren);
        }
        assert!(game.make(chosen, &mut luck));
        let before = plain.clone();
        plain.play(spec, &word, &mut chance);
        let end = ends.follow(spec, &word, &before, &plain);
        assert_eq!(game.end(), end, "seed {seed}, after move {made}: {word}\n{}", plain.dump());
        assert_eq!(game.outcome().moves as usize, made + 1);
    }
    None
}

#[test]
fn ends_are_those_of_the_plain_accounting() {
    let mut found = BTreeMap::new();
    let (mut shuffled_repeats, mut repeats_of_packs) = (0, 0);
    for number in 0..250 {
        let rules = Rules::new(numbered(number)).unwrap();
        for seed in 12 * scale() * number..12 * scale() * (number + 1) {
            let end = compare(&rules, seed, 400);
            *found.entry(end).or_insert(0) += 1;
            let repeated = end == Some(End::Repeated);
            shuffled_repeats += u32::from(repeated && rules.spec().stock.on_redeal == OnRedeal::Shuffle);
            repeats_of_packs += u32::from(repeated && rules.spec().deal.packs > 1);
        }
    }
    let count = |end| found.get(&Some(end)).copied().unwrap_or(0);
    assert!(count(End::Barren) > 500 && count(End::Blocked) > 100 && count(End::Repeated) > 100, "{found:?}");
    assert!(shuffled_repeats > 5 && repeats_of_packs > 100, "{shuffled_repeats} and {repeats_of_packs}");
}

#[test]
fn ends_on_the_shelf_are_those_of_the_plain_accounting() {
    for (_, rules) in shelf() {
        for seed in 0..18 * scale() {
            compare(&rules, seed, 500);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400 * scale() as u32) })]

    #[test]
    fn ends_are_plain_under_any_rules(spec in specs(), seed in 0u64..6000) {
        compare(&Rules::new(spec).unwrap(), seed, 250);
    }
}
