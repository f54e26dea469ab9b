//! A long search in stages, alternating between the rules themselves and relaxed rules.
//!
//! Most deals are decided by a short search of the rules themselves. What is left is often lost, and rarely proven so
//! in time: parts of runs, the cards on which they lie, and the order of plays make too many positions. Under relaxed
//! rules (`relaxed_rules`) positions are classes (`classes`), which are far fewer and are searched faster. If not even
//! those rules let all cards go up, the deal is lost. If they do, it is won if the line is legal under the rules
//! themselves; otherwise nothing is known, and the search of the rules themselves gets the remaining budget.
//!
//! The stages are:
//!
//! 1. A short search under the rules themselves, which decides most deals.
//! 2. A proof under relaxed rules. Most that succeed take fewer than two million nodes.
//! 3. A short walk under the rules themselves: some deals have few positions, regardless of relaxed rules.
//! 4. Everything that finds wins (`Short`).
//! 5. A longer proof, from scratch, with most of the remaining budget: some take ten million nodes. It is skipped if
//!    the first one ended with a line that is not legal under the rules themselves.
//! 6. A complete walk under the rules themselves.
//!
//! Some relaxed rules are too permissive to prove much. Then the walk of the third stage is long and replaces the proof
//! before it, and the proof of the fifth has half of the remaining budget.
//!
//! `reports/notebook.md` has what was tried.

use crate::clock::Moment;
use crate::game::Table;
use crate::rules::Rules;

use super::answer::{Answer, Goal, Limit, Limits, Verdict};
use super::question::{Question, Tries};
use super::relaxed_bound::most_cards;
use super::relaxed_rules::allows_much_more;
use super::solve::Solver;

/// Maximum number of nodes of each stage.
#[derive(Clone, Copy)]
struct Sizes {
    /// First search under the rules themselves.
    search: u64,
    /// First proof, which shows most of the deals to be lost that any proof shows.
    proof: u64,
    /// Walk under the rules themselves that follows.
    walk: u64,
    /// The share of the remaining limits that it may use.
    share: Share,
    /// Second proof, made after everything else.
    long_proof: u64,
    /// The share of the remaining limits that it may use.
    long_share: Share,
}

impl Sizes {
    fn of(rules: &Rules) -> Sizes {
        let (proof, walk, share, long_share) = match allows_much_more(rules) {
            true => (0, 6_000_000, MUCH, HALF),
            false => (2_000_000, 300_000, HALF, MOST),
        };
        Sizes { search: 200_000, proof, walk, share, long_proof: 100_000_000, long_share }
    }
}

/// The fraction of the remaining limits that a stage may use: numerator and denominator.
type Share = (u32, u32);

const ALL: Share = (1, 1);
const HALF: Share = (1, 2);
const MUCH: Share = (3, 4);
const MOST: Share = (7, 8);

impl Solver<'_> {
    /// Determines what can be reached from a position.
    pub(super) fn solve_in_stages(&mut self, table: &Table, goal: Goal, limits: &Limits<'_>) -> Answer {
        self.in_stages(table, goal, limits, Sizes::of(self.engine.rules)).with_bound(self.engine.rules)
    }

    fn in_stages(&mut self, table: &Table, goal: Goal, limits: &Limits<'_>, sizes: Sizes) -> Answer {
        if self.relaxed.is_none() || self.has_classes(table) {
            let rules = self.engine.rules;
            return self.ask(&Question { rules, table, goal, limits, tries: Tries::Long });
        }
        let known = self.nothing_known(table);
        let mut stages = Stages { table, goal, limits, started: Moment::now(), known };
        if !self.relaxed_first {
            stages.search(self, Tries::Long, sizes.search, ALL);
        }
        // A caller that wants relaxed rules first gets them in any case.
        let proof = if self.relaxed_first { sizes.proof.max(2_000_000) } else { sizes.proof };
        let proof = stages.prove(self, proof, HALF);
        stages.search(self, Tries::Walk, sizes.walk, sizes.share);
        stages.search(self, Tries::Short, u64::MAX, ALL);
        if proof == Proof::Unfinished {
            stages.prove(self, sizes.long_proof, sizes.long_share);
        }
        stages.search(self, Tries::LastWalk, u64::MAX, ALL);
        stages.end()
    }

    /// Returns the answer known before any search.
    fn nothing_known(&self, table: &Table) -> Answer {
        let cards_at_most = most_cards(table, self.engine.rules);
        let verdict = Verdict::Unknown(Limit::Nodes);
        Answer { verdict, cards: table.cards(), cards_at_most, moves: Vec::new(), nodes: 0, bytes: 0 }
    }
}

