//! Solves positions without unknown cards, instead of sampling worlds.

use crate::game::{Move, Table};
use crate::interrupt;
use crate::solver::{Effort, Goal, Limits, Solver, Verdict};
use crate::strategy::StrategyError;

use super::Search;

/// Maximum memory for the positions of a long solve, in bytes; its lists take at most 32 MiB more.
const MEMORY: usize = 64 << 20;

/// Factor from the usual number of positions to that of a small solve.
const SMALL: u64 = 40;

/// Factor from a small solve to a long one, which is made if the small one neither finds nor excludes a win, and the
/// maximum number of positions in all.
const LONG: u64 = 4;
const MOST: u64 = 500_000;

impl Search {
    /// Returns a winning line, or else the best one found.
    pub(super) fn outright<'r>(
        &mut self,
        mut solver: Solver<'r>,
        world: &Table,
    ) -> Result<Vec<Move>, StrategyError> {
        let nodes = self.options.nodes * SMALL;
        let small = solver.solve_small(world, &Effort { goal: Goal::Win, nodes, moves: true });
        let rules = solver.rules();
        self.kept = solver.keep();
        let heeded = interrupt::heeded();
        let stop = heeded.as_deref().unwrap_or(&interrupt::FLAG);
        let limits = Limits { nodes: Some((nodes * LONG).min(MOST)), stop: Some(stop), ..Limits::default() };
        let long = match small.proven {
            true => None,
            false => Solver::new(rules, MEMORY).ok(),
        };
        let answer = long.map(|solver| {
            let mut solver = solver.with_kept(std::mem::take(&mut self.kept_long));
            let answer = solver.solve(world, Goal::Win, &limits);
            self.kept_long = solver.keep();
            answer
        });
        if interrupt::requested() {
            return Err(StrategyError::Interrupted);
        }
        Ok(match answer {
            Some(answer) if answer.verdict == Verdict::Won => answer.moves,
            _ => small.moves,
        })
    }
}
