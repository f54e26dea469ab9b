//! The walk through all positions that can be reached, depth first.

use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::game::{Move, Table};

use super::engine::{Child, Engine};
use super::key::{Key, Keys};
use super::pruner::Pruner;
use super::reach::Reach;
use super::seen::{Entered, Seen, hash};
use super::{Limit, Limits};

/// Positions between looks at the clock.
const LOOK: u64 = 256;

/// Most plays in a row.
const DEEPEST: usize = 4000;

/// Where the walk stands.
struct Frame<const N: usize> {
    table: Table,
    key: Key<N>,
    hash: u64,
    /// Where its children begin, which of them is next, and where they end.
    first: usize,
    next: usize,
    end: usize,
}

/// A child, and its key where that could be foreseen.
#[derive(Clone, Copy)]
struct Next<const N: usize> {
    child: Child,
    key: Option<Key<N>>,
    hash: u64,
}

/// How the walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// The visitor had enough.
    Enough,
    /// Every position that can be reached was visited, but for those from which what is looked for cannot be
    /// reached.
    All,
    /// This attempt's positions were used up.
    Tired,
    /// A limit ended it, or left something out.
    Stopped(Limit),
}

/// The memory of a walk, for the next one to use again.
pub(super) struct Walk<const N: usize> {
    seen: Seen<N>,
    frames: Vec<Frame<N>>,
    nexts: Vec<Next<N>>,
    children: Vec<Child>,
    depth: usize,
    /// Positions expanded, by all attempts at this question.
    pub nodes: u64,
    deadline: Option<Instant>,
}

impl<const N: usize> Walk<N> {
    pub fn new(memory: usize) -> Walk<N> {
        Walk {
            seen: Seen::new(memory),
            frames: Vec::new(),
            nexts: Vec::new(),
            children: Vec::new(),
            depth: 0,
            nodes: 0,
            deadline: None,
        }
    }

    /// Bytes in use for the positions seen.
    pub fn bytes(&self) -> usize {
        self.seen.bytes()
    }

    /// Begins with a new question.
    pub fn begin(&mut self, limits: &Limits<'_>) {
        self.nodes = 0;
        self.deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
    }

