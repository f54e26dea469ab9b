//! Sweeps: the games played do not depend on threads or interruptions, and go where they are needed.

use saratoga::lab::Workers;
use std::sync::atomic::{AtomicBool, Ordering};

use saratoga::lab::sweep::{Against, Aim, Axis, Plan, SoFar, Standing, SweepBatch, sweep};
use saratoga::lab::{Batch, Matchup, simulate};
use saratoga::rules::{self, Loaded, Spec};
use saratoga::stats::{GameWorth, PairTally, Precision, TAIL};
use saratoga::strategy::{self, Strategy, StrategySource};

struct Asked {
    rules: Vec<Loaded>,
    plan: Plan,
    strategy: StrategySource,
}

fn asked(rules: &str, axes: &[&str]) -> Asked {
    let rules = vec![rules::load(rules).unwrap()];
    let axes = axes.iter().map(|text| Axis::vary(text).unwrap()).collect();
    let plan = Plan::grid(axes, &rules).unwrap();
    Asked { rules, plan, strategy: strategy::load("greedy").unwrap() }
}

type Make<'a> = dyn Fn() -> Box<dyn Strategy> + Sync + 'a;

fn batch<'a>(asked: &'a Asked, make: &'a Make<'a>, aim: Aim) -> SweepBatch<'a> {
    let cell = |cell: &'a saratoga::lab::sweep::Cell| {
        let loaded = cell.rules.as_ref().ok()?;
        Some(Matchup { id: &loaded.id, rules: &loaded.rules, strategy: make })
    };
    let against = vec![None; asked.plan.cells.len()];
    SweepBatch {
        cells: asked.plan.cells.iter().map(cell).collect(),
        bases: Vec::new(),
        against,
        seed: 7,
        aim,
    }
}

/// Plays on until a number of steps are reported.
fn play(batch: &SweepBatch<'_>, so_far: &mut SoFar, steps: usize, threads: usize) -> Vec<Option<usize>> {
    let stop = AtomicBool::new(steps == 0);
    let mut told = Vec::new();
    let played = sweep(batch, so_far, (&stop, Workers::new(threads)), &mut |_, cell| {
        told.push(cell);
        stop.fetch_or(told.len() >= steps, Ordering::Relaxed);
    });
    played.unwrap();
    told
}

fn edge(precision: f64, line: f64, budget: u64) -> Aim {
    Aim { precision: Precision::Edge(precision), line, budget, each: None }
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let asked = asked("canfield", &["stock.draw=1,3,60", "stock.redeals=0,unlimited"]);
    let make = || asked.strategy.instantiate();
    let aim = edge(0.015, 0.0, 60_000);
    let whole = batch(&asked, &make, aim);
    let mut straight = SoFar::new(&whole).unwrap();
    let told = play(&whole, &mut straight, usize::MAX, 1);
    assert!(straight.finished && straight.round > 1, "{}", straight.round);
    // Three threads report the same steps in the same order.
    let three = batch(&asked, &make, aim);
    let mut other = SoFar::new(&three).unwrap();
    assert_eq!(play(&three, &mut other, usize::MAX, 3), told);
    assert_eq!(other, straight);
    // Stopped repeatedly.
    let mut pieces = SoFar::new(&three).unwrap();
    let mut stops = 0;
    while !pieces.finished {
        play(&three, &mut pieces, 1 + stops % 5, 3);
        stops += 1;
        assert!(stops < 10_000);
    }
    assert!(stops > 5, "{stops}");
    assert_eq!(pieces, straight);
}

#[test]
fn a_cell_plays_the_games_that_simulate_plays() {
    let asked = asked("demon-casino", &["stock.draw=2,3", "reserve.size=13,41"]);
    let make = || asked.strategy.instantiate();
    let whole = batch(&asked, &make, edge(0.02, 0.0, 30_000));
    let mut so_far = SoFar::new(&whole).unwrap();
    play(&whole, &mut so_far, usize::MAX, 2);
    let written = asked.plan.cells.iter().position(|cell| cell.as_written).unwrap();
    assert_eq!(asked.plan.label(written), "stock.draw=3, reserve.size=13");
    let tally = so_far.tallies[written].as_ref().unwrap();
    let rules = &asked.rules[0].rules;
    let entries = vec![Matchup { id: "demon-casino", rules, strategy: &make }];
    let games = 0..tally.games();
    let run = Batch { entries, seed: 7, games, precision: None, workers: Workers::new(1), each_game: false };
    let alone = simulate(&run, &AtomicBool::new(false), &mut ()).unwrap();
    assert_eq!(*tally, alone.tallies[0]);
    // 41 cards in the reserve are not possible.
    assert_eq!(so_far.tallies.iter().filter(|tally| tally.is_none()).count(), 2);
}

