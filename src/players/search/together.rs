//! Evaluates ways together in one world: a line that wins after one of them is tried after the others.

use crate::cards::Card;
use crate::game::{Move, MoveList, NoChance, Table};
use crate::interrupt;
use crate::rules::Rules;
use crate::solver::{CardPlay, Goal, Onto};
use crate::strategy::{MoveValue, StrategyError};

use super::reach::{Judge, Reached};

impl Judge<'_, '_> {
    /// Returns what can be reached in a world after each of the ways given by index.
    ///
    /// # Errors
    /// As with [`Judge::value`].
    pub fn values(
        &mut self,
        world: &Table,
        ways: &[MoveValue],
        numbers: &[usize],
        chance: u64,
    ) -> Result<Vec<Reached>, StrategyError> {
        if !self.shares_lines() {
            return numbers.iter().map(|&way| self.value(world, &ways[way].moves, chance)).collect();
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
            for &m in &ways[way].moves {
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

/// Number of times that skipped plays are tried again, after the others.
const ROUNDS: usize = 3;

/// Tests whether a line that wins from one position of a world wins from another one too, reusing its memory.
///
/// Ways of one decision mostly differ by a few plays. A line that wins after one of them usually wins after the other
/// with the plays in nearly the same order; trying that takes a hundredth of the time of a solve.
#[derive(Default)]
struct Replay {
    legal: MoveList,
    left: Vec<CardPlay>,
}

impl Replay {
    /// Returns whether those plays of a line that can be made from a position win.
    fn wins(&mut self, rules: &Rules, from: &Table, line: &[CardPlay]) -> bool {
        let mut table = *from;
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend(line);
        for _ in 0..ROUNDS {
            let before = left.len();
            left.retain(|&play| !self.make(rules, &mut table, play));
            if left.is_empty() || left.len() == before {
                break;
            }
        }
        self.left = left;
        table.cards() == rules.hot.cards
    }

    /// Makes a play, turning the stock as needed.
    fn make(&mut self, rules: &Rules, table: &mut Table, play: CardPlay) -> bool {
        // Most plays that cannot be made lack their target, which is found sooner than all legal moves.
        let mut tops = (0..rules.hot.piles).map(|pile| table.top_of_pile(pile));
        let takes = match play.onto {
            Onto::Foundations => table.wanted() & play.card.bit() != 0,
            Onto::Space => tops.any(|top| top == Card::NONE),
            Onto::Card(card) => tops.any(|top| top == card),
        };
        if !takes {
            return false;
        }
        if self.make_here(rules, table, play) {
            return true;
        }
        if !table.waste().contains(&play.card) && !table.stock().contains(&play.card) {
            return false;
        }
        let mut place = table.stock_position();
        // Two passes show everything that turning can show.
        for _ in 0..2 * (usize::from(place.both) + 2) {
            if place.turning(rules).is_none() || !place.turn(rules) {
                return false;
            }
            if place.waste > 0 && table.turned_top(place.waste) == play.card {
                let mut turned = *table;
                turned.turn_to(&place);
                let made = self.make_here(rules, &mut turned, play);
                if made {
                    *table = turned;
                }
                return made;
            }
        }
        false
    }

    fn make_here(&mut self, rules: &Rules, table: &mut Table, play: CardPlay) -> bool {
        table.legal_moves(rules, &mut self.legal);
        let mut plays = self.legal.iter().copied().filter(|m| m.is_play());
        let found = plays.find(|&m| table.lowest_moved(m) == play.card && CardPlay::of(table, m) == play);
        if let Some(m) = found {
            table.apply(rules, m, &mut NoChance);
        }
        found.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::load;
    use crate::solver::{Effort, Goal, Solver};

    /// A line wins from where it was found and from each position on it, and never without its last play.
    #[test]
    fn a_line_that_wins_wins_again() {
        let mut replay = Replay::default();
        let mut won = 0;
        for name in ["canfield", "draw-one", "superior", "thoughtful", "demon-two-packs", "storehouse"] {
            let rules = load(name).unwrap().rules;
            let mut solver = Solver::new(&rules, 1 << 20).unwrap();
            for number in 0..12 {
                let mut table = Table::of_seed(&rules, 11, number);
                let found =
                    solver.solve_small(&table, &Effort { goal: Goal::Win, nodes: 3_000, moves: false });
                if !found.won {
                    continue;
                }
                won += 1;
                let mut line = Vec::new();
                CardPlay::list(&rules, &table, &found.moves, &mut line);
                assert!(!replay.wins(&rules, &table, &line[..line.len() - 1]), "{name} {number}");
                for &m in &found.moves {
                    assert!(replay.wins(&rules, &table, &line), "{name} {number} {m}");
                    table.apply(&rules, m, &mut NoChance);
                }
            }
        }
        assert!(won > 15, "{won}");
    }
}
