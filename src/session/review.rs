//! What was possible: the line of a player who knows every card, and where the game was lost to one.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::game::{Move, Table};
use crate::solver::{Goal, Limit, Limits, Refused, Solver, Verdict};

use super::choice::Choice;
use super::dealt::Dealt;
use super::game::Session;

/// Most bytes for the positions of a search.
const MEMORY: usize = 128 << 20;

/// After so many searches that found nothing no more are made.
const MOST_OPEN: usize = 8;

/// How far is looked.
#[derive(Clone, Copy, Debug)]
pub struct ReviewLimits<'a> {
    /// Most positions of each search.
    pub positions: u64,
    /// Gives up soon after this is set.
    pub stop: &'a AtomicBool,
}

/// What a player who knows every card can do from the deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BestLine {
    /// Whether all cards can come up; `None` where the limit left that open.
    pub winnable: Option<bool>,
    /// The moves bring up so many cards.
    pub cards: usize,
    /// No more can come up, whatever is played.
    pub cards_at_most: usize,
    /// The moves in notation.
    pub moves: Vec<String>,
    /// Positions that were looked at.
    pub positions: u64,
}

/// Where a game was lost: the first move after which what could come up at the deal was out of reach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// So many cards could come up at the deal, as far as was found: more may have been possible, where
    /// `proven` is false.
    pub cards: usize,
    /// No more could.
    pub proven: bool,
    /// After so many moves they still could.
    pub reachable_after: usize,
    /// After so many moves they no longer could; `None` where that was not found to be so at any place, or never was.
    pub lost_after: Option<usize>,
    /// The move that lost them, if it is known to a move.
    pub by: Option<String>,
    /// Moves of the game.
    pub moves: usize,
    /// Searches that the limit ended before they found out.
    pub open: usize,
}

impl Session {
    /// What a player who knows every card can do from the deal: wins, or else brings up the most cards found.
    ///
    /// # Errors
    /// Where chance decides inside the game, so that not everything is known at the deal.
    pub fn best_line(&self, limits: ReviewLimits<'_>) -> Result<BestLine, Refused> {
        let dealt = self.dealt();
        let rules = dealt.rules();
        let mut solver = Solver::new(rules, MEMORY)?;
        let table = Table::deal(rules, dealt.deck().cards(), &mut dealt.chance());
        let until = limits.of();
        let mut answer = solver.solve(&table, Goal::Win, &until);
        let mut positions = answer.nodes;
        let winnable = match answer.verdict {
            Verdict::Won => Some(true),
            Verdict::Lost => Some(false),
            Verdict::Unknown(_) => None,
        };
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

    /// The same deal with the moves of a line to step through by [`Session::redo`]. Every stage of the stake is bought. It ends
    /// where the engine would end the game.
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

    /// Where this game was lost to a player who knows every card: what could come up at the deal, and the first move after
    /// which it could not any more.
    ///
    /// # Errors
    /// Where chance decides inside the game.
    pub fn lost_at(&self, limits: ReviewLimits<'_>) -> Result<Lost, Refused> {
        let dealt = self.dealt();
        let mut solver = Solver::new(dealt.rules(), MEMORY)?;
        let best = self.best_line(limits)?;
        let (moves, tables) = self.course();
        let (target, all) = (best.cards, dealt.rules().hot.cards);
        let last = tables.len() - 1;
        let reached = (0..=last).rev().find(|&i| tables[i].cards() >= target);
        // What a position allows grows no better by playing on, so that halving finds the place.
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
        let reserves = dealt.rules().spec().reserve.piles.into();
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

    /// The moves that were made, and the positions before, between and after them.
    fn course(&self) -> (Vec<Move>, Vec<Table>) {
        let dealt: &Dealt = self.dealt();
        let (rules, mut chance) = (dealt.rules(), dealt.chance());
        let mut table = Table::deal(rules, dealt.deck().cards(), &mut chance);
        let (mut moves, mut tables) = (Vec::new(), vec![table]);
        let made = self.state().made;
        let mut words =
            made.iter().filter(|made| !made.ended && made.stage.is_none()).map(|made| &*made.word);
        let reserves = rules.spec().reserve.piles.into();
        let mut next = words.next();
        for choice in self.choices() {
            // A draw that was not made, as a card was bought for it, is no move.
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

/// Whether so many cards can come up from a position; `None` where the limit leaves that open.
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
