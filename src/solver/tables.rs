//! Positions as tables: what is searched under any rules.

use crate::game::{Move, Table};

use super::engine::{Child, Engine};
use super::key::{Key, Keys};
use super::promise::{Eye, promise};
use super::pruner::Pruner;
use super::reach::Reach;
use super::search::{Next, States, Try};
use super::seen::hash;

/// The positions that can be reached from one, and what can be played in them.
pub(super) struct Tables<'a, 'r> {
    engine: &'a mut Engine<'r>,
    pruner: &'a Pruner,
    keys: Keys,
    reach: Reach,
    children: Vec<Child>,
}

impl<'a, 'r> Tables<'a, 'r> {
    pub fn new(root: &Table, engine: &'a mut Engine<'r>, pruner: &'a Pruner) -> Tables<'a, 'r> {
        let (keys, reach) = (Keys::new(root, engine.rules), Reach::new(root, engine.rules));
        Tables { engine, pruner, keys, reach, children: Vec::new() }
    }
}

impl<const N: usize> States<N> for Tables<'_, '_> {
    type Position = Table;
    type Play = Child;
    const GLANCES: usize = 2;
    // Wins come from beams and proofs of loss from walks: both get longer by turns, as it is not known which it will be.
    const TRIES: &'static [Try] = &[
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Walk(10_000),
        Try::Beam(300, Eye::Order),
        Try::Beam(300, Eye::Depth),
        Try::Walk(100_000),
        Try::Beam(2_000, Eye::Order),
        Try::Beam(2_000, Eye::Depth),
        Try::Walk(1_000_000),
        Try::Beam(10_000, Eye::Depth),
        Try::Beam(10_000, Eye::Order),
    ];

    fn cards(&self, at: &Table) -> usize {
        at.cards()
    }

    fn key(&self, at: &Table) -> Key<N> {
        self.keys.of(at, self.engine.rules)
    }

    fn in_order(&self) -> bool {
        self.keys.passes.in_order
    }

    fn expand(&mut self, at: &Table, key: &Key<N>, out: &mut Vec<Next<N, Child>>) {
        self.children.clear();
        self.engine.expand(at, &self.keys, self.pruner, &mut self.children);
        for &play in &self.children {
            let key = self.keys.after(key, at, &play, self.engine.rules);
            out.push(Next { play, rank: play.rank << 8, key, hash: key.map_or(0, |key| hash(&key)) });
        }
    }

    fn make(&self, at: &mut Table, play: &Child) {
        self.engine.make(at, play);
    }

    fn goes_up(play: &Child) -> bool {
        play.m.to_foundation()
    }

    fn promise(&self, at: &Table, eye: Eye) -> i32 {
        promise(at, self.engine.rules, eye)
    }

    fn falls_short(&mut self, at: &Table, cards: usize) -> bool {
        self.pruner.looks_ahead && self.reach.falls_short(at, self.engine.rules, cards)
    }

    fn tell(&self, _: &Table, path: &[(Table, Child)]) -> Vec<Move> {
        let mut moves = Vec::new();
        for (table, child) in path {
            self.engine.moves(table, child, &mut moves);
        }
        moves
    }
}
