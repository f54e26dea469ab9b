//! Width search: only positions that show something new are expanded, those with a new fact first, then the most
//! promising.
//!
//! Walks and beams keep returning to similar positions. Here a position is pruned if its last play established no fact,
//! and no two facts together, that were not seen yet with the same number of cards up ([`SeenFacts`]). There are few
//! pairs of facts, so the search ends by itself, mostly after some ten thousand positions, and the positions it reaches
//! are diverse. It finds most wins that take walks and beams more than a million, and cannot prove anything.
//!
//! The idea is that of N. Lipovetzky and H. Geffner: "Width and serialization of classical planning problems" (ECAI
//! 2012), and "Best-first width search: exploration and exploitation in classical planning" (AAAI 2017).

use std::collections::BinaryHeap;

use super::Limits;
use super::heuristic::HeuristicKind;
use super::key::{Key, MORE_PACKS};
use super::novelty::{Novelty, SeenFacts};
use super::search::{Apart, LOOK, Next, States, Walk, Walked};

/// Size of the random term of the heuristic: ten bits, as much as one card that is up.
const CHANCE: u32 = 54;

/// A play that may be followed.
struct Open<const N: usize, Q> {
    /// The position that it is played in.
    from: u32,
    play: Q,
    /// The key of the position that it leads to.
    key: Key<N>,
}

/// An expanded position.
struct Closed<const N: usize, P> {
    position: P,
    key: Key<N>,
    /// The play that led to it; `None` for the root.
    by: Option<u32>,
}

/// The state of a width search.
struct Lists<const N: usize, P, Q> {
    open: Vec<Open<N, Q>>,
    closed: Vec<Closed<N, P>>,
    /// The open plays: those with a new fact first, and among these the most promising.
    queue: BinaryHeap<(u64, u32)>,
    seen: SeenFacts,
}

impl<const N: usize, P: Copy, Q: Copy> Lists<N, P, Q> {
    /// Collects the plays from the root to a position, followed by a play in it.
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

    /// Returns the position of the most promising play, if there is one.
    fn next(&mut self, states: &impl States<N, Position = P, Play = Q>) -> Option<Closed<N, P>> {
        let (_, number) = self.queue.pop()?;
        let open = &self.open[number as usize];
        let mut position = self.closed[open.from as usize].position;
        states.make(&mut position, &open.play);
        Some(Closed { position, key: open.key, by: Some(number) })
    }

    fn bytes(&self) -> usize {
        self.open.capacity() * size_of::<Open<N, Q>>()
            + self.closed.capacity() * size_of::<Closed<N, P>>()
            + self.queue.capacity() * size_of::<(u64, u32)>()
            + self.seen.bytes()
    }
}

