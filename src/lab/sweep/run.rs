//! The games of a sweep, round by round over threads.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::super::batch::{BLOCK, BatchError, Matchup, games_of_a_block, is_slow};
use super::super::blocks::{Blocks, Cacheable, StopFlag, Workers, in_order};
use super::super::game_runner::{GameError, GameRunner};
use super::allocate::{Aim, FEWEST, Standing, first, next};
use crate::cards::Seed;
use crate::stats::{DifferenceTally, EdgeUnit, GameWorth, Tally};

/// Number of deals, from the first, on which each cell is compared with its baseline. More would add little, and the
/// baseline's results on them are kept in memory.
pub const MOST_COMPARED: u64 = 250_000;

/// Valid cells to play, with their baselines.
pub struct SweepBatch<'a> {
    /// Matchup of each cell; `None` if invalid.
    pub cells: Vec<Option<Matchup<'a>>>,
    /// The baselines.
    pub bases: Vec<Matchup<'a>>,
    /// Index of each cell's baseline; `None` if the cell is the same game, or invalid.
    pub against: Vec<Option<usize>>,
    /// The seed of all games. Game `i` of every cell has the same shuffle, where their packs are the same.
    pub seed: Seed,
    /// Criterion for enough games.
    pub aim: Aim,
}

/// State of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoFar {
    /// The current round, from 1, or the last.
    pub round: u32,
    /// Whether no more rounds follow.
    pub finished: bool,
    /// Number of games that each cell will have played at the end of the round.
    pub targets: Vec<u64>,
    /// Tally of each cell, over its first games; `None` if invalid.
    pub tallies: Vec<Option<Tally>>,
    /// Difference of each cell from its baseline, over its first games; `None` if it is not compared.
    pub differences: Vec<Option<DifferenceTally>>,
}

impl SoFar {
    /// Creates the state before the first game.
    ///
    /// # Errors
    /// The budget needed, if it is too small for a first round.
    pub fn new(batch: &SweepBatch<'_>) -> Result<SoFar, String> {
        let cells = batch.cells.iter().flatten().count() as u64;
        let Some(each) = first(cells, &batch.aim) else {
            return Err(format!(
                "a budget of {} games is too small for {cells} cells: each plays {FEWEST} at least, which are {}",
                batch.aim.budget,
                cells * FEWEST
            ));
        };
        let tallies: Vec<Option<Tally>> =
            batch.cells.iter().map(|cell| cell.as_ref().map(|cell| Tally::new(cell.rules.spec()))).collect();
        let targets = tallies.iter().map(|tally| if tally.is_some() { each } else { 0 }).collect();
        let differences = batch.against.iter().map(|base| base.map(|_| DifferenceTally::default())).collect();
        Ok(SoFar { round: 1, finished: false, targets, tallies, differences })
    }

    /// Returns the number of games, all cells together.
    pub fn games(&self) -> u64 {
        self.tallies.iter().flatten().map(Tally::games).sum()
    }

    fn played(&self, cell: usize) -> u64 {
        self.tallies[cell].as_ref().map_or(0, Tally::games)
    }

    /// Returns whether a cell has played all its games of this round.
    fn done(&self, cell: usize) -> bool {
        self.played(cell) >= self.targets[cell]
    }

    /// Returns how many cells have enough games, and how many are valid.
    pub fn enough(&self, batch: &SweepBatch<'_>) -> (usize, usize) {
        let standings = self.standings(batch);
        (standings.iter().filter(|it| it.enough()).count(), standings.len())
    }

    /// Returns the progress of the valid cells.
    fn standings(&self, batch: &SweepBatch<'_>) -> Vec<Standing> {
        let cells = batch.cells.iter().zip(&self.tallies);
        let played = cells.filter_map(|(cell, tally)| Some((cell.as_ref()?, tally.as_ref()?)));
        played.map(|(cell, tally)| Standing::of(tally, cell.rules.spec(), &batch.aim)).collect()
    }
}

