//! Breadth-first exploration of the positions reachable by plays, for strategies that look for ways to something.

use std::collections::HashSet;

use crate::game::{Move, MoveList, NoChance, Table};
use crate::rules::Rules;

use super::engine::Engine;
use super::key::{Key, Keys, MORE_PACKS};
use super::pruner::Pruner;
use super::successor::Successor;

/// Explores positions breadth-first; created once for rules.
pub struct Explorer<'r> {
    engine: Engine<'r>,
    pruner: Pruner,
    steps: Vec<Step>,
    known: HashSet<Key<MORE_PACKS>>,
    children: Vec<Successor>,
    legal: MoveList,
}

/// A position that was reached.
struct Step {
    table: Table,
    /// The position before it and the play made there; `None` for the root.
    before: Option<(usize, Successor)>,
}

/// How to continue at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onward {
    /// Expand the position.
    Expand,
    /// Do not expand it.
    Stop,
    /// Do not expand it, and report the way there.
    Tell,
}

impl<'r> Explorer<'r> {
    /// Creates an explorer for positions of these rules.
    pub fn new(rules: &'r Rules) -> Explorer<'r> {
        Explorer {
            engine: Engine::new(rules),
            pruner: Pruner::new(rules),
            steps: Vec::new(),
            known: HashSet::new(),
            children: Vec::new(),
            legal: MoveList::new(),
        }
    }

    /// Expands at most `most` positions breadth-first, each once. If `turns` is set, the stock may be turned before a
    /// play. `visit` receives each play on the way with the positions before and after it, and says how to continue.
    /// Returns the moves, including draws and redeals, of the ways that it asked for, and unless the stock is turned,
    /// those to each expanded position.
    pub fn explore(
        &mut self,
        root: &Table,
        turns: bool,
        positions: usize,
        mut visit: impl FnMut(&Table, Move, &Table) -> Onward,
    ) -> (Vec<Vec<Move>>, Vec<Vec<Move>>) {
        let keys = Keys::new(root, self.engine.rules);
        let (mut told, mut expanded) = (Vec::new(), Vec::new());
        self.steps.clear();
        self.known.clear();
        self.steps.push(Step { table: *root, before: None });
        self.known.insert(keys.of(root, self.engine.rules));
        let mut next = 0;
        while next < self.steps.len() && next < positions {
            let table = self.steps[next].table;
            if !turns {
                expanded.push(self.way(next, None));
            }
            self.list(&table, &keys, turns);
            for i in 0..self.children.len() {
                let child = self.children[i];
                let (mut before, mut after) = (table, table);
                before.turn_to(&child.place);
                child.make(&mut after, self.engine.rules);
                match visit(&before, child.m, &after) {
                    Onward::Stop => {}
                    Onward::Tell => told.push(self.way(next, Some(child))),
                    Onward::Expand => {
                        if self.steps.len() < positions
                            && self.known.insert(keys.of(&after, self.engine.rules))
                        {
                            self.steps.push(Step { table: after, before: Some((next, child)) });
                        }
                    }
                }
            }
            next += 1;
        }
        (told, expanded)
    }

    fn list(&mut self, table: &Table, keys: &Keys, turns: bool) {
        self.children.clear();
        if turns {
            self.engine.expand(table, keys, &self.pruner, &mut self.children);
            return;
        }
        table.legal_moves(self.engine.rules, &mut self.legal);
        let place = table.stock_position();
        for &m in &self.legal[..self.legal.plays()] {
            if !self.pruner.leaves_out(table, m, self.engine.rules) {
                self.children.push(Successor { m, place, rank: 0, card: table.lowest_moved(m) });
            }
        }
    }

    /// Returns the moves from the root to a position, and on.
    fn way(&self, mut to: usize, last: Option<Successor>) -> Vec<Move> {
        let mut plays: Vec<(usize, Successor)> = last.map(|child| (to, child)).into_iter().collect();
        while let Some((before, child)) = self.steps[to].before {
            plays.push((before, child));
            to = before;
        }
        let mut moves = Vec::new();
        for (before, child) in plays.iter().rev() {
            child.moves(&self.steps[*before].table, self.engine.rules, &mut moves);
        }
        moves
    }
}

/// Makes moves in order while they are legal; returns how many were made.
pub fn follow(table: &mut Table, rules: &Rules, moves: &[Move]) -> usize {
    let mut legal = MoveList::new();
    for (made, &m) in moves.iter().enumerate() {
        table.legal_moves(rules, &mut legal);
        if !legal.contains(&m) {
            return made;
        }
        table.apply(rules, m, &mut NoChance);
    }
    moves.len()
}
