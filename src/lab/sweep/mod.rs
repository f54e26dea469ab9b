//! Sweeps: the effect of changed rules, cell by cell, with games where they are needed.
//!
//! The rule by which a sweep spends its budget:
//!
//! 1. First, every cell plays 2,000 games, or an equal share of the budget if that is less.
//! 2. At the end of a round, when all its games are played, a cell is *near the line* if the line (an edge of 0,
//!    or the target) lies within two half-widths of its house edge, where a half-width is the wider side of its 95%
//!    interval. A cell near the line has enough games once its half-width is at most half the precision; any other,
//!    once it is at most the precision.
//! 3. Cells without enough games request as many as should bring them there, given that half-widths shrink with the
//!    square root of the games, plus 5%; in whole blocks of 1,000, and at most three times what they have played.
//! 4. If the budget is less than the sum of all requests, it is given out block by block, each to the cell that would
//!    be furthest from its wanted half-width, as a ratio, with the blocks already given to it; ties go to the first.
//! 5. The sweep ends when every cell has enough games, or less than a block of the budget is left.
//!
//! If the games of each cell are fixed, there is one round of exactly these games.
//!
//! The rule depends only on whole rounds, so it is the same on any number of threads, and in a sweep that
//! was interrupted.

mod plan;
mod result;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::batch::{BLOCK, BatchError, Matchup, blocks_of, is_slow};
use super::blocks::{Blocks, Cacheable, StopFlag, Workers, in_order};
use super::game_runner::{GameError, GameRunner};
use crate::cards::Seed;
use crate::rules::Spec;
use crate::stats::{DifferenceTally, EdgeUnit, GameWorth, House, Precision, Tally};
pub(super) use plan::same_game;
pub use plan::{Against, AgainstError, Axis, AxisKind, Cell, MOST_CELLS, Plan};
pub use result::{Crossing, Place, Shape, Swept, SweptCell, crossing};

/// Number of first deals on which each cell is compared with its baseline, whose results are kept in memory.
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

    fn standings(&self, batch: &SweepBatch<'_>) -> Vec<Standing> {
        let cells = batch.cells.iter().zip(&self.tallies);
        let played = cells.filter_map(|(cell, tally)| Some((cell.as_ref()?, tally.as_ref()?)));
        played.map(|(cell, tally)| Standing::of(tally, cell.rules.spec(), &batch.aim)).collect()
    }
}

/// Continues a sweep until [`Aim`] is reached. `watch` is told of every block of games with its cell, and of the end of
/// every round, in order. After an error, `so_far` has what was played before it.
pub fn sweep(
    batch: &SweepBatch<'_>,
    so_far: &mut SoFar,
    workers: Workers<'_>,
    watch: &mut dyn FnMut(&SoFar, Option<usize>),
) -> Result<(), BatchError> {
    let slow = |entry: Option<&Matchup<'_>>| is_slow(entry.into_iter(), workers);
    let cells = batch.cells.iter().map(|cell| slow(cell.as_ref())).collect::<Result<Vec<bool>, _>>()?;
    let bases = batch.bases.iter().map(|base| slow(Some(base))).collect::<Result<Vec<bool>, _>>()?;
    let bases = Bases { slow: bases, blocks: Mutex::default() };
    while !so_far.finished {
        let round = workers.part(so_far.round.into());
        let blocks = blocks(so_far, &cells);
        play_round(batch, so_far, (&blocks, &bases), (&StopFlag::new(workers.stop), round), watch)?;
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
    let of_cell = |(cell, &target): (usize, &u64)| {
        blocks_of(so_far.played(cell)..target, slow[cell]).map(move |games| (cell, games))
    };
    so_far.targets.iter().enumerate().flat_map(of_cell).collect()
}

/// The players of a thread, which are reused as blocks arrive cell after cell.
#[derive(Default)]
struct Worker<'a> {
    /// The current cell and its player.
    cell: Option<(usize, GameRunner<'a>)>,
    base: BasePlayer<'a>,
}

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
    let player = |of: &'a Matchup<'a>| {
        GameRunner::new(of.id, of.rules, of.strategy.instantiate()).heeding(halt.flag())
    };
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

/// Number of games that every cell plays first, if the budget allows.
pub const FIRST: u64 = 2000;
/// Minimum number of games per cell in a first round.
pub const FEWEST: u64 = 100;
/// Number of half-widths within which a cell is near the line.
const NEAR: f64 = 2.0;
/// The half-width wanted near the line, as a fraction of the precision.
const SHARPER: f64 = 0.5;
/// Factor by which requests exceed the square-root law, as half-widths of small samples vary.
const MARGIN: f64 = 1.05;
/// Maximum factor by which a round multiplies the games of a cell.
const GROWTH: u64 = 4;

/// Goal of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The half-width that every cell's interval must reach.
    pub precision: Precision,
    /// The house edge of interest, a fraction of the stake; cells near it get more games.
    pub line: f64,
    /// Maximum number of games, all cells together.
    pub budget: u64,
    /// Fixed number of games per cell, if given; the precision is then ignored.
    pub each: Option<u64>,
}

