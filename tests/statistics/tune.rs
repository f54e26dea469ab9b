//! Races over the values of a script's parameters: the best is found, on separate deals, at any number of threads.

use saratoga::lab::Workers;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use saratoga::diagnostic::SourceText;
use saratoga::lab::tune::{Race, Raced, defaults, games_of, race};
use saratoga::players;
use saratoga::rules;
use saratoga::stats::Measure;
use saratoga::strategy::{Setting, Strategy, StrategySource};

/// Gives up after this many cards, unless its number is 7.
const SCRIPT: &str = "const NUMBER = param(2, 0..=40);
const OTHER = param(true);
fn score(view, m) {
    if view.cards > 12 - abs(NUMBER - 7) { return -1; }
    if !OTHER && m.from_reserve { return -1; }
    if m.to_foundation { 9 } else if m.from_reserve { 8 } else if m.from_waste { 7 } else if m.is_draw { 3 }
    else if m.is_redeal { 2 } else { -1 }
}";

fn raced(seed: u64, threads: usize, candidates: usize) -> Raced {
    let rules = rules::load("canfield").unwrap().rules;
    let text = Arc::new(SourceText { name: "mine.rhai".into(), text: SCRIPT.into() });
    let source = StrategySource::from_script("mine.rhai", text).unwrap();
    let parameters = source.parameters();
    let make = |values: &[i64]| -> Box<dyn Strategy> {
        let each = parameters.iter().zip(values);
        let settings: Vec<Setting> = each.map(|(p, v)| (p.name.clone(), p.write(*v))).collect();
        source.clone().set(&settings).unwrap().instantiate()
    };
    let plan = Race {
        id: "canfield",
        rules: &rules,
        parameters: &parameters,
        strategy: &make,
        measure: Measure::Cards,
        seed,
        first: 5_000,
        candidates,
        generations: 3,
        deals: 300,
        workers: Workers::new(threads),
    };
    assert_eq!(defaults(&parameters), [2, 1]);
    race(&plan, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

#[test]
fn the_best_values_win() {
    for seed in 1..=3 {
        let raced = raced(seed, 2, 16);
        assert_eq!(raced.winner[1], 1, "seed {seed}: {:?}", raced.winner);
        assert!((6..=8).contains(&raced.winner[0]), "seed {seed}: {:?}", raced.winner);
        assert!(!raced.interrupted);
        // Each generation begins with the winner of the one before.
        assert_eq!(raced.candidates[0].values, [2, 1]);
    }
}

#[test]
fn a_race_is_the_same_at_any_number_of_threads() {
    let (one, three) = (raced(4, 1, 9), raced(4, 3, 9));
    assert_eq!((one.candidates, one.winner, one.games), (three.candidates, three.winner, three.games));
}

#[test]
fn the_games_are_those_foretold() {
    // 8 x 300 + 4 x 600 + 2 x 1200, three times over.
    assert_eq!(games_of(8, 3, 300), 21_600);
    let raced = raced(5, 2, 8);
    assert!(raced.games <= 21_600, "{}", raced.games);
    let played: u64 = raced.candidates.iter().map(|candidate| candidate.deals).sum();
    assert_eq!(played, raced.games);
    // The remaining ones play heat after heat: 300, then 600 more, then 1,200 more.
    let most = raced.candidates.iter().map(|candidate| candidate.deals).max();
    assert_eq!(most, Some(2_100));
}

/// With slow games, a race reports after every deal, so that its progress is visible.
#[test]
fn a_race_of_slow_players_tells_of_every_deal() {
    let rules = rules::load("canfield").unwrap().rules;
    let source = players::load("search:worlds=1,judged=2,nodes=10,ways=10").unwrap();
    let parameters = source.parameters();
    let make = |_: &[i64]| source.instantiate();
    let plan = Race {
        id: "canfield",
        rules: &rules,
        parameters: &parameters,
        strategy: &make,
        measure: Measure::Cards,
        seed: 1,
        first: 0,
        candidates: 2,
        generations: 1,
        deals: 6,
        workers: Workers::new(1),
    };
    let mut told = Vec::new();
    race(&plan, &AtomicBool::new(false), &mut |underway| told.push(underway.games)).unwrap();
    assert_eq!(told, [2, 4, 6, 8, 10, 12]);
}
