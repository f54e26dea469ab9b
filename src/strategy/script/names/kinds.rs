//! The possible meanings of a name in a script.

use crate::game::MOST_SEATS;
use crate::rules::{MOST_CARDS, MOST_DRAWN, MOST_PILES, MOST_RESERVES};

use super::super::intrinsics::{
    CardProperty, Intrinsic, MoveProperty, NumberMethod, SeatProperty, ViewProperty,
};
use super::super::value::Types;

/// The kind of a value of the game, which determines its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// The player's view.
    View,
    /// A legal move.
    Move,
    /// A card.
    Card,
    /// The visible part of a player's table.
    Seat,
    /// The memory.
    Memory,
    /// A whole number.
    Number,
    /// A value without names of the game: a number, a boolean, a list.
    Plain,
}

impl ValueKind {
    /// Returns what its values are called in messages.
    pub fn called(self) -> &'static str {
        match self {
            ValueKind::View => "the view",
            ValueKind::Move => "a move",
            ValueKind::Card => "a card",
            ValueKind::Seat => "a seat",
            ValueKind::Memory => "the memory",
            ValueKind::Number => "a whole number",
            ValueKind::Plain => "a plain value",
        }
    }

    /// Returns the variable used for its values in documentation.
    pub fn variable(self) -> &'static str {
        match self {
            ValueKind::View => "view",
            ValueKind::Move => "m",
            ValueKind::Seat => "s",
            ValueKind::Memory => "memory",
            ValueKind::Number => "n",
            ValueKind::Card | ValueKind::Plain => "c",
        }
    }
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `view.moves`.
    Moves,
    /// `memory`, of which only elements are read.
    Memory,
    /// A property of the view.
    View(ViewProperty),
    /// A property of a move.
    Move(MoveProperty),
    /// A property of a card.
    Card(CardProperty),
    /// A property of a seat.
    Seat(SeatProperty),
    /// A method of the view or of a seat, with its parameters.
    Call(Intrinsic, &'static [Parameter]),
    /// A method of whole numbers, with its parameters.
    Number(NumberMethod, &'static [Parameter]),
    /// A method of the view for looking ahead, with its parameters.
    Think(Thought, &'static [Parameter]),
}

/// The result of looking ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thought {
    /// The view after a move.
    After,
    /// The view after a move with which a die is rolled.
    AfterRoll,
    /// A view of a sampled deal.
    Sample,
    /// The number of cards that go up when a player plays out a sampled deal.
    Playout,
    /// The move that a player would choose.
    Choice,
}

impl Thought {
    /// Returns the types that it may have.
    pub fn types(self) -> Types {
        match self {
            Thought::Playout => Types::INT,
            Thought::Choice => Types::MOVE.with(Types::UNIT),
            Thought::After | Thought::AfterRoll | Thought::Sample => Types::VIEW,
        }
    }
}

/// A parameter of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A suit, from 1.
    Suit,
    /// A tableau pile, from 1.
    Pile,
    /// A reserve, from 1.
    Reserve,
    /// A seat, from 1.
    Seat,
    /// A distance below a top, or until a card comes, from 0.
    Below,
    /// The size of the range to draw a number from.
    Numbers,
    /// A number of cards, from 0 to all.
    Cards,
    /// A card.
    Card,
    /// A card, or `()`.
    CardOrNone,
    /// A legal move of the view.
    Move,
    /// The result of a die, from 1.
    Face,
    /// The number of a sampled deal, from 0.
    Sample,
    /// A strategy, or a function of the script.
    Player,
}

/// One property or method.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The word.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: Meaning,
    /// Its description, in a sentence.
    pub about: &'static str,
}

impl Meaning {
    /// Returns the types that its values may have; none for the list of moves, which compiled code does not support.
    pub fn types(self) -> Types {
        match self {
            Meaning::Moves => Types::NONE,
            Meaning::Memory => Types::INT,
            Meaning::View(property) => property.types(),
            Meaning::Move(property) => property.types(),
            Meaning::Card(property) => property.types(),
            Meaning::Seat(property) => property.types(),
            Meaning::Call(of, _) => of.types(),
            Meaning::Number(of, _) => of.types(),
            Meaning::Think(of, _) => of.types(),
        }
    }
}

