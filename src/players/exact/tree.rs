//! Information states and their values.

use std::collections::HashMap;

use crate::game::{Move, MoveList, NoChance, Table};
use crate::rules::{Draw, Rules};

use super::orders;

/// Information states of one deal with their values.
///
/// After a reveal it takes the mean over all that may be seen. Values are summed over all orders of the unknown cards.
pub struct Tree<'r, W> {
    rules: &'r Rules,
    /// The kinds in play.
    all: u64,
    /// Value of a number of cards.
    worth_of: W,
    /// Number of positions that may still be expanded.
    left: u64,
    /// Number of redeals from which on they do not distinguish positions.
    redeals: u32,
    memo: HashMap<Box<[u8]>, f64>,
}

/// Positions reachable without a reveal.
struct Span {
    tables: Vec<Table>,
    /// For each, the value of stopping there or of its best reveal.
    worth: Vec<f64>,
    /// That reveal.
    reveal: Vec<Option<Move>>,
    /// Positions from which a play leads to it.
    from: Vec<Vec<u32>>,
    /// The play by which it was reached first.
    by: Vec<Option<(u32, Move)>>,
}

impl<'r, W: Fn(usize) -> f64> Tree<'r, W> {
    /// Creates an empty tree for a deal with the kinds `all`; `worth_of` gives the value of a number of cards, and at
    /// most `positions` are expanded.
    pub fn new(rules: &'r Rules, (all, worth_of): (u64, W), positions: u64) -> Tree<'r, W> {
        let redeals = match (rules.spec().stock.redeals, &rules.spec().stock.draw) {
            (Some(_), _) => u32::MAX,
            (None, Draw::ByPass(sizes)) => sizes.len() as u32,
            (None, Draw::Die { .. }) => 1,
        };
        Tree { rules, all, worth_of, left: positions, redeals, memo: HashMap::new() }
    }

    /// Returns the value of a position to a player who knows these kinds; `None` if the budget is exhausted. Cards of
    /// other kinds may lie in any order.
    pub fn worth(&mut self, table: &Table, known: u64) -> Option<f64> {
        if let Some(&worth) = self.memo.get(&table.told_key(known, self.rules, self.redeals)) {
            return Some(worth);
        }
        let span = self.span(table, known, true)?;
        let mut order: Vec<u32> = (0..span.tables.len() as u32).collect();
        order.sort_by(|&a, &b| span.worth[b as usize].total_cmp(&span.worth[a as usize]));
        // Best position first: all positions that lead to it have its value, and so on.
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

    /// Returns the shortest moves to the best position reachable without a reveal, followed by the best reveal unless
    /// stopping is best, and their value.
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
            let orders = orders((self.all & !known).count_ones());
            let (mut worth, mut reveal) = ((self.worth_of)(table.cards()) * orders, None);
            table.legal_moves(self.rules, &mut legal);
            let moves: Vec<Move> = legal.iter().copied().collect();
            for m in moves {
                let mut after = table;
                after.apply(self.rules, m, &mut NoChance);
                let shown = after.open_kinds(self.rules) & !known;
                if shown != 0 {
                    let of_reveal = self.reveal(&table, m, known, shown)?;
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

    /// Returns the value of a move that shows the kinds `shown`, as the cards lie in this table, to a player who knows
    /// `known`.
    fn reveal(&mut self, table: &Table, m: Move, known: u64, shown: u64) -> Option<f64> {
        let places = kinds(shown);
        let unknown = kinds(self.all & !known);
        let mut sum = 0.0;
        let mut chosen = Vec::with_capacity(places.len());
        each_choice(&unknown, places.len(), &mut chosen, &mut |cards| {
            let mut after = table.with_others(&exchange(&places, cards));
            after.apply(self.rules, m, &mut NoChance);
            let known = cards.iter().fold(known, |known, &card| known | 1 << card);
            sum += self.worth(&after, known)?;
            Some(())
        })?;
        Some(sum)
    }
}

/// Returns the kinds of a set.
pub(super) fn kinds(mut set: u64) -> Vec<u8> {
    let mut kinds = Vec::new();
    while set != 0 {
        kinds.push(set.trailing_zeros() as u8);
        set &= set - 1;
    }
    kinds
}

/// Calls a closure with every ordered choice of this many kinds.
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

/// Returns a permutation that puts `cards` in `places` and moves no other cards.
fn exchange(places: &[u8], cards: &[u8]) -> [u8; 64] {
    let mut other: [u8; 64] = std::array::from_fn(|kind| kind as u8);
    for (&place, &card) in places.iter().zip(cards) {
        other[place as usize] = card;
    }
    // The displaced cards fill the vacated places in any order.
    let without = cards.iter().filter(|card| !places.contains(card));
    let left = places.iter().filter(|place| !cards.contains(place));
    without.zip(left).for_each(|(&card, &place)| other[card as usize] = place);
    other
}
