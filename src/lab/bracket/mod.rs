//! Players and a player who knows every card on the same deals: what optimal play is worth lies between them.
//!
//! The best of several players was lucky, too: its mean on the deals that it was chosen by is too high, and would be no lower
//! bound. So the choice is made on deals of their own, and what is told of the chosen is of fresh ones.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::cards::{Deck, Seed};
use crate::game::{Chance, Outcome, SeededChance};
use crate::rules::Rules;
use crate::solver::{Goal, Limit, Refused, Solver, Verdict};
use crate::stats::{
    ClairvoyantBound, ClairvoyantBounds, Contradiction, Measure, Summary, Tally, best_of, summarize,
};
use crate::strategy::StrategyError;

use super::batch::{BatchError, Pairing, players};
use super::blocks::{Blocks, Halt, Halted, in_order};
use super::clairvoyant::MEMORY;
use super::player::{GameError, Player};
use super::solve::{SolveBatch, SolveDeal, SolveLimits, game_die, one, solvable};
use super::workers::Workers;

/// Deals in a block: few, as a searching player takes long over each.
const BLOCK: u64 = 4;

/// The first game by which players are chosen, so far off that no deal is used twice.
pub const FIRST_CHOOSING: u64 = 1 << 32;

/// What is to be played.
pub struct BracketBatch<'a> {
    /// The players, all under one ruleset.
    pub entries: Vec<Pairing<'a>>,
    /// The seed.
    pub seed: Seed,
    /// Games by which the best is chosen, from [`FIRST_CHOOSING`] on; none where there is no choice.
    pub choosing: u64,
    /// Games by which it is judged, from the first, no more than [`FIRST_CHOOSING`].
    pub games: u64,
    /// Most positions expanded in a deal.
    pub nodes: u64,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct BracketFinished {
    /// The games by which players were chosen, by player.
    pub choosing: Vec<Tally>,
    /// The best player by each of [`Measure::ALL`], on those games.
    pub chosen: [usize; 3],
    /// The games by which they are judged, by player.
    pub tallies: Vec<Tally>,
    /// What these deals allow, raised to what players reached.
    pub bounds: ClairvoyantBounds,
    /// Why nothing is known of what the deals allow, where that is so.
    pub refused: Option<Refused>,
    /// It was stopped before all was played.
    pub interrupted: bool,
}

impl BracketFinished {
    /// Deals by which players are judged.
    pub fn deals(&self) -> u64 {
        self.bounds.deals() as u64
    }

    /// What each player came to on the deals by which they are judged.
    pub fn summaries(&self, rules: &Rules) -> Vec<Summary> {
        self.tallies.iter().map(|tally| summarize(tally, rules.spec(), Vec::new())).collect()
    }
}

/// Why there is no bracket.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BracketError {
    /// The games could not be played.
    #[error(transparent)]
    Batch(BatchError),
    /// A player reached what the solver ruled out.
    #[error("game {game}, played by {player}: {wrong}; the solver or the game is wrong")]
    Wrong {
        /// The game of the seed.
        game: u64,
        /// Who reached it.
        player: String,
        /// What.
        wrong: Contradiction,
    },
}

/// What ends a block.
enum Fault {
    Game(GameError),
    Wrong { game: u64, player: usize, wrong: Contradiction },
    Stopped,
}

/// A deal as everybody played it.
#[derive(Serialize, Deserialize)]
struct Deal {
    outcomes: Vec<Outcome>,
    bound: ClairvoyantBound,
}

/// Who sits at a thread.
struct Worker<'a> {
    players: Vec<Player<'a>>,
    solver: Option<Solver<'a>>,
}

