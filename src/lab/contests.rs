//! Many matches of a contest over threads, and the value of speed in it.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::cards::Seed;
use crate::contest::{Arena, ContestError, ContestSpec, LoadedContest, MatchOutcome};
use crate::diagnostic::SourceText;
use crate::rules::{Rules, Spec};
use crate::stats::{ContestSummary, ContestTally, SpeedPoint};

use super::batch::MakeStrategy;
use super::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order, or_missing};

const BLOCK: u64 = 16;

/// Matches to play of one contest.
pub struct ContestBatch<'a> {
    /// The contest.
    pub spec: &'a ContestSpec,
    /// The rules that its players play.
    pub rules: &'a Rules,
    /// Strategy of each player.
    pub strategies: &'a [MakeStrategy<'a>],
    /// The seed of all matches.
    pub seed: Seed,
    /// Matches, by index.
    pub matches: Range<u64>,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Reason why matches could not be played.
pub type ContestBatchError = Stopped<Box<ContestError>>;

impl Cacheable for Vec<MatchOutcome> {}

/// Plays the matches until stopped. `watch` receives every match in order, with the tally after its block.
pub fn contest(
    batch: &ContestBatch<'_>,
    watch: &mut dyn FnMut(&ContestTally, &[MatchOutcome]),
) -> Result<ContestTally, ContestBatchError> {
    let mut tally = ContestTally::new(batch.spec);
    let halt = StopFlag::new(batch.workers.stop);
    let worker = || {
        let strategies = batch.strategies.iter().map(|it| it.instantiate()).collect();
        Arena::new(batch.spec, batch.rules, strategies).heeding(halt.flag())
    };
    let make = |arena: &mut Arena<'_>, matches: Range<u64>| {
        let played = matches.map(|i| arena.play(batch.seed, i, &mut ()).map_err(Box::new));
        let played: Result<Vec<_>, Box<ContestError>> = played.collect();
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
    let blocks = Blocks::all(batch.matches.clone(), BLOCK);
    in_order(batch.workers, &blocks, &halt, worker, make, fits, take)?;
    Ok(tally)
}

/// A contest to play at the speeds of its file, and at other speeds of its first player.
pub struct Contesting<'a> {
    /// The contest.
    pub loaded: &'a LoadedContest,
    /// Contests that differ only in the speed of the first player.
    pub others: &'a [ContestSpec],
    /// The seed of all matches.
    pub seed: Seed,
    /// Number of matches of each contest.
    pub matches: u64,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Figures of a contest.
#[derive(Clone, Debug, Serialize)]
pub struct ContestResult {
    /// Name on the shelf, or that of its file.
    pub id: String,
    /// Number of matches at the speeds of the file.
    pub matches: u64,
    /// The contest as played.
    pub contest: ContestSpec,
    /// Its file as written, then those that it extends.
    #[serde(serialize_with = "texts")]
    pub files: Vec<Arc<SourceText>>,
    /// Figures of these matches.
    pub summary: ContestSummary,
    /// Results of the first player at other speeds.
    pub speeds: Vec<SpeedPoint>,
    /// The ruleset that the players play.
    #[serde(skip)]
    pub rules: Spec,
    /// Number of matches at all speeds.
    #[serde(skip)]
    pub all_matches: u64,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

fn texts<S: Serializer>(files: &[Arc<SourceText>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(files.iter().map(|it| &**it))
}

impl ContestResult {
    /// Computes the figures of a contest, and of the contests at other speeds.
    pub fn new(
        loaded: &LoadedContest,
        tally: &ContestTally,
        others: &[(&ContestSpec, ContestTally)],
    ) -> ContestResult {
        let spec = &loaded.spec;
        let speed = |(other, tally): &(&ContestSpec, ContestTally)| {
            let factor = f64::from(other.players[0].speed) / f64::from(spec.players[0].speed);
            tally.at_speed(other, 0, factor)
        };
        let apart = others.iter().filter(|(other, _)| *other != spec);
        ContestResult {
            id: loaded.id.clone(),
            matches: tally.matches(),
            contest: spec.clone(),
            files: loaded.sources.clone(),
            summary: tally.summarize(spec),
            speeds: others.iter().map(speed).collect(),
            rules: loaded.rules.rules.spec().clone(),
            all_matches: tally.matches() + apart.map(|(_, tally)| tally.matches()).sum::<u64>(),
            interrupted: false,
        }
    }
}

/// Plays a contest, then each of the others. `watch` receives the number of matches played, the contest they belong to,
/// and its tally. An error comes with the contest in which it occurred.
pub fn contest_at_speeds(
    asked: &Contesting<'_>,
    watch: &mut dyn FnMut(u64, &ContestSpec, &ContestTally),
) -> Result<ContestResult, (Box<ContestSpec>, ContestBatchError)> {
    let (first, rules) = (&asked.loaded.spec, &asked.loaded.rules.rules);
    let (mut done, mut missing) = (0, false);
    let strategies: Vec<MakeStrategy<'_>> = asked.loaded.strategies.iter().map(|it| it as _).collect();
    let mut one = |spec: &ContestSpec, part: u64| {
        let Contesting { seed, matches, workers, .. } = *asked;
        let (strategies, workers) = (&strategies[..], workers.part(part));
        let batch = ContestBatch { spec, rules, strategies, seed, matches: 0..matches, workers };
        let finished = contest(&batch, &mut |tally, _| watch(done + tally.matches(), spec, tally));
        done += finished.as_ref().map_or(0, ContestTally::matches);
        or_missing(finished, &mut missing).map_err(|error| (Box::new(spec.clone()), error))
    };
    let written = one(first, 0)?;
    let is_part = |tally: &ContestTally| tally.matches() < asked.matches;
    let mut interrupted = written.as_ref().is_some_and(is_part);
    let written = written.unwrap_or_else(|| ContestTally::new(first));
    let mut others = Vec::new();
    for (i, other) in asked.others.iter().enumerate() {
        if interrupted {
            break;
        }
        if other == first {
            others.push((other, written.clone()));
            continue;
        }
        if let Some(tally) = one(other, i as u64 + 1)? {
            interrupted = is_part(&tally);
            others.extend((tally.matches() > 0).then_some((other, tally)));
        }
    }
    if missing {
        return Err((Box::new(first.clone()), Stopped::Missing));
    }
    Ok(ContestResult { interrupted, ..ContestResult::new(asked.loaded, &written, &others) })
}

/// Returns the contest with one player's speed multiplied by a factor in thousandths, within what is allowed.
pub fn at_speed(spec: &ContestSpec, player: usize, factor: u32) -> ContestSpec {
    let mut spec = spec.clone();
    if let Some(player) = spec.players.get_mut(player) {
        let speed = u64::from(player.speed) * u64::from(factor) / 1000;
        player.speed = speed.clamp(10, 1_000_000) as u32;
    }
    spec
}
