//! `cargo bench`: the speed of the program, in units that are comparable between machines.
//!
//! Everything is timed in turn in one process, round after round, and the minimum time of each counts. The unit U is
//! [`STEPS`] steps of arithmetic, each of which depends on the one before: their time depends on the processor, but not
//! on the compiler or its settings. `cargo bench -- 21` runs 21 rounds instead of 11. It ends with exit code 1 if a
//! result misses its requirement; before that it runs as many rounds again, since a busy machine can spoil a few.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

use std::hint::black_box;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use saratoga::cards::Deck;
use saratoga::diagnostic::SourceText;
use saratoga::game::{Game, Lookahead, Move, MoveList, NoChance, PlayerState, Policy, Snapshot, Table, View};
use saratoga::lab::{Batch, GameRunner, Matchup, Workers, simulate};
use saratoga::players;
use saratoga::rules::{self, Rules, Spec};
use saratoga::solver::{Effort, Goal, Solver};
use saratoga::strategy::script::{SHELF, Script};
use saratoga::strategy::{self, Greedy, Strategy, StrategyError};

const LONG: &str = include_str!("long.rhai");

const STEPS: u64 = 200;

/// Runs the steps of U `n` times: a shift, an exclusive or and a product, in one chain that no compiler can shorten.
fn chain(start: u64, n: u64) -> u64 {
    (0..n * STEPS).fold(start | 1, |x, _| (x ^ (x >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93))
}

/// A benchmark: `work(first, n)` runs it `n` times.
struct Timed<'a> {
    name: &'static str,
    batch: u64,
    work: Box<dyn FnMut(u64, u64) + 'a>,
    /// Nanoseconds for one run, the minimum of all rounds so far.
    best: f64,
}

impl<'a> Timed<'a> {
    fn new(name: &'static str, batch: u64, work: impl FnMut(u64, u64) + 'a) -> Timed<'a> {
        Timed { name, batch, work: Box::new(work), best: f64::INFINITY }
    }

    fn time(&mut self, round: u64) {
        let started = Instant::now();
        (self.work)(round * self.batch, self.batch);
        self.best = self.best.min(started.elapsed().as_nanos() as f64 / self.batch as f64);
    }
}

struct Row {
    figure: String,
    value: f64,
    unit: &'static str,
    must: Option<f64>,
    aim: Option<f64>,
    more: bool,
}

impl Row {
    fn meets(&self, bound: Option<f64>) -> bool {
        bound.is_none_or(|bound| if self.more { self.value >= bound } else { self.value <= bound })
    }
}

fn games<'a>(rules: &'a Rules, strategy: Box<dyn Strategy>) -> impl FnMut(u64, u64) + 'a {
    let mut player = GameRunner::new("bench", rules, strategy);
    move |first, n| {
        for game in first..first + n {
            black_box(player.play(1, game).map(|outcome| outcome.cards).unwrap_or_default());
        }
    }
}

/// Games per round of the searching strategy: always the same, as their times differ greatly.
const SEARCHED: u64 = 12;

/// Positions in the middle of games: after 30 moves of `greedy`, if the game lasts that long.
fn middles(rules: &Rules) -> Vec<Table> {
    let at_30 = |(deck, moves): (Deck, Vec<Move>)| {
        let mut game = Game::new(rules);
        game.deal(deck.cards(), &mut NoChance);
        assert!(moves.get(..30)?.iter().all(|&m| game.make(m, &mut NoChance)));
        game.end().is_none().then_some(*game.table())
    };
    played(rules, 200).into_iter().filter_map(at_30).collect()
}

/// Plays on `threads` threads; the cost of a game is measured by the processor time of the whole program.
fn batch(rules: &Rules, threads: usize, first: u64, n: u64) {
    let make = || -> Box<dyn Strategy> { Box::new(Greedy) };
    let entries = vec![Matchup { id: "bench", rules, strategy: &make }];
    let (games, workers) = (first..first + n, Workers::new(threads));
    let batch = Batch { entries, seed: 1, games, precision: None, workers, each_game: false };
    black_box(simulate(&batch, &mut ()).map(|done| done.games).unwrap());
}

/// Returns the processor time of this process so far, in seconds, if the system provides it (Linux).
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let after_name: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |i: usize| after_name.get(i)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Returns the minimum processor time per game at 1 and at 2 threads, in turn; `None` if unavailable.
fn processor_time_a_game(rules: &Rules, rounds: u64) -> Option<[f64; 2]> {
    const GAMES: u64 = 400_000;
    let mut best = [f64::INFINITY; 2];
    for round in 0..rounds {
        for (threads, best) in (1..).zip(&mut best) {
            let before = processor_seconds()?;
            batch(rules, threads, round * GAMES, GAMES);
            *best = best.min((processor_seconds()? - before) / GAMES as f64);
        }
    }
    Some(best)
}

