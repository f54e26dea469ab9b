//! Which cells get how many games: the rule by which a sweep spends its budget.
//!
//! 1. First every cell plays 2,000 games, or an equal share of the budget where that is less.
//! 2. At the end of a round, when all its games are played, a cell is *near the line* while the line (an edge of 0,
//!    or the target) lies within two half-widths of its house edge, a half-width being the wider side of its 95%
//!    interval. A cell near the line has enough once its half-width is at most half the precision, any other
//!    once it is at most the precision.
//! 3. Cells that have not enough ask for the games that should bring them there, as half-widths shrink with the
//!    square root of the games, and 5% more; in whole blocks of 1,000, and at most three times what they have played.
//! 4. Where the budget is less than what all ask for, it is given out block by block, each to the cell that would
//!    be furthest, as a multiple of its half-width wanted, with what it was given already; of equal ones to the first.
//! 5. The sweep ends when every cell has enough, or less than a block of the budget is left.
//!
//! Where the games of each cell are given there is one round, of just these games.
//!
//! Nothing of this looks at anything but whole rounds, so it is the same at any number of threads, and in a sweep that
//! was interrupted.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::rules::Spec;
use crate::stats::{House, Precision, Tally};

use super::super::batch::BLOCK;

/// Games that every cell plays first, where the budget allows.
pub const FIRST: u64 = 2000;
/// Fewer than this in a first round say nothing.
pub const FEWEST: u64 = 100;
/// Half-widths within which the line makes a cell near it.
const NEAR: f64 = 2.0;
/// The half-width wanted near the line, as a share of the precision.
const SHARPER: f64 = 0.5;
/// More games than the square-root law asks for, as half-widths of small samples vary.
const MARGIN: f64 = 1.05;
/// The most that a round multiplies the games of a cell by.
const GROWTH: u64 = 4;

/// What a sweep is after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// The half-width that every cell's interval must come down to.
    pub precision: Precision,
    /// The house edge you look for; cells near it get more games, a fraction of the stake.
    pub line: f64,
    /// Most games of all cells together.
    pub budget: u64,
    /// Games of every cell, where just this many are wanted; the precision does not count then.
    pub each: Option<u64>,
}

/// How far a cell is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Games played.
    pub games: u64,
    /// Its half-width as a multiple of the one wanted; infinite where there is no interval yet.
    pub width: f64,
    /// The line lies within two half-widths of its edge.
    pub near: bool,
}

impl Standing {
    /// That of a cell with these games.
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

    /// Whether it needs no more games.
    pub fn enough(&self) -> bool {
        self.width <= 1.0
    }

    /// Blocks it asks for.
    fn asks(&self) -> u64 {
        if self.enough() {
            return 0;
        }
        let most = self.games.saturating_mul(GROWTH);
        let wanted = self.games as f64 * self.width * self.width * MARGIN;
        let wanted = if wanted < most as f64 { wanted as u64 } else { most };
        wanted.saturating_sub(self.games).div_ceil(BLOCK).max(1)
    }

    /// Its width after this many more games.
    fn after(&self, more: u64) -> f64 {
        if self.width.is_infinite() {
            return self.width;
        }
        self.width * (self.games as f64 / (self.games + more) as f64).sqrt()
    }
}

/// Games of each of this many cells in the first round; none where the budget gives each too few.
pub(super) fn first(cells: u64, aim: &Aim) -> Option<u64> {
    if aim.each.is_some() {
        return aim.each;
    }
    let each = FIRST.min(aim.budget / cells.max(1));
    (each >= FEWEST).then_some(each)
}

/// The games that each cell will have played after the next round; `None` where the sweep ends.
pub(super) fn next(cells: &[Standing], budget: u64) -> Option<Vec<u64>> {
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

/// A cell in the queue for the next block.
struct Waiting {
    width: f64,
    cell: usize,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> Ordering {
        self.width.total_cmp(&other.width).then(other.cell.cmp(&self.cell))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Waiting) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

/// Gives out fewer blocks than are asked for.
fn ration(cells: &[Standing], asked: &[u64], blocks: u64) -> Vec<u64> {
    let mut given = vec![0; cells.len()];
    let waiting = |cell: usize, given: u64| Waiting { width: cells[cell].after(given * BLOCK), cell };
    let mut queue: BinaryHeap<Waiting> =
        (0..cells.len()).filter(|&cell| asked[cell] > 0).map(|cell| waiting(cell, 0)).collect();
    for _ in 0..blocks {
        let Some(Waiting { cell, .. }) = queue.pop() else { break };
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
    use crate::game::{End, Outcome};

    fn standing(games: u64, width: f64) -> Standing {
        Standing { games, width, near: false }
    }

    #[test]
    fn games_go_where_intervals_are_wide() {
        let cells = [standing(2000, 0.9), standing(2000, 1.5), standing(2000, 30.0)];
        // 2,000 times 1.5 squared and 5% more are 4,725; 30 would need 1.9 million, but a round goes to four times.
        assert_eq!(next(&cells, u64::MAX), Some(vec![2000, 5000, 8000]));
        assert_eq!(next(&cells[..1], u64::MAX), None);
        assert_eq!(next(&cells, 6999), None);
    }

    #[test]
    fn a_small_budget_goes_to_the_widest_first() {
        let cells = [standing(2000, 2.0), standing(2000, 3.0), standing(2000, 2.0)];
        assert_eq!(next(&cells, 7000), Some(vec![2000, 3000, 2000]));
        // The second is now at 2.45, then at 2.12, then at 1.90: below the others, of which the first comes first.
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

    #[test]
    fn near_the_line_twice_the_precision_is_wanted() {
        let spec = Spec::default();
        let mut tally = Tally::new(&spec);
        // None and all 52 cards in turn, so that nothing that was not seen widens the interval: 26 on average, that is
        // 130 of 52 paid, an edge of -150%.
        for game in 0..4000 {
            let (end, cards) = if game % 2 == 0 { (End::Blocked, 0) } else { (End::Won, 52) };
            tally.add(&Outcome {
                end,
                cards,
                moves: 9,
                redeals: 0,
                reserve_left: 0,
                complete_suits: 0,
                stake: None,
            });
        }
        let aim = |line| Aim { precision: Precision::Cards(2.6), line, budget: 0, each: None };
        let (far, near) = (Standing::of(&tally, &spec, &aim(0.0)), Standing::of(&tally, &spec, &aim(-1.5)));
        assert!(!far.near && near.near);
        assert!((near.width - 2.0 * far.width).abs() < 1e-12);
        // 1.96 * 26 / 63.2 cards are 0.806; bounds for figures of a known range are a little wider.
        assert!((0.31..0.315).contains(&far.width), "{}", far.width);
    }
}
