//! The rule by which a sweep spends its budget: how many games each cell gets.
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

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::rules::Spec;
use crate::stats::{House, Precision, Tally};

use super::super::batch::BLOCK;

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

    /// Returns its width after this many more games.
    fn after(&self, more: u64) -> f64 {
        if self.width.is_infinite() {
            return self.width;
        }
        self.width * (self.games as f64 / (self.games + more) as f64).sqrt()
    }
}

/// Returns the games of each cell in the first round; `None` if the budget gives each too few.
pub(super) fn first(cells: u64, aim: &Aim) -> Option<u64> {
    if aim.each.is_some() {
        return aim.each;
    }
    let each = FIRST.min(aim.budget / cells.max(1));
    (each >= FEWEST).then_some(each)
}

/// Returns the games that each cell will have played after the next round; `None` if the sweep ends.
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

/// Distributes fewer blocks than requested.
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
    use crate::game::{End, Outcome};

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

    #[test]
    fn near_the_line_twice_the_precision_is_wanted() {
        let spec = Spec::default();
        let mut tally = Tally::new(&spec);
        // No cards and all 52 in turn, so that nothing unseen widens the interval: 26 on average, which is 130 for 52
        // paid, an edge of -150%.
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
        // 1.96 * 26 / 63.2 is 0.806 cards; intervals for values of a known range are a little wider.
        assert!((0.31..0.315).contains(&far.width), "{}", far.width);
    }
}
