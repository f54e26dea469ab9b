//! Depth-first search (a "walk") through all reachable positions.

use std::sync::atomic::Ordering;

use crate::clock::Moment;
use crate::game::{Move, Table};

use super::heuristic::HeuristicKind;
use super::key::Key;
use super::novelty::Facts;
use super::transposition_table::{Entered, LastBits, TranspositionTable, hash};
use super::{Limit, Limits};

/// Memory that a beam or a width search may always take, in bytes.
const LEAST: usize = 1 << 25;

/// Returns the maximum memory of a beam or a width search beyond that for positions, given the latter.
pub fn besides(memory: usize) -> usize {
    (memory / 4).max(LEAST)
}

/// Number of positions between checks of the clock.
pub(super) const LOOK: u64 = 256;

/// Maximum number of plays in a row.
const DEEPEST: usize = 4000;

/// A representation of positions, with what can be played in them.
pub(super) trait States<const N: usize> {
    type Position: Copy;
    /// A play, with what comes before it.
    type Play: Copy;

    /// Among this many positions on the way down, one is checked for falling short.
    const GLANCES: usize;

    /// The attempts made in order before the complete walk. What one kind of search misses another one often finds, so
    /// several short searches find a win more often than one long walk.
    const TRIES: &'static [Try];

    /// Returns the number of cards that are up.
    fn cards(&self, at: &Self::Position) -> usize;

    /// Returns the number of cards in the reserves.
    fn in_reserves(&self, at: &Self::Position) -> usize;

    /// Returns whether positions missed by a search are proven unreachable.
    fn is_sure(&self) -> bool {
        true
    }

    /// Selects searches that find wins sooner, or those with proven results, if the two differ.
    fn hurry(&mut self, _hasty: bool) {}

    /// Computes the key of a position from scratch.
    fn key(&self, at: &Self::Position) -> Key<N>;

    /// Returns the facts of a key, which a width search uses to find what is new.
    fn facts(key: &Key<N>) -> Facts;

    /// Returns the meaning of the last bits of keys.
    fn last_bits(&self) -> LastBits;

    /// Adds all plays worth searching in a position.
    fn expand(&mut self, at: &Self::Position, key: &Key<N>, out: &mut Vec<Next<N, Self::Play>>);

    /// Makes a play.
    fn make(&self, at: &mut Self::Position, play: &Self::Play);

    /// Returns whether a play brings a card up.
    fn goes_up(play: &Self::Play) -> bool;

    /// Returns how promising a position is under one of two heuristics; beams and width searches expand the most
    /// promising.
    fn heuristic(&self, at: &Self::Position, kind: HeuristicKind) -> i32;

    /// Returns whether this many cards can never be up after a position.
    fn falls_short(&mut self, at: &Self::Position, cards: usize) -> bool;

    /// Returns whether a position is proven lost by a relaxed game, within this many positions, and how many of them were
    /// searched.
    fn is_lost(&self, _at: &Self::Position, _most: u64) -> (bool, u64) {
        (false, 0)
    }

    /// Returns the legal moves of a line of plays from the root, including draws and redeals.
    fn tell(&self, root: &Table, line: &[Self::Play]) -> Vec<Move>;
}

/// Returns how many positions to provide for initially: few if the limits make the search short.
pub(super) fn places(limits: &Limits<'_>) -> usize {
    limits.nodes.map_or(usize::MAX / 2, |nodes| nodes.min(1 << 32) as usize)
}

/// One level of the walk.
struct Frame<const N: usize, P> {
    position: P,
    key: Key<N>,
    hash: u64,
    /// Indices of its first child, of the next one, and of the end.
    first: usize,
    next: usize,
    end: usize,
}

/// A play available in a position.
#[derive(Clone, Copy)]
pub(super) struct Next<const N: usize, Q> {
    pub play: Q,
    /// Lower ranks are tried first. The low byte is random.
    pub rank: u16,
    /// The key of the position that it leads to, and its hash, if they are known in advance.
    pub key: Option<Key<N>>,
    pub hash: u64,
}

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walked {
    /// The visitor was done.
    Enough,
    /// Every reachable position was visited, except those from which the goal cannot be reached.
    All,
    /// This attempt's positions were used up.
    Tired,
    /// A limit ended it, or caused an omission.
    Stopped(Limit),
}

/// An attempt made before the complete walk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Try {
    /// A walk that expands at most this many positions.
    Walk(u64),
    /// A beam of this width, with one of two heuristics.
    Beam(usize, HeuristicKind),
    /// A width search with one of two heuristics.
    Width(HeuristicKind, Apart),
    /// A proof, within this many positions of a relaxed game, that the root cannot be won.
    Proof(u64),
}

