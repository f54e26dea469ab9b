//! Races over the values of a script's parameters: the best is found, on separate deals, with the games foretold.

use std::sync::Arc;

use saratoga::diagnostic::SourceText;
use saratoga::lab::Workers;
use saratoga::lab::tune::{Race, Raced, defaults, games_of, race};
use saratoga::stats::Measure;
use saratoga::strategy::{Setting, StrategySource};
use saratoga::{players, rules};

/// Gives up after this many cards, unless its number is 7.
const SCRIPT: &str = "const NUMBER = param(2, 0..=40);
const OTHER = param(true);
fn score(view, m) {
    if view.cards > 12 - abs(NUMBER - 7) { return -1; }
    if !OTHER && m.from_reserve { return -1; }
    if m.to_foundation { 9 } else if m.from_reserve { 8 } else if m.from_waste { 7 } else if m.is_draw { 3 }
    else if m.is_redeal { 2 } else { -1 }
}";

/// Races a strategy, with its values or without: candidates, generations and deals. Returns the number of games whenever
/// it is told.
fn raced(source: &StrategySource, set: bool, seed: u64, size: (usize, usize, u64)) -> (Raced, Vec<u64>) {
    let rules = rules::load("canfield").unwrap().rules;
    let parameters = source.parameters();
    let with = |values: &[i64]| {
        let each = parameters.iter().zip(values).filter(|_| set);
        let settings: Vec<Setting> = each.map(|(p, v)| (p.name.clone(), p.write(*v))).collect();
        source.clone().set(&settings).unwrap()
    };
    let (candidates, generations, deals) = size;
    let plan = Race {
        id: "canfield",
        rules: &rules,
        parameters: &parameters,
        with: &with,
        measure: Measure::Cards,
        seed,
        first: 5_000,
        candidates,
        generations,
        deals,
        workers: Workers::new(2),
    };
    let mut told = Vec::new();
    let raced = race(&plan, &mut |underway| told.push(underway.games)).unwrap();
    (raced, told)
}

fn mine(seed: u64, candidates: usize) -> Raced {
    let text = Arc::new(SourceText { name: "mine.rhai".into(), text: SCRIPT.into() });
    let source = StrategySource::from_script("mine.rhai", text).unwrap();
    assert_eq!(defaults(&source.parameters()), [2, 1]);
    raced(&source, true, seed, (candidates, 3, 300)).0
}

#[test]
fn the_best_values_win() {
    for seed in 1..=3 {
        let raced = mine(seed, 16);
        assert_eq!(raced.winner[1], 1, "seed {seed}: {:?}", raced.winner);
        assert!((6..=8).contains(&raced.winner[0]) && !raced.interrupted, "seed {seed}: {:?}", raced.winner);
        // Each generation begins with the winner of the one before.
        assert_eq!(raced.candidates[0].values, [2, 1]);
    }
}

#[test]
fn a_race_takes_the_games_foretold() {
    let raced = mine(4, 8);
    // 8 x 300 + 4 x 600 + 2 x 1200, three times over.
    assert_eq!(games_of(8, 3, 300), 21_600);
    assert!(raced.games <= 21_600, "{}", raced.games);
    let deals = || raced.candidates.iter().map(|candidate| candidate.deals);
    // The remaining ones play heat after heat: 300, then 600 more, then 1,200 more.
    assert_eq!((deals().sum::<u64>(), deals().max()), (raced.games, Some(2_100)));
}

/// With slow games, a race reports after every deal, so that its progress is visible.
#[test]
fn a_race_of_slow_players_tells_of_every_deal() {
    let source = players::load("search:worlds=1,judged=2,nodes=10,ways=10").unwrap();
    assert_eq!(raced(&source, false, 1, (2, 1, 6)).1, [2, 4, 6, 8, 10, 12]);
}
