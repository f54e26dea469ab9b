//! Many deals solved with every card known, over threads, told in their order.

use std::convert::Infallible;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Deck};
use crate::crash::Crash;
use crate::game::{Chance, End, NamedDeal, Record, Table};
use crate::rules::{Draw, Roll, Rules};
use crate::solver::{Answer, Goal, Limit, Limits, Refused, Solver, Verdict};
use crate::stats::ClairvoyantBound;

use super::blocks::{Blocks, Halt, Halted, MISSING, in_order};
use super::checkpoint::Workers;

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
    /// Bytes for the positions of each thread.
    pub memory: usize,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
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
    /// The answer; its moves have been replayed by the rules of records, and stand below.
    pub answer: Answer,
    /// The moves in notation, after the roll of the die if there is one.
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
    /// Answers are needed that another shard finds.
    Missing,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Refused(refused) => refused.fmt(f),
            SolveError::Threads(error) => write!(f, "the threads could not be started: {error}"),
            SolveError::Crashed(crash) => write!(f, "internal error: {crash}"),
            SolveError::Missing => f.write_str(MISSING),
        }
    }
}

impl std::error::Error for SolveError {}

/// Solves every deal and tells the answers in order. Once `stop` is set, those before the first that is not answered are
/// told. The answers, but for times, are the same at any number of threads where nodes alone are limited.
///
/// # Errors
/// Where the rules leave something to chance inside the game, or the program is at fault.
pub fn solve(
    batch: &SolveBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(Solved),
) -> Result<(), SolveError> {
    solvable(batch.rules).map_err(SolveError::Refused)?;
    let faces: Vec<Option<u8>> = match game_die(batch.rules) {
        Some(faces) => (1..=faces).map(Some).collect(),
        None => vec![None],
    };
    let halt = Halt::new(stop);
    let make = |solver: &mut Option<Solver<'_>>, number: u64| {
        // The rules were not refused before.
        let solver = solver.as_mut()?;
        let deal = (batch.deal)(number);
        let asked = |face: &&Option<u8>| deal.face.is_none() || face.is_none() || **face == deal.face;
        let answer = |&face: &Option<u8>| one(batch, solver, (number, &deal), face, halt.flag());
        let answers: Vec<Found> = faces.iter().filter(asked).map(answer).map(Found::of).collect();
        if answers.iter().any(|it| it.verdict == Verdict::Unknown(Limit::Stopped)) {
            halt.stop();
            return None;
        }
        Some(Ok::<_, Infallible>(answers))
    };
    let cards = batch.rules.hot.cards;
    let fits = |_, found: &Vec<Found>| found.iter().all(|it| it.cards <= it.most && it.most <= cards);
    let take = |number: u64, found: Vec<Found>| {
        let SolveDeal { id, deck, .. } = (batch.deal)(number);
        for it in found {
            told(it.solved(number, (id.clone(), deck.clone())));
        }
        ControlFlow::Continue(())
    };
    let deals = Blocks::all(batch.deals);
    in_order(batch.workers, deals, &halt, || Solver::new(batch.rules, batch.memory).ok(), make, fits, take)
        .map_err(|halted| match halted {
            Halted::Fault(never) => match never {},
            Halted::Crash(crash) => SolveError::Crashed(crash),
            Halted::Threads(error) => SolveError::Threads(error),
            Halted::Missing => SolveError::Missing,
        })
}

/// An answer as it is kept: the deal is known by its number.
#[derive(Serialize, Deserialize)]
struct Found {
    face: Option<u8>,
    verdict: Verdict,
    cards: usize,
    most: usize,
    nodes: u64,
    bytes: usize,
    moves: String,
    seconds: f64,
}

impl Found {
    fn of(solved: Solved) -> Found {
        let Answer { verdict, cards, cards_at_most: most, nodes, bytes, .. } = solved.answer;
        let Solved { face, moves, seconds, .. } = solved;
        Found { face, verdict, cards, most, nodes, bytes, moves, seconds }
    }

    fn solved(self, number: u64, (id, deck): (String, Deck)) -> Solved {
        let Found { face, verdict, cards, most, nodes, bytes, moves, seconds } = self;
        let answer = Answer { verdict, cards, cards_at_most: most, moves: Vec::new(), nodes, bytes };
        Solved { number, id, deck, face, answer, moves, seconds }
    }
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
            id: None,
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