/// Which positions a width search compares to find what is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// Those with the same number of cards up.
    Up,
    /// Those with the same numbers of cards up and in the reserves.
    UpAndReserves,
}

/// Budget and order of an attempt.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    /// Maximum number of positions that it expands.
    pub positions: Option<u64>,
    /// If not 0, the seed of a random order among plays of equal rank.
    pub chance: u64,
}

/// The memory of a walk, reused by the next one.
pub(super) struct Walk<const N: usize, P, Q> {
    pub(super) known: TranspositionTable<N>,
    /// Memory at which a beam or a width search ends, in bytes.
    pub(super) beam_memory: usize,
    /// The most memory that beams and width searches took, in bytes.
    pub(super) beams: usize,
    frames: Vec<Frame<N, P>>,
    nexts: Vec<Next<N, Q>>,
    depth: usize,
    chance: u64,
    /// Positions expanded, by all attempts at this question.
    pub nodes: u64,
    deadline: Option<Moment>,
}

impl<const N: usize, P: Copy, Q: Copy> Walk<N, P, Q> {
    pub fn new(memory: usize) -> Walk<N, P, Q> {
        Walk {
            known: TranspositionTable::new(memory),
            // Vectors double their capacity, so they may take twice as much.
            beam_memory: besides(memory) / 2,
            beams: 0,
            frames: Vec::new(),
            nexts: Vec::new(),
            depth: 0,
            chance: 0,
            nodes: 0,
            deadline: None,
        }
    }

    /// Returns the memory in use for the positions seen, and the most that a beam or a width search took, in bytes.
    pub fn bytes(&self) -> usize {
        self.known.bytes() + self.beams
    }

    /// Starts a new question.
    pub fn begin(&mut self, limits: &Limits<'_>) {
        self.nodes = 0;
        self.beams = 0;
        self.deadline = limits.time.and_then(|time| Moment::now().checked_add(time));
    }

