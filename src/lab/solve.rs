//! Many deals solved for the clairvoyant player, in order, and how far strategies fall short of the solutions.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Seed};
use crate::clock::Moment;
use crate::game::{Chance, End, NamedDeal, Outcome, Record, SeededChance, Table};
use crate::rules::{Draw, Roll, Rules, Spec};
use crate::solver::{Goal, Limit, Limits, Refused, Solver, Verdict, besides};
use crate::stats::{
    ClairvoyantBound, ClairvoyantBounds, GameWorth, MostCards, ShortfallSummary, ShortfallTally, Summary,
    Tally, Winnable, summarize,
};
use crate::strategy::StrategySource;

use super::batch::{Batch, BatchError, Finished, Matchup, Watcher, simulate_deals};
use super::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order};
use super::game_runner::GameError;

/// Limits of the search for one deal.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SolveLimits {
    /// Maximum number of positions expanded.
    pub nodes: Option<u64>,
    /// Maximum seconds.
    pub seconds: Option<f64>,
    /// Bytes for the positions of each thread.
    pub memory_bytes: usize,
}

/// Bytes for the positions of a thread: the same on every machine, so that the answers are too.
pub(super) const MEMORY: usize = 256 << 20;

/// Answer for one deal, or for one face of its die, as a block stores it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// The deal's number.
    #[serde(skip)]
    pub number: u64,
    /// The deal's id.
    #[serde(skip)]
    pub id: String,
    /// Face of the die, if one is rolled for the game: each face has its own answer.
    pub face: Option<u8>,
    /// The verdict; winning moves have been verified by replaying them in the game.
    pub verdict: Verdict,
    /// The most cards seen on the foundations.
    pub cards: usize,
    /// Upper bound of the cards.
    pub cards_at_most: usize,
    /// Positions expanded.
    pub nodes: u64,
    /// Bytes of memory that the positions took.
    pub bytes: usize,
    /// The moves in notation, after the roll of the die, if any.
    pub moves: String,
    /// Time taken, seconds.
    pub seconds: f64,
}

/// Deals to solve: those of a list, or of a seed.
pub struct SolveDeals<'a> {
    /// The rules.
    pub rules: &'a Rules,
    /// The seed, also of the random numbers that go with a list.
    pub seed: u64,
    /// The list.
    pub given: Option<Vec<NamedDeal>>,
    /// Number of deals.
    pub count: u64,
    /// Whether a die for the game shows what it does in the game; otherwise each of its faces has an answer.
    pub rolled: bool,
}

impl SolveDeals<'_> {
    /// Returns the deal with this number.
    pub fn deal(&self, number: u64) -> NamedDeal {
        let given = self.given.as_ref().and_then(|deals| deals.get(number as usize));
        given.cloned().unwrap_or_else(|| NamedDeal::of_seed(self.rules.deck_shape(), self.seed, number))
    }

    /// Returns the faces of the die for which a deal is solved, or nothing where no die is rolled for the game.
    fn faces(&self, number: u64) -> Vec<Option<u8>> {
        match game_die(self.rules) {
            Some(faces) if !self.rolled => (1..=faces).map(Some).collect(),
            _ => vec![rolled_face(self.rules, self.seed, number)],
        }
    }
}

/// Checks that the deal determines the whole game. Fails for rules that leave something to chance within the game.
pub fn solvable(rules: &Rules) -> Result<(), Refused> {
    Solver::new(rules, 0).map(drop)
}

/// Returns the faces of the die that is rolled for the game, if any.
pub fn game_die(rules: &Rules) -> Option<u8> {
    match rules.spec().stock.draw {
        Draw::Die { faces, roll: Roll::Game } => Some(faces),
        _ => None,
    }
}

/// Returns the face that a game of a seed rolls, if a die is rolled for the game.
fn rolled_face(rules: &Rules, seed: Seed, game: u64) -> Option<u8> {
    game_die(rules).map(|faces| SeededChance::new(seed, game).roll(faces))
}

impl Solved {
    /// Returns the bounds for the clairvoyant player.
    pub fn bound(&self) -> ClairvoyantBound {
        let (least, most) = (self.cards as u16, self.cards_at_most as u16);
        ClairvoyantBound { least, most, winnable: self.verdict.known() }
    }
}

pub(super) struct Face(pub u8);