fn moves_a_game(rules: &Rules) -> f64 {
    let mut player = GameRunner::new("bench", rules, Box::new(Greedy));
    let moves = (0..20_000).filter_map(|game| player.play(1, game).ok()).map(|o| u64::from(o.moves));
    moves.sum::<u64>() as f64 / 20_000.0
}

/// Loads a script of the shelf, compiled or interpreted.
fn scripted(name: &str, compile: bool) -> Box<dyn Strategy> {
    let source = strategy::load(&format!("scripts/{name}.rhai")).expect("the script is on the shelf");
    if compile { source.instantiate() } else { source.interpreted().instantiate() }
}

/// Returns the nanoseconds for one run of a benchmark, the minimum of all rounds.
fn best(timed: &[Timed<'_>], name: &str) -> f64 {
    timed.iter().find(|t| t.name == name).map_or(f64::NAN, |t| t.best)
}

fn figures(timed: &[Timed<'_>], canfield: &Rules) -> Vec<Row> {
    let best = |name: &str| best(timed, name);
    // How long games of native greedy take, and how many units something does.
    let (unit, native) = (best("U"), best("canfield"));
    let row = |figure: &str, value, unit, [must, aim]: [Option<f64>; 2], more| Row {
        figure: figure.into(),
        value,
        unit,
        must,
        aim,
        more,
    };
    let less =
        |figure: &str, value, unit, must, aim| row(figure, value, unit, [Some(must), Some(aim)], false);
    let more = |figure: &str, value, bounds| row(figure, value, "", bounds, true);
    let none = |figure: &str, value, unit| row(figure, value, unit, [None; 2], false);
    let mut rows = vec![
        less("shuffled deck", best("shuffle") / unit, "U", 0.85, 0.65),
        none("shuffled deck, dealt to the table", best("deal") / unit, "U"),
        less("greedy on canfield, deal and play", native / unit, "U", 5.5, 3.8),
        less("greedy on single-pass, deal and play", best("single-pass") / unit, "U", 3.0, 1.7),
        less("rules from TOML / as constants", native / best("constants"), "", 1.10, 1.0),
    ];
    rows.extend(compiled().map(|name| {
        let bounds = match name {
            "greedy" => [1.0 / 2.0, 1.0 / 1.3],
            "patient" => [1.0 / 4.0, 1.0 / 2.0],
            _ => [1.0 / 5.0, 1.0 / 2.5],
        };
        let figure = format!("games a second, {name}.rhai compiled / native greedy");
        more(&figure, native / best(name), bounds.map(Some))
    }));
    let share = native / best("interpreted");
    let one_ply = native / best("one-ply");
    let playouts = |name: &str| native * PLAYOUTS as f64 / best(name);
    let real = best("moves") - best("deals of moves");
    rows.extend([
        none("games of native greedy in the time of one of search:level=2", best("search") / native, ""),
        none("games of native greedy in the time of a solve of 500 nodes", best("solves") / native, ""),
        less("load and compile of a 200-line script", best("load") / 1e6, "ms", 20.0, 5.0),
        more("games a second, greedy.rhai interpreted / native greedy", share, [Some(1.0 / 60.0), None]),
        more(
            "games a second, a script that looks a move ahead for cards / native greedy",
            one_ply,
            [None, Some(1.0 / 6.0)],
        ),
        more(
            "sampled deals native greedy plays on a second / its games",
            playouts("plays on"),
            [None, Some(0.8)],
        ),
        more(
            "the same, asked for by a loop in a script / its games",
            playouts("playouts"),
            [None, Some(0.8)],
        ),
        row("`after` and its moves / a move of a game", best("afters") / real, "", [None, Some(3.0)], false),
    ]);
    if let Some([one, two]) = processor_time_a_game(canfield, 7) {
        rows.push(less("processor time a game, 2 threads / 1", two / one, "", 1.05, 1.0));
    }
    rows
}

/// Lists the shelf's scripts except those that play out sampled deals, whose time depends on the number of deals.
fn compiled() -> impl Iterator<Item = &'static str> {
    SHELF.iter().filter(|(_, text)| !text.contains(".playout(")).map(|(name, _)| *name)
}

/// A script that looks one move ahead for cards, and otherwise plays like `greedy`.
const ONE_PLY: &str = "fn score(view, m) { view.after(m).cards * 100 + rank(m) }
fn rank(m) {
    if m.to_foundation { return 60; }
    if m.from_reserve { return 50; }
    if m.from_tableau { return if m.empties_pile { 40 } else { 0 }; }
    if m.from_waste { return 30; }
    if m.is_draw { 20 } else { 10 }
}";

/// Number of sampled deals that the script below plays out per game.
const PLAYOUTS: u64 = 200;
/// A script that plays out sampled deals of the first position, and resigns.
const PLAYS_ON: &str =
    "fn choose(view) { let n = 0; for k in 0..200 { n += view.playout(k, \"greedy\"); } () }";

struct GreedyPolicy;

impl Policy for GreedyPolicy {
    type Error = StrategyError;

    #[inline(always)]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        Greedy.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        Greedy.repeats_draw()
    }
}

