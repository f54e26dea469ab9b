//! A panic in the program, and a request to stop within a block, end every experiment cleanly: at any number of
//! threads, with the earlier results, and without waiting for anybody.

use saratoga::lab::Workers;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use saratoga::cards::{Deck, Rank};
use saratoga::contest::{self, LoadedContest};
use saratoga::game::{MoveList, Outcome, View};
use saratoga::lab::sweep::{Aim, Axis, Plan, SoFar, SweepBatch, sweep};
use saratoga::lab::tune::{Race, race};
use saratoga::lab::{
    BLOCK, BankrollBatch, Batch, BatchError, Comparison, Contender, ContestBatch, ContestBatchError,
    Finished, Matchup, PricedPlayer, Pricing, SolveBatch, SolveDeal, SolveError, SolveLimits, Watcher,
    bankroll, compare, contest, price, simulate, solve,
};
use saratoga::rules::{self, Loaded};
use saratoga::solver::Goal;
use saratoga::stats::{Measure, Precision, Question};
use saratoga::strategy::{Greedy, Strategy, StrategyError, StrategySource};

const SEED: u64 = 11;
static NEVER: AtomicBool = AtomicBool::new(false);

/// What a player does when the base card is an ace.
#[derive(Clone, Copy)]
enum Shock {
    Panic,
    /// Acts like a script that was stopped while it was thinking.
    Interrupted,
}

/// Plays like greedy, unless the base card is an ace.
struct Shaky(Shock);

impl Strategy for Shaky {
    fn name(&self) -> &str {
        "shaky"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        match self.0 {
            _ if view.base() != Some(Rank::ACE) => Greedy.decide(view, legal),
            Shock::Panic => panic!("an ace"),
            Shock::Interrupted => Err(StrategyError::Interrupted),
        }
    }
}

fn panicking() -> Box<dyn Strategy> {
    Box::new(Shaky(Shock::Panic))
}

fn interrupted() -> Box<dyn Strategy> {
    Box::new(Shaky(Shock::Interrupted))
}

fn canfield() -> Loaded {
    rules::load("canfield").unwrap()
}

/// Returns the first game from `from` on whose base card, the 14th of the deck, is an ace.
fn first_ace(loaded: &Loaded, from: u64) -> u64 {
    let base = |game| Deck::shuffled(loaded.rules.deck_shape(), SEED, game).cards()[13].rank();
    (from..).find(|&game| base(game) == Rank::ACE).unwrap()
}

type Make = fn() -> Box<dyn Strategy>;

fn entry<'a>(loaded: &'a Loaded, make: &'a Make) -> Matchup<'a> {
    Matchup { id: &loaded.id, rules: &loaded.rules, strategy: make }
}

fn batch<'a>(loaded: &'a Loaded, make: &'a Make, from: u64, threads: usize) -> Batch<'a> {
    let entries = vec![entry(loaded, make)];
    Batch {
        entries,
        seed: SEED,
        games: from..from + 5_000,
        precision: None,
        workers: Workers::new(threads),
        each_game: false,
    }
}

/// Checks that it is reported as a fault of the program, with the game in which it occurred.
fn is_told(error: BatchError, game: u64) {
    let BatchError::Fault(error) = error else { panic!("{error}") };
    assert_eq!((error.seed, error.game, &*error.strategy), (SEED, game, "shaky"));
    let StrategyError::Crashed(crash) = error.error else { panic!("{error}") };
    assert!(crash.to_string().starts_with("an ace"), "{crash}");
}

#[test]
fn a_panic_in_a_game_is_told_with_the_game() {
    let loaded = canfield();
    let make: Make = panicking;
    for threads in 1..=3 {
        for from in [0, 400] {
            let error = simulate(&batch(&loaded, &make, from, threads), &NEVER, &mut ()).unwrap_err();
            is_told(error, first_ace(&loaded, from));
        }
    }
}

