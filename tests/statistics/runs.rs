//! A run ends at the same game at any number of threads; a stop, a panic in the program and an interrupted decision end it
//! cleanly, with the earlier results.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use saratoga::cards::{Deck, Rank};
use saratoga::contest;
use saratoga::game::{Outcome, View};
use saratoga::lab::sweep::{Aim, Axis, Plan, SoFar, SweepBatch, sweep};
use saratoga::lab::{
    BLOCK, Batch, BatchError, ContestBatch, ContestBatchError, Finished, MakeStrategy, Matchup, SolveDeals,
    SolveError, SolveLimits, Solving, Watcher, Workers, simulate, solve,
};
use saratoga::rules::{self, Loaded};
use saratoga::solver::Goal;
use saratoga::stats::Precision;
use saratoga::strategy::{Strategy, StrategyError};

use crate::common::Looking;
use crate::common::play::{Each, Sides, batch, greedy};

const SEED: u64 = 11;

type Make = fn() -> Box<dyn Strategy>;

fn entry<'a>(loaded: &'a Loaded, make: &'a Make) -> Matchup<'a> {
    Matchup { id: &loaded.id, rules: &loaded.rules, strategy: make }
}

#[test]
fn a_precise_run_stops_at_the_same_game() {
    let (loaded, greedy): (_, Make) = (canfield(), greedy);
    let play = |games, threads, precision| {
        let batch = batch(vec![entry(&loaded, &greedy)], SEED, games, threads);
        simulate(&Batch { precision, ..batch }, &mut ()).unwrap()
    };
    let precision = Precision::Cards(0.11);
    let one = play(0..60_000, 1, Some(precision));
    assert!(one.games >= 10_000 && one.games < 60_000 && !one.interrupted, "{}", one.games);
    assert_eq!(one.games % BLOCK, 0);
    for threads in [2, 3] {
        let many = play(0..60_000, threads, Some(precision));
        assert_eq!((many.games, &many.tallies, &many.running), (one.games, &one.tallies, &one.running));
    }
    // It stopped exactly when it was precise enough.
    let reached = |games| precision.reached(&play(0..games, 2, None).tallies[0], loaded.rules.spec());
    assert!(reached(one.games));
    assert!(one.games == 10_000 || !reached(one.games - BLOCK));
}

#[test]
fn a_stopped_run_is_the_run_of_the_games_it_finished() {
    let sides = Sides::new(&[("canfield", "greedy"), ("exorcism-die-draw", "random")]);
    let play = |games: u64, threads, flag: &AtomicBool, watcher: &mut dyn Watcher| {
        let workers = Workers::new(threads).heeding(flag);
        sides.entries(|it| simulate(&Batch::new(it, SEED, 0..games, workers), watcher).unwrap())
    };
    for (threads, blocks) in [(1, 1), (2, 3), (3, 1)] {
        let flag = AtomicBool::new(false);
        let mut stop = Each(|first, so_far: &Finished, outcomes: &[Vec<Outcome>]| {
            assert!(so_far.games == first + BLOCK && outcomes.iter().all(Vec::is_empty));
            flag.fetch_or(so_far.games >= blocks * BLOCK, Ordering::Relaxed);
        });
        let stopped = play(1_000_000, threads, &flag, &mut stop);
        assert!(stopped.interrupted && stopped.games >= blocks * BLOCK && stopped.games < 1_000_000);
        let whole = play(stopped.games, 2, &AtomicBool::new(false), &mut ());
        assert_eq!((&stopped.tallies, &stopped.running), (&whole.tallies, &whole.running));
    }
    let stopped = play(5_000, 2, &AtomicBool::new(true), &mut ());
    assert_eq!((stopped.games, stopped.interrupted), (0, true));
}

fn panicking() -> Box<dyn Strategy> {
    Box::new(Looking(|view: &View<'_>| {
        assert!(view.base() != Some(Rank::ACE), "an ace");
        Ok(())
    }))
}

/// Acts like a script that was stopped while it was thinking, when the base card is an ace.
fn interrupted() -> Box<dyn Strategy> {
    Box::new(Looking(|view: &View<'_>| match view.base() {
        Some(Rank::ACE) => Err(StrategyError::Interrupted),
        _ => Ok(()),
    }))
}

fn canfield() -> Loaded {
    rules::load("canfield").unwrap()
}

fn swept(make: &Make, threads: usize) -> (SoFar, Result<(), BatchError>) {
    let rules = vec![canfield()];
    let plan = Plan::grid(vec![Axis::vary("stock.draw=1,3").unwrap()], &rules).unwrap();
    let cells = plan.cells.iter().map(|cell| Some(entry(cell.rules.as_ref().ok()?, make))).collect();
    let aim = Aim { precision: Precision::Edge(0.001), line: 0.0, budget: 20_000, each: None };
    let batch = SweepBatch { cells, bases: Vec::new(), against: vec![None; 2], seed: SEED, aim };
    let mut so_far = SoFar::new(&batch).unwrap();
    let played = sweep(&batch, &mut so_far, Workers::new(threads), &mut |_, _| {});
    (so_far, played)
}

