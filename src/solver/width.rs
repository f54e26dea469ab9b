//! Width search: the most promising position is gone on from, and only what shows two facts not seen together yet is kept.
//!
//! Walks and beams come back to much the same positions again and again. Here a position is left where it has as many cards up
//! as others before it, and each two of its facts were seen together in one of them ([`SeenFacts`]). As there are few pairs of facts,
//! the search ends by itself, after some ten thousand positions, and what it came to is as different as can be. It finds most wins that take
//! walks and beams millions of positions, and can prove nothing.
//!
//! The idea is that of N. Lipovetzky and H. Geffner: "Width and serialization of classical planning problems" (ECAI 2012), and
//! "Best-first width search: exploration and exploitation in classical planning" (AAAI 2017).

use std::collections::BinaryHeap;

use super::Limits;
use super::heuristic::HeuristicKind;
use super::key::Key;
use super::novelty::{Novelty, SeenFacts};
use super::search::{Next, States, Walk, Walked, places};
use super::transposition_table::{Entered, hash};

/// Bytes that a search may take however little memory there is.
const LEAST: usize = 1 << 22;

/// A play that may be gone on with.
struct Open<const N: usize, Q> {
    /// The position that it is played in.
    from: u32,
    play: Q,
    /// The key of the position that it leads to.
    key: Key<N>,
}

/// A position that was gone on from.
struct Closed<const N: usize, P> {
    position: P,
    key: Key<N>,
    /// The play that led to it; none to the root.
    by: Option<u32>,
}

/// What a width search knows of, for the next one to use again.
pub(super) struct Lists<const N: usize, P, Q> {
    open: Vec<Open<N, Q>>,
    closed: Vec<Closed<N, P>>,
    /// The open plays, the most promising first.
    queue: BinaryHeap<(u64, u32)>,
    seen: SeenFacts,
}

impl<const N: usize, P, Q> Default for Lists<N, P, Q> {
    fn default() -> Lists<N, P, Q> {
        Lists { open: Vec::new(), closed: Vec::new(), queue: BinaryHeap::new(), seen: SeenFacts::default() }
    }
}

impl<const N: usize, P: Copy, Q: Copy> Lists<N, P, Q> {
    /// Begins with a root.
    fn begin(&mut self, position: P, key: Key<N>) {
        self.open.clear();
        self.closed.clear();
        self.closed.push(Closed { position, key, by: None });
        self.queue.clear();
        self.seen.clear();
    }

    /// The plays from the root to a position and what is played in it.
    fn line(&self, mut at: usize, play: Q, out: &mut Vec<Q>) {
        out.clear();
        out.push(play);
        while let Some(by) = self.closed[at].by {
            let open = &self.open[by as usize];
            out.push(open.play);
            at = open.from as usize;
        }
        out.reverse();
    }

    /// Goes to the most promising position, if there is one.
    fn next(&mut self, states: &impl States<N, Position = P, Play = Q>) -> Option<usize> {
        let (_, number) = self.queue.pop()?;
        let open = &self.open[number as usize];
        let mut position = self.closed[open.from as usize].position;
        states.make(&mut position, &open.play);
        self.closed.push(Closed { position, key: open.key, by: Some(number) });
        Some(self.closed.len() - 1)
    }

    fn bytes(&self) -> usize {
        self.open.capacity() * size_of::<Open<N, Q>>()
            + self.closed.capacity() * size_of::<Closed<N, P>>()
            + self.queue.capacity() * size_of::<(u64, u32)>()
            + self.seen.bytes()
    }
}

impl<const N: usize, P: Copy, Q: Copy> Walk<N, P, Q> {
    /// Goes on from the most promising position that is new, until there is none, or an eighth of the memory for positions is used
    /// up, but 4 MiB at least. The finder is told how many cards are up in each position, with what tells the line of play that leads there; it
    /// says how many are looked for from there on, or that it has enough.
    pub fn width<S: States<N, Position = P, Play = Q>>(
        &mut self,
        root: P,
        states: &mut S,
        limits: &Limits<'_>,
        (kind, chance): (HeuristicKind, u64),
        finder: impl FnMut(usize, &dyn Fn(&mut Vec<Q>)) -> Option<usize>,
    ) -> Walked {
        let mut lists = std::mem::take(&mut self.lists);
        let walked = self.width_with(&mut lists, root, states, limits, (kind, chance), finder);
        self.beams = self.beams.max(lists.bytes());
        self.lists = lists;
        walked
    }

