//! Small searches, made by the thousand: they find a win, or else the best line of play.

use crate::game::{Move, Table};
use crate::interrupt;

use super::answer::{Goal, Limits};
use super::question::{FromSearch, Question, Searched, Tries};
use super::search::{States, Walk, Walked};
use super::solve::Solver;

/// Question and budget of a small search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// What is looked for: a win, or else the most cards on the way; or the most cards.
    pub goal: Goal,
    /// Maximum number of expanded positions.
    pub nodes: u64,
    /// Whether to return the moves to the most cards if there is no win. Those of a win are always returned.
    pub moves: bool,
}

/// Result of a small search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Whether all cards can go up.
    pub won: bool,
    /// Whether more nodes would not change the answer: the deal is won; or it cannot be won, if the question was a win;
    /// or no more cards can go up, if it was the most cards.
    pub proven: bool,
    /// The number of cards up in the best position found.
    pub cards: usize,
    /// The legal moves that lead there, including draws and redeals; empty if they were not requested and it is not
    /// won.
    pub moves: Vec<Move>,
    /// Number of positions expanded.
    pub nodes: u64,
}

impl Solver<'_> {
    /// Finds a win, or else the line of play to the most cards found, from any position of the solver's rules, whether
    /// a deal or the middle of a game.
    ///
    /// It ends soon after the program is asked to stop: see [`crate::interrupt`]; its result is then invalid.
    ///
    /// The solver's memory is reused between calls, without affecting results: the same question gets the same answer,
    /// whatever was asked before. For searches of a few thousand nodes, a solver with a memory of a megabyte is enough,
    /// and faster than one with more.
    ///
    /// # Example
    ///
    /// ```
    /// # extern crate saratoga_engine as saratoga;
    /// use saratoga::cards::Deck;
    /// use saratoga::game::{NoChance, Table};
    /// use saratoga::rules;
    /// use saratoga::solver::{Effort, Goal, Solver};
    ///
    /// let rules = rules::load("canfield")?.rules;
    /// let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
    /// let mut table = Table::deal(&rules, deck.cards(), &mut NoChance);
    /// let mut solver = Solver::new(&rules, 1 << 20)?;
    /// let found = solver.solve_small(&table, &Effort { goal: Goal::Win, nodes: 500, moves: true });
    /// for &m in &found.moves {
    ///     table.apply(&rules, m, &mut NoChance);
    /// }
    /// assert_eq!(table.cards(), found.cards);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_small(&mut self, table: &Table, effort: &Effort) -> Found {
        let rules = self.engine.rules;
        let heeded = interrupt::heeded();
        let stop = heeded.as_deref().unwrap_or(&interrupt::FLAG);
        let limits = Limits { nodes: Some(effort.nodes), stop: Some(stop), ..Limits::default() };
        let tries = Tries::Small { moves: effort.moves };
        self.ask(&Question { rules, table, goal: effort.goal, limits: &limits, tries })
    }
}

impl FromSearch for Found {
    fn search<const N: usize, S: States<N>>(
        question: &Question<'_>,
        walk: &mut Walk<N, S::Position, S::Play>,
        states: &mut S,
        root: S::Position,
    ) -> Found {
        walk.begin(question.limits);
        let Searched { mut walked, mut cards, mut line } = question.search(walk, states, root);
        let all = question.rules.hot.cards;
        let ended = walked == Walked::All;
        let mut proven = ended && states.is_sure() || cards == all;
        if ended && cards < all && question.goal == Goal::Win {
            // Positions that could not be won were pruned: the remaining nodes go to the most cards.
            let more = Question { goal: Goal::Cards, ..*question };
            let searched = more.search(walk, states, root);
            walked = searched.walked;
            // That search covers all that the first one did, and may have a proven result.
            proven |= walked == Walked::All && states.is_sure() || searched.cards == all;
            if searched.cards > cards {
                (cards, line) = (searched.cards, searched.line);
            }
        }
        debug_assert!(walked != Walked::Tired);
        let moves = if line.is_empty() { Vec::new() } else { states.tell(question.table, &line) };
        Found { won: cards == all, proven, cards, moves, nodes: walk.nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Purpose, below, generator};
    use crate::game::{MoveList, NoChance};
    use crate::rules::load;

    use super::super::question::replays;
    use super::super::{Limit, Solver, Verdict};

    /// From positions in the middle of games: lines of all searches are legal and lead to the reported result, and
    /// nothing depends on earlier questions.
    #[test]
    fn small_searches_are_legal_and_repeatable() {
        let mut won = 0;
        for name in
            "canfield draw-one thoughtful chameleon superior exorcism demon-two-packs klondike".split(' ')
        {
            let rules = load(name).unwrap().rules;
            let mut kept = Solver::new(&rules, 1 << 20).unwrap();
            let mut legal = MoveList::new();
            for seed in (0..30).step_by(2) {
                let mut table = Table::of_seed(&rules, seed, 0);
                let mut rng = generator(seed, 0, Purpose::Strategy);
                for _ in 0..2 * seed {
                    table.legal_moves(&rules, &mut legal);
                    if !legal.is_empty() {
                        let chosen = legal[below(&mut rng, legal.len() as u32) as usize];
                        table.apply(&rules, chosen, &mut NoChance);
                    }
                }
                for goal in [Goal::Win, Goal::Cards] {
                    let effort = Effort { goal, nodes: 700, moves: true };
                    let found = kept.solve_small(&table, &effort);
                    assert!(replays(&table, &rules, &found.moves, found.cards), "{name} {seed}");
                    assert_eq!(found, Solver::new(&rules, 1 << 20).unwrap().solve_small(&table, &effort));
                    let silent = kept.solve_small(&table, &Effort { moves: false, ..effort });
                    let moves = if found.won { found.moves.clone() } else { Vec::new() };
                    assert_eq!(silent, Found { moves, ..found.clone() });
                    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
                    let sure = kept.solve(&table, goal, &limits);
                    assert_eq!(sure, Solver::new(&rules, 1 << 20).unwrap().solve(&table, goal, &limits));
                    assert_ne!(sure.verdict, Verdict::Unknown(Limit::Replay), "{name} {seed}");
                    assert!(!found.won || sure.verdict != Verdict::Lost, "{name} {seed}");
                    assert!(sure.verdict != Verdict::Won || found.won || !found.proven, "{name} {seed}");
                    won += usize::from(found.won);
                }
            }
        }
        assert!(won > 20, "{won}");
    }
}