#[test]
fn a_panic_is_told_by_every_experiment() {
    let loaded = canfield();
    let (shaky, greedy): (Make, Make) = (panicking, || Box::new(Greedy));
    for threads in 1..=2 {
        let pairings = [entry(&loaded, &greedy), entry(&loaded, &shaky)];
        let contender = |pairing| Contender { id: "canfield", strategy: "", replay: String::new(), pairing };
        let comparison = Comparison {
            entries: pairings.map(contender).into(),
            seed: SEED,
            given: None,
            budget: 5_000,
            measure: Measure::Cards,
            test: None,
            fit_difference: false,
            play_all: true,
            show: 0,
            workers: Workers::new(threads),
        };
        is_told(compare(&comparison, &NEVER, &mut |_| {}).unwrap_err(), first_ace(&loaded, 0));

        let asked = Pricing {
            named: "canfield",
            loaded: &loaded,
            players: vec![PricedPlayer { name: "shaky", looks_at_prices: false, strategy: &shaky }],
            seed: SEED,
            games: 5_000,
            variant_games: 0,
            target: 0.1,
            round: 100,
            workers: Workers::new(threads),
        };
        is_told(price(&asked, &NEVER, &mut |_| {}).unwrap_err(), first_ace(&loaded, 0));

        let night = BankrollBatch {
            patrons: vec![(1.0, 1, entry(&loaded, &shaky))],
            seed: SEED,
            games: vec![5_000],
            question: Question { decks: 20, bank: 100_000, greatest_loss: 20_800, price: Some(5_200) },
            replicates: 100,
            workers: Workers::new(threads),
        };
        is_told(bankroll(night, &NEVER, &mut |_| {}).unwrap_err(), first_ace(&loaded, 0));

        let (script, make) = tunable();
        let parameters = script.parameters();
        let plan = Race {
            id: "canfield",
            rules: &loaded.rules,
            parameters: &parameters,
            strategy: &make,
            measure: Measure::Cards,
            seed: SEED,
            first: 3_000,
            candidates: 4,
            generations: 1,
            deals: 1_000,
            workers: Workers::new(threads),
        };
        is_told(race(&plan, &NEVER, &mut |_| {}).unwrap_err(), first_ace(&loaded, 3_000));

        let swept: Result<(), BatchError> = swept(&shaky, threads, &NEVER).1;
        is_told(swept.unwrap_err(), first_ace(&loaded, 0));
    }
}

fn tunable() -> (StrategySource, impl Fn(&[i64]) -> Box<dyn Strategy> + Sync) {
    (saratoga::strategy::load("tunable").unwrap(), |_: &[i64]| panicking())
}

fn swept(make: &Make, threads: usize, stop: &AtomicBool) -> (SoFar, Result<(), BatchError>) {
    let rules = vec![canfield()];
    let plan = Plan::grid(vec![Axis::vary("stock.draw=1,3").unwrap()], &rules).unwrap();
    let cells = plan.cells.iter().map(|cell| Some(entry(cell.rules.as_ref().ok()?, make)));
    let aim = Aim { precision: Precision::Edge(0.001), line: 0.0, budget: 20_000, each: None };
    let batch =
        SweepBatch { cells: cells.collect(), bases: Vec::new(), against: vec![None; 2], seed: SEED, aim };
    let mut so_far = SoFar::new(&batch).unwrap();
    let played = sweep(&batch, &mut so_far, (stop, Workers::new(threads)), &mut |_, _| {});
    (so_far, played)
}

fn racing_demon() -> LoadedContest {
    contest::load("racing-demon").unwrap()
}

fn matches<'a>(
    loaded: &'a LoadedContest,
    players: &'a [saratoga::lab::MakeStrategy<'a>],
    threads: usize,
) -> ContestBatch<'a> {
    let (spec, rules) = (&loaded.spec, &loaded.rules.rules);
    ContestBatch {
        spec,
        rules,
        strategies: players,
        seed: SEED,
        matches: 0..100,
        workers: Workers::new(threads),
    }
}

/// Detects later matches by an empty table that it was dealt to before.
struct Later<'a>(&'a AtomicU64, Shock);

impl Strategy for Later<'_> {
    fn name(&self) -> &str {
        "later"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        match self.1 {
            _ if self.0.fetch_add(1, Ordering::Relaxed) < 20_000 => Greedy.decide(view, legal),
            Shock::Panic => panic!("too late"),
            Shock::Interrupted => Err(StrategyError::Interrupted),
        }
    }
}

#[test]
fn a_contest_tells_a_panic_and_drops_what_is_interrupted() {
    static DECISIONS: AtomicU64 = AtomicU64::new(0);
    let loaded = racing_demon();
    for threads in 1..=2 {
        let greedy = || Box::new(Greedy) as Box<dyn Strategy>;
        let later = || Box::new(Later(&DECISIONS, Shock::Panic)) as Box<dyn Strategy>;
        let mut players: Vec<saratoga::lab::MakeStrategy<'_>> = vec![&greedy; loaded.spec.players.len()];
        players[1] = &later;
        let played = contest(&matches(&loaded, &players, threads), &NEVER, &mut |_, _| {});
        let ContestBatchError::Fault(error) = played.unwrap_err() else { panic!("no match is told") };
        assert_eq!((&*error.player, error.seed), (&*loaded.spec.players[1].name, SEED));
        assert!(matches!(error.error, StrategyError::Crashed(_)), "{error}");

        DECISIONS.store(0, Ordering::Relaxed);
        let later = || Box::new(Later(&DECISIONS, Shock::Interrupted)) as Box<dyn Strategy>;
        players[1] = &later;
        let finished = contest(&matches(&loaded, &players, threads), &NEVER, &mut |_, _| {}).unwrap();
        assert!(finished.interrupted && finished.tally.matches() < 100);
        assert_eq!(finished.tally.matches() % 16, 0);
        DECISIONS.store(0, Ordering::Relaxed);
    }
}

