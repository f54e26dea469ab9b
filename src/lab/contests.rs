//! Many matches of a contest over threads, and how much speed is worth in it.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use crate::cards::Seed;
use crate::contest::{Arena, ContestError, ContestSpec, MatchOutcome};
use crate::crash::Crash;
use crate::rules::Rules;
use crate::stats::ContestTally;
use crate::strategy::Strategy;

use super::blocks::{Blocks, Halt, Halted, MISSING, in_order};
use super::workers::Workers;

/// Matches in a block.
const BLOCK: u64 = 16;

/// Makes a strategy, once for each thread.
pub type MakeStrategy<'a> = &'a (dyn Fn() -> Box<dyn Strategy> + Sync);

/// Matches to be played of one contest.
pub struct ContestBatch<'a> {
    /// The contest.
    pub spec: &'a ContestSpec,
    /// The rules that its players play.
    pub rules: &'a Rules,
    /// A strategy for each player.
    pub strategies: &'a [MakeStrategy<'a>],
    /// The seed of all matches.
    pub seed: Seed,
    /// Matches by index.
    pub matches: Range<u64>,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct ContestFinished {
    /// What was counted.
    pub tally: ContestTally,
    /// It was stopped before its matches were played.
    pub interrupted: bool,
}

/// Why matches could not be played.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ContestBatchError {
    /// A strategy's fault in one match.
    #[error(transparent)]
    Match(Box<ContestError>),
    /// The threads could not be started.
    #[error("the threads could not be started: {0}")]
    Threads(String),
    /// The program itself is at fault, and no one match shows it.
    #[error("internal error: {0}")]
    Crashed(Crash),
    /// Matches are needed that another shard plays.
    #[error("{MISSING}")]
    Missing,
}

impl From<Halted<ContestError>> for ContestBatchError {
    fn from(halted: Halted<ContestError>) -> ContestBatchError {
        match halted {
            Halted::Fault(error) => ContestBatchError::Match(Box::new(error)),
            Halted::Crash(crash) => ContestBatchError::Crashed(crash),
            Halted::Threads(error) => ContestBatchError::Threads(error),
            Halted::Missing => ContestBatchError::Missing,
        }
    }
}

/// Plays the matches until they are played or `stop` is set, when those under way are given up. `watch` is told of every match, in
/// their order, with the counts after its block.
///
/// # Errors
/// The first fault of a strategy, in the order of matches.
pub fn contest(
    batch: &ContestBatch<'_>,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&ContestTally, &[MatchOutcome]),
) -> Result<ContestFinished, ContestBatchError> {
    let mut tally = ContestTally::new(batch.spec);
    let wanted = batch.matches.end.saturating_sub(batch.matches.start);
    let halt = Halt::new(stop);
    let worker = || {
        let strategies = batch.strategies.iter().map(|make| make()).collect();
        Arena::new(batch.spec, batch.rules, strategies).heeding(halt.flag())
    };
    let make = |arena: &mut Arena<'_>, index: u64| {
        let first = index.checked_mul(BLOCK)?.checked_add(batch.matches.start)?;
        let matches = first..first.saturating_add(BLOCK).min(batch.matches.end);
        if matches.is_empty() {
            return None;
        }
        let played: Result<Vec<_>, _> = matches.map(|i| arena.play(batch.seed, i, &mut ())).collect();
        halt.unless_interrupted(played, |error| &error.error)
    };
    let take = |_, outcomes: Vec<MatchOutcome>| {
        outcomes.iter().for_each(|outcome| tally.add(outcome));
        watch(&tally, &outcomes);
        ControlFlow::Continue(())
    };
    let players = batch.strategies.len();
    let fits = |_, outcomes: &Vec<MatchOutcome>| {
        outcomes.iter().all(|it| it.players.len() == players && it.winners.iter().all(|&side| side < players))
    };
    in_order(batch.workers, Blocks::all(wanted.div_ceil(BLOCK)), &halt, worker, make, fits, take)?;
    let interrupted = tally.matches() < wanted;
    Ok(ContestFinished { tally, interrupted })
}

/// A contest, and the same with other speeds.
pub struct AtSpeeds {
    /// The contest.
    pub tally: ContestTally,
    /// The others, and what was counted of each.
    pub others: Vec<(ContestSpec, ContestTally)>,
    /// It was stopped before all was played.
    pub interrupted: bool,
    /// Matches played.
    pub matches: u64,
}

/// Plays a contest, then each of `others`, which differ from it in speeds alone, until all is played or `stop` is set.
/// `watch` is told how many matches are played, of which contest, and its counts.
///
/// # Errors
/// The first fault of a strategy, and the contest that shows it.
pub fn contest_at_speeds(
    batch: &ContestBatch<'_>,
    others: &[ContestSpec],
    stop: &AtomicBool,
    watch: &mut dyn FnMut(u64, &ContestSpec, &ContestTally),
) -> Result<AtSpeeds, (Box<ContestSpec>, ContestBatchError)> {
    let mut done = 0;
    let mut one = |spec: &ContestSpec, part: u64| {
        let workers = batch.workers.part(part);
        let batch = ContestBatch { spec, matches: batch.matches.clone(), workers, ..*batch };
        let finished = contest(&batch, stop, &mut |tally, _| watch(done + tally.matches(), spec, tally));
        done += finished.as_ref().map_or(0, |finished| finished.tally.matches());
        finished.map_err(|error| (Box::new(spec.clone()), error))
    };
    let first = match one(batch.spec, 0) {
        // Another shard may still make its part of the other contests.
        Err((_, ContestBatchError::Missing)) => None,
        first => Some(first?),
    };
    let mut missing = first.is_none();
    let (tally, mut interrupted) =
        first.map_or((ContestTally::new(batch.spec), false), |it| (it.tally, it.interrupted));
    let mut played = Vec::new();
    for (i, other) in others.iter().enumerate() {
        if interrupted {
            break;
        }
        if other == batch.spec {
            played.push((other.clone(), tally.clone()));
            continue;
        }
        let finished = match one(other, i as u64 + 1) {
            Err((_, ContestBatchError::Missing)) => {
                missing = true;
                continue;
            }
            finished => finished?,
        };
        interrupted = finished.interrupted;
        if finished.tally.matches() > 0 {
            played.push((other.clone(), finished.tally));
        }
    }
    if missing {
        return Err((Box::new(batch.spec.clone()), ContestBatchError::Missing));
    }
    Ok(AtSpeeds { tally, others: played, interrupted, matches: done })
}

/// The same contest with one player's speed multiplied by a factor in thousandths, and kept within what a
/// contest may say.
pub fn at_speed(spec: &ContestSpec, player: usize, factor: u32) -> ContestSpec {
    let mut spec = spec.clone();
    if let Some(player) = spec.players.get_mut(player) {
        let speed = u64::from(player.speed) * u64::from(factor) / 1000;
        player.speed = speed.clamp(10, 1_000_000) as u32;
    }
    spec
}
