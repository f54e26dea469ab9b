//! The engine and the plain implementation of the rules agree, move for move and card for card.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use crate::engine::plain::{PCard, PlainGame};
use crate::engine::support::specs::{numbered, specs};
use crate::engine::support::{answer, dump, legal, scale, seen, shelf, walk, words};
use proptest::prelude::*;
use saratoga::cards::Suit;
use saratoga::game::{End, Game, PlayerState, SeededChance, View};
use saratoga::rules::*;

/// Number of numbered rulesets compared.
const NUMBERED: u64 = 250;

/// Compares what a player sees and remembers, and the steps of every card to the foundations.
fn compare_views(plain: &PlainGame, game: &Game<'_>, rules: &Rules) {
    let rng = PlayerState::new(0, 0);
    let view = View::new(game.table(), rules, &rng);
    assert_eq!(seen(&view), plain.seen(rules.spec()), "at\n{}", plain.dump());
    let up: Vec<&PCard> = plain.foundations.iter().flatten().collect();
    for suit in Suit::ALL {
        let cards = up.iter().filter(|card| usize::from(card.suit) == suit.index()).count();
        assert_eq!(view.foundation(suit), cards);
    }
    if plain.base == 0 {
        return;
    }
    for card in rules.deck_shape().cards().filter(|&card| !up.contains(&&PCard::from(card))) {
        let steps = plain.steps(PCard::from(card));
        assert_eq!((view.steps(card), view.wants(card)), (steps, steps == 0), "{card} at\n{}", plain.dump());
    }
}

/// Plays one game in both and compares every position; returns the number of positions.
fn compare(rules: &Rules, seed: u64, moves: usize) -> usize {
    let spec = rules.spec();
    let mut same_luck = SeededChance::new(seed, 0);
    let mut chance = |request| answer(&mut same_luck, request);
    let mut plain = PlainGame::deal(spec, crate::engine::support::deck(rules, seed).cards(), &mut chance);
    let mut positions = 0;
    walk(rules, seed, moves, |game, word| {
        positions += 1;
        if let Some(word) = word {
            plain.play(spec, word, &mut chance);
        }
        let shown = plain.dump();
        assert_eq!(dump(rules, game.table()), shown, "seed {seed}, after {word:?}");
        assert_eq!(game.table().cards(), plain.cards_on_foundations());
        if positions % 8 == 1 {
            compare_views(&plain, game, rules);
        }
        let expected = plain.legal(spec);
        assert_eq!(legal(rules, game.table()), expected, "seed {seed}, at\n{shown}");
        if game.end() == Some(End::Won) {
            assert_eq!(plain.cards_on_foundations(), spec.cards());
        } else {
            assert_eq!(words(rules, game.legal()), expected, "kept, seed {seed}, at\n{shown}");
            assert_eq!(game.legal().plays(), expected.iter().filter(|word| word.contains('>')).count());
        }
    });
    positions
}

#[test]
fn both_agree_on_numbered_rulesets() {
    let (mut decks, mut positions) = (0, 0);
    for number in 0..NUMBERED {
        let rules = Rules::new(numbered(number)).unwrap();
        for seed in 4 * scale() * number..4 * scale() * (number + 1) {
            decks += 1;
            positions += compare(&rules, seed, 160);
        }
    }
    assert!(decks >= 200 && positions > 10_000, "{decks} decks, {positions} positions");
}

#[test]
fn both_agree_on_the_shelf() {
    for (_, rules) in shelf() {
        for seed in 1000..1000 + 6 * scale() {
            compare(&rules, seed, 300);
        }
    }
}

/// Rules of the kind for which there is a faster way to list moves, with spaces of all sorts.
#[test]
fn both_agree_on_plain_rules() {
    let (mut rulesets, mut positions) = (0, 0);
    for number in 0..300 * scale() {
        let mut spec = numbered(number);
        (spec.deal.packs, spec.reserve.piles) = (1, 1);
        spec.tableau.deal.resize(4, 1);
        (spec.tableau.max_height, spec.tableau.unit) = (0, MoveUnit::SingleOrWhole);
        spec.foundation.returns = Returns::Never;
        spec.foundation.base_play = BasePlay::Optional;
        let Ok(rules) = Rules::new(spec) else { continue };
        rulesets += 1;
        positions += (0..4).map(|seed| compare(&rules, 4 * number + seed, 120)).sum::<usize>();
    }
    assert!(rulesets > 50 && positions > 5_000, "{rulesets} rulesets, {positions} positions");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600 * scale() as u32) })]

    #[test]
    fn both_agree_on_any_rules(spec in specs(), seed in 0u64..1000) {
        compare(&Rules::new(spec).unwrap(), seed, 100);
    }
}

/// The compared rulesets have at least this many different values of each key, and of some pairs of keys.
#[test]
fn every_value_of_every_key_is_compared() {
    let kind = |s: &Spec| match s.foundation.base {
        Base::Choice(ChoiceFrom::Reserve) => "reserve",
        Base::Choice(ChoiceFrom::Dealt(_)) => "dealt",
        _ if s.foundation.start == Start::All => "all",
        _ => "other",
    };
    let mut found: BTreeMap<&str, (usize, BTreeSet<String>)> = BTreeMap::new();
    for spec in (0..NUMBERED).map(numbered) {
        let mut add = |key, value: &dyn Debug, wanted| {
            found.entry(key).or_insert((wanted, BTreeSet::new())).1.insert(format!("{value:?}"));
        };
        let Spec { deal, reserve, tableau, spaces, foundation, stock, .. } = &spec;
        add("deal.order", &deal.order, 6);
        add("deal.packs", &deal.packs, 4);
        add("reserve.piles", &reserve.piles, 5);
        add("reserve.size", &reserve.size, 4);
        add("reserve.face", &reserve.face, 3);
        add("tableau.deal", &tableau.deal.len(), 7);
        tableau.deal.iter().for_each(|cards| add("tableau.deal of a pile", cards, 5));
        add("tableau.face", &tableau.face, 3);
        add("tableau.build", &tableau.build, 4);
        add("tableau.direction", &tableau.direction, 3);
        add("tableau.wrap", &tableau.wrap, 3);
        add("tableau.move", &tableau.unit, 4);
        add("tableau.max_height", &tableau.max_height, 2);
        add("spaces.auto", &spaces.auto, 10);
        spaces.while_reserve.iter().for_each(|filler| add("spaces.while_reserve", filler, 5));
        spaces.after_reserve.iter().for_each(|filler| add("spaces.after_reserve", filler, 5));
        add("spaces.rank", &spaces.rank, 16);
        add("foundation.base", &foundation.base, 23);
        add("foundation.start", &foundation.start, 3);
        add("foundation.return", &foundation.returns, 3);
        add("foundation.base_play", &foundation.base_play, 2);
        add("stock.draw", &stock.draw, 5);
        add("stock.redeals", &stock.redeals, 4);
        add("stock.on_redeal", &stock.on_redeal, 2);
        add("stock.waste", &stock.waste, 2);
        add("stock.opening_draw", &stock.opening_draw, 2);
        add("end", &(spec.barren_passes, spec.idle_redeals), 7);
        add("deal.packs with foundation.base", &(deal.packs, kind(&spec)), 16);
        add("reserve.piles with deal.packs", &(reserve.piles, deal.packs > 1), 10);
        add("reserve.piles with reserve.face", &(reserve.piles, reserve.face), 12);
    }
    for (key, (wanted, values)) in found {
        assert!(values.len() >= wanted, "{key}: {values:?}");
    }
}
