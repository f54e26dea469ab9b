//! The history heuristic: plays that won before are tried sooner.
//!
//! Searches that a player asks for one decision are about nearly the same cards. What wins in one of them often wins in
//! the next, so the plays of winning lines move up in the order of plays. An order proves nothing and changes no proof.
//! The idea is that of J. Schaeffer, "The history heuristic and alpha-beta search enhancements in practice" (1989).

use crate::cards::Card;
use crate::game::{Move, NoChance, Place, Table};
use crate::rules::Rules;

/// Ranks by which a play of a line learnt lately moves up.
const LATELY: u8 = 2;

/// The same of a line learnt before.
const BEFORE: u8 = 1;

/// No kind of card: the place of a space.
const SPACE: usize = 63;

/// Where a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onto {
    /// To the foundations.
    Foundations,
    /// Into a space.
    Space,
    /// On a card.
    Card(Card),
}

/// A play told by cards, which is the same wherever its piles stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardPlay {
    /// The lowest card that moves.
    pub card: Card,
    /// Where it goes.
    pub onto: Onto,
}

impl CardPlay {
    /// What a play of a position does.
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

    /// Adds the plays of legal moves that are made one after the other.
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
    /// Of each kind, by where it goes; to the foundations is on itself.
    bonus: Box<[[u8; 64]; 64]>,
}

impl Default for History {
    fn default() -> History {
        History { bonus: Box::new([[0; 64]; 64]) }
    }
}

impl History {
    /// Learns the plays of a line that won.
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

    /// What was learnt so far was learnt before; it counts less than what is learnt from now on.
    pub fn age(&mut self) {
        for bonus in self.bonus.as_flattened_mut() {
            *bonus = (*bonus).min(BEFORE);
        }
    }

    /// How soon a play of a rank is tried, the low byte left for chance. A play that must be made stays the first.
    #[inline(always)]
    pub(super) fn rank(&self, rank: u16, kind: usize, onto: usize) -> u16 {
        match rank {
            0 => 0,
            rank => rank.saturating_sub(self.bonus[kind & 63][onto & 63].into()).max(1) << 8,
        }
    }

    /// The same of a play of a table.
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
