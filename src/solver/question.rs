//! The question of a search, and the sequence of attempts that answers it.

use crate::game::{Move, Table};
use crate::rules::Rules;

use super::answer::{Answer, Goal, Limit, Limits, Verdict};
use super::compact;
use super::explore::follow;
use super::heuristic::HeuristicKind;
use super::relaxed_bound::most_cards;
use super::search::{Apart, Attempt, States, Try, Walk, Walked};

/// A question about a position.
pub(super) struct Question<'a> {
    pub rules: &'a Rules,
    pub table: &'a Table,
    pub goal: Goal,
    pub limits: &'a Limits<'a>,
    pub tries: Tries,
}

/// The attempts made before the walk that runs to completion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tries {
    /// The list of the position's form.
    Long,
    /// The same list, without the complete walk.
    Short,
    /// None.
    Walk,
    /// None, and the complete walk uses another order.
    LastWalk,
    /// None: positions are those of relaxed rules, which serve to prove that something is unreachable.
    Relaxed,
    /// Short walks, for a search of a few hundred or thousand positions. The line to the most cards is kept for either
    /// goal if moves are requested, and otherwise only a winning one. The search may end with an unproven result.
    Small { moves: bool },
}

/// Attempts of small searches; beams that would not finish are skipped.
const SMALL: &[Try] = &[
    Try::Walk(300),
    Try::Beam(3, HeuristicKind::Depth),
    Try::Beam(10, HeuristicKind::Depth),
    Try::Walk(300),
    Try::Walk(300),
    Try::Beam(30, HeuristicKind::Depth),
    Try::Walk(600),
    Try::Beam(100, HeuristicKind::Depth),
    Try::Walk(2_400),
    Try::Beam(300, HeuristicKind::Order),
];

/// Number of attempts of a long list that are made in hasty mode. The others find wins that need what hasty mode
/// prunes.
const HASTY: usize = 3;

/// Typical number of nodes that a beam takes, relative to its width.
const LAYERS: u64 = 80;

/// How a search ended, and the most cards it reached.
pub(super) struct Searched<Q> {
    pub walked: Walked,
    pub cards: usize,
    /// The plays that lead there, if they were kept.
    pub line: Vec<Q>,
}

/// Result of a search.
pub(super) trait FromSearch {
    fn search<const N: usize, S: States<N>>(
        question: &Question<'_>,
        walk: &mut Walk<N, S::Position, S::Play>,
        states: &mut S,
        root: S::Position,
    ) -> Self;
}