impl Parameter {
    fn name(self) -> &'static str {
        match self {
            Parameter::Suit => "suit",
            Parameter::Pile => "pile",
            Parameter::Reserve => "reserve",
            Parameter::Seat => "seat",
            Parameter::Below => "i",
            Parameter::Numbers | Parameter::Cards => "n",
            Parameter::Card | Parameter::CardOrNone => "card",
            Parameter::Move => "m",
            Parameter::Face => "face",
            Parameter::Sample => "k",
            Parameter::Player => "name",
        }
    }

    /// Returns what it counts, and the numbers allowed under some rules.
    pub fn range(self) -> Option<(&'static str, i64, i64)> {
        Some(match self {
            Parameter::Suit => ("suits", 1, 4),
            Parameter::Pile => ("piles", 1, MOST_PILES as i64),
            Parameter::Reserve => ("reserves", 1, MOST_RESERVES),
            Parameter::Seat => ("seats", 1, MOST_SEATS as i64),
            Parameter::Below => ("cards", 0, i64::MAX),
            Parameter::Numbers => ("numbers", 1, u32::MAX.into()),
            Parameter::Cards => ("cards", 0, MOST_CARDS),
            Parameter::Face => ("faces", 1, MOST_DRAWN),
            Parameter::Sample => ("samples", 0, i64::MAX),
            Parameter::Card | Parameter::CardOrNone | Parameter::Move | Parameter::Player => return None,
        })
    }

    /// Returns the types that it may have.
    pub fn types(self) -> Types {
        match self {
            Parameter::Card => Types::CARD,
            Parameter::CardOrNone => Types::CARD_OR_UNIT,
            Parameter::Move => Types::MOVE,
            // Not a value of compiled code.
            Parameter::Player => Types::NONE,
            _ => Types::INT,
        }
    }
}

impl Name {
    /// Returns the kind of value that has it.
    pub fn owner(&self) -> ValueKind {
        match self.meaning {
            Meaning::Moves | Meaning::View(_) | Meaning::Think(..) => ValueKind::View,
            Meaning::Memory => ValueKind::Memory,
            Meaning::Number(..) => ValueKind::Number,
            Meaning::Move(_) => ValueKind::Move,
            Meaning::Card(_) => ValueKind::Card,
            Meaning::Seat(_) => ValueKind::Seat,
            Meaning::Call(of, _) => {
                if of.is_of_seat() {
                    ValueKind::Seat
                } else {
                    ValueKind::View
                }
            }
        }
    }

    /// Returns the kind of its value.
    pub fn kind(&self) -> ValueKind {
        match self.meaning.types() {
            Types::SEAT => ValueKind::Seat,
            Types::VIEW => ValueKind::View,
            types if types.has(Types::MOVE) => ValueKind::Move,
            types if types.has(Types::CARD) => ValueKind::Card,
            _ => ValueKind::Plain,
        }
    }

    /// Returns the type of its value, as written in the definitions.
    pub fn returns(&self) -> String {
        if self.meaning == Meaning::Moves { "Array".into() } else { format!("{:?}", self.meaning.types()) }
    }

    /// Returns the parameters of a method, each `name: type`; `None` for a property.
    pub fn parameters(&self) -> Option<Vec<String>> {
        let (Meaning::Call(_, parameters) | Meaning::Think(_, parameters) | Meaning::Number(_, parameters)) =
            self.meaning
        else {
            return None;
        };
        let of = |p: &Parameter| match p {
            Parameter::Player => "string".to_string(),
            other => format!("{:?}", other.types()),
        };
        Some(parameters.iter().map(|p| format!("{}: {}", p.name(), of(p))).collect())
    }
}