/// It is reported as a fault of the program, with the game in which it occurred.
#[test]
fn a_panic_in_a_game_is_told_with_the_game() {
    let (loaded, shaky): (_, Make) = (canfield(), panicking);
    // The base card is the 14th of the deck.
    let base = |game| Deck::shuffled(loaded.rules.deck_shape(), SEED, game).cards()[13].rank();
    let is_told = |error: BatchError, from: u64| {
        let BatchError::Fault(error) = error else { panic!("{error}") };
        let first_ace = (from..).find(|&game| base(game) == Rank::ACE).unwrap();
        assert_eq!((error.seed, error.game, &*error.strategy), (SEED, first_ace, "looking"));
        let StrategyError::Crashed(crash) = error.error else { panic!("{error}") };
        assert!(crash.to_string().starts_with("an ace"), "{crash}");
    };
    for threads in 1..=3 {
        for from in [0, 400] {
            let batch = batch(vec![entry(&loaded, &shaky)], SEED, from..from + 5_000, threads);
            is_told(simulate(&batch, &mut ()).unwrap_err(), from);
        }
        is_told(swept(&shaky, threads).1.unwrap_err(), 0);
    }
}

#[test]
fn an_interrupted_decision_is_no_fault_and_its_block_is_dropped() {
    let (loaded, shaky, greedy): (_, Make, Make) = (canfield(), interrupted, greedy);
    for threads in 1..=3 {
        // Another entry that played all of them changes nothing.
        for makers in [&[&shaky][..], &[&greedy, &shaky]] {
            let entries = makers.iter().map(|make| entry(&loaded, make)).collect();
            let finished = simulate(&batch(entries, SEED, 0..5_000, threads), &mut ()).unwrap();
            assert_eq!((finished.games, finished.interrupted), (0, true));
        }
        let (so_far, played) = swept(&shaky, threads);
        played.unwrap();
        assert!(!so_far.finished && so_far.games() < 2_000, "{}", so_far.games());
    }
}

#[test]
fn a_contest_tells_a_panic_and_drops_what_is_interrupted() {
    static DECISIONS: AtomicU64 = AtomicU64::new(0);
    let loaded = contest::load("racing-demon").unwrap();
    for (threads, panics) in [(1, true), (2, true), (1, false), (2, false)] {
        DECISIONS.store(0, Ordering::Relaxed);
        let late = || -> Box<dyn Strategy> {
            Box::new(Looking(move |_: &View<'_>| match DECISIONS.fetch_add(1, Ordering::Relaxed) {
                0..20_000 => Ok(()),
                _ if panics => panic!("too late"),
                _ => Err(StrategyError::Interrupted),
            }))
        };
        let mut players: Vec<MakeStrategy<'_>> = vec![&greedy; loaded.spec.players.len()];
        players[1] = &late;
        let batch = ContestBatch {
            spec: &loaded.spec,
            rules: &loaded.rules.rules,
            strategies: &players,
            seed: SEED,
            matches: 0..100,
            workers: Workers::new(threads),
        };
        match saratoga::lab::contest(&batch, &mut |_, _| {}) {
            Ok(tally) => {
                assert!(!panics && tally.matches() < 100);
                assert_eq!(tally.matches() % 16, 0);
            }
            Err(ContestBatchError::Fault(error)) => {
                assert_eq!((&*error.player, error.seed), (&*loaded.spec.players[1].name, SEED));
                assert!(panics && matches!(error.error, StrategyError::Crashed(_)), "{error}");
            }
            Err(error) => panic!("no match is told: {error}"),
        }
    }
}

#[test]
fn a_panic_outside_of_games_is_told_and_nobody_waits() {
    let (loaded, greedy): (_, Make) = (canfield(), greedy);
    let unborn: Make = || panic!("no player");
    let crashed = |result: Result<Finished, BatchError>, said: &str| match result {
        Err(BatchError::Crashed(crash)) => assert!(crash.to_string().starts_with(said), "{crash}"),
        _ => panic!("no crash"),
    };
    for threads in 1..=3 {
        let long = batch(vec![entry(&loaded, &greedy)], SEED, 0..1_000_000, threads);
        let mut watching =
            Each(|first, _: &Finished, _: &[Vec<Outcome>]| assert!(first < 2_000, "not that one"));
        crashed(simulate(&long, &mut watching), "not that one");
        let none = batch(vec![entry(&loaded, &unborn)], SEED, 0..5_000, threads);
        crashed(simulate(&none, &mut ()), "no player");
        let (rules, count) = (&loaded.rules, u64::MAX);
        let asked = Solving {
            named: "canfield",
            deals: &SolveDeals { rules, seed: SEED, given: None, count, rolled: false },
            goal: Goal::Win,
            limits: SolveLimits { nodes: Some(200), seconds: None, memory_bytes: 1 << 20 },
            players: &[],
            threads,
            workers: Workers::new(threads),
        };
        let mut told = Vec::new();
        let solved = solve(&asked, &mut |solved| {
            assert!(solved.number != 5, "not the sixth");
            told.push(solved.number);
        });
        let Err(SolveError::Crashed(crash)) = solved else { panic!() };
        assert!(crash.to_string().starts_with("not the sixth"), "{crash}");
        assert_eq!(told, [0, 1, 2, 3, 4]);
    }
}
