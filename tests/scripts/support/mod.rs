//! Shared code of the tests of scripts: random scripts, positions to decide in, and scripts run both ways.

pub mod grow;
pub mod positions;

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use saratoga::cards::{Card, Deck, Seed};
use saratoga::diagnostic::{Diagnostic, SourceText};
use saratoga::game::{Move, MoveList, Observer, Outcome, PlayerState, Table};
use saratoga::lab::{GameError, GameRunner};
use saratoga::rules::{Rules, Stage, StageAt};
use saratoga::strategy::script::{MAX_OPERATIONS, Script};
use saratoga::strategy::{Strategy as _, StrategyError};

use grow::Random;
use positions::Position;

/// A script compiled as far as possible, and fully interpreted.
pub struct Both {
    pub compiled: Script,
    pub interpreted: Script,
    /// Whether every function is compiled, so that only faults are left to the interpreter.
    pub whole: bool,
    /// Whether it has a `score`, rather than a `choose`.
    scores: bool,
    staged: bool,
    /// Operations of the last answer, as the interpreter counts them.
    pub operations: u64,
}

pub fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText::of("both.rhai", text))
}

pub fn both(text: &str) -> Result<Both, Vec<Diagnostic>> {
    let source = source(text);
    let compiled = Script::new("both", &source);
    let interpreted = Script::interpreted("both", &source);
    match (compiled, interpreted) {
        (Ok(compiled), Ok(interpreted)) => {
            let whole = left(&compiled).is_empty();
            let [scores, staged] = ["fn score(", "fn stage("].map(|form| text.contains(form));
            Ok(Both { compiled, interpreted, whole, scores, staged, operations: 0 })
        }
        (Err(compiled), Err(interpreted)) => {
            assert_eq!(compiled, interpreted);
            Err(compiled)
        }
        (compiled, interpreted) => {
            panic!("one way it loads: {:?} {:?}\n{text}", compiled.err(), interpreted.err())
        }
    }
}

/// What differs between two answers.
pub type Difference = String;
/// How one begins that is no fault of a script that was not made to be compiled.
pub const NEEDLESS: &str = "left to the interpreter without need";

/// Runs a check on random scripts, the same each time unless proptest is told another seed.
pub fn check(scripts: u32, check: impl Fn(&Random) -> Result<(), Difference>) {
    let mut config =
        Config { failure_persistence: None, max_shrink_iters: 10_000, ..Config::with_cases(scripts) };
    if let RngSeed::Random = config.rng_seed {
        config.rng_seed = RngSeed::Fixed(0);
    }
    let script = prop::collection::vec(any::<u16>(), 0..4_000).prop_map(|choices| {
        let mut choices = choices.into_iter();
        grow::grown(|n| usize::from(choices.next().unwrap_or(0)) % n)
    });
    let tried = TestRunner::new(config).run(&script, |script| check(&script).map_err(TestCaseError::fail));
    if let Err(failure) = tried {
        panic!("{failure}");
    }
}

/// Why a function is interpreted that compiled ones do not call.
const NOT_CALLED: [&str; 3] =
    ["only interpreted functions call it", "it is never used", "the game asks it rarely"];

/// Returns the functions that are not compiled although compiled ones call them, each with the line and the reason.
pub fn left(script: &Script) -> Vec<(String, usize, String)> {
    let reports = script.report().into_iter();
    let left = reports.filter_map(|function| Some((function.name, function.stops?)));
    left.map(|(name, stops)| (name, stops.position().0, stops.message))
        .filter(|(_, _, reason)| !NOT_CALLED.iter().any(|it| reason.starts_with(it)))
        .collect()
}

#[derive(Clone, Debug, PartialEq)]
pub struct Answer<T> {
    pub given: Result<T, StrategyError>,
    pub luck: u32,
    pub memory: Vec<i64>,
    pub printed: String,
}

impl Both {
    pub fn decide(&mut self, position: &Position) -> Result<Answer<Option<usize>>, Difference> {
        let asked = self.ask(position, |script, rng| script.decide(&position.view(rng), &position.legal));
        self.counted(position, asked?)
    }

    pub fn scores(&mut self, position: &Position) -> Result<Answer<Option<Vec<i64>>>, Difference> {
        let asked = self.ask(position, |script, rng| script.scores(&position.view(rng), &position.legal));
        self.counted(position, asked?)
    }

    pub fn stage(&mut self, position: &Position, at: StageAt, cost: i64) -> Result<Answer<bool>, Difference> {
        self.ask(position, |script, rng| {
            script.buys(&position.view(rng), &position.legal, &Stage { at, cost, limit: 0 })
        })
        .map(|(answer, _)| answer)
    }