impl Chance for Face {
    fn roll(&mut self, _faces: u8) -> u8 {
        self.0
    }
    fn shuffle(&mut self, _stock: &mut [Card]) {}
}

/// Reason why deals could not be solved or played.
pub type SolveError = Stopped<SolveFault>;

/// Fault of the deals.
#[derive(Debug, thiserror::Error)]
pub enum SolveFault {
    /// The rules leave something to chance within the game.
    #[error(transparent)]
    Refused(Refused),
    /// A strategy failed.
    #[error(transparent)]
    Game(Box<GameError>),
    /// A game contradicts the solver.
    #[error("{0}")]
    Contradiction(String),
}

/// Solves every deal and passes on the answers in order. If only positions are limited, they are the same on any number
/// of threads, apart from times. Fails for rules that leave something to chance within the game.
pub fn solve(asked: &Solving<'_>, told: &mut dyn FnMut(Solved)) -> Result<(), SolveError> {
    let Solving { deals, goal, limits, .. } = *asked;
    let rules = deals.rules;
    solvable(rules).map_err(|refused| Stopped::Fault(SolveFault::Refused(refused)))?;
    let halt = StopFlag::new(asked.workers.stop);
    let make = |solver: &mut Option<Solver<'_>>, number: Range<u64>| {
        // Unsupported rules were refused earlier.
        let solver = solver.as_mut()?;
        let deal = deals.deal(number.start);
        let answer = |face| one(solver, (goal, &limits), &deal, face, halt.flag());
        let answers: Vec<Solved> = deals.faces(number.start).into_iter().map(answer).collect();
        if answers.iter().any(|it| it.verdict == Verdict::Unknown(Limit::Stopped)) {
            halt.stop();
            return None;
        }
        Some(Ok(answers))
    };
    let cards = rules.hot.cards;
    let fits = |_, found: &Vec<Solved>| {
        found.iter().all(|it| it.cards <= it.cards_at_most && it.cards_at_most <= cards)
    };
    let take = |number: Range<u64>, found: Vec<Solved>| {
        let number = number.start;
        let id = deals.deal(number).id.unwrap_or_else(|| number.to_string());
        found.into_iter().for_each(|it| told(Solved { number, id: id.clone(), ..it }));
        ControlFlow::Continue(())
    };
    let worker = || Solver::new(rules, limits.memory_bytes).ok();
    let workers = asked.workers.at_most(asked.threads);
    in_order(workers, &Blocks::all(0..deals.count, 1), &halt, worker, make, fits, take)
}

fn within(nodes: u64) -> SolveLimits {
    SolveLimits { nodes: Some(nodes), seconds: None, memory_bytes: MEMORY }
}

/// Finds the most cards of a game of a seed, with the die that it rolls.
pub(super) fn solve_game(
    solver: &mut Solver<'_>,
    (seed, game): (Seed, u64),
    nodes: u64,
    stop: &AtomicBool,
) -> Solved {
    let rules = solver.rules();
    let deal = NamedDeal::of_seed(rules.deck_shape(), seed, game);
    one(solver, (Goal::Cards, &within(nodes)), &deal, rolled_face(rules, seed, game), stop)
}

fn one(
    solver: &mut Solver<'_>,
    (goal, limits): (Goal, &SolveLimits),
    deal: &NamedDeal,
    face: Option<u8>,
    stop: &AtomicBool,
) -> Solved {
    let rules = solver.rules();
    let started = Moment::now();
    let table = Table::deal(rules, deal.deck.cards(), &mut Face(face.unwrap_or(1)));
    let time = limits.seconds.map(Duration::from_secs_f64);
    let limits = Limits { nodes: limits.nodes, time, stop: Some(stop) };
    let mut answer = solver.solve(&table, goal, &limits);
    let seconds = started.elapsed().as_secs_f64();
    let reserves = rules.spec().reserve.piles.into();
    let roll = face.map(|face| format!("roll:{face}"));
    let words: Vec<String> =
        roll.into_iter().chain(answer.moves.iter().map(|m| m.notation(reserves))).collect();
    let moves = if answer.moves.is_empty() { String::new() } else { words.join(" ") };
    if !moves.is_empty() {
        let end = (End::Won, answer.cards as u16);
        let record = solved_game(rules.name(), deal.deck.to_string(), moves.clone(), end);
        // The game engine, not the solver, verifies the moves.
        let replayed = match answer.verdict {
            Verdict::Won => record.check(rules).map(drop),
            _ => record.check_reached(rules),
        };
        if replayed.is_err() {
            answer.verdict = Verdict::Unknown(Limit::Replay);
        }
    }
    Solved {
        number: deal.game,
        id: String::new(),
        face,
        verdict: answer.verdict,
        cards: answer.cards,
        cards_at_most: answer.cards_at_most,
        nodes: answer.nodes,
        bytes: answer.bytes,
        moves,
        seconds,
    }
}

