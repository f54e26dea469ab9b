//! What a name of a script may be.

use super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, SeatProperty, ViewProperty};
use super::super::value::Types;

/// What a value of the game is, as far as a script's names are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// What the player sees.
    View,
    /// A legal move.
    Move,
    /// A card.
    Card,
    /// What can be seen of a player's table.
    Seat,
    /// What is remembered.
    Memory,
    /// Something without names of the game: a number, a truth value, a list.
    Plain,
}

impl ValueKind {
    /// What its values are called in messages.
    pub fn called(self) -> &'static str {
        match self {
            ValueKind::View => "the view",
            ValueKind::Move => "a move",
            ValueKind::Card => "a card",
            ValueKind::Seat => "a seat",
            ValueKind::Memory => "the memory",
            ValueKind::Plain => "a plain value",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `view.moves`.
    Moves,
    /// `memory`, which is asked for its elements.
    Memory,
    /// A property of the view.
    View(ViewProperty),
    /// A property of a move.
    Move(MoveProperty),
    /// A property of a card.
    Card(CardProperty),
    /// A property of a seat.
    Seat(SeatProperty),
    /// A method of the view or of a seat, with what it takes.
    Call(Intrinsic, &'static [Parameter]),
}

/// What a method takes.
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
    /// How far below a top, or how far off, from 0.
    Below,
    /// How many numbers to draw from.
    Numbers,
    /// A number of cards, from 0 to all.
    Cards,
    /// A card.
    Card,
    /// A card, or `()`.
    CardOrNone,
}

/// One property or method.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The word.
    pub name: &'static str,
    /// What it stands for.
    pub meaning: Meaning,
    /// What it is, in a sentence.
    pub about: &'static str,
}

impl Meaning {
    /// The types that its values may have; none for the list of moves, which compiled code does not hold.
    pub fn types(self) -> Types {
        match self {
            Meaning::Moves => Types::NONE,
            Meaning::Memory => Types::INT,
            Meaning::View(property) => property.types(),
            Meaning::Move(property) => property.types(),
            Meaning::Card(property) => property.types(),
            Meaning::Seat(property) => property.types(),
            Meaning::Call(of, _) => of.types(),
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
        }
    }

    /// The types that it may have.
    pub fn types(self) -> Types {
        match self {
            Parameter::Card => Types::CARD,
            Parameter::CardOrNone => Types::CARD_OR_UNIT,
            _ => Types::INT,
        }
    }
}

impl Name {
    /// Whose it is.
    pub fn owner(&self) -> ValueKind {
        match self.meaning {
            Meaning::Moves | Meaning::View(_) => ValueKind::View,
            Meaning::Memory => ValueKind::Memory,
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

    /// The kind of its value.
    pub fn kind(&self) -> ValueKind {
        match self.meaning.types() {
            Types::SEAT => ValueKind::Seat,
            types if types.has(Types::CARD) => ValueKind::Card,
            _ => ValueKind::Plain,
        }
    }

    /// The type of its value, as written in the definitions.
    pub fn returns(&self) -> String {
        if self.meaning == Meaning::Moves { "Array".into() } else { format!("{:?}", self.meaning.types()) }
    }

    /// The parameters of a method, each `name: type`; `None` for a property.
    pub fn parameters(&self) -> Option<Vec<String>> {
        let Meaning::Call(_, parameters) = self.meaning else { return None };
        Some(parameters.iter().map(|p| format!("{}: {:?}", p.name(), p.types())).collect())
    }
}
