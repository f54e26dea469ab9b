//! A play together with the draws and redeals before it.

use crate::cards::Card;
use crate::game::{Move, NoChance, StockPosition, Table};
use crate::rules::Rules;

/// A play and what comes before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Successor {
    /// The play.
    pub m: Move,
    /// How far the stock is turned first.
    pub place: StockPosition,
    /// Lower ranks are tried first.
    pub rank: u16,
    /// The lowest card that moves.
    pub card: Card,
}

/// Returns the legal moves of a line of plays, including draws and redeals.
pub(super) fn tell(rules: &Rules, root: &Table, line: &[Successor]) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut table = *root;
    for child in line {
        child.moves(&table, rules, &mut moves);
        child.make(&mut table, rules);
    }
    moves
}

impl Successor {
    /// Makes the play and what comes before it.
    #[inline]
    pub fn make(&self, table: &mut Table, rules: &Rules) {
        if self.place.turns > 0 {
            table.turn_to(&self.place);
        }
        table.apply(rules, self.m, &mut NoChance);
    }

    /// Appends all legal moves of the play and what comes before it.
    pub fn moves(&self, table: &Table, rules: &Rules, moves: &mut Vec<Move>) {
        let mut place = table.stock_position();
        while place.turns < self.place.turns {
            let Some(turning) = place.turning(rules) else { break };
            moves.push(turning);
            place.turn(rules);
        }
        moves.push(self.m);
    }
}
