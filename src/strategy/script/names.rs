//! Every name that a script sees of the game: one list for the registration, the checks at load
//! and the definitions for editors.

/// What a value of the game is, as far as a script's names are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What the player sees.
    View,
    /// A legal move.
    Move,
    /// A card.
    Card,
    /// What can be seen of a player's table.
    Seat,
    /// Something without names of the game: a number, a truth value, a list.
    Plain,
}

/// One property or method.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Whose it is.
    pub owner: Kind,
    /// The word.
    pub name: &'static str,
    /// The parameters of a method, each `name: type`; `None` for a property.
    pub parameters: Option<&'static [&'static str]>,
    /// The type of its value, as written in the definitions.
    pub returns: &'static str,
    /// What it is.
    pub about: &'static str,
}

impl Kind {
    /// What its values are called in messages.
    pub fn called(self) -> &'static str {
        match self {
            Kind::View => "the view",
            Kind::Move => "a move",
            Kind::Card => "a card",
            Kind::Seat => "a seat",
            Kind::Plain => "a plain value",
        }
    }
}

impl Name {
    /// The kind of its value.
    pub fn kind(&self) -> Kind {
        match self.returns {
            "Seat" => Kind::Seat,
            card if card.starts_with("Card") => Kind::Card,
            _ => Kind::Plain,
        }
    }
}

const fn get(owner: Kind, name: &'static str, returns: &'static str, about: &'static str) -> Name {
    Name { owner, name, parameters: None, returns, about }
}

const fn call(
    name: &'static str,
    parameters: &'static [&'static str],
    returns: &'static str,
    about: &'static str,
) -> Name {
    Name { owner: Kind::View, name, parameters: Some(parameters), returns, about }
}

/// A name of the view that a seat has too, for what can be seen from the others' side of the table.
const fn at_seat(mut name: Name) -> Name {
    name.owner = Kind::Seat;
    name
}

use Kind::{Card, Move, Seat, View};

/// The names, those of a move first, then a card's, the view's and a seat's.
pub const NAMES: &[Name] = &[
    get(Move, "to_foundation", "bool", "The move is to the foundations."),
    get(Move, "to_tableau", "bool", "The move is to a tableau pile, or into a space."),
    get(Move, "to_space", "bool", "The move is into a space."),
    get(Move, "from_reserve", "bool", "The move is from the reserve."),
    get(Move, "from_waste", "bool", "The move is from the waste."),
    get(Move, "from_tableau", "bool", "The move is from a tableau pile."),
    get(Move, "from_foundation", "bool", "The move is from a foundation back to the tableau."),
    get(Move, "is_draw", "bool", "The move is a draw: one packet from the stock to the waste."),
    get(Move, "is_redeal", "bool", "The move is a redeal: the waste becomes the stock again."),
    get(Move, "card", "Card | ()", "The lowest card moved; `()` for a draw, a redeal and a card not seen."),
    get(Move, "count", "int", "How many cards move; 0 for a draw and a redeal."),
    get(Move, "source", "int", "The number of the pile it comes from, from 1; 0 if from no pile."),
    get(Move, "target", "int", "The number of the pile it goes to, from 1; 0 if to no pile."),
    get(Move, "empties_pile", "bool", "The move makes a space, before any refill."),
    get(Move, "turns_up", "bool", "The move uncovers a hidden card."),
    get(Card, "rank", "int", "1 for an ace to 13 for a king."),
    get(Card, "suit", "int", "1 clubs, 2 diamonds, 3 hearts, 4 spades."),
    get(Card, "red", "bool", "It is a diamond or a heart."),
    get(Card, "up", "int", "Steps above the base rank, 0 to 12; 0 before it is chosen."),
    get(View, "moves", "Array", "The legal moves, in the engine's order."),
    get(View, "base", "int", "The base rank, 1 to 13; 0 before it is chosen."),
    get(View, "cards", "int", "Cards on the foundations."),
    call("foundation", &["suit: int"], "int", "Cards on the foundations of a suit, 1 to 4."),
    call("wants", &["card: Card | ()"], "bool", "Would the foundations take the card now?"),
    call("steps", &["card: Card"], "int", "How many cards of its suit must go up before it."),
    get(View, "reserve_left", "int", "Cards left in all reserves."),
    get(View, "reserve_top", "Card | ()", "The top of the first reserve, if it is face up."),
    call(
        "reserve",
        &["i: int"],
        "Card | ()",
        "The i-th card below the top of the first reserve, if face up.",
    ),
    get(View, "reserves", "int", "How many reserve piles there are."),
    call("reserve_len", &["reserve: int"], "int", "All cards of a reserve, those face down included."),
    call(
        "reserve_pile",
        &["reserve: int", "i: int"],
        "Card | ()",
        "The i-th card below the top of a reserve, if face up.",
    ),
    get(View, "piles", "int", "How many tableau piles there are."),
    call("pile_len", &["pile: int"], "int", "All cards of a pile, those face down included."),
    call("pile_top", &["pile: int"], "Card | ()", "The top card of a pile; `()` for a space."),
    call("pile", &["pile: int", "i: int"], "Card | ()", "The i-th card below the top of a pile, if face up."),
    get(View, "spaces", "int", "How many piles are empty."),
    get(View, "stock_left", "int", "Cards in the stock."),
    get(View, "waste_left", "int", "Cards in the waste."),
    get(View, "waste_top", "Card | ()", "The top of the waste."),
    call(
        "waste",
        &["i: int"],
        "Card | ()",
        "The i-th card below the top of the waste; below the top only where the waste is fanned.",
    ),
    call(
        "coming",
        &["i: int"],
        "Card | ()",
        "The card that comes after i others in this pass, where an earlier pass showed it or it was bought.",
    ),
    get(View, "pass", "int", "The pass through the stock, from 1."),
    get(View, "redeals_left", "int", "Redeals left; -1 where they are unlimited."),
    get(View, "draw", "int", "Cards in the next packet; 0 while a die will say."),
    get(
        View,
        "stake",
        "int",
        "The price of the deck, in cents; where it is bought in steps, what was paid so far.",
    ),
    get(View, "pays_per_card", "int", "What each card on the foundations pays at the end, in cents."),
    call("random", &["n: int"], "int", "A whole number from 0 to n - 1, from the game's seeded stream."),
    get(View, "seats", "int", "How many play; 1 where nobody else does."),
    get(View, "seat", "int", "The seat of the player who looks, from 1."),
    call("at", &["seat: int"], "Seat", "What lies open at a seat, the own one included."),
    get(
        Seat,
        "score",
        "int",
        "The player's points so far, with what the deal under way is worth as it stands.",
    ),
    get(Seat, "cards", "int", "Cards that the player has on the foundations."),
    get(Seat, "reserve_left", "int", "Cards left in all reserves."),
    get(Seat, "reserve_top", "Card | ()", "The top of the first reserve, if it is face up."),
    get(Seat, "spaces", "int", "How many piles are empty."),
    get(Seat, "stock_left", "int", "Cards in the stock."),
    get(Seat, "waste_left", "int", "Cards in the waste."),
    get(Seat, "waste_top", "Card | ()", "The top of the waste."),
    at_seat(call("pile_len", &["pile: int"], "int", "All cards of a pile, those face down included.")),
    at_seat(call("pile_top", &["pile: int"], "Card | ()", "The top card of a pile; `()` for a space.")),
    at_seat(call(
        "pile",
        &["pile: int", "i: int"],
        "Card | ()",
        "The i-th card below the top of a pile, if face up.",
    )),
];