/// Progress of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Games played.
    pub games: u64,
    /// Its half-width divided by the one wanted; infinite if there is no interval yet.
    pub width: f64,
    /// Whether the line lies within two half-widths of its edge.
    pub near: bool,
}

impl Standing {
    /// Computes the progress of a cell with these games.
    pub fn of(tally: &Tally, spec: &Spec, aim: &Aim) -> Standing {
        let edge = House::new(tally, &spec.casino).edge();
        let near = edge.is_some_and(|e| {
            let half = (e.value - e.low).max(e.high - e.value);
            (e.value - aim.line).abs() <= NEAR * half
        });
        let ratio = match aim.each {
            Some(games) if tally.games() >= games => 0.0,
            Some(_) => f64::INFINITY,
            None => aim.precision.ratio(tally, spec).unwrap_or(f64::INFINITY),
        };
        Standing { games: tally.games(), width: if near { ratio / SHARPER } else { ratio }, near }
    }

    /// Returns whether it needs no more games.
    pub fn enough(&self) -> bool {
        self.width <= 1.0
    }

    fn asks(&self) -> u64 {
        if self.enough() {
            return 0;
        }
        let most = self.games.saturating_mul(GROWTH);
        let wanted = self.games as f64 * self.width * self.width * MARGIN;
        let wanted = if wanted < most as f64 { wanted as u64 } else { most };
        wanted.saturating_sub(self.games).div_ceil(BLOCK).max(1)
    }

    fn after(&self, more: u64) -> f64 {
        if self.width.is_infinite() {
            return self.width;
        }
        self.width * (self.games as f64 / (self.games + more) as f64).sqrt()
    }
}

/// Returns the games of each cell in the first round; `None` if the budget gives each too few.
fn first(cells: u64, aim: &Aim) -> Option<u64> {
    if aim.each.is_some() {
        return aim.each;
    }
    let each = FIRST.min(aim.budget / cells.max(1));
    (each >= FEWEST).then_some(each)
}

/// Returns the games that each cell will have played after the next round; `None` if the sweep ends.
fn next(cells: &[Standing], budget: u64) -> Option<Vec<u64>> {
    let played: u64 = cells.iter().map(|cell| cell.games).sum();
    let blocks = budget.saturating_sub(played) / BLOCK;
    let asked: Vec<u64> = cells.iter().map(Standing::asks).collect();
    let all: u64 = asked.iter().fold(0, |sum, &blocks| sum.saturating_add(blocks));
    if all == 0 || blocks == 0 {
        return None;
    }
    let given = if all <= blocks { asked } else { ration(cells, &asked, blocks) };
    Some(cells.iter().zip(given).map(|(cell, blocks)| cell.games + blocks * BLOCK).collect())
}

fn ration(cells: &[Standing], asked: &[u64], blocks: u64) -> Vec<u64> {
    let mut given = vec![0; cells.len()];
    // Widths are not negative, so that their bits are in the order of their values.
    let waiting = |cell: usize, given: u64| (cells[cell].after(given * BLOCK).to_bits(), Reverse(cell));
    let mut queue: BinaryHeap<(u64, Reverse<usize>)> =
        (0..cells.len()).filter(|&cell| asked[cell] > 0).map(|cell| waiting(cell, 0)).collect();
    for _ in 0..blocks {
        let Some((_, Reverse(cell))) = queue.pop() else { break };
        given[cell] += 1;
        if given[cell] < asked[cell] {
            queue.push(waiting(cell, given[cell]));
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(games: u64, width: f64) -> Standing {
        Standing { games, width, near: false }
    }

    #[test]
    fn games_go_where_intervals_are_wide() {
        let cells = [standing(2000, 0.9), standing(2000, 1.5), standing(2000, 30.0)];
        // 2,000 times 1.5 squared plus 5% is 4,725; 30 would need 1.9 million, but a round at most quadruples.
        assert_eq!(next(&cells, u64::MAX), Some(vec![2000, 5000, 8000]));
        assert_eq!(next(&cells[..1], u64::MAX), None);
        assert_eq!(next(&cells, 6999), None);
    }

    #[test]
    fn a_small_budget_goes_to_the_widest_first() {
        let cells = [standing(2000, 2.0), standing(2000, 3.0), standing(2000, 2.0)];
        assert_eq!(next(&cells, 7000), Some(vec![2000, 3000, 2000]));
        // The second is first at 2.45, then at 2.12, then at 1.90: below the others, of which the first comes first.
        assert_eq!(next(&cells, 9999), Some(vec![2000, 5000, 2000]));
        assert_eq!(next(&cells, 10_000), Some(vec![3000, 5000, 2000]));
        let open = [standing(2000, f64::INFINITY), standing(2000, 9.0)];
        assert_eq!(next(&open, 6000), Some(vec![4000, 2000]));
    }

    #[test]
    fn the_first_round_is_fair() {
        let aim = |budget, each| Aim { precision: Precision::Cards(0.1), line: 0.0, budget, each };
        assert_eq!(first(10, &aim(1_000_000, None)), Some(2000));
        assert_eq!(first(100, &aim(50_000, None)), Some(500));
        assert_eq!(first(1000, &aim(50_000, None)), None);
        assert_eq!(first(1000, &aim(50_000, Some(50))), Some(50));
    }
}
