//! Many deals solved with every card known, over threads, told in their order.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::cards::{Card, Deck};
use crate::crash::{Crash, guard};
use crate::game::{Chance, End, NamedDeal, Record, Table};
use crate::rules::{Draw, Roll, Rules};
use crate::solver::{Answer, Goal, Limit, Limits, Refused, Solver, Verdict};
use crate::stats::ClairvoyantBound;
use crate::threads::spawn_in;

use super::blocks::{Halt, TICK};

/// A deal to be solved.
#[derive(Clone, Debug)]
pub struct SolveDeal {
    /// What it is called in answers.
    pub id: String,
    /// The cards.
    pub deck: Deck,
    /// The one face of the die that is asked for, where one is rolled for the game; else all are.
    pub face: Option<u8>,
}

/// Deals to be solved, and for how long to try.
pub struct SolveBatch<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// How many deals.
    pub deals: u64,
    /// The deal of a number, from 0.
    pub deal: &'a (dyn Fn(u64) -> SolveDeal + Sync),
    /// What is asked.
    pub goal: Goal,
    /// Most positions expanded in a deal.
    pub nodes: Option<u64>,
    /// Most time for a deal.
    pub time: Option<Duration>,
    /// Bytes for the positions of all threads together.
    pub memory: usize,
    /// Threads, at least 1.
    pub threads: usize,
}

/// The answer to one deal.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The deal's number.
    pub number: u64,
    /// The deal's id.
    pub id: String,
    /// The deck.
    pub deck: Deck,
    /// The face of the die, where one is rolled for the game: each has an answer of its own.
    pub face: Option<u8>,
    /// The answer; its moves have been replayed by the rules of records.
    pub answer: Answer,
    /// Its moves in notation, after the roll of the die if there is one.
    pub moves: String,
    /// How long it took.
    pub seconds: f64,
}

/// The deals that are asked about: those of a list, or of a seed.
pub struct SolveDeals<'a> {
    /// Their rules.
    pub rules: &'a Rules,
    /// The seed, also of the chance that goes with the deals of a list.
    pub seed: u64,
    /// The list.
    pub given: Option<Vec<NamedDeal>>,
}

impl SolveDeals<'_> {
    /// The deal of this number.
    pub fn deal(&self, number: u64) -> SolveDeal {
        let given = self.given.as_ref().and_then(|deals| deals.get(number as usize));
        let id = given.and_then(|deal| deal.id.clone()).unwrap_or_else(|| number.to_string());
        let deck = given.map_or_else(
            || Deck::shuffled(self.rules.deck_shape(), self.seed, number),
            |deal| deal.deck.clone(),
        );
        SolveDeal { id, deck, face: None }
    }
}

/// Whether all can be known at the deal.
///
/// # Errors
/// Where the rules leave something to chance inside the game.
pub fn solvable(rules: &Rules) -> Result<(), Refused> {
    Solver::new(rules, 0).map(drop)
}

/// The faces of the die that is rolled for the game, if one is.
pub fn game_die(rules: &Rules) -> Option<u8> {
    match rules.spec().stock.draw {
        Draw::Die { faces, roll: Roll::Game } => Some(faces),
        _ => None,
    }
}

impl Solved {
    /// What the deal allows a player who knows every card.
    pub fn bound(&self) -> ClairvoyantBound {
        let answer = &self.answer;
        let winnable = match answer.verdict {
            Verdict::Won => Some(true),
            Verdict::Lost => Some(false),
            Verdict::Unknown(_) => None,
        };
        ClairvoyantBound { least: answer.cards as u16, most: answer.cards_at_most as u16, winnable }
    }
}

/// A die that shows one face.
struct Face(u8);

impl Chance for Face {
    fn roll(&mut self, _faces: u8) -> u8 {
        self.0
    }
    fn shuffle(&mut self, _stock: &mut [Card]) {}
}

/// Why deals could not be solved.
#[derive(Clone, Debug)]
pub enum SolveError {
    /// The rules leave something to chance inside the game.
    Refused(Refused),
    /// The threads could not be started.
    Threads(String),
    /// The program itself is at fault.
    Crashed(Crash),
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Refused(refused) => refused.fmt(f),
            SolveError::Threads(error) => write!(f, "the threads could not be started: {error}"),
            SolveError::Crashed(crash) => write!(f, "internal error: {crash}"),
        }
    }
}

impl std::error::Error for SolveError {}

/// What a thread sends of a deal.
type Answered = (u64, Result<Vec<Solved>, Crash>);