impl Question<'_> {
    /// Returns whether a beam would use up the remaining nodes of a small search.
    fn leaves_out(&self, width: usize, nodes: u64) -> bool {
        let left = self.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes));
        matches!(self.tries, Tries::Small { .. }) && left < LAYERS.saturating_mul(width as u64)
    }

    /// Makes one attempt after the other, until one is conclusive.
    pub fn search<const N: usize, S: States<N>>(
        &self,
        walk: &mut Walk<N, S::Position, S::Play>,
        states: &mut S,
        root: S::Position,
    ) -> Searched<S::Play> {
        let goal = self.goal;
        let all = self.rules.hot.cards;
        let (keeps, list) = match self.tries {
            Tries::Long | Tries::Short => (goal == Goal::Cards, S::TRIES),
            Tries::Walk | Tries::LastWalk | Tries::Relaxed => (goal == Goal::Cards, &[][..]),
            Tries::Small { moves } => (moves, SMALL),
        };
        let mut cards = self.table.cards();
        let mut line = Vec::new();
        let mut tries = list.iter().enumerate();
        let allows_runs = compact::allowed(self.rules);
        let walked = loop {
            let last = list.len() + usize::from(self.tries == Tries::LastWalk);
            let (number, tried) = tries.next().map_or((last, None), |(i, tried)| (i, Some(*tried)));
            states.hurry(match self.tries {
                Tries::Long => tried.is_some() && number < HASTY,
                _ => tried.is_some(),
            });
            let mut told = |up: usize, line_to: &dyn Fn(&mut Vec<S::Play>)| {
                if up > cards {
                    cards = up;
                    if keeps || cards == all {
                        line_to(&mut line);
                    }
                }
                let wanted = if goal == Goal::Win { all } else { cards + 1 };
                if cards == all { None } else { Some(wanted) }
            };
            let chance = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let positions = match tried {
                Some(Try::Beam(width, _)) if self.leaves_out(width, walk.nodes) => continue,
                Some(Try::Beam(width, kind)) => {
                    match walk.beam(root, states, self.limits, (width, kind), told) {
                        Walked::Tired => continue,
                        walked => break walked,
                    }
                }
                // Whole tables are searched several times slower than runs, and what is open there is mostly lost.
                Some(Try::Width(_, Apart::UpAndReserves)) if !allows_runs => continue,
                Some(Try::Width(kind, apart)) => {
                    match walk.width(root, states, self.limits, (kind, apart, chance), told) {
                        Walked::Tired => continue,
                        walked => break walked,
                    }
                }
                Some(Try::Proof(_)) if goal != Goal::Win => continue,
                Some(Try::Proof(most)) => {
                    let left = self.limits.nodes.map_or(u64::MAX, |nodes| nodes.saturating_sub(walk.nodes));
                    let (lost, nodes) = states.is_lost(&root, most.min(left));
                    walk.nodes += nodes;
                    if lost {
                        break Walked::All;
                    }
                    continue;
                }
                Some(Try::Walk(positions)) => Some(positions),
                None if self.tries == Tries::Short => break Walked::Tired,
                None => None,
            };
            let attempt = Attempt { positions, chance };
            let walked =
                walk.visit(root, states, self.limits, attempt, |up, walk| told(up, &|line| walk.line(line)));
            match walked {
                Walked::Tired => {}
                // Another order may get by with less memory or depth.
                Walked::Stopped(Limit::Memory | Limit::Depth) if positions.is_some() => {}
                // Hasty mode finds nothing more. Small searches accept that as an answer.
                Walked::All if !states.is_sure() => match self.tries {
                    Tries::Small { .. } => break walked,
                    Tries::Short => break Walked::Tired,
                    _ => {}
                },
                walked => break walked,
            }
        };
        Searched { walked, cards, line }
    }
}

impl FromSearch for Answer {
    fn search<const N: usize, S: States<N>>(
        question: &Question<'_>,
        walk: &mut Walk<N, S::Position, S::Play>,
        states: &mut S,
        root: S::Position,
    ) -> Answer {
        let Question { rules, table, goal, limits, .. } = *question;
        let all = rules.hot.cards;
        walk.begin(limits);
        let Searched { walked, cards, line } = question.search(walk, states, root);
        let mut moves = states.tell(table, &line);
        let mut told = goal == Goal::Win && cards < all || replays(table, rules, &moves, cards);
        if !told && question.tries == Tries::Relaxed && walked == Walked::All && cards < all {
            // The bound holds without the line.
            moves.clear();
            told = true;
        }
        let verdict = match walked {
            _ if !told => Verdict::Unknown(Limit::Replay),
            _ if cards == all => Verdict::Won,
            Walked::Enough => Verdict::Unknown(Limit::Replay),
            Walked::Tired => Verdict::Unknown(Limit::Nodes),
            Walked::All => Verdict::Lost,
            Walked::Stopped(limit) => Verdict::Unknown(limit),
        };
        let bound = most_cards(table, rules);
        let cards_at_most = match verdict {
            Verdict::Lost if goal == Goal::Cards => cards,
            // The walk pruned everything that could not be won.
            Verdict::Lost => bound.min(all - 1),
            _ => bound,
        };
        Answer { verdict, cards, cards_at_most, moves, nodes: walk.nodes, bytes: walk.bytes() }
    }
}

/// Returns whether moves are legal in order and bring up this many cards.
pub(super) fn replays(root: &Table, rules: &Rules, moves: &[Move], cards: usize) -> bool {
    let mut table = *root;
    follow(&mut table, rules, moves) == moves.len() && table.cards() == cards
}
