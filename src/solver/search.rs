//! The walk through all positions that can be reached, depth first.

use std::sync::atomic::Ordering;

use crate::clock::Moment;
use crate::game::{Move, Table};

use super::heuristic::HeuristicKind;
use super::key::Key;
use super::novelty::Facts;
use super::transposition_table::{Entered, LastBits, TranspositionTable, hash};
use super::{Limit, Limits};

/// Bytes that a beam or a width search may take however little memory there is.
const LEAST: usize = 1 << 25;

/// Most bytes that a beam or a width search takes besides the positions of a search that take so many at most.
pub fn besides(memory: usize) -> usize {
    (memory / 4).max(LEAST)
}

/// Positions between looks at the clock.
pub(super) const LOOK: u64 = 256;

/// Most plays in a row.
const DEEPEST: usize = 4000;

/// What is searched: positions in some form, and what can be played in them.
pub(super) trait States<const N: usize> {
    type Position: Copy;
    /// A play, with what comes before it.
    type Play: Copy;

    /// Of so many positions on the way down, one is asked whether it falls short.
    const GLANCES: usize;

    /// What is tried, one after the other, before the walk that goes on to the end. What one way of searching does not find
    /// another one often does, so that several short searches find a win more often than one long walk.
    const TRIES: &'static [Try];

    /// How many cards are up.
    fn cards(&self, at: &Self::Position) -> usize;

    /// How many cards are in the reserves.
    fn in_reserves(&self, at: &Self::Position) -> usize;

    /// Whether what a search does not come to cannot be reached.
    fn is_sure(&self) -> bool {
        true
    }

    /// Asks for searches that find wins sooner, or for those that are sure, where the two differ.
    fn hurry(&mut self, _hasty: bool) {}

    /// The key of a position, from nothing.
    fn key(&self, at: &Self::Position) -> Key<N>;

    /// The facts that a key tells, by which a width search sees what is new.
    fn facts(key: &Key<N>) -> Facts;

    /// What the last bits of keys tell.
    fn last_bits(&self) -> LastBits;

    /// Adds all that is worth doing in a position.
    fn expand(&mut self, at: &Self::Position, key: &Key<N>, out: &mut Vec<Next<N, Self::Play>>);

    /// Makes a play.
    fn make(&self, at: &mut Self::Position, play: &Self::Play);

    /// Whether a play brings a card up.
    fn goes_up(play: &Self::Play) -> bool;

    /// How promising a position is, looked at in one of two ways; beams and width searches go on from the
    /// most promising.
    fn heuristic(&self, at: &Self::Position, kind: HeuristicKind) -> i32;

    /// Whether so many cards can never be up in what follows a position.
    fn falls_short(&mut self, at: &Self::Position, cards: usize) -> bool;

    /// The legal moves that a line of plays from the root stands for, draws and redeals among them.
    fn tell(&self, root: &Table, line: &[Self::Play]) -> Vec<Move>;
}

/// How many positions a search comes to at least, if limits say that it is short.
pub(super) fn places(limits: &Limits<'_>) -> usize {
    limits.nodes.map_or(usize::MAX / 2, |nodes| nodes.min(1 << 32) as usize)
}

/// Where the walk stands.
struct Frame<const N: usize, P> {
    position: P,
    key: Key<N>,
    hash: u64,
    /// Where its children begin, which of them is next, and where they end.
    first: usize,
    next: usize,
    end: usize,
}

/// What can be done in a position.
#[derive(Clone, Copy)]
pub(super) struct Next<const N: usize, Q> {
    pub play: Q,
    /// The lower, the sooner it is tried. The low byte is for chance.
    pub rank: u16,
    /// The key of the position that it leads to, and its hash, where that could be foreseen.
    pub key: Option<Key<N>>,
    pub hash: u64,
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

/// What is tried before the walk that goes on to the end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Try {
    /// A walk that expands at most so many positions.
    Walk(u64),
    /// A beam of so many positions, by what looks promising in one of two ways.
    Beam(usize, HeuristicKind),
    /// A width search by what looks promising in one of two ways.
    Width(HeuristicKind, Apart),
}

