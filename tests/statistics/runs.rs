//! The results of a run depend on its games, not on threads, stops or the division into blocks; a panic in the program and
//! a request to stop within a block end it cleanly, with the earlier results.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use saratoga::cards::{Deck, Rank};
use saratoga::contest;
use saratoga::game::{MoveList, Outcome, View};
use saratoga::lab::sweep::{Aim, Axis, Plan, SoFar, SweepBatch, sweep};
use saratoga::lab::{
    BLOCK, Batch, BatchError, ContestBatch, ContestBatchError, Finished, GameRunner, MakeStrategy, Matchup,
    Simulated, SolveDeals, SolveError, SolveLimits, Solving, Workers, simulate, solve,
};
use saratoga::rules::{self, Loaded};
use saratoga::solver::Goal;
use saratoga::stats::Precision;
use saratoga::strategy::{Greedy, Random, Strategy, StrategyError};

use crate::common::play::{Each, batch, every_game, greedy};

const SEED: u64 = 11;

type Make = fn() -> Box<dyn Strategy>;

fn random() -> Box<dyn Strategy> {
    Box::new(Random)
}

fn entry<'a>(loaded: &'a Loaded, make: &'a Make) -> Matchup<'a> {
    Matchup { id: &loaded.id, rules: &loaded.rules, strategy: make }
}

/// Canfield with the baseline strategy, and dice with random play.
struct Tables([(Loaded, Make); 2]);

impl Tables {
    fn new() -> Tables {
        let load = |name| rules::load(name).unwrap();
        Tables([(load("canfield"), greedy), (load("exorcism-die-draw"), random)])
    }

    fn batch(&self, games: Range<u64>, threads: usize) -> Batch<'_> {
        batch(self.0.iter().map(|(loaded, make)| entry(loaded, make)).collect(), SEED, games, threads)
    }

    fn run(&self, games: Range<u64>, threads: usize) -> Finished {
        simulate(&self.batch(games, threads), &mut ()).unwrap()
    }

    fn json(&self, finished: &Finished) -> String {
        let names = self.0.iter().zip(["greedy", "random"]);
        let names = names.map(|((loaded, _), strategy)| (&*loaded.id, strategy, loaded.rules.spec()));
        serde_json::to_string(&Simulated::new(names, finished.clone())).unwrap()
    }
}

#[test]
fn threads_and_pieces_change_nothing() {
    let tables = Tables::new();
    // The last block is short.
    let one = tables.run(0..7_300, 1);
    assert_eq!((one.games, one.interrupted), (7_300, false));
    assert!(one.tallies.iter().all(|tally| tally.games() == 7_300));
    assert!(one.running.iter().all(|running| running.len() > 3));
    for threads in [2, 3] {
        let many = tables.run(0..7_300, threads);
        assert_eq!((many.games, &many.tallies, &many.running), (one.games, &one.tallies, &one.running));
        assert_eq!(tables.json(&many), tables.json(&one));
    }
    let mut sum = tables.run(100..1_733, 1).tallies;
    let rest = tables.run(1_733..4_100, 3).tallies;
    sum.iter_mut().zip(&rest).for_each(|(sum, tally)| sum.merge(tally));
    assert_eq!(sum, tables.run(100..4_100, 2).tallies);
}

#[test]
fn outcomes_come_in_the_order_of_games() {
    let tables = Tables::new();
    let games = 500..4_200;
    let expected = tables.0.each_ref().map(|(loaded, make)| {
        let mut player = GameRunner::new("here", &loaded.rules, make());
        games.clone().map(|game| player.play(SEED, game).unwrap()).collect::<Vec<Outcome>>()
    });
    for threads in 1..=3 {
        assert_eq!(every_game(tables.batch(games.clone(), threads)).unwrap().0, expected);
    }
}

#[test]
fn a_precise_run_stops_at_the_same_game() {
    let tables = Tables::new();
    let of_one = |games, threads, precision| {
        let mut batch = tables.batch(games, threads);
        batch.entries.truncate(1);
        batch.precision = precision;
        simulate(&batch, &mut ()).unwrap()
    };
    let precision = Precision::Cards(0.11);
    let one = of_one(0..60_000, 1, Some(precision));
    assert!(one.games >= 10_000 && one.games < 60_000 && !one.interrupted, "{}", one.games);
    assert_eq!(one.games % BLOCK, 0);
    for threads in [2, 3] {
        let many = of_one(0..60_000, threads, Some(precision));
        assert_eq!((many.games, &many.tallies, &many.running), (one.games, &one.tallies, &one.running));
    }
    // It stopped exactly when it was precise enough.
    let spec = tables.0[0].0.rules.spec();
    let reached = |games| precision.reached(&of_one(0..games, 2, None).tallies[0], spec);
    assert!(reached(one.games));
    assert!(one.games == 10_000 || !reached(one.games - BLOCK));
}

