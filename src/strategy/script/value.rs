//! Values of scripts: those of the interpreter that stand for values of the game, and those of compiled code, with
//! their encoding in registers.
//!
//! A register has 64 bits. A whole number is itself. All other values share one numbering: `()` is -1, false and true
//! are 0 and 1, the view is 2, cards start at 64, seats at 256, moves at 4096 and lists at 2^32. So a variable that
//! holds sometimes a card and sometimes `()` needs no tag: its number distinguishes them.
//!
//! Only a number and another value can be confused: 1 may be the number 1 or true. If the compiler cannot distinguish
//! them, because a value may be a number or something else ([`Types::is_tagged`]), the value is *tagged*: the next
//! register holds 1 for a number and 0 for anything else. Parameters and results of called functions are always tagged;
//! almost nothing else is.

use std::fmt;
use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult};

use crate::cards::{Card, CardKind, Rank, Suit};
use crate::game::Lookahead;

pub const UNIT: i64 = -1;
pub const VIEW: i64 = 2;
pub const CARDS: i64 = 64;
pub const SEATS: i64 = 256;
pub const MOVES: i64 = 4096;

/// The number of the first list; the offset is its place in the machine.
pub const LISTS: i64 = 1 << 32;

pub const MOST_ELEMENTS: usize = 256;

/// A set of types: those of compiled code first, then the others that scripts have.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Types(u16);

impl Types {
    pub const NONE: Types = Types(0);
    pub const INT: Types = Types(1);
    pub const BOOL: Types = Types(2);
    pub const UNIT: Types = Types(4);
    pub const CARD: Types = Types(8);
    pub const MOVE: Types = Types(16);
    pub const SEAT: Types = Types(32);
    pub const VIEW: Types = Types(64);
    pub const LIST: Types = Types(128);
    pub const ALL: Types = Types(255);
    /// The types of list elements in compiled code.
    pub const ELEMENT: Types = Types(63);
    pub const CARD_OR_UNIT: Types = Types(8 | 4);
    pub const DECIMAL: Types = Types(1 << 8);
    pub const TEXT: Types = Types(1 << 9);
    /// A character that is not a card.
    pub const CHARACTER: Types = Types(1 << 10);
    pub const MAP: Types = Types(1 << 11);
    pub const MEMORY: Types = Types(1 << 12);
    pub const ANY: Types = Types(u16::MAX);
    pub const NUMBER: Types = Types(1 | 1 << 8);

    /// Each type with its name in definitions and in messages.
    const NAMES: [(Types, &str, &str); 13] = [
        (Types::INT, "int", "a whole number"),
        (Types::BOOL, "bool", "a truth value"),
        (Types::CARD, "Card", "a card"),
        (Types::MOVE, "Move", "a move"),
        (Types::SEAT, "Seat", "a seat"),
        (Types::VIEW, "View", "the view"),
        (Types::DECIMAL, "float", "a decimal number"),
        (Types::TEXT, "string", "a string"),
        (Types::CHARACTER, "char", "a character"),
        (Types::LIST, "Array", "an array"),
        (Types::MAP, "Map", "a map"),
        (Types::MEMORY, "Memory", "the memory"),
        (Types::UNIT, "()", "nothing (`()`)"),
    ];

    pub const fn with(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }

    pub const fn and(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    pub const fn without(self, others: Types) -> Types {
        Types(self.0 & !others.0)
    }

    /// Returns whether every type of `other` is in the set.
    pub const fn has(self, other: Types) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether the set has only types of `other`.
    pub const fn within(self, other: Types) -> bool {
        self.0 & !other.0 == 0
    }

    pub const fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the value certainly has one of these types.
    pub const fn is_one_of(self, wanted: Types) -> bool {
        self.0 != 0 && self.within(wanted)
    }

    /// Returns whether the value certainly has none of these types.
    pub const fn is_never(self, wanted: Types) -> bool {
        self.0 != 0 && !self.meets(wanted)
    }

    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the value needs a tag, as it may be a number or something else.
    pub const fn is_tagged(self) -> bool {
        self.has(Types::INT) && self.0 != Types::INT.0
    }

    fn each(self) -> impl Iterator<Item = &'static (Types, &'static str, &'static str)> {
        Types::NAMES.iter().filter(move |(types, ..)| self.has(*types))
    }

    pub fn words(self) -> String {
        self.each().map(|(.., words)| *words).collect::<Vec<_>>().join(" or ")
    }

    /// Returns the variable used for its values in documentation.
    pub fn variable(self) -> &'static str {
        match self {
            Types::VIEW => "view",
            Types::MOVE => "m",
            Types::SEAT => "s",
            Types::MEMORY => "memory",
            Types::INT => "n",
            _ => "c",
        }
    }
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.each().map(|(_, name, _)| *name).collect();
        f.write_str(&if names.is_empty() { "never".into() } else { names.join(" | ") })
    }
}