    fn width_with<S: States<N, Position = P, Play = Q>>(
        &mut self,
        lists: &mut Lists<N, P, Q>,
        root: P,
        states: &mut S,
        limits: &Limits<'_>,
        (kind, chance): (HeuristicKind, u64),
        mut finder: impl FnMut(usize, &dyn Fn(&mut Vec<Q>)) -> Option<usize>,
    ) -> Walked {
        let key = states.key(&root);
        lists.begin(root, key);
        let mut nexts: Vec<Next<N, Q>> = Vec::new();
        let Some(mut wanted) = finder(states.cards(&root), &|line| line.clear()) else {
            return Walked::Enough;
        };
        self.known.clear(states.last_bits(), places(limits));
        self.known.enter(&key, hash(&key));
        self.known.leave(&key, hash(&key));
        let mut number = Some(0);
        while let Some(at) = number {
            let Closed { position: here, key, .. } = lists.closed[at];
            if !states.falls_short(&here, wanted) {
                if let Some(limit) = self.over(limits) {
                    return Walked::Stopped(limit);
                }
                self.nodes += 1;
                nexts.clear();
                states.expand(&here, &key, &mut nexts);
                let from = S::facts(&key);
                for next in &nexts {
                    if next.key.is_some_and(|key| self.known.knows(&key, next.hash)) {
                        continue;
                    }
                    let mut position = here;
                    states.make(&mut position, &next.play);
                    let key = next.key.unwrap_or_else(|| states.key(&position));
                    let hash = hash(&key);
                    if self.known.enter(&key, hash) != Entered::New {
                        continue;
                    }
                    self.known.leave(&key, hash);
                    let up = states.cards(&position);
                    match finder(up, &|out| lists.line(at, next.play, out)) {
                        Some(cards) => wanted = cards,
                        None => return Walked::Enough,
                    }
                    let novelty = lists.seen.see(up, &from, &S::facts(&key));
                    if novelty == Novelty::Nothing {
                        continue;
                    }
                    let value = u64::from(states.heuristic(&position, kind).cast_unsigned() ^ 1 << 31);
                    // What is as promising is taken in any order, but in the same one each time.
                    let order =
                        (novelty as u64) << 60 | value << 12 | (hash ^ chance).wrapping_mul(chance | 1) >> 52;
                    lists.queue.push((order, lists.open.len() as u32));
                    lists.open.push(Open { from: at as u32, play: next.play, key });
                }
            }
            if at % 64 == 0 && lists.bytes() > self.beam_memory.max(LEAST) {
                break;
            }
            number = lists.next(states);
        }
        Walked::Tired
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Engine;
    use super::super::history::History;
    use super::super::key::{MORE_PACKS, ONE_PACK};
    use super::super::pruner::Pruner;
    use super::super::search::Attempt;
    use super::super::table_states::TableStates;
    use super::*;
    use crate::cards::{Card, Deck};
    use crate::game::{MoveList, NoChance, Table};
    use crate::rules::load;

    /// The most cards that a width search comes to, and whether it had enough. Its moves are legal and lead there.
    fn most<const N: usize>(name: &str, root: &Table, nodes: u64, memory: usize) -> (usize, Walked, usize) {
        let rules = load(name).unwrap().rules;
        let (mut engine, pruner) = (Engine::new(&rules), Pruner::new(&rules));
        let history = History::default();
        let mut walk = Walk::<N, _, _>::new(memory);
        let mut states = TableStates::new(root, &mut engine, &pruner, &history);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        walk.begin(&limits);
        let (mut cards, mut found) = (0, Vec::new());
        let walked = walk.width(*root, &mut states, &limits, (HeuristicKind::Order, 0), |up, line| {
            if up > cards {
                cards = up;
                line(&mut found);
            }
            (cards < rules.hot.cards).then_some(rules.hot.cards)
        });
        let mut table = *root;
        let mut legal = MoveList::new();
        for m in States::<N>::tell(&states, root, &found) {
            table.legal_moves(&rules, &mut legal);
            assert!(legal.contains(&m), "{name} {m}");
            table.apply(&rules, m, &mut NoChance);
        }
        assert_eq!(table.cards(), cards, "{name}");
        (cards, walked, walk.bytes())
    }

    #[test]
    fn width_finds_wins() {
        for name in ["canfield", "superior", "rainbow", "exorcism", "gate", "thoughtful"] {
            let rules = load(name).unwrap().rules;
            let mut won = 0;
            for number in 0..6 {
                let deck = Deck::shuffled(rules.deck_shape(), 3, number);
                let root = Table::deal(&rules, deck.cards(), &mut NoChance);
                let (cards, walked, _) = most::<ONE_PACK>(name, &root, u64::MAX, 1 << 30);
                assert_eq!(walked == Walked::Enough, cards == rules.hot.cards, "{name} {number}: {walked:?}");
                won += usize::from(walked == Walked::Enough);
            }
            assert!(won > 1, "{name}: {won} of 6");
        }
        let rules = load("demon-two-packs").unwrap().rules;
        let deck = Deck::shuffled(rules.deck_shape(), 3, 0);
        let root = Table::deal(&rules, deck.cards(), &mut NoChance);
        assert!(most::<MORE_PACKS>("demon-two-packs", &root, 2_000, 1 << 26).0 > 20);
    }

    /// Deals that take walks and beams more than a million nodes are won within fewer than 100,000.
    #[test]
    fn width_finds_rare_wins() {
        let decks = include_str!("../../tests/data/solver/rare-wins.txt");
        for line in decks.lines().filter(|line| !line.starts_with('#')) {
            let (name, cards) = line.split_once('\t').unwrap();
            let rules = load(name).unwrap().rules;
            let cards: Vec<Card> = cards.split(' ').map(|card| card.parse().unwrap()).collect();
            let root = Table::deal(&rules, &cards, &mut NoChance);
            let (cards, walked, _) = most::<ONE_PACK>(name, &root, 100_000, 1 << 30);
            assert_eq!((cards, walked), (52, Walked::Enough), "{line}");
        }
    }

    /// It keeps within its memory, and ends where that is used up.
    #[test]
    fn width_keeps_within_memory() {
        let rules = load("superior").unwrap().rules;
        let deck = Deck::shuffled(rules.deck_shape(), 3, 1);
        let root = Table::deal(&rules, deck.cards(), &mut NoChance);
        let (_, _, bytes) = most::<ONE_PACK>("superior", &root, u64::MAX, 1 << 20);
        assert!(bytes < 3 * LEAST, "{bytes}");
    }

    /// What a walk finds does not depend on a width search before it.
    #[test]
    fn width_leaves_nothing_behind() {
        let mut lost = 0;
        for name in ["canfield-rush", "storehouse", "selective", "demon-casino"] {
            let rules = load(name).unwrap().rules;
            let (mut engine, pruner) = (Engine::new(&rules), Pruner::new(&rules));
            let history = History::default();
            for number in 0..30 {
                let deck = Deck::shuffled(rules.deck_shape(), 4, number);
                let root = Table::deal(&rules, deck.cards(), &mut NoChance);
                let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                let ends = [false, true].map(|width| {
                    let mut states = TableStates::new(&root, &mut engine, &pruner, &history);
                    let mut walk = Walk::<ONE_PACK, _, _>::new(1 << 24);
                    walk.begin(&limits);
                    let told = |up: usize| (up < rules.hot.cards).then_some(rules.hot.cards);
                    if width {
                        walk.width(root, &mut states, &limits, (HeuristicKind::Depth, 7), |up, _| told(up));
                        walk.begin(&limits);
                    }
                    let attempt = Attempt { positions: None, chance: 0 };
                    walk.visit(root, &mut states, &limits, attempt, |up, _| told(up))
                });
                if !ends.iter().any(|end| matches!(end, Walked::Stopped(_))) {
                    assert_eq!(ends[0], ends[1], "{name} {number}");
                    lost += usize::from(ends[0] == Walked::All);
                }
            }
        }
        assert!(lost > 5, "{lost}");
    }
}
