//! The walk through all positions that can be reached, depth first.

use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::game::{Move, Table};

use super::engine::{Child, Engine};
use super::key::{Key, Keys};
use super::pruner::Pruner;
use super::seen::{Entered, Seen};
use super::{Limit, Limits};

/// Positions between looks at the clock.
const LOOK: u64 = 256;

/// Most plays in a row.
const DEEPEST: usize = 4000;

/// Where the walk stands.
struct Frame<const N: usize> {
    table: Table,
    key: Key<N>,
    /// Where its children begin, which of them is next, and where they end.
    first: usize,
    next: usize,
    end: usize,
}

/// How the walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// The visitor had enough.
    Enough,
    /// Every position that can be reached was visited.
    All,
    /// A limit ended it, or left something out.
    Stopped(Limit),
}

/// The memory of a walk, for the next one to use again.
pub(super) struct Walk<const N: usize> {
    seen: Seen<N>,
    frames: Vec<Frame<N>>,
    children: Vec<Child>,
    depth: usize,
    pub nodes: u64,
    pub deepest: usize,
}

impl<const N: usize> Walk<N> {
    pub fn new(memory: usize) -> Walk<N> {
        let (frames, children) = (Vec::new(), Vec::new());
        Walk { seen: Seen::new(memory), frames, children, depth: 0, nodes: 0, deepest: 0 }
    }

    /// Bytes in use for the positions seen.
    pub fn bytes(&self) -> usize {
        self.seen.bytes()
    }

    /// Visits every position that can be reached, until `enough` says so of one.
    ///
    /// Each is visited once: what can be reached does not depend on how a position was come to, so that one
    /// seen before, be it on the path to here, adds nothing. A position that was forgotten is visited again.
    pub fn visit(
        &mut self,
        root: &Table,
        engine: &mut Engine<'_>,
        pruner: &Pruner,
        limits: &Limits<'_>,
        mut enough: impl FnMut(&Table, &Walk<N>) -> bool,
    ) -> Walked {
        let keys = Keys::new(root, engine.rules);
        let started = Instant::now();
        let deadline = limits.time.and_then(|time| started.checked_add(time));
        let mut left_out = None;
        self.seen.clear();
        self.children.clear();
        (self.depth, self.nodes, self.deepest) = (0, 0, 0);
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Walked::Stopped(Limit::Stopped);
        }
        let mut table = *root;
        let mut key = keys.of(root, engine.rules);
        let mut entered = self.seen.enter(&key);
        loop {
            // Goes down to a new position.
            match entered {
                Entered::New if self.depth < DEEPEST => {
                    self.push(table, key);
                    self.nodes += 1;
                    if enough(&table, self) {
                        return Walked::Enough;
                    }
                    if let Some(limit) = self.over(limits, deadline) {
                        return Walked::Stopped(limit);
                    }
                    engine.expand(&table, &keys, pruner, &mut self.children);
                    self.frames[self.depth - 1].end = self.children.len();
                }
                Entered::New => {
                    self.seen.leave(&key);
                    left_out = Some(Limit::Depth);
                }
                Entered::NoRoom => left_out = Some(Limit::Memory),
                Entered::Known => {}
            }
            // Goes up until there is another child. Most of them are known, which the key tells.
            loop {
                let Some(top) = self.depth.checked_sub(1) else {
                    return left_out.map_or(Walked::All, Walked::Stopped);
                };
                let frame = &mut self.frames[top];
                if frame.next < frame.end {
                    let child = &self.children[frame.next];
                    frame.next += 1;
                    let foreseen = keys.after(&frame.key, &frame.table, child, engine.rules);
                    if let Some(after) = foreseen {
                        key = after;
                        entered = self.seen.enter(&key);
                        if entered != Entered::New {
                            break;
                        }
                    }
                    table = frame.table;
                    engine.make(&mut table, child);
                    if foreseen.is_none() {
                        key = keys.of(&table, engine.rules);
                        entered = self.seen.enter(&key);
                    }
                    break;
                }
                self.seen.leave(&frame.key);
                self.children.truncate(frame.first);
                self.depth = top;
            }
        }
    }

    fn push(&mut self, table: Table, key: Key<N>) {
        let first = self.children.len();
        let frame = Frame { table, key, first, next: first, end: first };
        match self.frames.get_mut(self.depth) {
            Some(old) => *old = frame,
            None => self.frames.push(frame),
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    fn over(&self, limits: &Limits<'_>, deadline: Option<Instant>) -> Option<Limit> {
        if limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return Some(Limit::Nodes);
        }
        if !self.nodes.is_multiple_of(LOOK) {
            return None;
        }
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Limit::Stopped);
        }
        deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Limit::Time)
    }

    /// The moves from the root to where the walk stands, draws and redeals among them.
    pub fn moves(&self, engine: &Engine<'_>) -> Vec<Move> {
        let mut moves = Vec::new();
        for frame in &self.frames[..self.depth - 1] {
            engine.moves(&frame.table, &self.children[frame.next - 1], &mut moves);
        }
        moves
    }
}