impl<const N: usize, P: Copy, Q: Copy> Walk<N, P, Q> {
    /// Expands positions until nothing new is left, or the lists take as much memory as a beam may. The finder receives
    /// the number of cards up in each position, with a function that gives the line of play leading there; it returns
    /// the number of cards to look for from there on, or `None` if it is done. Ties between about equally promising
    /// plays are broken at random.
    pub fn width<S: States<N, Position = P, Play = Q>>(
        &mut self,
        root: P,
        states: &mut S,
        limits: &Limits<'_>,
        (kind, apart, chance): (HeuristicKind, Apart, u64),
        mut finder: impl FnMut(usize, &dyn Fn(&mut Vec<Q>)) -> Option<usize>,
    ) -> Walked {
        let key = states.key(&root);
        let mut nexts: Vec<Next<N, Q>> = Vec::new();
        // Nothing is kept for the next search: the available memory must not depend on earlier questions.
        let mut lists = Lists {
            open: Vec::new(),
            closed: Vec::new(),
            queue: BinaryHeap::new(),
            seen: SeenFacts::default(),
        };
        let Some(mut wanted) = finder(states.cards(&root), &|line| line.clear()) else {
            return Walked::Enough;
        };
        self.knows_only(&key, states, limits);
        let mut popped = 0;
        let mut next = Some(Closed { position: root, key, by: None });
        while let Some(here) = next {
            popped += 1;
            // Many consecutive positions may fall short.
            let looks = popped % LOOK == 0;
            let over = self.over(limits).or_else(|| if looks { self.out_of_time(limits) } else { None });
            if let Some(limit) = over {
                return Walked::Stopped(limit);
            }
            if !states.falls_short(&here.position, wanted) {
                self.nodes += 1;
                nexts.clear();
                states.expand(&here.position, &here.key, &mut nexts);
                let (at, position, from) = (lists.closed.len(), here.position, S::facts(&here.key));
                lists.closed.push(here);
                for next in &nexts {
                    let Some((position, key, hash)) = self.new_child(&position, next, states) else {
                        continue;
                    };
                    let up = states.cards(&position);
                    match finder(up, &|out| lists.line(at, next.play, out)) {
                        Some(cards) => wanted = cards,
                        None => return Walked::Enough,
                    }
                    let facts = S::facts(&key);
                    let reserves = match apart {
                        Apart::Up => 0,
                        Apart::UpAndReserves => states.in_reserves(&position),
                    };
                    let novelty = lists.seen.see((up, reserves), &from, &facts);
                    if novelty == Novelty::Nothing {
                        continue;
                    }
                    let value = u64::from(states.heuristic(&position, kind).cast_unsigned() ^ 1 << 31);
                    // Keys distinguish equal cards of several packs, which randomness should not.
                    let mixed = if N == MORE_PACKS { facts.mixed() } else { hash };
                    let order = value + ((mixed ^ chance).wrapping_mul(chance | 1) >> CHANCE);
                    lists.queue.push(((novelty as u64) << 60 | order, lists.open.len() as u32));
                    lists.open.push(Open { from: at as u32, play: next.play, key });
                }
                if at.is_multiple_of(64) {
                    let bytes = lists.bytes();
                    self.beams = self.beams.max(bytes);
                    if bytes > self.beam_memory {
                        break;
                    }
                }
            }
            next = lists.next(states);
        }
        Walked::Tired
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Engine;
    use super::super::history::History;
    use super::super::key::ONE_PACK;
    use super::super::pruner::Pruner;
    use super::super::question::replays;
    use super::super::search::besides;
    use super::super::table_states::TableStates;
    use super::*;
    use crate::cards::Card;
    use crate::game::{NoChance, Table};
    use crate::rules::load;

    /// The seed of the second attempt.
    const SECOND: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Returns the most cards that a width search reaches, how it ended, and the memory it took in bytes. Its moves are
    /// legal and lead there.
    fn most(name: &str, root: &Table, nodes: u64, memory: usize) -> (usize, Walked, usize) {
        let rules = load(name).unwrap().rules;
        let (mut engine, pruner) = (Engine::new(&rules), Pruner::new(&rules));
        let history = History::default();
        let mut walk = Walk::<ONE_PACK, _, _>::new(memory);
        let mut states = TableStates::new(root, &mut engine, &pruner, &history);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        walk.begin(&limits);
        let (mut cards, mut found) = (0, Vec::new());
        let walked =
            walk.width(*root, &mut states, &limits, (HeuristicKind::Order, Apart::Up, SECOND), |up, line| {
                if up > cards {
                    cards = up;
                    line(&mut found);
                }
                (cards < rules.hot.cards).then_some(rules.hot.cards)
            });
        assert!(replays(root, &rules, &States::<ONE_PACK>::tell(&states, root, &found), cards), "{name}");
        (cards, walked, walk.bytes())
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
            let (cards, walked, _) = most(name, &root, 100_000, 1 << 30);
            assert_eq!((cards, walked), (52, Walked::Enough), "{line}");
        }
    }

    /// It ends soon after its memory is used up.
    #[test]
    fn width_keeps_within_memory() {
        let rules = load("superior").unwrap().rules;
        let mut used_up = 0;
        for number in 0..12 {
            let root = Table::of_seed(&rules, 3, number);
            let (_, walked, bytes) = most("superior", &root, u64::MAX, 1 << 20);
            assert!(bytes < besides(1 << 20) + (1 << 20), "{bytes}");
            used_up += usize::from(walked == Walked::Tired && bytes > besides(1 << 20) / 2);
        }
        assert!(used_up > 0);
    }
}