/// Continues a sweep until [`Aim`] is reached or `stop` is set. `watch` is told of every block of games with its cell,
/// and of the end of every round, in an order that does not depend on threads.
///
/// # Errors
/// The first error of a strategy in the order of cells and games; `so_far` has what was played before it.
pub fn sweep(
    batch: &SweepBatch<'_>,
    so_far: &mut SoFar,
    (stop, workers): (&AtomicBool, Workers<'_>),
    watch: &mut dyn FnMut(&SoFar, Option<usize>),
) -> Result<(), BatchError> {
    let slow = |entry: Option<&Matchup<'_>>| is_slow(entry.into_iter(), stop);
    let cells = batch.cells.iter().map(|cell| slow(cell.as_ref())).collect::<Result<Vec<bool>, _>>()?;
    let bases = batch.bases.iter().map(|base| slow(Some(base))).collect::<Result<Vec<bool>, _>>()?;
    let bases = Bases { slow: bases, blocks: Mutex::default() };
    while !so_far.finished {
        let round = workers.part(so_far.round.into());
        let blocks = blocks(so_far, &cells);
        play_round(batch, so_far, (&blocks, &bases), (&StopFlag::new(stop), round), watch)?;
        if !(0..batch.cells.len()).all(|cell| so_far.done(cell)) {
            return Ok(());
        }
        match next(&so_far.standings(batch), batch.aim.budget) {
            Some(targets) => {
                let valid =
                    so_far.targets.iter_mut().zip(&so_far.tallies).filter(|(_, tally)| tally.is_some());
                valid.zip(targets).for_each(|((old, _), target)| *old = target);
                so_far.round += 1;
            }
            None => so_far.finished = true,
        }
        watch(so_far, None);
    }
    Ok(())
}

/// Returns the blocks left in a round, cell after cell. For a slow player, each block is one game.
fn blocks(so_far: &SoFar, slow: &[bool]) -> Vec<(usize, Range<u64>)> {
    let mut blocks = Vec::new();
    for (cell, &target) in so_far.targets.iter().enumerate() {
        let mut first = so_far.played(cell);
        let block = if slow[cell] { games_of_a_block(target.saturating_sub(first), 1) } else { BLOCK };
        while first < target {
            let end = target.min(first + block);
            blocks.push((cell, first..end));
            first = end;
        }
    }
    blocks
}

/// The players of a thread, which are reused as blocks arrive cell after cell.
#[derive(Default)]
struct Worker<'a> {
    /// The current cell and its player.
    cell: Option<(usize, GameRunner<'a>)>,
    base: BasePlayer<'a>,
}

/// Result of a block of games of a cell.
#[derive(Serialize, Deserialize)]
struct Played {
    tally: Tally,
    difference: DifferenceTally,
}

impl Cacheable for Played {}

fn play_round<'a>(
    batch: &'a SweepBatch<'a>,
    so_far: &mut SoFar,
    (blocks, bases): (&[(usize, Range<u64>)], &Bases),
    (halt, workers): (&'a StopFlag<'a>, Workers<'_>),
    watch: &mut dyn FnMut(&SoFar, Option<usize>),
) -> Result<(), BatchError> {
    let player = |of: &'a Matchup<'a>| GameRunner::new(of.id, of.rules, (of.strategy)()).heeding(halt.flag());
    let make = |worker: &mut Worker<'a>, index: Range<u64>| -> Option<Result<Played, Box<GameError>>> {
        let (cell, games) = &blocks[index.start as usize];
        let entry = batch.cells[*cell].as_ref()?;
        if worker.cell.as_ref().is_none_or(|(at, _)| at != cell) {
            worker.cell = Some((*cell, player(entry)));
        }
        let (_, cell_player) = worker.cell.as_mut()?;
        let base = match batch.against[*cell] {
            None => Ok(Vec::new()),
            Some(base) => {
                let compared = games.start..games.end.min(MOST_COMPARED).max(games.start);
                bases.games((base, &batch.bases[base]), batch.seed, compared, player, &mut worker.base)
            }
        };
        let against = batch.against[*cell].map(|base| &batch.bases[base]);
        let played =
            base.and_then(|base| play_block(cell_player, (entry, against), batch.seed, games.clone(), &base));
        halt.unless_interrupted(played, |error| &error.error)
    };
    let take = |index: Range<u64>, played: Played| {
        let cell = blocks[index.start as usize].0;
        if let Some(sum) = &mut so_far.tallies[cell] {
            sum.merge(&played.tally);
        }
        if let Some(sum) = &mut so_far.differences[cell] {
            sum.merge(&played.difference);
        }
        watch(so_far, Some(cell));
        ControlFlow::Continue(())
    };
    let all = Blocks::all(0..blocks.len() as u64, 1);
    // A checkpoint file may contain anything.
    let fits = |index: Range<u64>, played: &Played| {
        let (cell, games) = &blocks[index.start as usize];
        let Some(entry) = &batch.cells[*cell] else { return false };
        let (spec, count) = (entry.rules.spec(), played.tally.games());
        let compared = batch.against[*cell]
            .is_none_or(|base| played.difference.check(count, spec, batch.bases[base].rules.spec()).is_ok());
        count == games.end - games.start && played.tally.check(spec).is_ok() && compared
    };
    in_order(workers, &all, halt, Worker::default, make, fits, take)
}