    /// Visits every reachable position, or as many as an attempt may expand. The visitor receives the number of cards
    /// up in each, and returns the number to look for from there on, or `None` if it is done.
    ///
    /// Each position is visited once: what can be reached does not depend on how it was reached, so one seen before,
    /// even on the current path, adds nothing. A position that was forgotten is visited again.
    pub fn visit<S: States<N, Position = P, Play = Q>>(
        &mut self,
        root: P,
        states: &mut S,
        limits: &Limits<'_>,
        attempt: Attempt,
        mut visitor: impl FnMut(usize, &Walk<N, P, Q>) -> Option<usize>,
    ) -> Walked {
        let tired = attempt.positions.map_or(u64::MAX, |positions| self.nodes.saturating_add(positions));
        let mut left_out = None;
        self.chance = attempt.chance;
        self.known.clear(states.last_bits(), places(limits));
        self.nexts.clear();
        self.depth = 0;
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Walked::Stopped(Limit::Stopped);
        }
        let key = states.key(&root);
        self.put(root, key, hash(&key));
        let mut entered = self.known.enter(&key, hash(&key));
        loop {
            // Descends to a new position, which lies one level below the path.
            match entered {
                Entered::New if self.depth < DEEPEST => {
                    self.depth += 1;
                    let position = self.frames[self.depth - 1].position;
                    let Some(wanted) = visitor(states.cards(&position), self) else { return Walked::Enough };
                    // Putting a card up does not reduce what can still go up. Of other positions only some are checked:
                    // what one misses, a later one finds.
                    let went_up = self.frames[..self.depth - 1]
                        .last()
                        .is_some_and(|from| S::goes_up(&self.nexts[from.next - 1].play));
                    let looks = self.depth % S::GLANCES == 1 && !went_up;
                    if !(looks && states.falls_short(&position, wanted)) {
                        if let Some(limit) = self.over(limits) {
                            return Walked::Stopped(limit);
                        }
                        if self.nodes >= tired {
                            return Walked::Tired;
                        }
                        self.nodes += 1;
                        self.expand(states);
                    }
                }
                Entered::New => {
                    let frame = &self.frames[self.depth];
                    self.known.leave(&frame.key, frame.hash);
                    left_out = Some(Limit::Depth);
                }
                Entered::NoRoom => left_out = Some(Limit::Memory),
                Entered::Known => {}
            }
            // Backtracks until there is another child.
            loop {
                let Some(top) = self.depth.checked_sub(1) else {
                    return left_out.map_or(Walked::All, Walked::Stopped);
                };
                let frame = &mut self.frames[top];
                if frame.next < frame.end {
                    let next = self.nexts[frame.next];
                    frame.next += 1;
                    entered = self.enter(next, states);
                    break;
                }
                self.known.leave(&frame.key, frame.hash);
                self.nexts.truncate(frame.first);
                self.depth = top;
            }
        }
    }

    /// Lists the plays at the current position, except those that lead to known positions.
    fn expand(&mut self, states: &mut impl States<N, Position = P, Play = Q>) {
        let frame = &mut self.frames[self.depth - 1];
        let first = frame.first;
        states.expand(&frame.position, &frame.key, &mut self.nexts);
        // All of them are requested before the first is needed, as memory is slow.
        let at_hand =
            self.nexts[first..].iter().fold(0, |at_hand, next| at_hand | self.known.touch(next.hash));
        std::hint::black_box(at_hand);
        let mut kept = first;
        for i in first..self.nexts.len() {
            let mut next = self.nexts[i];
            if !next.key.is_some_and(|key| self.known.knows(&key, next.hash)) {
                if self.chance != 0 {
                    // Marsaglia's xorshift: any order will do, as long as it is reproducible.
                    self.chance ^= self.chance << 13;
                    self.chance ^= self.chance >> 7;
                    self.chance ^= self.chance << 17;
                    next.rank |= (self.chance & 0xff) as u16;
                }
                self.nexts[kept] = next;
                kept += 1;
            }
        }
        self.nexts.truncate(kept);
        self.nexts[first..].sort_by_key(|next| next.rank);
        frame.end = kept;
    }

    /// Moves to a child, one level below the path, unless it is known.
    fn enter(&mut self, next: Next<N, Q>, states: &impl States<N, Position = P, Play = Q>) -> Entered {
        if let Some(key) = next.key {
            let entered = self.known.enter(&key, next.hash);
            if entered != Entered::New {
                return entered;
            }
        }
        let Some(from) = self.frames[..self.depth].last() else { return Entered::NoRoom };
        let mut position = from.position;
        states.make(&mut position, &next.play);
        if let Some(key) = next.key {
            self.put(position, key, next.hash);
            return Entered::New;
        }
        let key = states.key(&position);
        self.put(position, key, hash(&key));
        self.known.enter(&key, hash(&key))
    }

    /// Stores a position one level below the path.
    #[inline(always)]
    fn put(&mut self, position: P, key: Key<N>, hash: u64) {
        let first = self.nexts.len();
        let frame = Frame { position, key, hash, first, next: first, end: first };
        match self.frames.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.frames.push(frame),
        }
    }

    /// Returns the limit that is reached, if any.
    pub(super) fn over(&self, limits: &Limits<'_>) -> Option<Limit> {
        if limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return Some(Limit::Nodes);
        }
        if self.nodes.is_multiple_of(LOOK) { self.out_of_time(limits) } else { None }
    }

    /// Returns the limit other than that of positions that is reached, if any.
    pub(super) fn out_of_time(&self, limits: &Limits<'_>) -> Option<Limit> {
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Limit::Stopped);
        }
        self.deadline.filter(|&deadline| Moment::now() >= deadline).map(|_| Limit::Time)
    }

    /// Starts a search without a path, in which only the root is known.
    pub(super) fn knows_only<S: States<N, Position = P, Play = Q>>(
        &mut self,
        root: &Key<N>,
        states: &S,
        limits: &Limits<'_>,
    ) {
        self.known.clear(states.last_bits(), places(limits));
        self.known.enter(root, hash(root));
        self.known.leave(root, hash(root));
    }

    /// Returns the position that a play leads to, its key and hash, and records it as known; `None` if it already was.
    #[inline(always)]
    pub(super) fn new_child<S: States<N, Position = P, Play = Q>>(
        &mut self,
        from: &P,
        next: &Next<N, Q>,
        states: &S,
    ) -> Option<(P, Key<N>, u64)> {
        if next.key.is_some_and(|key| self.known.knows(&key, next.hash)) {
            return None;
        }
        let mut position = *from;
        states.make(&mut position, &next.play);
        let key = next.key.unwrap_or_else(|| states.key(&position));
        let hash = hash(&key);
        if self.known.enter(&key, hash) != Entered::New {
            return None;
        }
        self.known.leave(&key, hash);
        Some((position, key, hash))
    }

    /// Collects the plays from the root to the current position.
    pub fn line(&self, line: &mut Vec<Q>) {
        line.clear();
        line.extend(self.frames[..self.depth - 1].iter().map(|frame| self.nexts[frame.next - 1].play));
    }
}
