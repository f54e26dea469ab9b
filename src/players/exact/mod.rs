//! Exact optimal play of small games with hidden cards.
//!
//! # Method
//!
//! A player knows the cards it has seen and forgets none; all orders of the others are equally likely. The value of
//! optimal play from here, V*, is computed by expectimax over *information states*: positions as this player knows
//! them. Between two reveals everything is foreseeable, so the player may go to any position reachable without one, and
//! there either stop or make a move that reveals something. The value of such a move is the mean over what may be
//! revealed, with each order of the unknown cards equally likely. Knowledge only ever grows, so the recursion ends.
//!
//! Positions reachable by plays without a reveal may form cycles: they are collected first, and then each takes the
//! value of the best position that it leads to ([`Tree`]). Information states are memoized by the complete knowledge of
//! the player, not by a hash: if two of them are equal, so is everything that follows.
//!
//! Values are multiplied by the number of orders of the unknown cards: they are whole numbers, so sums are exact.
//!
//! # Perfect recall
//!
//! If the waste is fanned, the rules let a player look at all cards passed, and a [`View`](crate::game::View) shows
//! everything that was ever seen. If it is squared, a view forgets what lies under the top, while the player here
//! remembers: V* is then that of a player with a better memory than the rules allow, which is still an upper bound.
//!
//! Rules that end games for lack of progress are ignored. With the usual two barren passes they cost nothing: one pass
//! to look and one to act is all that a player needs. With one, V* may be more than the game allows.
//!
//! # Results
//!
//! In random deals of few ranks, the other cards being up, half of them with the rules of Canfield except for the stock,
//! the results of the strategies,
//! V* and the clairvoyant result were in this order in every game, and making the moves of the tree in the engine's
//! games reached V* exactly. V* was below the clairvoyant result in one game of nine, by 0.4% of the cards on average:
//! few ranks leave few choices. `search` plays endgames by this tree. In 1,000 such games with at most 24 orders, its
//! level 5 reached 99.6% of V* with a fanned waste. With a squared waste it reached 94.1% of this V*: the tree
//! remembers cards of the waste that neither a player nor a view may know.
//!
//! # Supported rules
//!
//! One pack, with no chance except the order of the cards. The feasible size of a game depends on the number of unknown
//! cards: seven have 5,040 orders, and few such games have a manageable number of information states.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use crate::game::{Move, MoveList, NoChance, Table};
use crate::rules::{Draw, Rules};
use crate::solver::Solver;

/// Returns whether nothing but the order of one pack is left to chance.
pub fn allowed(rules: &Rules) -> bool {
    rules.hot.packs == 1 && Solver::new(rules, 0).is_ok()
}

/// Returns the number of orders of this many cards.
fn orders(cards: u32) -> f64 {
    (2..=cards).map(f64::from).product()
}

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
fn kinds(mut set: u64) -> Vec<u8> {
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
