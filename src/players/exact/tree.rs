//! Information states, and what they are worth.

use std::collections::HashMap;

use crate::game::{Move, MoveList, NoChance, Table};
use crate::rules::{Draw, Rules};

use super::orders;

/// What follows a reveal, and what a position is worth where its player stops.
pub trait Reveals: Sized {
    /// What a position is worth as it stands.
    fn stop(&self, table: &Table, known: u64) -> f64;

    /// What a move is worth that shows a player who knows these kinds something new; `None` where the budget is spent.
    fn reveal(tree: &mut Tree<'_, Self>, step: &Step<'_>) -> Option<f64>;
}

/// A move that reveals something.
pub struct Step<'a> {
    /// The position before it.
    pub before: &'a Table,
    /// The move.
    pub m: Move,
    /// The position after it, as the cards lie in this table.
    pub after: &'a Table,
    /// Kinds known before it.
    pub known: u64,
    /// Kinds that it shows, as the cards lie in this table.
    pub shown: u64,
}

/// Information states with what they are worth, from one deal on.
pub struct Tree<'r, R> {
    pub(super) rules: &'r Rules,
    /// What is counted.
    pub over: R,
    /// Positions that may still be looked at.
    left: u64,
    /// Redeals from which on positions do not differ by them.
    redeals: u32,
    memo: HashMap<Box<[u8]>, f64>,
}

/// Positions that can be reached without a reveal.
struct Span {
    tables: Vec<Table>,
    /// For each what is had by stopping there or by its best reveal.
    worth: Vec<f64>,
    /// That reveal.
    reveal: Vec<Option<Move>>,
    /// From which positions a play leads to it.
    from: Vec<Vec<u32>>,
    /// By which play it was come to first.
    by: Vec<Option<(u32, Move)>>,
}

impl<'r, R: Reveals> Tree<'r, R> {
    /// Nothing is looked at yet, and at most so many positions will be.
    pub fn new(rules: &'r Rules, over: R, positions: u64) -> Tree<'r, R> {
        let redeals = match (rules.spec().stock.redeals, &rules.spec().stock.draw) {
            (Some(_), _) => u32::MAX,
            (None, Draw::ByPass(sizes)) => sizes.len() as u32,
            (None, Draw::Die { .. }) => 1,
        };
        Tree { rules, over, left: positions, redeals, memo: HashMap::new() }
    }

    /// Positions that may still be looked at.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// What a position is worth to a player who knows these kinds; `None` where the budget is spent. Cards of other kinds
    /// may lie in any order.
    pub fn worth(&mut self, table: &Table, known: u64) -> Option<f64> {
        if let Some(&worth) = self.memo.get(&table.told_key(known, self.rules, self.redeals)) {
            return Some(worth);
        }
        let span = self.span(table, known, true)?;
        let mut order: Vec<u32> = (0..span.tables.len() as u32).collect();
        order.sort_by(|&a, &b| span.worth[b as usize].total_cmp(&span.worth[a as usize]));
        // The best position first: all that lead to it are worth as much, and so on.
        let mut worth: Vec<Option<f64>> = vec![None; order.len()];
        let mut stack = Vec::new();
        for best in order {
            stack.push(best);
            while let Some(at) = stack.pop() {
                if worth[at as usize].is_none() {
                    worth[at as usize] = Some(span.worth[best as usize]);
                    stack.extend(&span.from[at as usize]);
                }
            }
        }
        for (table, worth) in span.tables.iter().zip(&worth) {
            self.memo.insert(table.told_key(known, self.rules, self.redeals), worth.unwrap_or(0.0));
        }
        worth[0]
    }

    /// The shortest moves to the best position that can be reached without a reveal, and then the best reveal, unless it
    /// is best to stop there; with what that is worth.
    pub fn line(&mut self, table: &Table, known: u64) -> Option<(Vec<Move>, f64)> {
        let span = self.span(table, known, false)?;
        let mut best = 0;
        for at in 1..span.tables.len() {
            if span.worth[at] > span.worth[best] {
                best = at;
            }
        }
        let mut moves: Vec<Move> = span.reveal[best].into_iter().collect();
        let mut at = best;
        while let Some((from, m)) = span.by[at] {
            moves.push(m);
            at = from as usize;
        }
        moves.reverse();
        Some((moves, span.worth[best]))
    }

    fn span(&mut self, start: &Table, known: u64, memo: bool) -> Option<Span> {
        let mut span =
            Span { tables: vec![*start], worth: vec![], reveal: vec![], from: vec![vec![]], by: vec![None] };
        let mut index = HashMap::from([(start.told_key(known, self.rules, self.redeals), 0)]);
        let mut legal = MoveList::new();
        let mut at = 0;
        while at < span.tables.len() {
            let table = span.tables[at];
            self.left = self.left.checked_sub(1)?;
            let (mut worth, mut reveal) = (self.over.stop(&table, known), None);
            table.legal_moves(self.rules, &mut legal);
            let moves: Vec<Move> = legal.iter().copied().collect();
            for m in moves {
                let mut after = table;
                after.apply(self.rules, m, &mut NoChance);
                let shown = after.open_kinds(self.rules) & !known;
                if shown != 0 {
                    let step = Step { before: &table, m, after: &after, known, shown };
                    let of_reveal = R::reveal(self, &step)?;
                    if of_reveal > worth {
                        (worth, reveal) = (of_reveal, Some(m));
                    }
                    continue;
                }
                let key = after.told_key(known, self.rules, self.redeals);
                if let Some(&of_memo) = self.memo.get(&key).filter(|_| memo) {
                    worth = worth.max(of_memo);
                    continue;
                }
                let next = *index.entry(key).or_insert(span.tables.len());
                if next == span.tables.len() {
                    span.tables.push(after);
                    span.from.push(Vec::new());
                    span.by.push(Some((at as u32, m)));
                }
                span.from[next].push(at as u32);
            }
            span.worth.push(worth);
            span.reveal.push(reveal);
            at += 1;
        }
        Some(span)
    }
}

/// Expectimax: after a reveal the mean over all that may be seen. Worths are those of all orders of unknown cards together.
pub struct Expectation<W> {
    /// The kinds in play.
    pub all: u64,
    /// What so many cards are worth.
    pub worth: W,
}

impl<W: Fn(usize) -> f64> Reveals for Expectation<W> {
    fn stop(&self, table: &Table, known: u64) -> f64 {
        (self.worth)(table.cards()) * orders((self.all & !known).count_ones())
    }

