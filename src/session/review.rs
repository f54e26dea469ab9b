//! Analysis of what was possible: the best clairvoyant line, and where the game was lost, to a clairvoyant player or as
//! judged by the searching strategy, which also works where chance decides or the solver is inconclusive.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::game::{Move, Table};
use crate::players::evaluate_moves;
use crate::solver::{Goal, Limit, Limits, Refused, Solver, Verdict};
use crate::strategy::{MoveValue, StrategyError, StrategySource};

use super::game::Session;
use super::hint::Expected;
use super::look::Choice;
use super::state::Asks;

/// Memory for the positions of a search, in bytes.
const MEMORY: usize = 128 << 20;

const MOST_OPEN: usize = 8;

/// Limits of the analysis.
#[derive(Clone, Copy, Debug)]
pub struct ReviewLimits<'a> {
    /// Maximum number of positions of each search.
    pub positions: u64,
    /// Cooperative cancellation flag.
    pub stop: &'a AtomicBool,
}

/// What a clairvoyant player can achieve from the deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BestLine {
    /// Whether all cards can reach the foundations; `None` if the limit left that open.
    pub winnable: Option<bool>,
    /// Number of cards that the moves bring to the foundations.
    pub cards: usize,
    /// Upper bound on that number over all lines of play.
    pub cards_at_most: usize,
    /// The moves in notation.
    pub moves: Vec<String>,
    /// Number of positions searched.
    pub positions: u64,
}

/// Where a game was lost: the first move after which the best result from the deal was out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// Number of cards found to be possible at the deal; if `proven` is false, more may have been possible.
    pub cards: usize,
    /// True if no more cards were possible.
    pub proven: bool,
    /// Number of moves after which they were still possible.
    pub reachable_after: usize,
    /// Number of moves after which they were not possible; `None` if that was never established.
    pub lost_after: Option<usize>,
    /// The move that lost them, if it could be pinned down.
    pub by: Option<String>,
    /// Number of moves in the game.
    pub moves: usize,
    /// Number of searches cut off by the limit.
    pub open: usize,
}

impl Session {
    /// Finds a win of a clairvoyant player, or else the most cards. Fails if chance decides inside the game.
    pub fn best_line(&self, limits: ReviewLimits<'_>) -> Result<BestLine, Refused> {
        let dealt = self.dealt();
        let rules = &*dealt.rules;
        let mut solver = Solver::new(rules, MEMORY)?;
        let table = Table::deal(rules, dealt.deck.cards(), &mut dealt.chance());
        let until = limits.of();
        let mut answer = solver.solve(&table, Goal::Win, &until);
        let mut positions = answer.nodes;
        let winnable = answer.verdict.known();
        if winnable != Some(true) {
            let at_most = answer.cards_at_most;
            answer = solver.solve(&table, Goal::Cards, &until);
            answer.cards_at_most = answer.cards_at_most.min(at_most);
            positions += answer.nodes;
        }
        let reserves = rules.spec().reserve.piles.into();
        Ok(BestLine {
            winnable,
            cards: answer.cards,
            cards_at_most: answer.cards_at_most,
            moves: answer.moves.iter().map(|m| m.notation(reserves)).collect(),
            positions,
        })
    }

    /// Returns the same deal with the moves of a line, to be stepped through by [`Session::redo`]. Every stage of the
    /// stake is bought. The line ends where the engine would end the game.
    pub fn follow(&self, line: &BestLine) -> Session {
        let mut session = Session::new(self.dealt().clone());
        for word in &line.moves {
            session.buy_on(None, None);
            if session.play_to_the_end(word).is_err() {
                break;
            }
        }
        session.buy_on(None, None);
        session.go_to(0);
        session
    }

    /// Finds what was possible at the deal, and the first move after which it was not. Fails if chance decides inside
    /// the game.
    pub fn lost_at(&self, limits: ReviewLimits<'_>) -> Result<Lost, Refused> {
        let dealt = self.dealt();
        let mut solver = Solver::new(&dealt.rules, MEMORY)?;
        let best = self.best_line(limits)?;
        let (moves, tables) = self.course();
        let (target, all) = (best.cards, dealt.rules.spec().cards());
        let last = tables.len() - 1;
        let reached = (0..=last).rev().find(|&i| tables[i].cards() >= target);
        // Playing on never improves what a position allows, so bisection finds the place.
        let (mut reachable, mut gone, mut open) = (reached.unwrap_or(0), None, 0);
        let mut left: Vec<(usize, usize)> = vec![(reachable + 1, last)];
        while let Some((from, to)) = left.pop() {
            let (from, to) = (from.max(reachable + 1), gone.map_or(to, |gone: usize| to.min(gone - 1)));
            if from > to || open >= MOST_OPEN || limits.stop.load(Ordering::Relaxed) {
                continue;
            }
            let middle = from.midpoint(to);
            match allows(&mut solver, &tables[middle], (target, all), &limits) {
                Some(true) => reachable = middle,
                Some(false) => gone = Some(middle),
                None => open += 1,
            }
            left.extend([(from, middle.saturating_sub(1)), (middle + 1, to)]);
        }
        let reserves = dealt.rules.spec().reserve.piles.into();
        let exact = gone.filter(|&gone| gone == reachable + 1);
        Ok(Lost {
            cards: target,
            proven: best.cards == best.cards_at_most,
            reachable_after: reachable,
            lost_after: gone,
            by: exact.map(|gone| moves[gone - 1].notation(reserves)),
            moves: moves.len(),
            open,
        })
    }

