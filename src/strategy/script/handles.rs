//! Rhai values that represent the values of the game.

use std::rc::Rc;

use rhai::EvalAltResult;

use crate::cards::{Card, Rank, Suit};
use crate::game::Lookahead;

/// A fault of a script, as a Rhai error.
pub type Fault = Box<EvalAltResult>;

/// A view in a script: that of the decision, or one of its lookahead.
#[derive(Clone)]
pub struct ViewHandle(pub Option<Rc<Lookahead>>);

/// A move in a script: its index in the list of legal moves of a view.
#[derive(Clone)]
pub struct MoveHandle {
    pub index: u16,
    /// The view, if it is not that of the decision.
    pub of: Option<Rc<Lookahead>>,
}

impl MoveHandle {
    pub fn new(index: u16) -> MoveHandle {
        MoveHandle { index, of: None }
    }
}

pub fn is_same(a: &Option<Rc<Lookahead>>, b: &Option<Rc<Lookahead>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

impl PartialEq for MoveHandle {
    fn eq(&self, other: &MoveHandle) -> bool {
        self.index == other.index && is_same(&self.of, &other.of)
    }
}

/// A seat in a script.
#[derive(Clone)]
pub struct SeatHandle {
    /// Its number, from 0.
    pub seat: u8,
    /// The lookahead view, for the player's own seat in it. The others' tables do not change.
    pub of: Option<Rc<Lookahead>>,
}

#[derive(Clone, Copy, Debug)]
pub struct MemoryHandle;

/// Converts a card to its playing-card character. A `char` costs the interpreter no allocation, and cards compare with
/// each other and with `()` at the speed of built-in operators.
pub fn to_char(card: Card) -> char {
    const CLUBS: [u32; 4] = [0x1F0D0, 0x1F0C0, 0x1F0B0, 0x1F0A0];
    let rank = card.rank().index() as u32;
    // Unicode has a knight between the jack and the queen.
    let place = rank + 1 + u32::from(rank > 10);
    char::from_u32(CLUBS[card.suit().index()] + place).unwrap_or('?')
}

/// Returns the card of a character, if it is one.
pub fn card_of(card: char) -> Option<Card> {
    let code = card as u32;
    let (suit, place) = ((0x1F0DF_u32.wrapping_sub(code)) / 16, code % 16);
    if suit > 3 || !matches!(place, 1..=11 | 13 | 14) {
        return None;
    }
    let rank = place - 1 - u32::from(place > 12);
    Some(Card::new(Rank::from_index(rank as usize), Suit::from_index(suit as usize)))
}

/// Returns the card of a character.
///
/// # Errors
/// Returns a fault if it is not a card.
pub fn from_char(card: char) -> Result<Card, Fault> {
    card_of(card).ok_or_else(|| format!("`{card}` is a character, not a card").into())
}

/// Returns a card in notation, for output of a script; other characters as they are.
pub fn show_char(card: char) -> String {
    card_of(card).map_or_else(|| card.to_string(), |card| card.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_a_character_and_back() {
        for kind in 0..52 {
            let card = Card::of_pack(0, kind);
            assert_eq!(from_char(to_char(card)).ok(), Some(card));
        }
        assert_eq!(to_char("AS".parse().unwrap()), '🂡');
        assert_eq!(to_char("KC".parse().unwrap()), '🃞');
        for other in ['a', '\u{1F0A0}', '\u{1F0AC}', '\u{1F0CF}', '\u{1F09E}', '\u{1F0E1}', '\u{10FFFF}'] {
            assert!(from_char(other).is_err(), "{other}");
        }
    }
}