/// A value, with what distinguishes a number from the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    pub bits: i64,
    pub is_int: bool,
}

impl Value {
    pub const UNIT: Value = Value { bits: UNIT, is_int: false };
    pub const VIEW: Value = Value { bits: VIEW, is_int: false };

    pub const fn int(bits: i64) -> Value {
        Value { bits, is_int: true }
    }

    pub const fn bool(b: bool) -> Value {
        Value { bits: b as i64, is_int: false }
    }

    pub const fn card(kind: CardKind) -> Value {
        Value { bits: CARDS + kind as i64, is_int: false }
    }

    pub fn types(self) -> Types {
        if self.is_int {
            return Types::INT;
        }
        match self.bits {
            UNIT => Types::UNIT,
            0 | 1 => Types::BOOL,
            VIEW => Types::VIEW,
            CARDS..SEATS => Types::CARD,
            SEATS..MOVES => Types::SEAT,
            MOVES..LISTS => Types::MOVE,
            _ => Types::LIST,
        }
    }

    pub fn as_bool(self) -> Option<bool> {
        (!self.is_int && matches!(self.bits, 0 | 1)).then_some(self.bits == 1)
    }

    /// Converts a value of a script; `None` for one that compiled code does not support.
    pub fn of(value: &Dynamic) -> Option<Value> {
        let other = |bits| Some(Value { bits, is_int: false });
        if let Ok(n) = value.as_int() {
            return Some(Value::int(n));
        }
        if let Ok(b) = value.as_bool() {
            return Some(Value::bool(b));
        }
        if value.is_unit() {
            return Some(Value::UNIT);
        }
        if let Ok(c) = value.as_char() {
            return card_of(c).map(|card| Value::card(card.kind()));
        }
        if let Some(m) = value.read_lock::<MoveHandle>() {
            return if m.of.is_none() { other(MOVES + i64::from(m.index)) } else { None };
        }
        if let Some(s) = value.read_lock::<SeatHandle>() {
            return if s.of.is_none() { other(SEATS + i64::from(s.seat)) } else { None };
        }
        let view = value.read_lock::<ViewHandle>()?;
        view.0.is_none().then_some(Value::VIEW)
    }

    pub fn to_dynamic(self) -> Dynamic {
        match self.types() {
            Types::INT => Dynamic::from_int(self.bits),
            Types::BOOL => Dynamic::from_bool(self.bits == 1),
            Types::VIEW => Dynamic::from(ViewHandle(None)),
            Types::CARD => Dynamic::from_char(to_char(Card::of_pack(0, (self.bits & 63) as usize))),
            Types::SEAT => Dynamic::from(SeatHandle { seat: (self.bits - SEATS) as u8, of: None }),
            Types::MOVE => Dynamic::from(MoveHandle { index: (self.bits - MOVES) as u16, of: None }),
            _ => Dynamic::UNIT,
        }
    }
}

/// Returns the number of a card, or of `()`.
#[inline(always)]
pub fn seen(card: Option<Card>) -> i64 {
    card.map_or(UNIT, |card| CARDS + card.kind() as i64)
}

/// Returns the sort key of a card: scripts hold it as its playing-card character, whose code counts suits downwards and
/// has a place for the knight.
pub fn card_order(bits: i64) -> i64 {
    let (rank, suit) = ((bits & 63) >> 2, bits & 3);
    (3 - suit) * 16 + rank + i64::from(rank > 10)
}

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

#[derive(Clone)]
pub struct SeatHandle {
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

/// Returns the card of a playing-card character.
pub fn card_of(card: char) -> Option<Card> {
    let code = card as u32;
    let (suit, place) = ((0x1F0DF_u32.wrapping_sub(code)) / 16, code % 16);
    if suit > 3 || !matches!(place, 1..=11 | 13 | 14) {
        return None;
    }
    let rank = place - 1 - u32::from(place > 12);
    Some(Card::new(Rank::from_index(rank as usize), Suit::from_index(suit as usize)))
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
            assert_eq!(card_of(to_char(card)), Some(card));
        }
        assert_eq!(to_char("AS".parse().unwrap()), '🂡');
        assert_eq!(to_char("KC".parse().unwrap()), '🃞');
        for other in ['a', '\u{1F0A0}', '\u{1F0AC}', '\u{1F0CF}', '\u{1F09E}', '\u{1F0E1}', '\u{10FFFF}'] {
            assert_eq!(card_of(other), None);
        }
    }
}
