//! The results of a run depend on its games, not on threads, stops or the division into blocks.

use saratoga::lab::Workers;
use std::sync::atomic::{AtomicBool, Ordering};

use saratoga::game::Outcome;
use saratoga::lab::{BLOCK, Batch, Finished, GameRunner, Matchup, Simulated, Watcher, simulate};
use saratoga::rules::{self, Loaded};
use saratoga::stats::Precision;
use saratoga::strategy::{Greedy, Random, Strategy};

const SEED: u64 = 11;

fn greedy() -> Box<dyn Strategy> {
    Box::new(Greedy)
}

fn random() -> Box<dyn Strategy> {
    Box::new(Random)
}

/// Canfield with the baseline strategy, and dice with random play.
struct Tables(Vec<Loaded>);

impl Tables {
    fn new() -> Tables {
        Tables(["canfield", "exorcism-die-draw"].map(|name| rules::load(name).unwrap()).into())
    }

    fn batch(&self, games: std::ops::Range<u64>, threads: usize) -> Batch<'_> {
        let entry = |i: usize, strategy| Matchup { id: &self.0[i].id, rules: &self.0[i].rules, strategy };
        let entries = vec![entry(0, &greedy), entry(1, &random)];
        Batch {
            entries,
            seed: SEED,
            games,
            precision: None,
            workers: Workers::new(threads),
            each_game: false,
        }
    }

    /// The result of a run as JSON.
    fn json(&self, finished: &Finished) -> String {
        let names = self.0.iter().zip(["greedy", "random"]);
        let names = names.map(|(loaded, strategy)| (&*loaded.id, strategy, loaded.rules.spec()));
        serde_json::to_string(&Simulated::new(names, finished.clone())).unwrap()
    }
}

fn run(batch: &Batch<'_>) -> Finished {
    simulate(batch, &AtomicBool::new(false), &mut ()).unwrap()
}

#[test]
fn threads_change_nothing() {
    let tables = Tables::new();
    // The last block is short.
    let one = run(&tables.batch(0..7_300, 1));
    assert_eq!((one.games, one.interrupted), (7_300, false));
    assert!(one.tallies.iter().all(|tally| tally.games() == 7_300));
    assert!(one.running.iter().all(|running| running.len() > 3));
    for threads in [2, 3] {
        let many = run(&tables.batch(0..7_300, threads));
        assert_eq!((many.games, &many.tallies, &many.running), (one.games, &one.tallies, &one.running));
        assert_eq!(tables.json(&many), tables.json(&one));
    }
}

#[test]
fn runs_in_pieces_merge_to_the_whole_run() {
    let tables = Tables::new();
    let whole = run(&tables.batch(100..4_100, 2));
    let mut sum = run(&tables.batch(100..1_733, 1)).tallies;
    let rest = run(&tables.batch(1_733..4_100, 3)).tallies;
    sum.iter_mut().zip(&rest).for_each(|(sum, tally)| sum.merge(tally));
    assert_eq!(sum, whole.tallies);
}

#[test]
fn a_precise_run_stops_at_the_same_game() {
    let tables = Tables::new();
    let precise = |threads| {
        let mut batch = tables.batch(0..60_000, threads);
        batch.entries.truncate(1);
        batch.precision = Some(Precision::Cards(0.11));
        run(&batch)
    };
    let one = precise(1);
    assert!(one.games >= 10_000 && one.games < 60_000 && !one.interrupted, "{}", one.games);
    assert_eq!(one.games % BLOCK, 0);
    for threads in [2, 3] {
        let many = precise(threads);
        assert_eq!((many.games, &many.tallies, &many.running), (one.games, &one.tallies, &one.running));
    }
    // It stopped exactly when it was precise enough.
    let rules = &tables.0[0].rules;
    let reached = |games| {
        let mut batch = tables.batch(0..games, 2);
        batch.entries.truncate(1);
        Precision::Cards(0.11).reached(&run(&batch).tallies[0], rules.spec())
    };
    assert!(reached(one.games));
    assert!(one.games == 10_000 || !reached(one.games - BLOCK));
}

/// Sets the flag after this many blocks.
struct StopAfter<'a> {
    blocks: u64,
    flag: &'a AtomicBool,
}

impl Watcher for StopAfter<'_> {
    fn block(&mut self, first: u64, so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        assert_eq!(so_far.games, first + BLOCK);
        assert!(outcomes.iter().all(Vec::is_empty));
        self.blocks -= 1;
        if self.blocks == 0 {
            self.flag.store(true, Ordering::Relaxed);
            self.blocks = u64::MAX;
        }
    }
}

#[test]
fn a_stopped_run_is_the_run_of_the_games_it_finished() {
    let tables = Tables::new();
    for threads in 1..=3 {
        for blocks in [1, 3] {
            let flag = AtomicBool::new(false);
            let batch = tables.batch(0..1_000_000, threads);
            let stopped = simulate(&batch, &flag, &mut StopAfter { blocks, flag: &flag }).unwrap();
            assert!(stopped.interrupted && stopped.games >= blocks * BLOCK && stopped.games < 1_000_000);
            let whole = run(&tables.batch(0..stopped.games, 2));
            assert_eq!((&stopped.tallies, &stopped.running), (&whole.tallies, &whole.running));
            assert_eq!(tables.json(&stopped), tables.json(&whole));
        }
    }
    let stopped = simulate(&tables.batch(0..5000, 2), &AtomicBool::new(true), &mut ()).unwrap();
    assert_eq!((stopped.games, stopped.interrupted), (0, true));
}

/// Collects what the watcher receives.
#[derive(Default)]
struct Collect {
    firsts: Vec<u64>,
    outcomes: Vec<Vec<Outcome>>,
}

impl Watcher for Collect {
    fn block(&mut self, first: u64, so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        self.firsts.push(first);
        self.outcomes.resize(outcomes.len(), Vec::new());
        for (all, block) in self.outcomes.iter_mut().zip(outcomes) {
            all.extend(block);
            assert_eq!(all.len() as u64, so_far.games);
        }
    }
}

#[test]
fn outcomes_come_in_the_order_of_games() {
    let tables = Tables::new();
    let games = 500..4_200;
    let mut players =
        [(0, greedy()), (1, random())].map(|(i, s)| GameRunner::new("here", &tables.0[i].rules, s));
    let expected: Vec<Vec<Outcome>> =
        players.iter_mut().map(|p| games.clone().map(|game| p.play(SEED, game).unwrap()).collect()).collect();
    for threads in 1..=3 {
        let mut collect = Collect::default();
        let batch = Batch { each_game: true, ..tables.batch(games.clone(), threads) };
        simulate(&batch, &AtomicBool::new(false), &mut collect).unwrap();
        assert_eq!(collect.firsts, [500, 1500, 2500, 3500]);
        assert_eq!(collect.outcomes, expected);
    }
}
