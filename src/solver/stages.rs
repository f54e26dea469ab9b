//! A long search in stages: moves first, then a proof that nothing wins, then moves again.
//!
//! Most deals are decided by a short search of the rules themselves. What is left is often lost, and then seldom shown to
//! be in time: parts of runs, the cards on which they lie, and the order of plays make too many positions. Under rules that
//! allow more (`relaxed_rules`) positions are classes (`classes`), which are far fewer and are searched faster. If not even
//! those rules let all cards come up, the deal is lost. If they do, it is won where the line holds under the rules
//! themselves; else nothing is known, and the search of the rules themselves begins again with what is left.
//!
//! # What was tried
//!
//! With walks and beams alone as the search of the rules themselves, within 12 million nodes it leaves 2 of 100 deals of
//! little-gate and 9 of 80 of chameleon open, of which longer proofs decide none of six, within 16 million; without it 13 of
//! 60 deals of little-gate stay open within one million. Proofs take up to five million nodes there and in chameleon, so that
//! within one million little is gained: 12 instead of 13 of 60 deals of little-gate stay open, and 17 instead of 19 of 40 of
//! chameleon.
//!
//! - Where runs move whole or one card at a time, deals that stay open mostly have a line that wins under relaxed rules,
//!   found soon: eight of nine of canfield. So nothing is proven, and little time lost.
//! - Cards put down only for others (`classes`) decide one of five open deals of draw-one. The same among positions of the
//!   rules themselves (`runs`) decided that one and none of the others, within 30 million nodes.
//! - To relax packets of three to single cards, in any order, makes a proof faster, but too much comes up: of 11 open deals
//!   of superior and 15 of exorcism-up it decided none, and of the latter a proof with packets decides two.
//! - Beams of 45,000 positions, after narrower ones, left seven of 19 deals of rainbow open within 12 million nodes.

use std::time::Instant;

use crate::game::Table;

use super::answer::{Answer, Goal, Limit, Limits, Verdict};
use super::question::{Question, Tries};
use super::relaxed_bound::most_cards;
use super::solve::Solver;

/// Nodes of the first stage.
const FIRST: u64 = 200_000;

/// Most nodes of the proof, and the share of those left that it may have.
const PROOF: u64 = 6_000_000;
const SHARE: u64 = 2;

impl Solver<'_> {
    /// What can be reached from a position.
    pub(super) fn solve_in_stages(&mut self, table: &Table, goal: Goal, limits: &Limits<'_>) -> Answer {
        let whole = |solver: &mut Self, limits: &Limits<'_>| {
            let rules = solver.engine.rules;
            solver.ask::<Answer>(&Question { rules, table, goal, limits, tries: Tries::Long })
        };
        if self.relaxed.is_none() || self.has_classes(table) {
            return whole(self, limits);
        }
        let started = Instant::now();
        let within = |used: u64, most: u64| Limits {
            nodes: Some(limits.nodes.map_or(u64::MAX, |nodes| nodes - used.min(nodes)).min(most)),
            time: limits.time.map(|time| time.saturating_sub(started.elapsed())),
            stop: limits.stop,
        };
        let mut known = match self.relaxed_first {
            true => self.nothing_known(table),
            false => whole(self, &within(0, FIRST)),
        };
        if is_over(&known, goal, limits) {
            return known;
        }
        let left = limits.nodes.map_or(u64::MAX, |nodes| nodes - known.nodes);
        let proof = within(known.nodes, PROOF.min(left / SHARE));
        if let Some(relaxed) = self.ask_relaxed(table, goal, &proof) {
            known = known.with_relaxed(relaxed);
            if is_over(&known, goal, limits) {
                return known;
            }
        }
        let last = whole(self, &within(known.nodes, u64::MAX));
        known.with(last)
    }

    /// What is known before any search.
    fn nothing_known(&self, table: &Table) -> Answer {
        let cards_at_most = most_cards(table, self.engine.rules);
        let verdict = Verdict::Unknown(Limit::Nodes);
        Answer { verdict, cards: table.cards(), cards_at_most, moves: Vec::new(), nodes: 0, bytes: 0 }
    }
}

impl Answer {
    /// What is known with an answer of rules that allow more. Its moves were made under the rules themselves.
    fn with_relaxed(self, relaxed: Answer) -> Answer {
        let nodes = self.nodes + relaxed.nodes;
        let bytes = self.bytes.max(relaxed.bytes);
        let most = relaxed.cards_at_most.min(self.cards_at_most);
        match relaxed.verdict {
            Verdict::Won => Answer { nodes, bytes, ..relaxed },
            Verdict::Lost => {
                let (cards, moves) = match relaxed.moves.is_empty() || relaxed.cards <= self.cards {
                    true => (self.cards, self.moves),
                    false => (relaxed.cards, relaxed.moves),
                };
                Answer { verdict: Verdict::Lost, cards, cards_at_most: most, moves, nodes, bytes }
            }
            Verdict::Unknown(limit @ (Limit::Time | Limit::Stopped)) => {
                Answer { verdict: Verdict::Unknown(limit), nodes, bytes, ..self }
            }
            Verdict::Unknown(_) => Answer { nodes, bytes, ..self },
        }
    }

    /// What is known with a later answer of the same rules.
    fn with(self, later: Answer) -> Answer {
        let verdict = match later.verdict {
            Verdict::Unknown(_) if self.verdict == Verdict::Lost => Verdict::Lost,
            verdict => verdict,
        };
        let (cards, moves) =
            if later.cards >= self.cards { (later.cards, later.moves) } else { (self.cards, self.moves) };
        Answer {
            verdict,
            cards,
            cards_at_most: later.cards_at_most.min(self.cards_at_most),
            moves,
            nodes: self.nodes + later.nodes,
            bytes: self.bytes.max(later.bytes),
        }
    }
}

/// Whether no more is to be found out, or no more may be.
fn is_over(answer: &Answer, goal: Goal, limits: &Limits<'_>) -> bool {
    let used_up = limits.nodes.is_some_and(|nodes| answer.nodes >= nodes);
    match answer.verdict {
        Verdict::Won => true,
        Verdict::Lost => goal == Goal::Win || answer.cards == answer.cards_at_most || used_up,
        Verdict::Unknown(Limit::Time | Limit::Stopped) => true,
        Verdict::Unknown(_) => used_up,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Deck;
    use crate::game::NoChance;
    use crate::rules::load;

    /// Rules that allow more show deals to be lost that a short search leaves open, and none that is won.
    #[test]
    fn relaxed_rules_prove_losses() {
        let mut proven = 0;
        for name in ["little-gate", "chameleon", "storehouse", "draw-one", "canfield"] {
            let rules = load(name).unwrap().rules;
            let mut plain = Solver::new(&rules, 1 << 24).unwrap();
            plain.relaxed = None;
            let mut solver = Solver::new(&rules, 1 << 24).unwrap();
            for seed in 0..12 {
                let deck = Deck::shuffled(rules.deck_shape(), seed, 2);
                let table = Table::deal(&rules, deck.cards(), &mut NoChance);
                let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
                let alone = plain.solve(&table, Goal::Win, &limits(20_000)).verdict;
                let relaxed = solver.ask_relaxed(&table, Goal::Win, &limits(150_000)).unwrap().verdict;
                let of_both = [alone, relaxed];
                let contradicted = of_both.contains(&Verdict::Won) && of_both.contains(&Verdict::Lost);
                assert!(!contradicted, "{name} {seed}");
                proven += usize::from(relaxed == Verdict::Lost && alone != Verdict::Lost);
            }
        }
        assert!(proven > 2, "{proven}");
    }
}