#[test]
fn games_go_near_the_line() {
    let asked = asked("canfield", &["stock.draw=1..4"]);
    let make = || asked.strategy.instantiate();
    let play_at = |line: f64| {
        let whole = batch(&asked, &make, edge(0.03, line, 1_000_000));
        let mut so_far = SoFar::new(&whole).unwrap();
        play(&whole, &mut so_far, usize::MAX, 2);
        assert!(so_far.finished && so_far.games() < 1_000_000);
        let cells = so_far.tallies.iter().zip(&whole.cells);
        let standings: Vec<Standing> = cells
            .map(|(tally, cell)| {
                let spec = cell.as_ref().unwrap().rules.spec();
                Standing::of(tally.as_ref().unwrap(), spec, &whole.aim)
            })
            .collect();
        assert!(standings.iter().all(Standing::enough));
        let tally = so_far.tallies[2].as_ref().unwrap();
        let spec = whole.cells[2].as_ref().unwrap().rules.spec();
        let edge = saratoga::stats::House::new(tally, &spec.casino).edge().unwrap().value;
        (standings, edge)
    };
    let (_, third) = play_at(5.0);
    let (standings, _) = play_at(third);
    assert!(standings[2].near && !standings[0].near);
    // Half the width needs four times the games; the rule asks for about 5% more or less.
    let (far, _) = play_at(5.0);
    assert!(far.iter().all(|standing| !standing.near));
    let times = standings[2].games as f64 / far[2].games as f64;
    assert!((3.0..5.5).contains(&times), "{times}");
    assert_eq!(standings[0].games, far[0].games);
}

#[test]
fn the_budget_is_kept_and_must_do() {
    let asked = asked("canfield", &["stock.draw=1..10"]);
    let make = || asked.strategy.instantiate();
    for budget in [1000, 7777, 25_500] {
        let whole = batch(&asked, &make, edge(0.001, 0.0, budget));
        let mut so_far = SoFar::new(&whole).unwrap();
        play(&whole, &mut so_far, usize::MAX, 2);
        assert!(so_far.finished);
        assert!((budget - so_far.games().min(budget)) < 1000 && so_far.games() <= budget, "{budget}");
    }
    let small = batch(&asked, &make, edge(0.001, 0.0, 999));
    let fault = SoFar::new(&small).unwrap_err();
    assert!(fault.contains("a budget of 999 games is too small for 10 cells"), "{fault}");
}

#[test]
fn cells_are_compared_on_the_same_deals() {
    let asked = asked("canfield", &["stock.redeals=1,unlimited", "casino.stake=40,52"]);
    let make = || asked.strategy.instantiate();
    let against = Against::new(&asked.plan, &asked.rules, &[]).unwrap();
    assert_eq!(against.of, [Some(0), Some(0), Some(0), None]);
    let aim = Aim { each: Some(2_500), ..edge(0.01, 0.0, 10_000) };
    let mut batch = batch(&asked, &make, aim);
    batch.bases = vec![Matchup { id: "canfield", rules: &asked.rules[0].rules, strategy: &make }];
    batch.against = against.of;
    let mut so_far = SoFar::new(&batch).unwrap();
    play(&batch, &mut so_far, 4, 1);
    assert!(!so_far.finished);
    play(&batch, &mut so_far, usize::MAX, 3);
    let worth = |rules: &saratoga::rules::Rules| -> Vec<GameWorth> {
        let mut player = saratoga::lab::GameRunner::new("rules", rules, make());
        (0..2_500).map(|game| GameWorth::of(rules.spec(), &player.play(7, game).unwrap())).collect()
    };
    let base = worth(&asked.rules[0].rules);
    for (cell, difference) in asked.plan.cells.iter().zip(&so_far.differences).take(3) {
        let rules = &cell.rules.as_ref().unwrap().rules;
        let (spec, base_spec) = (rules.spec(), asked.rules[0].rules.spec());
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
        let house_edge = found.house_edge.unwrap();
        assert!((house_edge.value - edges / 2_500.0).abs() < 1e-9, "{house_edge:?}");
        assert!(house_edge.low < house_edge.value && house_edge.value < house_edge.high);
        if spec.casino.stake == base_spec.casino.stake {
            let of_stake = |cents: f64| -cents / base_spec.casino.stake as f64;
            assert!(
                (house_edge.low - of_stake(plain.money.high)).abs() < 2e-3,
                "{house_edge:?} {:?}",
                plain.money
            );
        }
    }
    assert!(so_far.differences[3].is_none());
}