/// A question, and the results of its stages so far.
struct Stages<'a> {
    table: &'a Table,
    goal: Goal,
    limits: &'a Limits<'a>,
    started: Moment,
    known: Answer,
}

/// How a proof ended.
#[derive(PartialEq, Eq)]
enum Proof {
    /// It was cut off.
    Unfinished,
    /// It is complete, or not possible.
    Over,
}

impl<'a> Stages<'a> {
    /// Searches under the rules themselves, unless the question is settled.
    fn search(&mut self, solver: &mut Solver<'_>, tries: Tries, most: u64, share: Share) {
        if self.are_over() {
            return;
        }
        let (table, goal, limits) = (self.table, self.goal, &self.within(most, share));
        let rules = solver.engine.rules;
        let answer = solver.ask(&Question { rules, table, goal, limits, tries });
        self.learn(|known| known.with(answer));
    }

    /// Searches under relaxed rules, unless the question is settled.
    fn prove(&mut self, solver: &mut Solver<'_>, most: u64, share: Share) -> Proof {
        if self.are_over() {
            return Proof::Over;
        }
        if most == 0 {
            return Proof::Unfinished;
        }
        let Some(answer) = solver.ask_relaxed(self.table, self.goal, &self.within(most, share)) else {
            return Proof::Over;
        };
        let stopped = matches!(answer.verdict, Verdict::Unknown(Limit::Nodes | Limit::Time));
        self.learn(|known| known.with_relaxed(answer));
        if stopped { Proof::Unfinished } else { Proof::Over }
    }

    fn learn(&mut self, with: impl FnOnce(Answer) -> Answer) {
        let nothing = Answer { moves: Vec::new(), ..self.known };
        self.known = with(std::mem::replace(&mut self.known, nothing));
    }

    /// Returns a share of the remaining limits, with at most `most` nodes.
    fn within(&self, most: u64, (part, of): Share) -> Limits<'a> {
        let left = self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(self.known.nodes));
        let time = self.limits.time.map(|time| time.saturating_sub(self.started.elapsed()));
        Limits {
            nodes: Some((left / u64::from(of) * u64::from(part)).min(most)),
            time: time.map(|time| time / of * part),
            stop: self.limits.stop,
        }
    }

    /// Returns the result, with the limit that ended it.
    fn end(self) -> Answer {
        let limits = self.limits;
        let timed_out = limits.time.is_some_and(|time| self.started.elapsed() >= time)
            && limits.nodes.is_none_or(|most| self.known.nodes < most);
        match self.known.verdict {
            Verdict::Unknown(Limit::Nodes) if timed_out => {
                Answer { verdict: Verdict::Unknown(Limit::Time), ..self.known }
            }
            _ => self.known,
        }
    }

    /// Returns whether the question is settled, or the limits are exhausted.
    fn are_over(&self) -> bool {
        let Answer { verdict, cards, cards_at_most, nodes, .. } = self.known;
        let used_up = self.limits.nodes.is_some_and(|most| nodes >= most)
            || self.limits.time.is_some_and(|time| self.started.elapsed() >= time);
        match verdict {
            Verdict::Won | Verdict::Unknown(Limit::Stopped) => true,
            Verdict::Lost => self.goal == Goal::Win || cards == cards_at_most || used_up,
            Verdict::Unknown(_) => used_up,
        }
    }
}

impl Answer {
    /// Marks a deal as lost if its upper bound is below all cards, even if the maximum stayed open.
    fn with_bound(self, rules: &Rules) -> Answer {
        match self.verdict {
            Verdict::Unknown(Limit::Stopped | Limit::Replay) => self,
            Verdict::Unknown(_) if self.cards_at_most < rules.hot.cards => {
                Answer { verdict: Verdict::Lost, ..self }
            }
            _ => self,
        }
    }

