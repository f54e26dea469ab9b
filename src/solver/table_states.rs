//! Positions as whole tables: the form of search that works under any rules.

use crate::game::{Move, Table};

use super::child::{self, Child};
use super::engine::Engine;
use super::heuristic::{HeuristicKind, SeenTable, heuristic};
use super::history::History;
use super::key::{Key, Keys};
use super::pruner::Pruner;
use super::relaxed_bound::RelaxedBound;
use super::search::{Next, States, Try};
use super::transposition_table::{LastBits, hash};

/// What is tried where redeals may be few. Wins come from beams and proofs of loss from walks: both get longer by turns, as it is not
/// known which it will be.
///
/// Other lists gained nothing. Of 35 deals of canfield that take more than 1.5 million nodes, 8 are open after 14 million; 9
/// with two more beams of 40,000, 10 with four more walks of a million, 11 with many walks of 100,000 and 300,000 in the place of
/// longer ones. Of 10 open deals of draw-one, beams of 40,000 or 150,000 win one.
///
/// Nor did nested rollouts whose policy learns (Rosin, IJCAI 2011; a weight for each card and what it is put on, three levels
/// of 50), though they win deals that nothing else here does. Of deals that take more than a million nodes, within 30 million
/// they win 4 of 13 of superior, and 8 of 14 of draw-one; this list wins 8 and 8 within 16 million, with 8 million of rollouts
/// after it 8 and 9. Of 18 such deals of canfield, 2 are open after 20 million nodes, and 4 with 3 million of rollouts first.
pub(super) const TRIES: &[Try] = &[
    Try::Walk(10_000),
    Try::Walk(10_000),
    Try::Walk(10_000),
    Try::Walk(10_000),
    Try::Beam(300, HeuristicKind::Order),
    Try::Beam(300, HeuristicKind::Depth),
    Try::Walk(100_000),
    Try::Beam(2_000, HeuristicKind::Order),
    Try::Beam(2_000, HeuristicKind::Depth),
    Try::Walk(1_000_000),
    Try::Beam(10_000, HeuristicKind::Depth),
    Try::Beam(10_000, HeuristicKind::Order),
];

/// The positions that can be reached from one, and what can be played in them.
pub(super) struct TableStates<'a, 'r> {
    engine: &'a mut Engine<'r>,
    pruner: &'a Pruner,
    history: &'a History,
    keys: Keys,
    bound: RelaxedBound,
    children: Vec<Child>,
}

impl<'a, 'r> TableStates<'a, 'r> {
    pub fn new(
        root: &Table,
        engine: &'a mut Engine<'r>,
        pruner: &'a Pruner,
        history: &'a History,
    ) -> TableStates<'a, 'r> {
        let (keys, bound) = (Keys::new(root, engine.rules), RelaxedBound::new(root, engine.rules));
        TableStates { engine, pruner, history, keys, bound, children: Vec::new() }
    }
}

impl<const N: usize> States<N> for TableStates<'_, '_> {
    type Position = Table;
    type Play = Child;
    const GLANCES: usize = 2;
    const TRIES: &'static [Try] = TRIES;

    fn cards(&self, at: &Table) -> usize {
        at.cards()
    }

    fn key(&self, at: &Table) -> Key<N> {
        self.keys.of(at, self.engine.rules)
    }

    fn last_bits(&self) -> LastBits {
        if self.keys.passes.in_order { LastBits::InOrder } else { LastBits::Turned }
    }

    fn expand(&mut self, at: &Table, key: &Key<N>, out: &mut Vec<Next<N, Child>>) {
        self.children.clear();
        self.engine.expand(at, &self.keys, self.pruner, &mut self.children);
        for &play in &self.children {
            let key = self.keys.after(key, at, &play, self.engine.rules);
            let rank = self.history.rank_on(play.rank, at, play.m, play.card);
            out.push(Next { play, rank, key, hash: key.map_or(0, |key| hash(&key)) });
        }
    }

    fn make(&self, at: &mut Table, play: &Child) {
        play.make(at, self.engine.rules);
    }

    fn goes_up(play: &Child) -> bool {
        play.m.to_foundation()
    }

    fn heuristic(&self, at: &Table, kind: HeuristicKind) -> i32 {
        heuristic(&SeenTable(at, self.engine.rules), self.engine.rules, kind)
    }

    fn falls_short(&mut self, at: &Table, cards: usize) -> bool {
        self.pruner.looks_ahead && self.bound.falls_short(at, self.engine.rules, cards)
    }

    fn tell(&self, root: &Table, line: &[Child]) -> Vec<Move> {
        child::tell(self.engine.rules, root, line)
    }
}
