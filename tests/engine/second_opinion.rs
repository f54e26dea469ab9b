//! The engine and the plain implementation of the rules agree after every move: on the cards and whose faces are seen,
//! on the legal moves, and on how a game ends, by a plain accounting of whole passes and whole positions.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::plain::ends::PlainEnds;
use crate::engine::plain::{PCard, PlainGame};
use crate::engine::support::specs::{numbered, small, specs};
use crate::engine::support::{Whim, deck, legal, plain, scale, seen, shelf, words};
use proptest::prelude::*;
use saratoga::cards::{Pack, Suit};
use saratoga::game::{End, Game, PlayerState, SeededChance, View};
use saratoga::rules::*;

const NUMBERED: u64 = 250;

/// Players who go up when they can, who move cards around, who draw through the stock, and mixtures.
fn whim(seed: u64) -> Whim {
    let likings = [(4, 2, 0), (0, 8, 1), (1, 6, 2), (0, 0, 9), (2, 0, 7), (8, 0, 1)];
    let (up, dither, turn) = likings[seed as usize % likings.len()];
    let mut whim = Whim::new(seed, up, dither);
    whim.turn = turn;
    whim
}

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

/// Compares a position, and what is counted of it.
fn compare_position(game: &Game<'_>, other: &PlainGame, rules: &Rules) {
    let spec = rules.spec();
    assert_eq!(plain(rules, game.table()), *other, "not\n{}", other.dump());
    let reserve = other.reserves.iter().map(Vec::len).sum();
    let counts = [other.cards_on_foundations(), reserve, other.complete_suits()];
    let outcome = game.outcome();
    let told = [outcome.cards, outcome.reserve_left, outcome.complete_suits].map(usize::from);
    assert_eq!(told, counts);
    assert_eq!([game.table().cards(), game.table().reserve_left()], counts[..2]);
    let expected = other.legal(spec);
    assert_eq!(legal(rules, game.table()), expected, "at\n{}", other.dump());
    if game.end() != Some(End::Won) {
        assert_eq!(words(rules, game.legal()), expected, "kept, at\n{}", other.dump());
        assert_eq!(game.legal().plays(), expected.iter().filter(|word| word.contains('>')).count());
    }
}

/// Plays one game of at most `most` moves on both, and compares every position and its end; returns how many moves
/// were made, and the end. The game may have been used before.
fn compare(game: &mut Game<'_>, rules: &Rules, seed: u64, most: usize) -> (usize, Option<End>) {
    let spec = rules.spec();
    let mut luck = SeededChance::new(seed, 0);
    let mut same_luck = luck.clone();
    let mut whim = whim(seed);
    game.deal(deck(rules, seed).cards(), &mut luck);
    let mut plain = PlainGame::deal(spec, deck(rules, seed).cards(), &mut same_luck);
    assert_eq!(BTreeSet::from_iter(plain.cards()).len(), spec.cards());
    let mut ends = PlainEnds::begin(spec, &plain);
    assert_eq!(game.end(), PlainEnds::stands(spec, &plain));
    for made in 0..most {
        compare_position(game, &plain, rules);
        if made % 8 == 0 {
            compare_views(&plain, game, rules);
        }
        if game.end().is_some() {
            return (made, game.end());
        }
        let mut chosen = game.legal()[whim.choose(game.legal())];
        if seed.is_multiple_of(2) && game.would_be_barren(chosen) {
            chosen = game.legal()[0];
        }
        let word = chosen.notation(spec.reserve.piles.into());
        let nowhere = !chosen.is_play() && ends.goes_nowhere(spec, &word, &plain);
        let shown = || format!("seed {seed}, move {made}: {word} at\n{}", plain.dump());
        assert_eq!(game.would_be_barren(chosen), nowhere, "{}", shown());
        assert_eq!(game.make(chosen, &mut luck), !nowhere, "{}", shown());
        if nowhere {
            compare_position(game, &plain, rules);
            assert_eq!((game.end(), game.outcome().moves as usize), (Some(End::Barren), made));
            return (made, game.end());
        }
        let before = plain.clone();
        plain.play(spec, &word, &mut same_luck);
        let end = ends.follow(spec, &word, &before, &plain);
        assert_eq!(game.end(), end, "seed {seed}, after move {made}: {word}\n{}", plain.dump());
        assert_eq!(game.outcome().moves as usize, made + 1);
    }
    (most, None)
}