/// Returns a game found by the solver as a record, with its end and its cards.
pub(super) fn solved_game(rules: &str, deck: String, moves: String, (end, cards): (End, u16)) -> Record {
    Record {
        id: None,
        rules: rules.into(),
        seed: None,
        chance: None,
        game: 0,
        deck,
        strategy: "solver".into(),
        moves,
        end,
        cards,
        staked: None,
        stopped: None,
    }
}

impl Cacheable for Vec<Solved> {
    fn times(&mut self) -> Vec<&mut f64> {
        self.iter_mut().map(|it| &mut it.seconds).collect()
    }
}

/// Deals to solve, and the strategies that play them too.
pub struct Solving<'a> {
    /// Name of the ruleset in replay commands.
    pub named: &'a str,
    /// The deals.
    pub deals: &'a SolveDeals<'a>,
    /// Goal of the search.
    pub goal: Goal,
    /// Limits of the search for one deal.
    pub limits: SolveLimits,
    /// The strategies.
    pub players: &'a [StrategySource],
    /// Number of threads with memory for a search.
    pub threads: usize,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Answers for deals, and how far strategies fall short of them.
#[derive(Clone, Debug, Serialize)]
pub struct Solutions {
    /// The ruleset.
    #[serde(skip)]
    pub rules: Spec,
    /// Goal of the search.
    pub goal: Goal,
    /// Limits of the search for one deal.
    pub limits: SolveLimits,
    /// Number of deals solved.
    #[serde(rename = "solved")]
    pub deals: usize,
    /// Number of faces of the die that is rolled for the game; 1 without a die. Each face has its own answer.
    pub faces: usize,
    /// Number of winnable deals.
    pub winnable: Winnable,
    /// Answers left open by a limit; a player may have won some of these deals.
    pub open: BTreeMap<Limit, u64>,
    /// The most cards, if that was the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_cards: Option<MostCards>,
    /// Positions and time, for every kind of answer that occurs.
    pub effort: Vec<Effort>,
    /// Maximum memory taken by the positions of one deal, bytes.
    pub peak_memory_bytes: usize,
    /// Strategies that played the same deals.
    pub players: Vec<SolvePlayer>,
    /// Face that the games on each deal roll, if a die is rolled for the game.
    #[serde(skip)]
    pub rolled: Vec<Option<u8>>,
    /// The answers, without their moves.
    #[serde(skip)]
    pub answers: Vec<Solved>,
    /// Bounds of each deal, from its answer and from what the players reached.
    #[serde(skip)]
    pub bounds: ClairvoyantBounds,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// Result of a strategy on the deals.
#[derive(Clone, Debug, Serialize)]
pub struct SolvePlayer {
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Figures of its games.
    pub summary: Summary,
    /// How far it falls short of the bounds.
    pub left: ShortfallSummary,
    /// Its games, in the order of the deals.
    #[serde(skip)]
    pub games: Vec<Outcome>,
}

/// Effort of a group of answers.
#[derive(Clone, Debug, Serialize)]
pub struct Effort {
    /// The group: all, decided, won, lost or unknown.
    pub answers: &'static str,
    /// Number of answers.
    pub deals: u64,
    /// Positions expanded.
    pub nodes: Spread,
    /// Seconds.
    pub seconds: Spread,
}

/// Mean and quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest value that is at least as large as half of all values.
    pub median: f64,
    /// The 90% quantile.
    pub p90: f64,
    /// The 99% quantile.
    pub p99: f64,
    /// The maximum.
    pub most: f64,
}

impl Spread {
    fn of(numbers: impl Iterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let at = |percent: usize| {
            let place = (n * percent).div_ceil(100).saturating_sub(1);
            sorted.get(place).copied().unwrap_or(0.0)
        };
        let mean = sorted.iter().sum::<f64>() / n.max(1) as f64;
        Spread { mean, median: at(50), p90: at(90), p99: at(99), most: at(100) }
    }
}