/// Solves every deal and tells the answers in order. Once `stop` is set, deals that are not answered are not
/// told. The answers, but for times, are the same at any number of threads where nodes alone are limited and
/// the memory of each thread is the same.
///
/// # Errors
/// Where the rules leave something to chance inside the game, or the program is at fault.
pub fn solve(
    batch: &SolveBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(Solved),
) -> Result<(), SolveError> {
    solvable(batch.rules).map_err(SolveError::Refused)?;
    let halt = Halt::new(stop);
    let next = AtomicU64::new(0);
    let (next, halt) = (&next, &halt);
    std::thread::scope(|scope| {
        let (send, receive) = channel();
        let started = (0..batch.threads.max(1)).try_for_each(|_| {
            let send = send.clone();
            spawn_in(scope, move || work(batch, next, halt, &send))
        });
        drop(send);
        let solved = match started {
            Ok(()) => guard(|| tell(&receive, halt, told)).and_then(|told| told).map_err(SolveError::Crashed),
            Err(error) => Err(SolveError::Threads(error.to_string())),
        };
        halt.stop();
        solved
    })
}

/// What a thread does: deal after deal.
fn work(batch: &SolveBatch<'_>, next: &AtomicU64, halt: &Halt<'_>, send: &Sender<Answered>) {
    let faces: Vec<Option<u8>> = match game_die(batch.rules) {
        Some(faces) => (1..=faces).map(Some).collect(),
        None => vec![None],
    };
    let mut solver = None;
    while !halt.stopped() {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= batch.deals {
            return;
        }
        let answers = guard(|| {
            if solver.is_none() {
                solver = Solver::new(batch.rules, batch.memory / batch.threads.max(1)).ok();
            }
            // The rules were not refused before.
            let solver = solver.as_mut()?;
            let deal = (batch.deal)(number);
            let asked = |face: &&Option<u8>| deal.face.is_none() || face.is_none() || **face == deal.face;
            let answer = |&face: &Option<u8>| one(batch, solver, (number, &deal), face, halt.flag());
            let answers: Vec<Solved> = faces.iter().filter(asked).map(answer).collect();
            let stopped = |solved: &Solved| solved.answer.verdict == Verdict::Unknown(Limit::Stopped);
            (!answers.iter().any(stopped)).then_some(answers)
        });
        let Some(answers) = answers.transpose() else { return };
        let last = answers.is_err();
        if send.send((number, answers)).is_err() || last {
            return;
        }
    }
}

/// Tells answers in the order of deals as they arrive.
fn tell(receive: &Receiver<Answered>, halt: &Halt<'_>, told: &mut dyn FnMut(Solved)) -> Result<(), Crash> {
    let mut waiting = BTreeMap::new();
    let mut expected = 0;
    loop {
        match receive.recv_timeout(TICK) {
            Ok((number, answers)) => waiting.insert(number, answers),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        halt.stopped();
        while let Some(answers) = waiting.remove(&expected) {
            answers?.into_iter().for_each(&mut *told);
            expected += 1;
        }
    }
    // After an interruption, deals that others were to come before.
    waiting.into_values().try_for_each(|answers| {
        answers?.into_iter().for_each(&mut *told);
        Ok(())
    })
}

/// The answer to a deal, with one face of its die.
pub(super) fn one(
    batch: &SolveBatch<'_>,
    solver: &mut Solver<'_>,
    (number, deal): (u64, &SolveDeal),
    face: Option<u8>,
    stop: &AtomicBool,
) -> Solved {
    let rules = batch.rules;
    let started = Instant::now();
    let table = Table::deal(rules, deal.deck.cards(), &mut Face(face.unwrap_or(1)));
    let limits = Limits { nodes: batch.nodes, time: batch.time, stop: Some(stop) };
    let mut answer = solver.solve(&table, batch.goal, &limits);
    let seconds = started.elapsed().as_secs_f64();
    let reserves = rules.spec().reserve.piles.into();
    let roll = face.map(|face| format!("roll:{face}"));
    let words: Vec<String> =
        roll.into_iter().chain(answer.moves.iter().map(|m| m.notation(reserves))).collect();
    let moves = if answer.moves.is_empty() { String::new() } else { words.join(" ") };
    if !moves.is_empty() {
        let record = Record {
            rules: rules.name().to_string(),
            seed: None,
            chance: None,
            game: 0,
            deck: deal.deck.to_string(),
            strategy: "solver".into(),
            moves: moves.clone(),
            end: End::Won,
            cards: answer.cards as u16,
            staked: None,
            stopped: None,
        };
        // The judge of moves is the game as it is played, not the solver.
        let replayed = match answer.verdict {
            Verdict::Won => record.check(rules).map(drop),
            _ => record.check_reached(rules),
        };
        if replayed.is_err() {
            answer.verdict = Verdict::Unknown(Limit::Replay);
        }
    }
    Solved { number, id: deal.id.clone(), deck: deal.deck.clone(), face, answer, moves, seconds }
}