    /// Returns the moves made, and the positions before, between and after them.
    fn course(&self) -> (Vec<Move>, Vec<Table>) {
        let dealt = self.dealt();
        let (rules, mut chance) = (&*dealt.rules, dealt.chance());
        let mut table = Table::deal(rules, dealt.deck.cards(), &mut chance);
        let (mut moves, mut tables) = (Vec::new(), vec![table]);
        let made = self.state().made;
        let mut words =
            made.iter().filter(|made| !made.ended && made.stage.is_none()).map(|made| &*made.word);
        let reserves = rules.spec().reserve.piles.into();
        let mut next = words.next();
        for choice in self.choices() {
            // A draw that was replaced by buying a card is not a move.
            let Choice::Move(m) = choice else { continue };
            if next != Some(&*m.notation(reserves)) {
                continue;
            }
            next = words.next();
            table.apply(rules, m, &mut chance);
            moves.push(m);
            tables.push(table);
        }
        (moves, tables)
    }
}

/// Returns whether this many cards are possible from a position; `None` if the limit leaves that open.
fn allows(
    solver: &mut Solver<'_>,
    table: &Table,
    (target, all): (usize, usize),
    limits: &ReviewLimits<'_>,
) -> Option<bool> {
    let goal = if target == all { Goal::Win } else { Goal::Cards };
    let answer = solver.solve(table, goal, &limits.of());
    match answer.verdict {
        Verdict::Unknown(Limit::Replay) => None,
        _ if answer.cards >= target => Some(true),
        _ if answer.cards_at_most < target => Some(false),
        Verdict::Lost if target == all => Some(false),
        _ => None,
    }
}

impl ReviewLimits<'_> {
    fn of(&self) -> Limits<'_> {
        Limits { nodes: Some(self.positions), time: None, stop: Some(self.stop) }
    }
}

/// A move made in the game, and the best alternative found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fell {
    /// Number of choices before it.
    pub after: usize,
    /// The move in notation.
    pub by: String,
    /// Its result in the sampled deals.
    pub got: Expected,
    /// The best legal move.
    pub better: String,
    /// Its result in the same deals.
    pub best: Expected,
}

impl Fell {
    /// Returns the mean number of cards given up by the move.
    pub fn cards(&self) -> f64 {
        self.best.mean_cards() - self.got.mean_cards()
    }
}

/// The moves of a game that lost expected cards.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Searched {
    /// Number of decisions with more than one legal move.
    pub decisions: usize,
    /// The first move that gave up at least the requested number of cards.
    pub first: Option<Fell>,
    /// The move that gave up the most.
    pub worst: Option<Fell>,
}

impl Session {
    /// Evaluates every decision of the game with a searching strategy and finds the moves that gave up `least` cards or
    /// more. `tell` receives the number of choices evaluated. A strategy that does not search finds nothing.
    pub fn lost_by_search(
        &self,
        player: &StrategySource,
        least: f64,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(usize),
    ) -> Result<Searched, StrategyError> {
        let mut found = Searched::default();
        let mut at = self.clone();
        let reserves = self.dealt().rules.spec().reserve.piles.into();
        for (after, choice) in self.choices().enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            tell(after);
            at.go_to(after);
            let Choice::Move(made) = choice else { continue };
            let stand = at.look(&at.rng(), |view, legal, asks| {
                let several = asks == Asks::Move && legal.len() > 1;
                let weighed = several.then(|| evaluate_moves(player.name(), view, legal)).flatten()?;
                Some(weighed.map(|all| (legal.iter().position(|&m| m == made), all)))
            });
            let Some((Some(own), all)) = stand.looked.flatten().transpose()? else { continue };
            found.decisions += 1;
            let Some(best) = all.iter().max_by_key(|it| (it.cards, it.wins)) else { continue };
            let word = |it: &MoveValue| it.moves.first().map_or(String::new(), |m| m.notation(reserves));
            let fell = Fell {
                after,
                by: word(&all[own]),
                got: Expected::of(&all[own]),
                better: word(best),
                best: Expected::of(best),
            };
            if fell.cards() < least {
                continue;
            }
            if found.worst.as_ref().is_none_or(|worst| fell.cards() > worst.cards()) {
                found.worst = Some(fell.clone());
            }
            found.first.get_or_insert(fell);
        }
        Ok(found)
    }
}
