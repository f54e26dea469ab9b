//! What can be done in a position: a play, after so many draws and redeals.

use crate::cards::Card;
use crate::game::{Move, MoveList, NoChance, Place, Table};
use crate::rules::{Filler, Rules};

use super::key::Keys;
use super::pruner::Pruner;

/// A play and the draws and redeals before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub m: Move,
    /// Draws and redeals before it.
    pub turns: u16,
    /// The lower, the sooner it is tried.
    pub rank: u8,
}

/// The engine's rules, as the search asks them, with its buffers.
pub(super) struct Engine<'r> {
    pub rules: &'r Rules,
    /// Spaces are filled from waste or stock at once: what empties a pile depends on how far the stock is turned.
    fills_from_stock: bool,
    here: MoveList,
    there: MoveList,
}

impl<'r> Engine<'r> {
    pub fn new(rules: &'r Rules) -> Engine<'r> {
        let fills_from_stock = rules.auto.iter().any(|filler| *filler != Filler::Reserve);
        Engine { rules, fills_from_stock, here: MoveList::new(), there: MoveList::new() }
    }

    /// Adds all that is worth doing in a position to `out`, in the order in which it is to be tried.
    ///
    /// Draws and redeals are no positions of the search: whatever is played next is played from some place of
    /// the stock. A play that neither takes a card of waste or stock nor fills a space from there can as well
    /// be made first, and the stock be turned after it: either way leads to the same position.
    pub fn expand(&mut self, table: &Table, keys: &Keys, pruner: &Pruner, out: &mut Vec<Child>) {
        let first = out.len();
        table.legal_moves(self.rules, &mut self.here);
        let plays = self.here.plays();
        if let Some(m) = pruner.must(table, &self.here[..plays], self.rules) {
            out.push(Child { m, turns: 0, rank: 0 });
            return;
        }
        for &m in &self.here[..plays] {
            if !pruner.leaves_out(table, m, self.rules) {
                out.push(Child { m, turns: 0, rank: rank(table, m) });
            }
        }
        if plays < self.here.len() {
            self.turn(table, keys, pruner, first, out);
        }
        out[first..].sort_by_key(|child| child.rank);
    }

    /// The plays with cards of waste and stock, from all places that turning leads to.
    fn turn(&mut self, table: &Table, keys: &Keys, pruner: &Pruner, first: usize, out: &mut Vec<Child>) {
        let rules = self.rules;
        let mut turned = *table;
        let start = table.waste_len();
        let (from_constant, aligned) = (keys.constant(table), Keys::aligned(table));
        // The pass was gone through from its beginning, the beginning being where nothing is turned.
        let mut whole_pass = start == 0;
        let mut redealt = false;
        for turns in 1u16.. {
            let Some(turning) = turned.turning(rules) else { return };
            if turning.is_redeal() {
                // Another pass shows the same again, and leaves fewer redeals if they are limited: what can be
                // reached with fewer can be reached with more.
                if whole_pass && keys.constant(&turned) {
                    return;
                }
                whole_pass = true;
                redealt = true;
            }
            turned.apply(rules, turning, &mut NoChance);
            let seen_before = turned.waste_len() == start && aligned || turned.stock_len() == 0 && start > 0;
            if redealt && from_constant && seen_before && !rules.hot.forced_base {
                return;
            }
            if !(turned.waste_may_add(&self.here) || self.fills_from_stock || rules.hot.forced_base) {
                continue;
            }
            turned.legal_moves(rules, &mut self.there);
            let plays = self.there.plays();
            for &m in &self.there[..plays] {
                if pruner.must(&turned, &[m], rules).is_some() {
                    out.truncate(first);
                    out.push(Child { m, turns, rank: 0 });
                    return;
                }
                if self.asks_the_stock(&turned, m) && !pruner.leaves_out(&turned, m, rules) {
                    out.push(Child { m, turns, rank: rank(&turned, m) });
                }
            }
            if plays == self.there.len() && (plays > 0 || turned.turning(rules).is_none()) {
                // The end of the stock, or a base card that must go up.
                return;
            }
        }
    }

    /// Whether it matters for a play how far the stock is turned.
    fn asks_the_stock(&self, table: &Table, m: Move) -> bool {
        match m.source() {
            Place::Waste | Place::Stock => true,
            Place::Pile(p) => self.fills_from_stock && m.count() == table.pile_len(p),
            _ => false,
        }
    }

    /// Draws and redeals so many times.
    pub fn turns(&self, table: &mut Table, turns: u16, mut each: impl FnMut(Move)) {
        for _ in 0..turns {
            let Some(turning) = table.turning(self.rules) else { return };
            each(turning);
            table.apply(self.rules, turning, &mut NoChance);
        }
    }

    /// Makes a play after its draws and redeals; the lowest card that it moved.
    #[inline]
    pub fn make(&self, table: &mut Table, child: Child) -> Card {
        self.turns(table, child.turns, |_| {});
        let lowest = table.lowest_moved(child.m);
        table.apply(self.rules, child.m, &mut NoChance);
        lowest
    }
}

/// What is likely to lead on is tried first.
fn rank(table: &Table, m: Move) -> u8 {
    match (m.source(), m.target()) {
        (_, Place::Foundations) => 1,
        (Place::Reserve(_), _) => 2,
        (Place::Pile(p), _) if m.count() == table.pile_len(p) => 3,
        (Place::Pile(p), _) if m.count() == table.run_len(p) => 4,
        (Place::Waste, Place::Pile(q)) if table.pile_len(q) > 0 => 5,
        (Place::Foundation(_), _) => 8,
        (Place::Pile(_), _) => 6,
        _ => 7,
    }
}