    /// Combines the results with an answer for relaxed rules, whose moves were replayed under the rules themselves.
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
            Verdict::Unknown(limit @ (Limit::Time | Limit::Stopped)) if self.verdict != Verdict::Lost => {
                Answer { verdict: Verdict::Unknown(limit), nodes, bytes, ..self }
            }
            Verdict::Unknown(_) => Answer { nodes, bytes, ..self },
        }
    }

    /// Combines the results with a later answer for the same rules.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::load;

    /// Relaxed rules prove losses among deals that a short search leaves open, and never of a deal that is won.
    #[test]
    fn relaxed_rules_prove_losses() {
        let mut proven = 0;
        for name in ["little-gate", "chameleon", "storehouse", "draw-one", "canfield"] {
            let rules = load(name).unwrap().rules;
            let mut plain = Solver::new(&rules, 1 << 24).unwrap();
            plain.relaxed = None;
            let mut solver = Solver::new(&rules, 1 << 24).unwrap();
            for seed in 0..12 {
                let table = Table::of_seed(&rules, seed, 2);
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

    /// A long proof decides what a short one leaves open, and no answers contradict each other, whatever the sizes of
    /// stages.
    #[test]
    fn long_proofs_go_on() {
        let rules = load("chameleon").unwrap().rules;
        let mut solver = Solver::new(&rules, 1 << 26).unwrap();
        let mut proven = 0;
        for seed in 4..6 {
            let table = Table::of_seed(&rules, seed, 5);
            let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
            let [short, long] = [0, 100_000_000].map(|long_proof| {
                let sizes = Sizes {
                    search: 1_000,
                    proof: 20_000,
                    walk: 20_000,
                    share: HALF,
                    long_proof,
                    long_share: MOST,
                };
                let answer = solver.in_stages(&table, Goal::Win, &limits, sizes);
                assert!(answer.nodes <= 1_000_000, "{seed}: {}", answer.nodes);
                answer.verdict
            });
            let contradicted =
                [short, long].contains(&Verdict::Won) && [short, long].contains(&Verdict::Lost);
            assert!(!contradicted, "{seed}");
            proven += usize::from(long == Verdict::Lost && short != Verdict::Lost);
        }
        assert!(proven > 0, "none proven");
    }

    /// A proof that has used up its share of the time retracts nothing that was known before.
    #[test]
    fn what_is_known_stays_known() {
        let lost = Answer {
            verdict: Verdict::Lost,
            cards: 20,
            cards_at_most: 40,
            moves: Vec::new(),
            nodes: 5,
            bytes: 7,
        };
        for limit in [Limit::Nodes, Limit::Time, Limit::Stopped, Limit::Memory] {
            let open =
                Answer { verdict: Verdict::Unknown(limit), cards_at_most: 52, nodes: 3, ..lost.clone() };
            let known = lost.clone().with_relaxed(open.clone());
            assert_eq!((known.verdict, known.cards_at_most, known.nodes), (Verdict::Lost, 40, 8));
            assert_eq!(lost.clone().with(open).verdict, Verdict::Lost);
        }
    }

    /// A deal is lost if its bound says so, unless the search was stopped and knows nothing for sure.
    #[test]
    fn a_bound_below_a_win_is_a_loss() {
        let rules = load("canfield").unwrap().rules;
        let told = |limit, cards_at_most| {
            let verdict = Verdict::Unknown(limit);
            Answer { verdict, cards: 20, cards_at_most, moves: Vec::new(), nodes: 5, bytes: 7 }
                .with_bound(&rules)
                .verdict
        };
        assert_eq!(told(Limit::Nodes, 51), Verdict::Lost);
        assert_eq!(told(Limit::Time, 20), Verdict::Lost);
        assert_eq!(told(Limit::Nodes, 52), Verdict::Unknown(Limit::Nodes));
        assert_eq!(told(Limit::Stopped, 51), Verdict::Unknown(Limit::Stopped));
    }

    /// If there is no time at all, that is the reported limit.
    #[test]
    fn the_limit_is_that_which_was_given() {
        let rules = load("superior").unwrap().rules;
        let table = Table::of_seed(&rules, 1, 0);
        let mut solver = Solver::new(&rules, 1 << 20).unwrap();
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        assert_eq!(solver.solve(&table, Goal::Win, &limits).verdict, Verdict::Unknown(Limit::Time));
    }
}