/// Chooses the best players and judges them beside what their deals allow; `told` is given how many deals were played. The
/// same at any number of threads. Once `stop` is set, what is counted are the deals before the first that is not finished.
///
/// # Errors
/// The first fault of a strategy, in the order of games; an upper bound that a player exceeds.
pub fn bracket(
    batch: &BracketBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<BracketFinished, BracketError> {
    let rules = batch.entries.first().map(|entry| entry.rules);
    let tallies = || batch.entries.iter().map(|entry| Tally::new(entry.rules.spec())).collect::<Vec<_>>();
    let mut found = BracketFinished {
        choosing: tallies(),
        chosen: [0; 3],
        tallies: tallies(),
        bounds: ClairvoyantBounds::new(rules.map_or(0, |rules| rules.hot.cards), 1),
        refused: rules.and_then(|rules| solvable(rules).err()),
        interrupted: true,
    };
    let Some(rules) = rules else { return Ok(found) };
    let mut played = 0;
    let choosing = FIRST_CHOOSING..FIRST_CHOOSING.saturating_add(batch.choosing);
    let chosen = play(batch, choosing, (None, 0), stop, &mut |deal| {
        found.choosing.iter_mut().zip(&deal.outcomes).for_each(|(tally, outcome)| tally.add(outcome));
        played += 1;
        told(played);
    });
    // Who is best is only told at the end: all play the other deals, too.
    let missing = matches!(chosen, Err(BracketError::Batch(BatchError::Missing)));
    if !missing {
        chosen?;
        if played < batch.choosing {
            return Ok(found);
        }
    }
    let summaries: Vec<Summary> =
        found.choosing.iter().map(|tally| summarize(tally, rules.spec(), Vec::new())).collect();
    found.chosen = Measure::ALL.map(|measure| best_of(&summaries, measure));
    let solved = found.refused.is_none().then_some(rules);
    play(batch, 0..batch.games, (solved, 1), stop, &mut |deal| {
        found.tallies.iter_mut().zip(&deal.outcomes).for_each(|(tally, outcome)| tally.add(outcome));
        found.bounds.push(deal.bound);
        played += 1;
        told(played);
    })?;
    if missing {
        return Err(BracketError::Batch(BatchError::Missing));
    }
    found.interrupted = found.deals() < batch.games;
    Ok(found)
}

/// Has every player play these games, in their order, and solves their deals where rules are given for it.
fn play(
    batch: &BracketBatch<'_>,
    games: Range<u64>,
    (solved, part): (Option<&Rules>, u64),
    stop: &AtomicBool,
    take: &mut dyn FnMut(Deal),
) -> Result<(), BracketError> {
    let halt = Halt::new(stop);
    let worker = || Worker {
        players: players(&batch.entries, &halt),
        solver: solved.and_then(|rules| Solver::new(rules, MEMORY).ok()),
    };
    let make = |seat: &mut Worker<'_>, index: u64| {
        let first = index.checked_mul(BLOCK)?.checked_add(games.start)?;
        let block = first..first.saturating_add(BLOCK).min(games.end);
        if block.is_empty() || seat.players.len() < batch.entries.len() {
            return None;
        }
        let made: Result<Vec<Deal>, Fault> = block.map(|game| deal(batch, seat, game, &halt)).collect();
        if let Err(Fault::Stopped) = made {
            halt.stop();
            return None;
        }
        Some(made)
    };
    let hand_on = |_, block: Vec<Deal>| {
        block.into_iter().for_each(&mut *take);
        ControlFlow::Continue(())
    };
    let blocks = Blocks::all(games.end.saturating_sub(games.start).div_ceil(BLOCK));
    let fits = |_, deals: &Vec<Deal>| deals.iter().all(|deal| deal.outcomes.len() == batch.entries.len());
    in_order(batch.workers.part(part), blocks, &halt, worker, make, fits, hand_on).map_err(|halted| {
        let fault = match halted {
            Halted::Fault(Fault::Game(error)) => BatchError::Game(Box::new(error)),
            Halted::Fault(Fault::Wrong { game, player, wrong }) => {
                let player = batch.entries.get(player).map(|entry| (entry.strategy)().name().to_string());
                return BracketError::Wrong { game, player: player.unwrap_or_default(), wrong };
            }
            Halted::Fault(Fault::Stopped) => BatchError::Threads("stopped".into()),
            Halted::Crash(crash) => BatchError::Crashed(crash),
            Halted::Threads(error) => BatchError::Threads(error),
            Halted::Missing => BatchError::Missing,
        };
        BracketError::Batch(fault)
    })
}

fn deal(batch: &BracketBatch<'_>, seat: &mut Worker<'_>, game: u64, halt: &Halt<'_>) -> Result<Deal, Fault> {
    let mut outcomes = Vec::with_capacity(seat.players.len());
    for player in &mut seat.players {
        outcomes.push(player.play(batch.seed, game).map_err(|error| match error.error {
            StrategyError::Interrupted => Fault::Stopped,
            _ => Fault::Game(error),
        })?);
    }
    let Some(rules) = batch.entries.first().map(|entry| entry.rules) else { return Err(Fault::Stopped) };
    let all = rules.hot.cards;
    let mut bound = match &mut seat.solver {
        None => ClairvoyantBound { least: 0, most: all as u16, winnable: None },
        Some(solver) => solve(batch, rules, solver, game, halt)?,
    };
    for (player, outcome) in outcomes.iter().enumerate() {
        bound = bound.raised(outcome.cards, all).map_err(|wrong| Fault::Wrong { game, player, wrong })?;
    }
    Ok(Deal { outcomes, bound })
}

/// What the deal of a game allows who knows every card, with the die that the game has.
fn solve(
    batch: &BracketBatch<'_>,
    rules: &Rules,
    solver: &mut Solver<'_>,
    game: u64,
    halt: &Halt<'_>,
) -> Result<ClairvoyantBound, Fault> {
    let face = game_die(rules).map(|faces| SeededChance::new(batch.seed, game).roll(faces));
    let deal = |game: u64| SolveDeal {
        id: game.to_string(),
        deck: Deck::shuffled(rules.deck_shape(), batch.seed, game),
        face,
    };
    let asked = SolveBatch {
        rules,
        deals: 1,
        deal: &deal,
        goal: Goal::Cards,
        limits: SolveLimits { nodes: Some(batch.nodes), seconds: None, memory_bytes: MEMORY },
        workers: Workers::new(1),
    };
    let solved = one(&asked, solver, (game, &deal(game)), face, halt.flag());
    if solved.verdict == Verdict::Unknown(Limit::Stopped) {
        return Err(Fault::Stopped);
    }
    Ok(solved.bound())
}

#[cfg(test)]
mod tests;