    /// Visits every position that can be reached, or as many as an attempt may expand. The visitor says of each
    /// how many cards are looked for from there on, or that it has enough.
    ///
    /// Each is visited once: what can be reached does not depend on how a position was come to, so that one
    /// seen before, be it on the path to here, adds nothing. A position that was forgotten is visited again.
    pub fn visit(
        &mut self,
        root: &Table,
        engine: &mut Engine<'_>,
        pruner: &Pruner,
        limits: &Limits<'_>,
        attempt: Option<u64>,
        mut visitor: impl FnMut(&Table, &Walk<N>) -> Option<usize>,
    ) -> Walked {
        let rules = engine.rules;
        let keys = Keys::new(root, rules);
        let mut reach = Reach::new(root, rules);
        let tired = attempt.map_or(u64::MAX, |positions| self.nodes.saturating_add(positions));
        let mut left_out = None;
        self.seen.clear();
        self.nexts.clear();
        self.depth = 0;
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Walked::Stopped(Limit::Stopped);
        }
        self.make_room();
        self.frames[0].table = *root;
        let mut entered = self.place(keys.of(root, rules));
        loop {
            // Goes down to a new position, which lies one deeper than the path.
            match entered {
                Entered::New if self.depth < DEEPEST => {
                    self.depth += 1;
                    let table = &self.frames[self.depth - 1].table;
                    let Some(wanted) = visitor(table, self) else { return Walked::Enough };
                    // A card that went up takes nothing from what can come up. Of other positions, each second
                    // one on the way down is looked at: what the one misses, the next one finds.
                    let went_up = self.frames[..self.depth - 1]
                        .last()
                        .is_some_and(|from| self.nexts[from.next - 1].child.m.to_foundation());
                    let looks = pruner.looks_ahead && self.depth % 2 == 1 && !went_up;
                    if !(looks && reach.falls_short(table, rules, wanted)) {
                        if let Some(limit) = self.over(limits) {
                            return Walked::Stopped(limit);
                        }
                        if self.nodes >= tired {
                            return Walked::Tired;
                        }
                        self.nodes += 1;
                        self.expand(engine, pruner, &keys);
                    }
                }
                Entered::New => {
                    let frame = &self.frames[self.depth];
                    self.seen.leave(&frame.key, frame.hash);
                    left_out = Some(Limit::Depth);
                }
                Entered::NoRoom => left_out = Some(Limit::Memory),
                Entered::Known => {}
            }
            // Goes up until there is another child.
            loop {
                let Some(top) = self.depth.checked_sub(1) else {
                    return left_out.map_or(Walked::All, Walked::Stopped);
                };
                let frame = &mut self.frames[top];
                if frame.next < frame.end {
                    let next = self.nexts[frame.next];
                    frame.next += 1;
                    entered = self.enter(next, engine, &keys);
                    break;
                }
                self.seen.leave(&frame.key, frame.hash);
                self.nexts.truncate(frame.first);
                self.depth = top;
            }
        }
    }

    /// Lists what can be done where the walk stands, but for what leads to positions that are known already.
    fn expand(&mut self, engine: &mut Engine<'_>, pruner: &Pruner, keys: &Keys) {
        let frame = &mut self.frames[self.depth - 1];
        self.children.clear();
        engine.expand(&frame.table, keys, pruner, &mut self.children);
        let mut at_hand = 0;
        for &child in &self.children {
            let key = keys.after(&frame.key, &frame.table, &child, engine.rules);
            let hash = key.map_or(0, |key| hash(&key));
            // All of them are asked for before the first is needed, as memory is slow.
            at_hand |= self.seen.touch(hash);
            self.nexts.push(Next { child, key, hash });
        }
        std::hint::black_box(at_hand);
        let mut kept = frame.first;
        for i in frame.first..self.nexts.len() {
            let next = self.nexts[i];
            if !next.key.is_some_and(|key| self.seen.knows(&key, next.hash)) {
                self.nexts[kept] = next;
                kept += 1;
            }
        }
        self.nexts.truncate(kept);
        frame.end = kept;
    }

    /// Goes to a child, which is then one deeper than the path, unless it is known.
    fn enter(&mut self, next: Next<N>, engine: &Engine<'_>, keys: &Keys) -> Entered {
        if let Some(key) = next.key {
            let entered = self.seen.enter(&key, next.hash);
            if entered != Entered::New {
                return entered;
            }
        }
        self.make_room();
        let (path, deeper) = self.frames.split_at_mut(self.depth);
        let (Some(from), Some(to)) = (path.last(), deeper.first_mut()) else { return Entered::NoRoom };
        to.table = from.table;
        engine.make(&mut to.table, &next.child);
        let Some(key) = next.key else {
            let key = keys.of(&to.table, engine.rules);
            return self.place(key);
        };
        (to.key, to.hash) = (key, next.hash);
        self.no_children();
        Entered::New
    }

    /// Enters the position one deeper than the path, whose table is there already.
    fn place(&mut self, key: Key<N>) -> Entered {
        let frame = &mut self.frames[self.depth];
        (frame.key, frame.hash) = (key, hash(&key));
        self.no_children();
        self.seen.enter(&key, hash(&key))
    }

    fn no_children(&mut self) {
        let first = self.nexts.len();
        let frame = &mut self.frames[self.depth];
        (frame.first, frame.next, frame.end) = (first, first, first);
    }

    /// Makes a place for a position one deeper than the path.
    fn make_room(&mut self) {
        if self.frames.len() == self.depth {
            let table = Table::BARE;
            self.frames.push(Frame { table, key: [0; N], hash: 0, first: 0, next: 0, end: 0 });
        }
    }

    fn over(&self, limits: &Limits<'_>) -> Option<Limit> {
        if limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return Some(Limit::Nodes);
        }
        if !self.nodes.is_multiple_of(LOOK) {
            return None;
        }
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Limit::Stopped);
        }
        self.deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| Limit::Time)
    }

    /// The moves from the root to where the walk stands, draws and redeals among them.
    pub fn moves(&self, engine: &Engine<'_>) -> Vec<Move> {
        let mut moves = Vec::new();
        for frame in &self.frames[..self.depth - 1] {
            engine.moves(&frame.table, &self.nexts[frame.next - 1].child, &mut moves);
        }
        moves
    }
}
