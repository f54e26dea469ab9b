//! Tests whether a line that wins from one position of a world wins from another one too.
//!
//! Ways of one decision mostly differ by a few plays. A line that wins after one of them usually wins after the other
//! with the plays in nearly the same order; trying that takes a hundredth of the time of a solve.

use crate::game::{MoveList, NoChance, Table};
use crate::rules::Rules;
use crate::solver::CardPlay;

/// Number of times that skipped plays are tried again, after the others.
const ROUNDS: usize = 3;

/// Replays lines in other positions, reusing its memory.
#[derive(Default)]
pub(super) struct Replay {
    legal: MoveList,
    left: Vec<CardPlay>,
}

impl Replay {
    /// Returns whether those plays of a line that can be made from a position win.
    pub fn wins(&mut self, rules: &Rules, from: &Table, line: &[CardPlay]) -> bool {
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
    use crate::cards::Deck;
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
                let deck = Deck::shuffled(rules.deck_shape(), 11, number);
                let mut table = Table::deal(&rules, deck.cards(), &mut NoChance);
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