#[test]
fn a_stopped_run_is_the_run_of_the_games_it_finished() {
    let tables = Tables::new();
    for (threads, blocks) in [(1, 1), (2, 3), (3, 1)] {
        let flag = AtomicBool::new(false);
        let batch = tables.batch(0..1_000_000, threads);
        let mut stop = Each(|first, so_far: &Finished, outcomes: &[Vec<Outcome>]| {
            assert!(so_far.games == first + BLOCK && outcomes.iter().all(Vec::is_empty));
            flag.fetch_or(so_far.games >= blocks * BLOCK, Ordering::Relaxed);
        });
        let stopped = simulate(&Batch { workers: batch.workers.heeding(&flag), ..batch }, &mut stop).unwrap();
        assert!(stopped.interrupted && stopped.games >= blocks * BLOCK && stopped.games < 1_000_000);
        let whole = tables.run(0..stopped.games, 2);
        assert_eq!((&stopped.tallies, &stopped.running), (&whole.tallies, &whole.running));
        assert_eq!(tables.json(&stopped), tables.json(&whole));
    }
    let (flag, batch) = (AtomicBool::new(true), tables.batch(0..5000, 2));
    let batch = Batch { workers: batch.workers.heeding(&flag), ..batch };
    let stopped = simulate(&batch, &mut ()).unwrap();
    assert_eq!((stopped.games, stopped.interrupted), (0, true));
}

/// A player that plays like greedy, as long as it is not shocked.
struct Shaky<F: FnMut(&View<'_>) -> Result<(), StrategyError>>(F);

impl<F: FnMut(&View<'_>) -> Result<(), StrategyError>> Strategy for Shaky<F> {
    fn name(&self) -> &str {
        "shaky"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        (self.0)(view)?;
        Greedy.decide(view, legal)
    }
}

fn panicking() -> Box<dyn Strategy> {
    Box::new(Shaky(|view: &View<'_>| {
        assert!(view.base() != Some(Rank::ACE), "an ace");
        Ok(())
    }))
}

/// Acts like a script that was stopped while it was thinking, when the base card is an ace.
fn interrupted() -> Box<dyn Strategy> {
    Box::new(Shaky(|view: &View<'_>| match view.base() {
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
        assert_eq!((error.seed, error.game, &*error.strategy), (SEED, first_ace, "shaky"));
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
            Box::new(Shaky(move |_: &View<'_>| match DECISIONS.fetch_add(1, Ordering::Relaxed) {
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

/// Requests a stop within a block, and then counts how often players are still asked.
#[test]
fn a_run_stops_amid_a_block() {
    static STOP: AtomicBool = AtomicBool::new(false);
    static AFTER: AtomicU64 = AtomicU64::new(0);
    let make: Make = || {
        let mut decisions = 0;
        Box::new(Shaky(move |_: &View<'_>| {
            decisions += 1;
            STOP.fetch_or(decisions == 200_000, Ordering::Relaxed);
            if decisions > 200_000 {
                // So slow that a block would take a minute.
                std::thread::sleep(std::time::Duration::from_millis(1));
                AFTER.fetch_add(1, Ordering::Relaxed);
            }
            Ok(())
        }))
    };
    let (loaded, greedy): (_, Make) = (canfield(), greedy);
    for threads in 1..=2 {
        STOP.store(false, Ordering::Relaxed);
        AFTER.store(0, Ordering::Relaxed);
        let asked = batch(vec![entry(&loaded, &make)], SEED, 0..1_000_000, threads);
        let asked = Batch { workers: asked.workers.heeding(&STOP), ..asked };
        let stopped = simulate(&asked, &mut ()).unwrap();
        assert!(stopped.interrupted && stopped.games > 0 && stopped.games.is_multiple_of(BLOCK));
        assert!(AFTER.load(Ordering::Relaxed) < 5_000, "{AFTER:?}");
        let whole = batch(vec![entry(&loaded, &greedy)], SEED, 0..stopped.games, 2);
        let whole = simulate(&whole, &mut ()).unwrap();
        assert_eq!((&stopped.tallies, &stopped.running), (&whole.tallies, &whole.running));
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
