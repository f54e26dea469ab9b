//! The history heuristic: plays of earlier winning lines are tried sooner.
//!
//! The searches for one decision of a player are about nearly the same cards. What wins in one of them often wins in
//! the next, so the plays of winning lines move up in the order of plays. The order has no influence on proofs. The
//! idea is that of J. Schaeffer, "The history heuristic and alpha-beta search enhancements in practice" (1989).

use crate::cards::Card;
use crate::game::{Move, NoChance, Place, Table};
use crate::rules::Rules;

/// Number of ranks by which a play of a recently learnt line moves up.
const LATELY: u8 = 2;

/// The same for a line learnt before.
const BEFORE: u8 = 1;

/// Takes the place of a kind for a space.
const SPACE: usize = 63;

/// The target of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onto {
    /// The foundations.
    Foundations,
    /// A space.
    Space,
    /// Another card.
    Card(Card),
}

/// A play in terms of cards, independent of the order of the piles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardPlay {
    /// The lowest card that moves.
    pub card: Card,
    /// Where it goes.
    pub onto: Onto,
}

impl CardPlay {
    /// Describes a play of a position.
    pub fn of(table: &Table, m: Move) -> CardPlay {
        let onto = match m.target() {
            Place::Pile(pile) => match table.top_of_pile(pile) {
                Card::NONE => Onto::Space,
                card => Onto::Card(card),
            },
            _ => Onto::Foundations,
        };
        CardPlay { card: table.lowest_moved(m), onto }
    }

    /// Appends the plays among legal moves that are made in order.
    pub fn list(rules: &Rules, root: &Table, moves: &[Move], out: &mut Vec<CardPlay>) {
        let mut table = *root;
        for &m in moves {
            if m.is_play() {
                out.push(CardPlay::of(&table, m));
            }
            table.apply(rules, m, &mut NoChance);
        }
    }
}

/// What was learnt from winning lines, by kinds of cards.
#[derive(Clone, Debug)]
pub struct History {
    /// Bonus of each kind by target; the foundations are encoded as the kind itself.
    bonus: Box<[[u8; 64]; 64]>,
}

impl Default for History {
    fn default() -> History {
        History { bonus: Box::new([[0; 64]; 64]) }
    }
}

impl History {
    /// Learns the plays of a winning line.
    pub fn learn(&mut self, line: &[CardPlay]) {
        for play in line {
            let onto = match play.onto {
                Onto::Foundations => play.card.kind(),
                Onto::Space => SPACE,
                Onto::Card(card) => card.kind(),
            };
            self.bonus[play.card.kind() & 63][onto & 63] = LATELY;
        }
    }

    /// Lowers the weight of everything learnt so far relative to what follows.
    pub fn age(&mut self) {
        for bonus in self.bonus.as_flattened_mut() {
            *bonus = (*bonus).min(BEFORE);
        }
    }

    /// Returns the adjusted rank of a play, with the low byte left for randomness. A forced play stays first.
    #[inline(always)]
    pub(super) fn rank(&self, rank: u16, kind: usize, onto: usize) -> u16 {
        match rank {
            0 => 0,
            rank => rank.saturating_sub(self.bonus[kind & 63][onto & 63].into()).max(1) << 8,
        }
    }

    /// Returns the adjusted rank of a play of a table.
    pub(super) fn rank_on(&self, rank: u16, table: &Table, m: Move, card: Card) -> u16 {
        let onto = match m.target() {
            Place::Pile(pile) => match table.top_of_pile(pile) {
                Card::NONE => SPACE,
                card => card.kind(),
            },
            _ => card.kind(),
        };
        self.rank(rank, card.kind(), onto)
    }
}
