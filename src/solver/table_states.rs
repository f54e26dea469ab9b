//! Positions as whole tables: the representation that works under any rules.

use crate::game::{Move, Table};

use super::engine::Engine;
use super::heuristic::{HeuristicKind, SeenTable, heuristic};
use super::history::History;
use super::key::{Key, Keys};
use super::novelty::Facts;
use super::pruner::Pruner;
use super::relaxed_bound::RelaxedBound;
use super::search::{Apart, Next, States, Try};
use super::successor::{self, Successor};
use super::transposition_table::{LastBits, hash};

/// The attempts. Width searches find most wins, and beams some of the others. Width searches that compare only
/// positions with the same number of cards in the reserves take some 100,000 nodes each and find what the narrower ones
/// miss; they are skipped under rules without compact positions. Deals still open after that are mostly lost.
pub(super) const TRIES: &[Try] = &[
    Try::Walk(10_000),
    Try::Width(HeuristicKind::Order, Apart::Up),
    Try::Beam(300, HeuristicKind::Order),
    Try::Walk(100_000),
    Try::Width(HeuristicKind::Depth, Apart::Up),
    Try::Beam(2_000, HeuristicKind::Depth),
    Try::Beam(2_000, HeuristicKind::Order),
    Try::Width(HeuristicKind::Order, Apart::Up),
    Try::Width(HeuristicKind::Depth, Apart::Up),
    Try::Width(HeuristicKind::Order, Apart::Up),
    Try::Beam(10_000, HeuristicKind::Depth),
    Try::Width(HeuristicKind::Depth, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Order, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Depth, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Order, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Depth, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Order, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Depth, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Order, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Depth, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Order, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Depth, Apart::UpAndReserves),
    Try::Width(HeuristicKind::Order, Apart::UpAndReserves),
];

/// The positions reachable from one, and what can be played in them.
pub(super) struct TableStates<'a, 'r> {
    engine: &'a mut Engine<'r>,
    pruner: Pruner,
    history: &'a History,
    keys: Keys,
    bound: RelaxedBound,
    children: Vec<Successor>,
}

impl<'a, 'r> TableStates<'a, 'r> {
    pub fn new(
        root: &Table,
        engine: &'a mut Engine<'r>,
        pruner: &'a Pruner,
        history: &'a History,
    ) -> TableStates<'a, 'r> {
        let (keys, bound) = (Keys::new(root, engine.rules), RelaxedBound::new(root, engine.rules));
        TableStates { engine, pruner: *pruner, history, keys, bound, children: Vec::new() }
    }
}

impl<const N: usize> States<N> for TableStates<'_, '_> {
    type Position = Table;
    type Play = Successor;
    const GLANCES: usize = 2;
    const TRIES: &'static [Try] = TRIES;

    fn cards(&self, at: &Table) -> usize {
        at.cards()
    }

    fn in_reserves(&self, at: &Table) -> usize {
        at.reserve_left()
    }

    fn is_sure(&self) -> bool {
        self.pruner.is_sure()
    }

    fn hurry(&mut self, hasty: bool) {
        self.pruner.hasty = hasty;
    }

    fn key(&self, at: &Table) -> Key<N> {
        self.keys.of(at, self.engine.rules)
    }

    fn facts(key: &Key<N>) -> Facts {
        Facts::of_cards(key)
    }

    fn last_bits(&self) -> LastBits {
        if self.keys.passes.in_order { LastBits::InOrder } else { LastBits::Turned }
    }

    fn expand(&mut self, at: &Table, key: &Key<N>, out: &mut Vec<Next<N, Successor>>) {
        self.children.clear();
        self.engine.expand(at, &self.keys, &self.pruner, &mut self.children);
        for &play in &self.children {
            let key = self.keys.after(key, at, &play, self.engine.rules);
            let rank = self.history.rank_on(play.rank, at, play.m, play.card);
            out.push(Next { play, rank, key, hash: key.map_or(0, |key| hash(&key)) });
        }
    }

    fn make(&self, at: &mut Table, play: &Successor) {
        play.make(at, self.engine.rules);
    }

    fn goes_up(play: &Successor) -> bool {
        play.m.to_foundation()
    }

    fn heuristic(&self, at: &Table, kind: HeuristicKind) -> i32 {
        heuristic(&SeenTable(at, self.engine.rules), self.engine.rules, kind)
    }

    fn falls_short(&mut self, at: &Table, cards: usize) -> bool {
        self.pruner.looks_ahead && self.bound.falls_short(at, self.engine.rules, cards)
    }

    fn tell(&self, root: &Table, line: &[Successor]) -> Vec<Move> {
        successor::tell(self.engine.rules, root, line)
    }
}