/// The same without a script: plays out sampled deals of the first position of these games.
fn plays_on(rules: &Rules, first: u64, games: u64) -> usize {
    let (mut game, mut desk, mut cards) = (Game::new(rules), Snapshot::default(), 0);
    for number in first..first + games {
        game.deal(Deck::shuffled(rules.deck_shape(), 1, number).cards(), &mut NoChance);
        let rng = PlayerState::new(1, number);
        desk.take(&game.view(&rng), game.legal());
        let Some(origin) = desk.origin() else { continue };
        cards += (0..PLAYOUTS)
            .filter_map(|k| desk.play(&origin, k, false, &mut GreedyPolicy).ok())
            .map(|(cards, _)| cards)
            .sum::<usize>();
    }
    cards
}

fn written(text: &str) -> Box<dyn Strategy> {
    let source = Arc::new(SourceText::of("bench.rhai", text));
    Box::new(Script::new("bench", &source).expect("the script is sound"))
}

/// Plays games of `greedy`; returns their decks and moves.
fn played(rules: &Rules, games: u64) -> Vec<(Deck, Vec<Move>)> {
    let play = |number| {
        let deck = Deck::shuffled(rules.deck_shape(), 1, number);
        let (mut game, mut moves, rng) = (Game::new(rules), Vec::new(), PlayerState::new(1, number));
        game.deal(deck.cards(), &mut NoChance);
        while game.end().is_none() {
            let Ok(Some(chosen)) = Greedy.decide(&game.view(&rng), game.legal()) else { break };
            let Some(m) = game.legal().nth(chosen) else { break };
            if !game.make(m, &mut NoChance) {
                break;
            }
            moves.push(m);
        }
        (deck, moves)
    };
    (0..games).map(play).collect()
}

/// Returns every position of these games as a lookahead position, with the move made there.
fn thought_of(rules: &Rules, played: &[(Deck, Vec<Move>)]) -> Vec<(Rc<Lookahead>, Move)> {
    let (mut all, mut desk) = (Vec::new(), Snapshot::default());
    for (number, (deck, moves)) in (0..).zip(played) {
        let (mut game, rng) = (Game::new(rules), PlayerState::new(1, number));
        game.deal(deck.cards(), &mut NoChance);
        for &m in moves {
            desk.take(&game.view(&rng), game.legal());
            all.extend(desk.origin().map(|origin| (origin, m)));
            game.make(m, &mut NoChance);
        }
    }
    all
}

