//! Positions in which all is known: they are solved, and not only looked at in worlds.

use crate::game::{Move, Table};
use crate::interrupt;
use crate::solver::{Effort, Goal, Limits, Solver, Verdict};
use crate::strategy::StrategyError;

use super::Search;

/// Bytes that the positions of a long solve take at most; its lists take 32 MiB at most besides.
const MEMORY: usize = 64 << 20;

/// A small solve may expand so many times the usual positions.
const SMALL: u64 = 40;

/// A long one, where that finds no win and does not show that there is none, so many times those of the small one, and at
/// most so many in all.
const LONG: u64 = 4;
const MOST: u64 = 500_000;

impl Search {
    /// A line that wins, or else the best one found.
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