    fn reveal(tree: &mut Tree<'_, Self>, step: &Step<'_>) -> Option<f64> {
        let places = kinds(step.shown);
        let unknown = kinds(tree.over.all & !step.known);
        let mut sum = 0.0;
        let mut chosen = Vec::with_capacity(places.len());
        each_choice(&unknown, places.len(), &mut chosen, &mut |cards| {
            let before = step.before.with_others(&exchange(&places, cards));
            let mut after = before;
            after.apply(tree.rules, step.m, &mut NoChance);
            let known = cards.iter().fold(step.known, |known, &card| known | 1 << card);
            sum += tree.worth(&after, known)?;
            Some(())
        })?;
        Some(sum)
    }
}

/// The kinds of a set.
pub(super) fn kinds(mut set: u64) -> Vec<u8> {
    let mut kinds = Vec::new();
    while set != 0 {
        kinds.push(set.trailing_zeros() as u8);
        set &= set - 1;
    }
    kinds
}

/// Calls with every choice of so many kinds in every order.
fn each_choice(
    from: &[u8],
    count: usize,
    chosen: &mut Vec<u8>,
    call: &mut dyn FnMut(&[u8]) -> Option<()>,
) -> Option<()> {
    if chosen.len() == count {
        return call(chosen);
    }
    for &kind in from {
        if !chosen.contains(&kind) {
            chosen.push(kind);
            each_choice(from, count, chosen, call)?;
            chosen.pop();
        }
    }
    Some(())
}

/// A permutation that puts these cards in the places of those, and moves no card but these and those.
fn exchange(places: &[u8], cards: &[u8]) -> [u8; 64] {
    let mut other: [u8; 64] = std::array::from_fn(|kind| kind as u8);
    for (&place, &card) in places.iter().zip(cards) {
        other[place as usize] = card;
    }
    // Places of cards that went elsewhere take those that lost theirs, whichever way.
    let without = cards.iter().filter(|card| !places.contains(card));
    let left = places.iter().filter(|place| !cards.contains(place));
    without.zip(left).for_each(|(&card, &place)| other[card as usize] = place);
    other
}
