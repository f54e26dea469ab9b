//! Converts a line of plays in classes to legal moves.

use crate::game::{Move, MoveList, NoChance, Place, Table};
use crate::rules::Rules;

use super::play::{ClassPlay, From, To};

/// Returns the moves of a line of play from a position, up to the first play that cannot be made.
pub(super) fn tell(rules: &Rules, root: &Table, line: &[ClassPlay]) -> Vec<Move> {
    let mut teller = Teller { rules, table: *root, moves: Vec::new(), legal: MoveList::new() };
    for play in line {
        if !teller.tell(play) {
            break;
        }
    }
    teller.moves
}

struct Teller<'r> {
    rules: &'r Rules,
    table: Table,
    moves: Vec<Move>,
    legal: MoveList,
}

impl Teller<'_> {
    fn make(&mut self, m: Move) {
        self.table.apply(self.rules, m, &mut NoChance);
        self.moves.push(m);
    }

    /// Makes one play. Returns false if it cannot be made.
    fn tell(&mut self, play: &ClassPlay) -> bool {
        let mut place = self.table.stock_position();
        let turns = matches!(play.from, From::Stock | From::Unseen);
        while turns && place.waste != play.waste {
            let Some(turning) = place.turning(self.rules) else { return false };
            place.turn(self.rules);
            if u32::from(place.turns) > 2 * u32::from(place.both) + 2 {
                return false;
            }
            self.make(turning);
        }
        if let Some(m) = self.find(play) {
            self.make(m);
            return true;
        }
        // What lies on the card first moves to another card that takes the same.
        let Some(freeing) = self.freeing(play) else { return false };
        self.make(freeing);
        self.find(play).map(|m| self.make(m)).is_some()
    }

    /// Finds the legal move that makes a play directly.
    fn find(&mut self, play: &ClassPlay) -> Option<Move> {
        self.table.legal_moves(self.rules, &mut self.legal);
        let fits = |m: &Move| {
            let from = match m.source() {
                Place::Pile(_) => From::Tableau,
                Place::Reserve(r) => From::Reserve(r as u8),
                Place::Waste => From::Stock,
                Place::Foundation(_) => From::Foundation,
                Place::Stock => From::Unseen,
                _ => return false,
            };
            let to = match m.target() {
                Place::Foundations => To::Up,
                Place::Pile(q) if self.table.pile_len(q) == 0 => To::Space,
                Place::Pile(_) => To::On,
                _ => return false,
            };
            from == play.from && to == play.to && self.table.lowest_moved(*m).kind() == usize::from(play.kind)
        };
        self.legal.iter().copied().find(fits)
    }

    /// Finds the move that takes what lies on a card to another card that takes the same.
    fn freeing(&self, play: &ClassPlay) -> Option<Move> {
        let fits = self.rules.fits(self.table.base()?);
        let piles = self.rules.hot.piles;
        for p in 0..piles {
            let mut card = self.table.top_of_pile(p);
            for count in 1..self.table.run_len(p) {
                card = self.table.under(card);
                if card.kind() != usize::from(play.kind) {
                    continue;
                }
                let takes_the_same = |&q: &usize| {
                    let top = self.table.top_of_pile(q);
                    q != p && self.table.pile_len(q) > 0 && fits[top.kind()] == fits[card.kind()]
                };
                let q = (0..piles).find(takes_the_same)?;
                return Some(Move::new(Place::Pile(p), Place::Pile(q), count as u8));
            }
        }
        None
    }
}
