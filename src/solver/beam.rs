//! Beam search: after each play only the most promising positions are kept. It finds wins that walks miss, and cannot
//! prove anything.

use super::Limits;
use super::heuristic::HeuristicKind;
use super::key::Key;
use super::search::{Next, States, Walk, Walked};

/// Number of consecutive plays without improvement after which a beam ends: if cards return or move between piles, it
/// could go on forever.
const PATIENCE: u32 = 40;

/// Number of candidates collected for each position of a layer before the most promising are selected.
const CHILDREN: usize = 32;

/// A play that led to an expanded position.
struct Step<Q> {
    /// The number of the step before it, from 1; 0 for none.
    before: u32,
    play: Q,
}

/// A play that may be followed.
#[derive(Clone, Copy)]
struct Candidate<const N: usize, Q> {
    /// How promising it is, combined with a number that is unique in its layer.
    order: u64,
    /// The position of its layer that it is played in.
    from: u32,
    play: Q,
    /// The key of the position that it leads to.
    key: Key<N>,
}

/// A position that is expanded.
struct Kept<const N: usize, P> {
    position: P,
    key: Key<N>,
    /// The number of the step that led to it, from 1; 0 for none.
    step: u32,
}

impl<const N: usize, P: Copy, Q: Copy> Walk<N, P, Q> {
    /// Expands at most `width` positions after each number of plays, until there are none, nothing improves, or the
    /// memory for beams is used up. The finder receives the number of cards up in each position, with a function that
    /// gives the line of play leading there; it returns the number of cards to look for from there on, or `None` if it
    /// is done.
    pub fn beam<S: States<N, Position = P, Play = Q>>(
        &mut self,
        root: P,
        states: &mut S,
        limits: &Limits<'_>,
        (width, kind): (usize, HeuristicKind),
        mut finder: impl FnMut(usize, &dyn Fn(&mut Vec<Q>)) -> Option<usize>,
    ) -> Walked {
        let mut steps: Vec<Step<Q>> = Vec::new();
        let mut candidates: Vec<Candidate<N, Q>> = Vec::new();
        let mut nexts: Vec<Next<N, Q>> = Vec::new();
        let key = states.key(&root);
        let mut layer = vec![Kept { position: root, key, step: 0 }];
        let mut below = Vec::new();
        let Some(mut wanted) = finder(states.cards(&root), &|line| line.clear()) else {
            return Walked::Enough;
        };
        let apiece = 2 * size_of::<Kept<N, P>>() + CHILDREN * size_of::<Candidate<N, Q>>();
        let width = width.min(self.beam_memory / apiece).max(1);
        self.knows_only(&key, states, limits);
        let (mut best, mut since) = (0, 0);
        while !layer.is_empty() && since < PATIENCE {
            candidates.clear();
            let mut made = 0;
            since += 1;
            for (from, at) in layer.iter().enumerate() {
                if states.falls_short(&at.position, wanted) {
                    continue;
                }
                if let Some(limit) = self.over(limits) {
                    return Walked::Stopped(limit);
                }
                self.nodes += 1;
                nexts.clear();
                states.expand(&at.position, &at.key, &mut nexts);
                for next in &nexts {
                    let Some((position, key, _)) = self.new_child(&at.position, next, states) else {
                        continue;
                    };
                    match finder(states.cards(&position), &|out| line(&steps, at.step, next.play, out)) {
                        Some(cards) => wanted = cards,
                        None => return Walked::Enough,
                    }
                    // Of two candidates with the same value, the later is dropped first.
                    let value = u64::from(states.heuristic(&position, kind).cast_unsigned() ^ 1 << 31);
                    let order = value << 32 | (u64::from(u32::MAX) - made);
                    made += 1;
                    if value > best {
                        (best, since) = (value, 0);
                    }
                    if candidates.len() >= width.saturating_mul(CHILDREN) {
                        keep_the_best(&mut candidates, width);
                    }
                    candidates.push(Candidate { order, from: from as u32, play: next.play, key });
                }
            }
            keep_the_best(&mut candidates, width);
            candidates.sort_unstable_by_key(|candidate| !candidate.order);
            below.clear();
            for &Candidate { from, play, key, .. } in &candidates {
                let above = &layer[from as usize];
                let mut position = above.position;
                states.make(&mut position, &play);
                steps.push(Step { before: above.step, play });
                below.push(Kept { position, key, step: steps.len() as u32 });
            }
            std::mem::swap(&mut layer, &mut below);
            let bytes = steps.capacity() * size_of::<Step<Q>>()
                + candidates.capacity() * size_of::<Candidate<N, Q>>()
                + (layer.capacity() + below.capacity()) * size_of::<Kept<N, P>>();
            self.beams = self.beams.max(bytes);
            if bytes > self.beam_memory {
                break;
            }
        }
        Walked::Tired
    }
}

/// Drops all but the most promising candidates.
fn keep_the_best<const N: usize, Q>(candidates: &mut Vec<Candidate<N, Q>>, width: usize) {
    if candidates.len() > width {
        candidates.select_nth_unstable_by_key(width, |candidate| !candidate.order);
        candidates.truncate(width);
    }
}

/// Returns the plays from the root to a position, followed by a play in it.
fn line<Q: Copy>(steps: &[Step<Q>], last: u32, play: Q, out: &mut Vec<Q>) {
    out.clear();
    out.push(play);
    let mut number = last;
    while let Some(step) = (number as usize).checked_sub(1).map(|i| &steps[i]) {
        out.push(step.play);
        number = step.before;
    }
    out.reverse();
}

#[cfg(test)]
mod tests {
    use super::super::engine::Engine;
    use super::super::history::History;
    use super::super::key::MORE_PACKS;
    use super::super::pruner::Pruner;
    use super::super::search::besides;
    use super::super::table_states::TableStates;
    use super::*;
    use crate::game::Table;
    use crate::rules::parse_text;

    /// However many plays a position has, a beam stays within its memory.
    #[test]
    fn beams_keep_to_their_memory() {
        let text = "extends = \"gate\"\n[deal]\npacks = 4\n[tableau]\nbuild = \"any\"\n";
        let rules = parse_text("wide", text).unwrap().rules;
        let (mut engine, pruner) = (Engine::new(&rules), Pruner::new(&rules));
        let history = History::default();
        let root = Table::of_seed(&rules, 2, 0);
        let mut walk = Walk::<MORE_PACKS, _, _>::new(1 << 20);
        let mut states = TableStates::new(&root, &mut engine, &pruner, &history);
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        walk.begin(&limits);
        let all = rules.hot.cards;
        walk.beam(root, &mut states, &limits, (5_000, HeuristicKind::Depth), |_, _| Some(all));
        let taken = walk.beams;
        assert!(taken > 1 << 20 && taken < besides(1 << 20), "{taken} of {}", besides(1 << 20));
    }
}