    /// Asks everything possible in a position; returns the answer of the decision, if there is one to make.
    pub fn everything(&mut self, position: &Position) -> Result<Option<Answer<Option<usize>>>, Difference> {
        if self.staged {
            for (at, cost) in StageAt::ALL.into_iter().zip([100, 2600, 0, 5200, 1]) {
                self.stage(position, at, cost)?;
            }
        }
        if position.legal.is_empty() {
            return Ok(None);
        }
        if self.scores {
            self.scores(position)?;
        }
        self.decide(position).map(Some)
    }

    /// Compiled code counts no fewer operations than the interpreter, and leaves to it only faults or what nearly
    /// exceeds the budget.
    fn counted<T: fmt::Debug>(
        &mut self,
        position: &Position,
        (answer, left): (Answer<T>, bool),
    ) -> Result<Answer<T>, Difference> {
        let (bound, exact) = (self.compiled.operations(), self.interpreted.operations());
        // It counts the most expensive path through every round of a loop, so its bound may be much higher.
        if left && self.whole && answer.given.is_ok() && exact < MAX_OPERATIONS / 20 {
            let answer = format!("{}\n  {answer:?}", position.from);
            return Err(format!("{NEEDLESS}: {answer}"));
        }
        if bound < exact || left && bound != exact {
            let counts = format!("{}\n  {bound}, interpreted {exact}", position.from);
            return Err(format!("counts too few operations: {counts}"));
        }
        self.operations = exact;
        Ok(answer)
    }

    /// Returns the common answer, and whether compiled code left it to the interpreter.
    fn ask<T: PartialEq + fmt::Debug>(
        &mut self,
        position: &Position,
        ask: impl Fn(&mut Script, &PlayerState) -> Result<T, StrategyError>,
    ) -> Result<(Answer<T>, bool), Difference> {
        let left = self.compiled.bailouts();
        let [compiled, interpreted] = [&mut self.compiled, &mut self.interpreted].map(|script| {
            let rng = PlayerState::new(5, position.legal.len() as u64);
            // The stream has often been started already.
            if !position.legal.len().is_multiple_of(3) {
                position.view(&rng).random(9);
            }
            let given = ask(script, &rng);
            let (luck, memory) = (position.view(&rng).random(1 << 30), rng.memory());
            Answer { given, luck, memory, printed: script.printed() }
        });
        if compiled != interpreted {
            let both = format!("{}\n  {compiled:?}\n  {interpreted:?}", position.from);
            return Err(format!("compiled and interpreted differ: {both}"));
        }
        Ok((compiled, self.compiled.bailouts() > left))
    }
}

/// Plays games of one seed in turn.
pub struct Games<'r> {
    rules: &'r Rules,
    player: GameRunner<'r>,
    seed: Seed,
}

impl<'r> Games<'r> {
    pub fn new(rules: &'r Rules, script: Script, seed: Seed) -> Games<'r> {
        Games { rules, player: GameRunner::new("here", rules, Box::new(script)), seed }
    }

    /// Plays a game with an observer; returns how it ends, and a hash of its moves and all chance events.
    pub fn watched(&mut self, game: u64) -> (Result<Outcome, GameError>, u64) {
        let mut sum = Sum(DefaultHasher::new());
        let deck = Deck::shuffled(self.rules.deck_shape(), self.seed, game);
        let played = self.player.watch(&deck, self.seed, game, &mut sum);
        (played, sum.0.finish())
    }

    pub fn unwatched(&mut self, game: u64) -> Result<Outcome, GameError> {
        self.player.play(self.seed, game)
    }
}

/// Returns what plays a script's games of a seed, compiled with an observer and without, and interpreted: they are the same.
pub fn both_play<'r>(
    rules: &'r Rules,
    text: &str,
    seed: Seed,
) -> impl FnMut(u64) -> Result<Result<Outcome, GameError>, Difference> + use<'r> {
    let source = source(text);
    let [mut compiled, mut interpreted] =
        [Script::new("both", &source), Script::interpreted("both", &source)]
            .map(|script| Games::new(rules, script.unwrap(), seed));
    move |game| {
        let (watched, expected) = (compiled.watched(game), interpreted.watched(game));
        let unwatched = compiled.unwatched(game);
        if watched != expected || unwatched != expected.0 {
            let compiled = format!("{watched:?} or {unwatched:?}");
            return Err(format!("game {game}\n  {compiled}\n  interpreted {expected:?}"));
        }
        Ok(unwatched)
    }
}

struct Sum(DefaultHasher);

impl Observer for Sum {
    fn rolled(&mut self, face: u8) {
        face.hash(&mut self.0);
    }

    fn shuffled(&mut self, stock: &[Card]) {
        stock.hash(&mut self.0);
    }

    fn moving(&mut self, _: &Table, legal: &MoveList, chosen: Move) {
        legal.iter().position(|&m| m == chosen).hash(&mut self.0);
    }
}