#[test]
fn an_interrupted_decision_is_no_fault_and_its_block_is_dropped() {
    let loaded = canfield();
    let (shaky, greedy): (Make, Make) = (interrupted, || Box::new(Greedy));
    for threads in 1..=3 {
        let finished = simulate(&batch(&loaded, &shaky, 0, threads), &NEVER, &mut ()).unwrap();
        assert_eq!((finished.games, finished.interrupted), (0, true));
        // Another entry that played all of them changes nothing.
        let mut both = batch(&loaded, &shaky, 0, threads);
        both.entries.insert(0, entry(&loaded, &greedy));
        let finished = simulate(&both, &NEVER, &mut ()).unwrap();
        assert_eq!((finished.games, finished.interrupted), (0, true));
        let (so_far, played) = swept(&shaky, threads, &NEVER);
        played.unwrap();
        assert!(!so_far.finished && so_far.games() < 2_000, "{}", so_far.games());
    }
}

/// Requests a stop within a block, and then counts how often it is still asked.
struct Stops<'a> {
    stop: &'a AtomicBool,
    decisions: u64,
    after: &'a AtomicU64,
}

impl Strategy for Stops<'_> {
    fn name(&self) -> &str {
        "stops"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.decisions += 1;
        if self.decisions == 200_000 {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.decisions > 200_000 {
            // So slow that a block would take a minute.
            std::thread::sleep(std::time::Duration::from_millis(1));
            self.after.fetch_add(1, Ordering::Relaxed);
        }
        Greedy.decide(view, legal)
    }
}

#[test]
fn a_run_stops_amid_a_block() {
    static STOP: AtomicBool = AtomicBool::new(false);
    static AFTER: AtomicU64 = AtomicU64::new(0);
    let loaded = canfield();
    for threads in 1..=2 {
        STOP.store(false, Ordering::Relaxed);
        AFTER.store(0, Ordering::Relaxed);
        let make: Make = || Box::new(Stops { stop: &STOP, decisions: 0, after: &AFTER });
        let mut asked = batch(&loaded, &make, 0, threads);
        asked.games = 0..1_000_000;
        let stopped = simulate(&asked, &STOP, &mut ()).unwrap();
        assert!(
            stopped.interrupted && stopped.games > 0 && stopped.games.is_multiple_of(BLOCK),
            "{}",
            stopped.games
        );
        assert!(AFTER.load(Ordering::Relaxed) < 5_000, "{AFTER:?}");
        asked.games = 0..stopped.games;
        STOP.store(false, Ordering::Relaxed);
        let greedy: Make = || Box::new(Greedy);
        asked.entries = vec![entry(&loaded, &greedy)];
        let whole = simulate(&asked, &NEVER, &mut ()).unwrap();
        assert_eq!((&stopped.tallies, &stopped.running), (&whole.tallies, &whole.running));
    }
}

/// Panics when it is notified of a block.
struct Watching;

impl Watcher for Watching {
    fn block(&mut self, first: u64, _so_far: &Finished, _outcomes: &[Vec<Outcome>]) {
        assert!(first < 2_000, "not that one");
    }
}

#[test]
fn a_panic_outside_of_games_is_told_and_nobody_waits() {
    let loaded = canfield();
    for threads in 1..=3 {
        let greedy: Make = || Box::new(Greedy);
        let mut long = batch(&loaded, &greedy, 0, threads);
        long.games = 0..u64::MAX;
        let Err(BatchError::Crashed(crash)) = simulate(&long, &NEVER, &mut Watching) else { panic!() };
        assert!(crash.to_string().starts_with("not that one"), "{crash}");

        let unborn: Make = || panic!("no player");
        let Err(BatchError::Crashed(crash)) = simulate(&batch(&loaded, &unborn, 0, threads), &NEVER, &mut ())
        else {
            panic!()
        };
        assert!(crash.to_string().starts_with("no player"), "{crash}");

        let deal = |number: u64| {
            assert!(number != 5, "not the sixth");
            let deck = Deck::shuffled(loaded.rules.deck_shape(), SEED, number);
            SolveDeal { id: number.to_string(), deck, face: None }
        };
        let asked = SolveBatch {
            rules: &loaded.rules,
            deals: u64::MAX,
            deal: Box::new(deal),
            goal: Goal::Win,
            limits: SolveLimits { nodes: Some(200), seconds: None, memory_bytes: 1 << 20 },
            workers: Workers::new(threads),
        };
        let mut told = Vec::new();
        let solved = solve(&asked, &NEVER, &mut |solved| told.push(solved.number));
        let Err(SolveError::Crashed(crash)) = solved else { panic!() };
        assert!(crash.to_string().starts_with("not the sixth"), "{crash}");
        assert_eq!(told, [0, 1, 2, 3, 4]);
    }
}