/// Which positions a width search compares to see what is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// Those with as many cards up.
    Up,
    /// Those with as many cards up, and as many in the reserves.
    UpAndReserves,
}

/// How far an attempt goes, and in which order.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    /// Most positions that it expands.
    pub positions: Option<u64>,
    /// Plays of one rank are tried in an order of chance, where this is not 0.
    pub chance: u64,
}

/// The memory of a walk, for the next one to use again.
pub(super) struct Walk<const N: usize, P, Q> {
    pub(super) known: TranspositionTable<N>,
    /// Bytes of a beam or a width search after which it ends.
    pub(super) beam_memory: usize,
    /// Most bytes that beams and width searches took.
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
            // Lists double, so that they may come to twice as much.
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

    /// Bytes in use for the positions seen, and the most that a beam or a width search took.
    pub fn bytes(&self) -> usize {
        self.known.bytes() + self.beams
    }

    /// Begins with a new question.
    pub fn begin(&mut self, limits: &Limits<'_>) {
        self.nodes = 0;
        self.beams = 0;
        self.deadline = limits.time.and_then(|time| Moment::now().checked_add(time));
    }

    /// Visits every position that can be reached, or as many as an attempt may expand. The visitor is told how many
    /// cards are up in each, and says how many are looked for from there on, or that it has enough.
    ///
    /// Each is visited once: what can be reached does not depend on how a position was come to, so that one
    /// seen before, be it on the path to here, adds nothing. A position that was forgotten is visited again.
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
            // Goes down to a new position, which lies one deeper than the path.
            match entered {
                Entered::New if self.depth < DEEPEST => {
                    self.depth += 1;
                    let position = self.frames[self.depth - 1].position;
                    let Some(wanted) = visitor(states.cards(&position), self) else { return Walked::Enough };
                    // A card that went up takes nothing from what can come up. Of other positions not each is
                    // looked at: what the one misses, the next one finds.
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
            // Goes up until there is another child.
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

    /// Lists what can be done where the walk stands, but for what leads to positions that are known already.
    fn expand(&mut self, states: &mut impl States<N, Position = P, Play = Q>) {
        let frame = &mut self.frames[self.depth - 1];
        let first = frame.first;
        states.expand(&frame.position, &frame.key, &mut self.nexts);
        // All of them are asked for before the first is needed, as memory is slow.
        let at_hand =
            self.nexts[first..].iter().fold(0, |at_hand, next| at_hand | self.known.touch(next.hash));
        std::hint::black_box(at_hand);
        let mut kept = first;
        for i in first..self.nexts.len() {
            let mut next = self.nexts[i];
            if !next.key.is_some_and(|key| self.known.knows(&key, next.hash)) {
                if self.chance != 0 {
                    // Marsaglia's xorshift: any order will do, and the same one each time.
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

    /// Goes to a child, which is then one deeper than the path, unless it is known.
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

    /// Puts a position one deeper than the path.
    #[inline(always)]
    fn put(&mut self, position: P, key: Key<N>, hash: u64) {
        let first = self.nexts.len();
        let frame = Frame { position, key, hash, first, next: first, end: first };
        match self.frames.get_mut(self.depth) {
            Some(place) => *place = frame,
            None => self.frames.push(frame),
        }
    }

    /// The limit that is reached, if any.
    pub(super) fn over(&self, limits: &Limits<'_>) -> Option<Limit> {
        if limits.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return Some(Limit::Nodes);
        }
        if self.nodes.is_multiple_of(LOOK) { self.out_of_time(limits) } else { None }
    }

    /// The limit that is reached whatever was expanded, if any.
    pub(super) fn out_of_time(&self, limits: &Limits<'_>) -> Option<Limit> {
        if limits.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Some(Limit::Stopped);
        }
        self.deadline.filter(|&deadline| Moment::now() >= deadline).map(|_| Limit::Time)
    }

    /// Begins a search that has no path, of which the root alone is known.
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

    /// The position that a play leads to, its key and the hash of it, unless it is known; it is from now on.
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

    /// The plays from the root to where the walk stands.
    pub fn line(&self, line: &mut Vec<Q>) {
        line.clear();
        line.extend(self.frames[..self.depth - 1].iter().map(|frame| self.nexts[frame.next - 1].play));
    }
}
