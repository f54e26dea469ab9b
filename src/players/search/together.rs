//! Evaluates ways together in one world: a line that wins after one of them is tried after the others.

use crate::game::{Move, Table};
use crate::interrupt;
use crate::solver::{CardPlay, Goal};
use crate::strategy::StrategyError;

use super::reach::{Judge, Reached};
use super::replay::Replay;

impl Judge<'_, '_> {
    /// Returns what can be reached in a world after each of the ways given by index.
    ///
    /// # Errors
    /// As with [`Judge::value`].
    pub fn values(
        &mut self,
        world: &Table,
        ways: &[Vec<Move>],
        numbers: &[usize],
        chance: u64,
    ) -> Result<Vec<Reached>, StrategyError> {
        if !self.shares_lines() {
            return numbers.iter().map(|&way| self.value(world, &ways[way], chance)).collect();
        }
        if let Some(solver) = &mut self.solver {
            solver.history().age();
        }
        let rules = self.rules;
        let mut replay = Replay::default();
        let mut lines: Vec<Vec<CardPlay>> = Vec::new();
        let mut after: Vec<(Table, Reached)> = Vec::new();
        for &way in numbers {
            if interrupt::requested() {
                return Err(StrategyError::Interrupted);
            }
            let mut table = *world;
            let mut line = Vec::new();
            for &m in &ways[way] {
                CardPlay::list(rules, &table, &[m], &mut line);
                table.apply(rules, m, &mut crate::game::NoChance);
            }
            let reached = if lines.iter().any(|line| replay.wins(rules, &table, line)) {
                self.reached(true, rules.hot.cards)
            } else {
                let found = self.solve(&table, false);
                if found.won {
                    CardPlay::list(rules, &table, &found.moves, &mut line);
                    self.learn(&line);
                    lines.push(line);
                }
                self.reached(found.won, found.cards)
            };
            after.push((table, reached));
        }
        // Lines found later may win after ways that were judged sooner.
        let again = |(table, reached): (Table, Reached)| {
            let won = !reached.won && lines.iter().any(|line| replay.wins(rules, &table, line));
            if won { self.reached(true, rules.hot.cards) } else { reached }
        };
        Ok(after.into_iter().map(again).collect())
    }

    /// Returns whether lines can be shared between ways: all is known, a win is the goal, and passes cost nothing.
    fn shares_lines(&self) -> bool {
        let known = self.solves() && !self.view.stock_is_news(self.view.own_table());
        known && self.goal == Goal::Win && self.prices.is_none()
    }

    /// Stores the plays of the solver's line in a world, if it wins.
    pub fn learn_from(&mut self, world: &Table, moves: &[Move]) {
        if !self.shares_lines() {
            return;
        }
        let mut table = *world;
        crate::solver::follow(&mut table, self.rules, moves);
        if table.cards() == self.rules.hot.cards {
            let mut line = Vec::new();
            CardPlay::list(self.rules, world, moves, &mut line);
            self.learn(&line);
        }
    }

    fn learn(&mut self, line: &[CardPlay]) {
        if let Some(solver) = &mut self.solver {
            solver.history().learn(line);
        }
    }
}