fn main() -> ExitCode {
    let rounds: u64 = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(11).max(7);
    let canfield = rules::load("canfield").expect("canfield is on the shelf").rules;
    let constants = Rules::new(Spec::default()).expect("the defaults are sound");
    let single = rules::load("single-pass").expect("single-pass is on the shelf").rules;
    let ordered = Deck::ordered(canfield.deck_shape());
    let (mut deck, mut dealt) = (ordered.clone(), ordered.clone());
    let mut table = Table::deal(&canfield, ordered.cards(), &mut NoChance);
    let long = Arc::new(SourceText::of("long.rhai", LONG));
    let search = players::load("search:level=2").expect("it is built in");
    let middles = middles(&canfield);
    let mut solver = Solver::new(&canfield, 1 << 20).expect("canfield is without chance");
    // A round repeats all moves of two games, so few positions that they stay in the processor's caches, and so often
    // that loading them does not matter; the time of dealing the games is subtracted.
    const TIMES: u64 = 400;
    let played = played(&canfield, 2);
    let (thought_of, desk) = (thought_of(&canfield, &played), Snapshot::default());
    let mut timed = vec![
        Timed::new("U", 40_000, |first, n| {
            black_box(chain(first, n));
        }),
        Timed::new("shuffle", 40_000, |first, n| {
            for game in first..first + n {
                deck.shuffle_again(&ordered, 1, game);
                black_box(&deck);
            }
        }),
        Timed::new("deal", 40_000, |first, n| {
            for game in first..first + n {
                dealt.shuffle_again(&ordered, 1, game);
                table.deal_again(&canfield, dealt.cards(), &mut NoChance);
                black_box(&table);
            }
        }),
        Timed::new("canfield", 10_000, games(&canfield, Box::new(Greedy))),
        Timed::new("single-pass", 20_000, games(&single, Box::new(Greedy))),
        Timed::new("constants", 10_000, games(&constants, Box::new(Greedy))),
        Timed::new("interpreted", 400, games(&canfield, scripted("greedy", false))),
        Timed::new("search", SEARCHED, {
            let mut play = games(&canfield, search.instantiate());
            move |_, n| play(0, n)
        }),
        Timed::new("solves", middles.len() as u64, |_, n| {
            for table in &middles[..n as usize] {
                black_box(solver.solve_small(table, &Effort { goal: Goal::Win, nodes: 500, moves: false }));
            }
        }),
        Timed::new("load", 4, |_, times| {
            for _ in 0..times {
                let mut script = Script::new("long", &long).expect("the script is sound");
                assert!(black_box(script.compile_for(&canfield)), "the script is compiled");
            }
        }),
        Timed::new("one-ply", 4_000, games(&canfield, written(ONE_PLY))),
        Timed::new("plays on", 40, |first, n| {
            black_box(plays_on(&canfield, first, n));
        }),
        Timed::new("playouts", 40, games(&canfield, written(PLAYS_ON))),
    ];
    let moves = thought_of.len() as u64 * TIMES;
    for (name, made) in [("moves", true), ("deals of moves", false)] {
        let (mut game, played) = (Game::new(&canfield), &played);
        timed.push(Timed::new(name, moves, move |_, _| {
            for (deck, moves) in (0..TIMES).flat_map(|_| played) {
                game.deal(deck.cards(), &mut NoChance);
                for &m in moves.iter().filter(|_| made) {
                    game.make(m, &mut NoChance);
                }
                black_box(game.legal().len());
            }
        }));
    }
    timed.push(Timed::new("afters", moves, |_, _| {
        for (origin, m) in (0..TIMES).flat_map(|_| &thought_of) {
            black_box(desk.after(origin, *m, 0).moves().len());
        }
    }));
    for name in compiled() {
        timed.push(Timed::new(name, 4_000, games(&canfield, scripted(name, true))));
    }
    let started = Instant::now();
    let mut rows = Vec::new();
    for again in 0..2 {
        for round in 0..rounds {
            timed.iter_mut().for_each(|one| one.time(again * rounds + round));
        }
        rows = figures(&timed, &canfield);
        if rows.iter().all(|row| row.meets(row.must)) {
            break;
        }
    }
    let best = |name: &str| best(&timed, name);
    println!("U = {:.0} ns; least of {rounds} rounds, {:.0} s", best("U"), started.elapsed().as_secs_f64());
    for (name, rules) in [("canfield", &canfield), ("single-pass", &single)] {
        let (moves, speed) = (moves_a_game(rules), 1e9 / best(name));
        println!("native greedy on {name}: {moves:.1} moves a game, {speed:.0} games a second");
    }
    for name in compiled() {
        println!(
            "{name}.rhai runs at 1/{:.2} of native greedy's games a second",
            best(name) / best("canfield")
        );
    }
    println!("search:level=2 on canfield: {:.1} games a second", 1e9 / best("search"));
    println!(
        "from the middle of games of canfield: {:.0} solves of 500 nodes a second",
        1e9 / best("solves")
    );
    print_table(&rows);
    let missed = rows.iter().filter(|row| !row.meets(row.must)).count();
    if missed == 0 {
        return ExitCode::SUCCESS;
    }
    eprintln!("error: {missed} of {} figures miss what is required of them", rows.len());
    ExitCode::FAILURE
}

/// Formats with at most three decimals: `5.5`, `0.017`.
fn short(bound: f64) -> String {
    format!("{bound:.3}").trim_end_matches('0').trim_end_matches('.').to_string()
}

fn print_table(rows: &[Row]) {
    println!("\n| figure | measured | required | goal | |\n|---|---|---|---|---|");
    for row in rows {
        let sign = if row.more { ">=" } else { "<=" };
        let bound = |b: Option<f64>| b.map_or("-".to_string(), |b| format!("{sign} {}", short(b)));
        let verdict = match (row.must, row.meets(row.must), row.meets(row.aim)) {
            (None, ..) => "",
            (_, false, _) => "missed",
            (_, true, true) if row.aim.is_some() => "goal met",
            _ => "met",
        };
        let Row { figure, value, unit, .. } = row;
        println!("| {figure} | {value:.3} {unit} | {} | {} | {verdict} |", bound(row.must), bound(row.aim));
    }
}
