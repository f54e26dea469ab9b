//! The engine and the plain implementation of the rules agree, move for move and card for card.

use std::collections::BTreeSet;
use std::fmt::Debug;

use crate::plain::{PCard, PlainGame};
use crate::support::specs::{FILLERS, numbered, specs};
use crate::support::{answer, dump, legal, scale, seen, shelf, walk, words};
use proptest::prelude::*;
use saratoga::cards::{Rank, Suit};
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
    let mut plain = PlainGame::deal(spec, crate::support::deck(rules, seed).cards(), &mut chance);
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600 * scale() as u32) })]

    #[test]
    fn both_agree_on_any_rules(spec in specs(), seed in 0u64..1000) {
        compare(&Rules::new(spec).unwrap(), seed, 100);
    }
}

/// Asserts that the compared rulesets include each of these values of a key.
fn covers<T: Debug + Clone>(key: &str, value: impl Fn(&Spec) -> Vec<T>, wanted: &[T]) {
    let found: BTreeSet<String> =
        (0..NUMBERED).flat_map(|number| value(&numbered(number))).map(|v| format!("{v:?}")).collect();
    for wanted in wanted {
        assert!(found.contains(&format!("{wanted:?}")), "no ruleset has {key} = {wanted:?}");
    }
}

#[test]
fn every_value_of_every_key_is_compared() {
    let (r, f, t) = (Part::Reserve, Part::Foundation, Part::Tableau);
    let orders = [[r, f, t], [r, t, f], [f, r, t], [f, t, r], [t, r, f], [t, f, r]].map(Vec::from);
    covers("deal.order", |s| vec![s.deal.order.clone()], &orders);
    covers("deal.packs", |s| vec![s.deal.packs], &[1, 2, 3, 4]);
    covers("reserve.piles", |s| vec![s.reserve.piles], &[0, 1, 2, 3, 4]);
    covers("reserve.size", |s| vec![s.reserve.size], &[0, 1, 13, 40]);
    let faces = [ReserveFace::Top, ReserveFace::All, ReserveFace::Last];
    covers("reserve.face", |s| vec![s.reserve.face], &faces);
    covers("tableau.deal", |s| vec![s.piles()], &[1, 2, 3, 4, 5, 8, 16]);
    covers("tableau.deal", |s| s.tableau.deal.clone(), &[0, 1, 2, 3, 4]);
    let faces = [TableauFace::All, TableauFace::Top, TableauFace::Alternate];
    covers("tableau.face", |s| vec![s.tableau.face], &faces);
    let builds = [Build::AlternateColor, Build::SameSuit, Build::SameColor, Build::Any];
    covers("tableau.build", |s| vec![s.tableau.build], &builds);
    let directions = [Direction::Down, Direction::Up, Direction::Same];
    covers("tableau.direction", |s| vec![s.tableau.direction], &directions);
    covers("tableau.wrap", |s| vec![s.tableau.wrap], &[Wrap::Full, Wrap::ToBase, Wrap::None]);
    let units = [MoveUnit::Single, MoveUnit::Whole, MoveUnit::SingleOrWhole, MoveUnit::Sequence];
    covers("tableau.move", |s| vec![s.tableau.unit], &units);
    covers("tableau.max_height", |s| vec![s.tableau.max_height], &[0, 4]);
    covers("spaces.auto", |s| s.spaces.auto.clone(), &FILLERS[..3]);
    covers("spaces.auto", |s| vec![s.spaces.auto.len()], &[0, 1, 2, 3]);
    covers("spaces.while_reserve", |s| s.spaces.while_reserve.clone(), &FILLERS);
    covers("spaces.after_reserve", |s| s.spaces.after_reserve.clone(), &FILLERS);
    let ranks = || Rank::all().map(SpaceRank::Rank);
    let ranks: Vec<SpaceRank> =
        [SpaceRank::Any, SpaceRank::Base, SpaceRank::BelowBase].into_iter().chain(ranks()).collect();
    covers("spaces.rank", |s| vec![s.spaces.rank], &ranks);
    let bases = [Base::Dealt, Base::Choice(ChoiceFrom::Reserve)].into_iter();
    let bases: Vec<Base> = bases.chain(Rank::all().map(Base::Rank)).collect();
    covers("foundation.base", |s| vec![s.foundation.base], &bases);
    let offers = [2, 3, 4, 5, 6, 7, 9, 17].map(|n| Base::Choice(ChoiceFrom::Dealt(n)));
    covers("foundation.choice_from", |s| vec![s.foundation.base], &offers);
    covers("foundation.start", |s| vec![s.foundation.start], &[Start::None, Start::One, Start::All]);
    let returns = [Returns::Never, Returns::Top, Returns::TopExceptBase];
    covers("foundation.return", |s| vec![s.foundation.returns], &returns);
    let plays = [BasePlay::Optional, BasePlay::Forced];
    covers("foundation.base_play", |s| vec![s.foundation.base_play], &plays);
    let draws = [Draw::ByPass(vec![3]), Draw::ByPass(vec![3, 2, 1])];
    let dice = [Roll::Draw, Roll::Pass, Roll::Game].map(|roll| Draw::Die { faces: 6, roll });
    covers("stock.draw", |s| vec![s.stock.draw.clone()], &[&draws[..], &dice[..]].concat());
    covers("stock.redeals", |s| vec![s.stock.redeals], &[None, Some(0), Some(1), Some(3)]);
    covers("stock.on_redeal", |s| vec![s.stock.on_redeal], &[OnRedeal::Turn, OnRedeal::Shuffle]);
    covers("stock.waste", |s| vec![s.stock.waste], &[WasteFace::Fanned, WasteFace::Squared]);
    covers("stock.opening_draw", |s| vec![s.stock.opening_draw], &[false, true]);
    covers("end.barren_passes", |s| vec![s.barren_passes], &[None, Some(1), Some(2), Some(3)]);
    covers("end.idle_redeals", |s| vec![s.idle_redeals], &[None, Some(1), Some(2), Some(3)]);
}

#[test]
fn packs_reserves_and_bases_are_compared_in_all_their_company() {
    let kind = |s: &Spec| match s.foundation.base {
        Base::Choice(ChoiceFrom::Reserve) => "reserve",
        Base::Choice(ChoiceFrom::Dealt(_)) => "dealt",
        _ if s.foundation.start == Start::All => "all",
        _ => "other",
    };
    let kinds = ["reserve", "dealt", "all", "other"];
    let pairs: Vec<_> = (1..=4).flat_map(|packs| kinds.map(|kind| (packs, kind))).collect();
    covers("deal.packs with foundation.base", |s| vec![(s.deal.packs, kind(s))], &pairs);
    let pairs: Vec<_> = (0..=4).flat_map(|reserves| [false, true].map(|packs| (reserves, packs))).collect();
    covers("reserve.piles with deal.packs", |s| vec![(s.reserve.piles, s.deal.packs > 1)], &pairs);
    let faces = [ReserveFace::Top, ReserveFace::All, ReserveFace::Last];
    let pairs: Vec<_> = (1..=4).flat_map(|reserves| faces.map(|face| (reserves, face))).collect();
    covers("reserve.piles with reserve.face", |s| vec![(s.reserve.piles, s.reserve.face)], &pairs);
}