impl Solutions {
    /// Summarizes answers, in order, and players, whose games are in the order of the deals. Raises the bounds of a
    /// deal to what a player reached on it. Fails if a game contradicts an answer.
    pub fn new(
        asked: &Solving<'_>,
        answers: Vec<Solved>,
        games: Vec<Vec<Outcome>>,
    ) -> Result<Solutions, SolveError> {
        let rules = asked.deals.rules;
        let spec = rules.spec();
        let faces = game_die(rules).map_or(1, usize::from);
        let mut bounds = ClairvoyantBounds::new(rules.hot.cards, faces);
        answers.iter().for_each(|it| bounds.push(it.bound()));
        // Index, among the faces of a deal, of the one that a game rolled.
        let roll = |deal| rolled_face(rules, asked.deals.seed, deal);
        let rolled: Vec<Option<u8>> = (0..bounds.deals() as u64).map(roll).collect();
        let face = |deal: usize| {
            let of_deal = answers.get(deal * faces..(deal + 1) * faces).unwrap_or_default();
            of_deal.iter().position(|answer| rolled.get(deal) == Some(&answer.face)).unwrap_or(0)
        };
        for (player, games) in asked.players.iter().zip(&games) {
            for (deal, game) in games.iter().enumerate() {
                let Some(bound) = bounds.of_deal_mut(deal).get_mut(face(deal)) else { continue };
                *bound = bound.raised(game.cards, rules.hot.cards).map_err(|wrong| {
                    let deal = answers.get(deal * faces).map_or("", |answer| &answer.id);
                    Stopped::Fault(SolveFault::Contradiction(format!(
                        "deal {deal}, played by {}: {wrong}; the solver or the game is wrong",
                        player.name()
                    )))
                })?;
            }
        }
        let player = |(player, games): (&StrategySource, Vec<Outcome>)| {
            let (mut tally, mut left) = (Tally::new(spec), ShortfallTally::new(spec));
            for (deal, (game, of_deal)) in games.iter().zip(bounds.list().chunks(faces)).enumerate() {
                tally.add(game);
                if let Some(&bound) = of_deal.get(face(deal)) {
                    left.add(bound, &GameWorth::of(spec, game));
                }
            }
            let (summary, left) = (summarize(&tally, spec, Vec::new()), left.summary());
            SolvePlayer { strategy: player.name().into(), summary, left, games }
        };
        let players = asked.players.iter().zip(games).map(player).collect();
        let mut open = BTreeMap::new();
        for answer in &answers {
            if let Verdict::Unknown(limit) = answer.verdict {
                *open.entry(limit).or_insert(0) += 1;
            }
        }
        Ok(Solutions {
            rules: spec.clone(),
            goal: asked.goal,
            limits: asked.limits,
            deals: bounds.deals(),
            faces,
            winnable: bounds.winnable(),
            open,
            most_cards: (asked.goal == Goal::Cards).then(|| bounds.most_cards(spec)),
            effort: efforts(&answers),
            peak_memory_bytes: answers.iter().map(|it| it.bytes).max().unwrap_or(0),
            players,
            rolled,
            answers,
            bounds,
            interrupted: false,
        })
    }

    /// Returns the number of deals whose most cards are unknown, counting each face of a die.
    pub fn most_cards_open(&self, most: &MostCards) -> u64 {
        (self.answers.len() as u64).saturating_sub(most.proven)
    }
}

fn efforts(answers: &[Solved]) -> Vec<Effort> {
    let open = |verdict| matches!(verdict, Verdict::Unknown(_));
    let kinds: [(&str, &dyn Fn(Verdict) -> bool); 5] = [
        ("all", &|_| true),
        ("decided", &|verdict| !open(verdict)),
        ("won", &|verdict| verdict == Verdict::Won),
        ("lost", &|verdict| verdict == Verdict::Lost),
        ("unknown", &open),
    ];
    let effort = |(word, holds): (&'static str, &dyn Fn(Verdict) -> bool)| {
        let some: Vec<&Solved> = answers.iter().filter(|it| holds(it.verdict)).collect();
        (!some.is_empty()).then(|| Effort {
            answers: word,
            deals: some.len() as u64,
            nodes: Spread::of(some.iter().map(|it| it.nodes as f64)),
            seconds: Spread::of(some.iter().map(|it| it.seconds)),
        })
    };
    kinds.into_iter().filter_map(effort).collect()
}

