//! Sweeps: games go where they are needed, and cells are compared on the same deals, also after an interruption.

use std::sync::atomic::{AtomicBool, Ordering};

use saratoga::lab::sweep::{Against, Aim, Axis, Plan, SoFar, Standing, SweepBatch, sweep};
use saratoga::lab::{GameRunner, Matchup, Workers};
use saratoga::rules::{self, Loaded, Rules, Spec};
use saratoga::stats::{GameWorth, House, PairTally, Precision, TAIL};

use crate::common::play::greedy;

struct Asked {
    rules: Vec<Loaded>,
    plan: Plan,
}

fn asked(rules: &str, axes: &[&str]) -> Asked {
    let rules = vec![rules::load(rules).unwrap()];
    let axes = axes.iter().map(|text| Axis::vary(text).unwrap()).collect();
    Asked { plan: Plan::grid(axes, &rules).unwrap(), rules }
}

impl Asked {
    fn batch(&self, aim: Aim) -> SweepBatch<'_> {
        let cells = self.plan.cells.iter().map(|cell| {
            let loaded = cell.rules.as_ref().ok()?;
            Some(Matchup { id: &loaded.id, rules: &loaded.rules, strategy: &greedy })
        });
        let against = vec![None; self.plan.cells.len()];
        SweepBatch { cells: cells.collect(), bases: Vec::new(), against, seed: 7, aim }
    }
}

/// Plays on until a number of steps are reported.
fn play(batch: &SweepBatch<'_>, so_far: &mut SoFar, steps: usize, threads: usize) {
    let (stop, mut told) = (AtomicBool::new(false), 0);
    let mut tell = |_: &SoFar, _| {
        told += 1;
        stop.fetch_or(told >= steps, Ordering::Relaxed);
    };
    sweep(batch, so_far, Workers::new(threads).heeding(&stop), &mut tell).unwrap();
}

fn played(batch: &SweepBatch<'_>) -> SoFar {
    let mut so_far = SoFar::new(batch).unwrap();
    play(batch, &mut so_far, usize::MAX, 2);
    assert!(so_far.finished);
    so_far
}

fn edge(precision: f64, line: f64, budget: u64) -> Aim {
    Aim { precision: Precision::Edge(precision), line, budget, each: None }
}

#[test]
fn games_go_near_the_line() {
    let asked = asked("canfield", &["stock.draw=1..4"]);
    let play_at = |line: f64| {
        let batch = asked.batch(edge(0.03, line, 1_000_000));
        let so_far = played(&batch);
        assert!(so_far.games() < 1_000_000);
        let spec = |cell: usize| batch.cells[cell].as_ref().unwrap().rules.spec();
        let tally = |cell: usize| so_far.tallies[cell].as_ref().unwrap();
        let standings = [0, 1, 2, 3].map(|cell| Standing::of(tally(cell), spec(cell), &batch.aim));
        assert!(standings.iter().all(Standing::enough));
        (standings, House::new(tally(2), &spec(2).casino).edge().unwrap().value)
    };
    let (far, third) = play_at(5.0);
    let (near, _) = play_at(third);
    assert!(near[2].near && !near[0].near && far.iter().all(|standing| !standing.near));
    // Half the width needs four times the games; the rule asks for about 5% more or less.
    let times = near[2].games as f64 / far[2].games as f64;
    assert!((3.0..5.5).contains(&times), "{times}");
    assert_eq!(near[0].games, far[0].games);
}

#[test]
fn the_budget_is_kept_and_must_do() {
    let asked = asked("canfield", &["stock.draw=1..10"]);
    for budget in [1000, 7777, 25_500] {
        let games = played(&asked.batch(edge(0.001, 0.0, budget))).games();
        assert!(games <= budget && budget - games < 1000, "{budget}");
    }
    let fault = SoFar::new(&asked.batch(edge(0.001, 0.0, 999))).unwrap_err();
    assert!(fault.contains("a budget of 999 games is too small for 10 cells"), "{fault}");
}

/// Recomputes every difference from the games themselves, across two block boundaries; and after an interruption.
#[test]
fn cells_are_compared_on_the_same_deals() {
    let asked = asked("canfield", &["stock.redeals=1,unlimited", "casino.stake=40,52"]);
    let against = Against::new(&asked.plan, &asked.rules, &[]).unwrap();
    assert_eq!(against.of, [Some(0), Some(0), Some(0), None]);
    let mut batch = asked.batch(Aim { each: Some(2_500), ..edge(0.01, 0.0, 10_000) });
    batch.bases = vec![Matchup { id: "canfield", rules: &asked.rules[0].rules, strategy: &greedy }];
    batch.against = against.of;
    let mut so_far = SoFar::new(&batch).unwrap();
    play(&batch, &mut so_far, 4, 1);
    assert!(!so_far.finished);
    play(&batch, &mut so_far, usize::MAX, 3);
    let worth = |rules: &Rules| -> Vec<GameWorth> {
        let mut player = GameRunner::new("rules", rules, greedy());
        (0..2_500).map(|game| GameWorth::of(rules.spec(), &player.play(7, game).unwrap())).collect()
    };
    let base_spec = asked.rules[0].rules.spec();
    let base = worth(&asked.rules[0].rules);
    for (cell, difference) in asked.plan.cells.iter().zip(&so_far.differences).take(3) {
        let rules = &cell.rules.as_ref().unwrap().rules;
        let spec = rules.spec();
        let mut plain = PairTally::new(spec, base_spec);
        let mut edges = 0.0;
        for (a, b) in worth(rules).iter().zip(&base) {
            plain.add(a, b);
            let share = |worth: &GameWorth, spec: &Spec| worth.money.stood as f64 / spec.casino.stake as f64;
            edges += share(b, base_spec) - share(a, spec);
        }
        let plain = plain.summary(TAIL);
        let found = difference.as_ref().unwrap().summary(spec, base_spec);
        assert_eq!(found.games, 2_500);
        assert_eq!((found.cards, found.win_rate.value), (plain.cards, plain.win_rate.value));
        let edge = found.house_edge.unwrap();
        assert!((edge.value - edges / 2_500.0).abs() < 1e-9, "{edge:?}");
        assert!(edge.low < edge.value && edge.value < edge.high);
        if spec.casino.stake == base_spec.casino.stake {
            let low = -plain.money.high / base_spec.casino.stake as f64;
            assert!((edge.low - low).abs() < 2e-3, "{edge:?} {:?}", plain.money);
        }
    }
    assert!(so_far.differences[3].is_none());
}