/// `base` has the baseline's results on the first of the games.
fn play_block(
    player: &mut GameRunner<'_>,
    (entry, against): (&Matchup<'_>, Option<&Matchup<'_>>),
    seed: Seed,
    games: Range<u64>,
    base: &[GameWorth],
) -> Result<Played, Box<GameError>> {
    let spec = entry.rules.spec();
    let unit = against.and_then(|against| EdgeUnit::of(spec, against.rules.spec()));
    let mut played = Played { tally: Tally::new(spec), difference: DifferenceTally::default() };
    for (i, game) in games.enumerate() {
        let outcome = player.play(seed, game)?;
        played.tally.add(&outcome);
        if let Some(base) = base.get(i) {
            played.difference.add(unit, &GameWorth::of(spec, &outcome), base);
        }
    }
    Ok(played)
}

/// Result of a block of games.
type Compared = Arc<Vec<GameWorth>>;

/// Results of the baseline games, block by block, computed on demand and never stored.
struct Bases {
    /// Whether each baseline's player is slow: then its blocks are single games.
    slow: Vec<bool>,
    blocks: Mutex<BTreeMap<(usize, u64), Compared>>,
}

type BasePlayer<'a> = Option<(usize, GameRunner<'a>)>;

impl Bases {
    /// Returns the results of games of a seed under baseline `base`, in order.
    ///
    /// # Errors
    /// The error of the strategy.
    pub fn games<'a>(
        &self,
        (base, pairing): (usize, &'a Matchup<'a>),
        seed: Seed,
        games: Range<u64>,
        player: impl Fn(&'a Matchup<'a>) -> GameRunner<'a>,
        worker: &mut BasePlayer<'a>,
    ) -> Result<Vec<GameWorth>, Box<GameError>> {
        let size = if self.slow[base] { 1 } else { BLOCK };
        let mut all = Vec::new();
        let mut next = games.start;
        while next < games.end {
            let (block, first) = (next / size, next / size * size);
            let end = games.end.min(first + size);
            let known = self.lock().get(&(base, block)).cloned();
            let known = match known {
                Some(known) => known,
                None => {
                    if worker.as_ref().is_none_or(|(at, _)| *at != base) {
                        *worker = Some((base, player(pairing)));
                    }
                    let Some((_, player)) = worker else { break };
                    let worth = |game| {
                        let outcome = player.play(seed, game)?;
                        Ok::<_, Box<GameError>>(GameWorth::of(pairing.rules.spec(), &outcome))
                    };
                    let played: Compared =
                        Arc::new((first..first + size).map(worth).collect::<Result<_, _>>()?);
                    self.lock().insert((base, block), played.clone());
                    played
                }
            };
            all.extend_from_slice(&known[(next - first) as usize..(end - first) as usize]);
            next = end;
        }
        Ok(all)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(usize, u64), Compared>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