/// Solves the deals and has the strategies play them; a strategy that has not played all of them is left out. Fails
/// also if a game contradicts the solver.
pub fn solve_and_play(asked: &Solving<'_>, told: &mut dyn FnMut(&Solved)) -> Result<Solutions, SolveError> {
    let mut answers = Vec::new();
    solve(asked, &mut |solved| {
        told(&solved);
        answers.push(Solved { moves: String::new(), ..solved });
    })?;
    let interrupted = asked.workers.stopped();
    let mut games = None;
    if !answers.is_empty() {
        games = play(asked).map_err(|stopped| stopped.map(SolveFault::Game))?;
    }
    let interrupted = interrupted || games.is_none() && !asked.players.is_empty();
    let solutions = Solutions::new(asked, answers, games.unwrap_or_default())?;
    Ok(Solutions { interrupted, ..solutions })
}

/// Plays the deals with every strategy. Returns nothing if `stop` was set before all were played.
fn play(asked: &Solving<'_>) -> Result<Option<Vec<Vec<Outcome>>>, BatchError> {
    let SolveDeals { rules, seed, ref given, count, .. } = *asked.deals;
    let entries = asked.players.iter().map(|strategy| Matchup { id: asked.named, rules, strategy });
    let batch = Batch::new(entries.collect(), seed, 0..count, asked.workers.part(0));
    let batch = Batch { each_game: true, ..batch };
    if batch.entries.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut games = Games(vec![Vec::new(); batch.entries.len()]);
    let played = simulate_deals(&batch, given.as_deref(), &mut games)?;
    Ok((played.games == count).then_some(games.0))
}

struct Games(Vec<Vec<Outcome>>);

impl Watcher for Games {
    fn block(&mut self, _first: u64, _so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        self.0.iter_mut().zip(outcomes).for_each(|(all, outcomes)| all.extend(outcomes));
    }
}

/// Bytes per position of a search: for one pack, for several packs, and for each position in a beam or width
/// search. A position of several packs takes six times as much, and its successors are kept too.
const NODE: u64 = 256;
const NODE_OF_PACKS: u64 = 1536;
const LISTED: u64 = 2 << 10;

/// Returns the maximum memory of a thread, in bytes, if this many positions are expanded per deal.
pub fn memory_of_a_thread(nodes: u64, packs: usize) -> u64 {
    let node = if packs > 1 { NODE_OF_PACKS } else { NODE };
    let memory = (MEMORY as u64).min(nodes.saturating_mul(node)).max(1);
    memory + (besides(MEMORY) as u64).min(nodes.saturating_mul(LISTED))
}

/// Returns the bounds of the first games of a seed, with at most so many positions expanded per deal, or of those that
/// were solved; `told` receives the number of deals done.
pub fn clairvoyant_bounds(
    rules: &Rules,
    (seed, count, nodes): (Seed, u64, u64),
    workers: Workers<'_>,
    told: &mut dyn FnMut(u64),
) -> Result<ClairvoyantBounds, SolveError> {
    let deals = SolveDeals { rules, seed, given: None, count, rolled: true };
    let (goal, limits, threads) = (Goal::Cards, within(nodes), workers.threads);
    let asked = Solving { named: "", deals: &deals, goal, limits, players: &[], threads, workers };
    let mut bounds = ClairvoyantBounds::new(rules.hot.cards, 1);
    solve(&asked, &mut |solved: Solved| {
        // One answer per deal, in order; when a part of a run is reported, some deals are missing.
        bounds.push(solved.bound());
        told(bounds.deals() as u64);
    })?;
    Ok(bounds)
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn quantiles_are_numbers_that_were_seen() {
        let spread = Spread::of((1..=200).rev().map(f64::from));
        assert_eq!((spread.mean, spread.median, spread.p90, spread.p99), (100.5, 100.0, 180.0, 198.0));
        let one = Spread::of([7.0].into_iter());
        assert_eq!((one.mean, one.median, one.p99, one.most), (7.0, 7.0, 7.0, 7.0));
        assert_eq!(Spread::of([1.0, 9.0].into_iter()).median, 1.0);
    }
}