#[test]
fn both_agree_on_numbered_rulesets() {
    let (mut found, mut moves) = (BTreeMap::new(), 0);
    let (mut shuffled_repeats, mut repeats_of_packs) = (0, 0);
    for number in 0..NUMBERED {
        let rules = Rules::new(numbered(number)).unwrap();
        let mut game = Game::new(&rules);
        for seed in 12 * scale() * number..12 * scale() * (number + 1) {
            let (made, end) = compare(&mut game, &rules, seed, 400);
            moves += made;
            *found.entry(end).or_insert(0) += 1;
            let repeated = end == Some(End::Repeated);
            shuffled_repeats += u32::from(repeated && rules.spec().stock.on_redeal == OnRedeal::Shuffle);
            repeats_of_packs += u32::from(repeated && rules.spec().deal.packs > 1);
        }
    }
    let count = |end| found.get(&Some(end)).copied().unwrap_or(0);
    assert!(count(End::Barren) > 500 && count(End::Blocked) > 100 && count(End::Repeated) > 100, "{found:?}");
    assert!(shuffled_repeats > 5 && repeats_of_packs > 100, "{shuffled_repeats} and {repeats_of_packs}");
    assert!(moves > 100_000, "{moves}");
}

/// The shelf, and small brothers of each ruleset.
#[test]
fn both_agree_on_the_shelf() {
    for (_, rules) in shelf() {
        for (pack, games) in
            [(Pack::FULL, 24), (Pack { ranks: 4, suits: 2 }, 8), (Pack { ranks: 7, suits: 3 }, 8)]
        {
            let rules = Rules::new(small(rules.spec().clone(), pack)).unwrap();
            let mut game = Game::new(&rules);
            for seed in 0..games * scale() {
                compare(&mut game, &rules, seed, 500);
            }
        }
    }
}

/// Rules of the kind for which there is a faster way to list moves, with spaces of all sorts.
#[test]
fn both_agree_on_plain_rules() {
    let (mut rulesets, mut moves) = (0, 0);
    for number in 0..300 * scale() {
        let mut spec = numbered(number);
        (spec.deal.packs, spec.reserve.piles) = (1, 1);
        spec.tableau.deal.resize(4, 1);
        (spec.tableau.max_height, spec.tableau.unit) = (0, MoveUnit::SingleOrWhole);
        spec.foundation.returns = Returns::Never;
        spec.foundation.base_play = BasePlay::Optional;
        let Ok(rules) = Rules::new(spec) else { continue };
        let mut game = Game::new(&rules);
        rulesets += 1;
        moves += (0..4).map(|seed| compare(&mut game, &rules, 4 * number + seed, 120).0).sum::<usize>();
    }
    assert!(rulesets > 50 && moves > 5_000, "{rulesets} rulesets, {moves} moves");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(800 * scale() as u32) })]

    #[test]
    fn both_agree_on_any_rules(spec in specs(), seed in 0u64..6000) {
        let rules = Rules::new(spec).unwrap();
        compare(&mut Game::new(&rules), &rules, seed, 200);
    }
}

/// How many values of each key there are at least among the numbered rulesets, and of some pairs of keys.
const VALUES: &str = "deal.order 6, deal.packs 4, pack.ranks 6, pack.suits 3, reserve.piles 5, reserve.size 4, reserve.face 3, tableau.deal 40, \
    tableau.face 3, tableau.build 4, tableau.direction 3, tableau.wrap 3, tableau.move 4, tableau.max_height 2, \
    spaces.auto 10, spaces.while_reserve 20, spaces.after_reserve 20, spaces.rank 16, foundation.base 15, \
    foundation.start 3, foundation.return 3, foundation.base_play 2, stock.draw 5, stock.redeals 4, \
    stock.on_redeal 2, stock.waste 2, stock.opening_draw 2, end.barren_passes 3, end.idle_redeals 3, \
    foundation.choice_from 5, foundation.start+deal.packs 12, foundation.choice_from+deal.packs 8, \
    reserve.piles+deal.packs 17, reserve.piles+reserve.face 12";

#[test]
fn every_value_of_every_key_is_compared() {
    let written = |number| toml::from_str::<toml::Table>(&numbered(number).to_toml()).unwrap();
    let all: Vec<toml::Table> = (0..NUMBERED).map(written).collect();
    for line in VALUES.split(", ") {
        let (keys, wanted) = line.split_once(' ').unwrap();
        let value = |table: &toml::Table, key: &str| {
            let (section, key) = key.split_once('.')?;
            Some(table.get(section)?.get(key)?.to_string())
        };
        let of = |table| keys.split('+').map(|key| value(table, key)).collect::<Option<Vec<_>>>();
        let values: BTreeSet<_> = all.iter().filter_map(of).collect();
        assert!(values.len() >= wanted.parse().unwrap(), "{keys}: {values:?}");
    }
}
