//! Every name that a script sees of the game: one table for the interpreter ([`super::api`]), the compiler (lowering),
//! the checks at load, the definitions for editors and the documentation.
//!
//! What a name gives is computed in one place too, [`super::intrinsics`]. A new name is an entry here and a variant
//! there.

use super::intrinsics::{CardProperty, Intrinsic, MoveProperty, SeatProperty, ViewProperty};
use super::value::Types;

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
            ValueKind::Plain => "a plain value",
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `view.moves`.
    Moves,
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

/// An entry of the table, as text: for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiName {
    /// Whose it is: `view`, `m`, `c` or `s`.
    pub variable: &'static str,
    /// The type of that: `View`, `Move`, `Card` or `Seat`.
    pub owner: &'static str,
    /// The word.
    pub name: &'static str,
    /// The parameters of a method, each `name: type`; `None` for a property.
    pub parameters: Option<Vec<String>>,
    /// The type of its value.
    pub returns: String,
    /// What it is, in a sentence.
    pub about: &'static str,
}

/// Every name, in the order of the table.
pub fn entries() -> impl Iterator<Item = ApiName> {
    NAMES.iter().map(|name| {
        let (variable, owner) = match name.owner() {
            ValueKind::View => ("view", "View"),
            ValueKind::Move => ("m", "Move"),
            ValueKind::Seat => ("s", "Seat"),
            ValueKind::Card | ValueKind::Plain => ("c", "Card"),
        };
        let (parameters, returns) = (name.parameters(), name.returns());
        ApiName { variable, owner, name: name.name, parameters, returns, about: name.about }
    })
}

/// What a property is called.
pub fn name_of(meaning: Meaning) -> &'static str {
    NAMES.iter().find(|name| name.meaning == meaning).map_or("", |name| name.name)
}

/// What a word means as a property of a kind of value.
pub fn property(owner: ValueKind, word: &str) -> Option<Meaning> {
    let name = NAMES.iter().find(|name| name.name == word && name.owner() == owner)?;
    (!matches!(name.meaning, Meaning::Call(..))).then_some(name.meaning)
}

/// What a word means as a method with so many arguments.
pub fn method(owner: ValueKind, word: &str, arguments: usize) -> Option<Intrinsic> {
    NAMES.iter().find_map(|name| match name.meaning {
        Meaning::Call(of, parameters) if name.name == word && parameters.len() == arguments => {
            (name.owner() == owner).then_some(of)
        }
        _ => None,
    })
}

/// The types of what an intrinsic takes, the seat among it.
pub fn arguments_of(intrinsic: Intrinsic) -> Vec<Types> {
    let of = |name: &Name| match name.meaning {
        Meaning::Call(of, parameters) if of == intrinsic => Some(parameters),
        _ => None,
    };
    // The lowest card of a pile, which has no name, is asked for by the pile.
    let parameters = NAMES.iter().find_map(of).unwrap_or(&[Parameter::Pile]);
    let seat = intrinsic.is_of_seat().then_some(Types::SEAT);
    seat.into_iter().chain(parameters.iter().map(|parameter| parameter.types())).collect()
}

const fn view(of: ViewProperty, name: &'static str, about: &'static str) -> Name {
    Name { name, meaning: Meaning::View(of), about }
}

const fn moved(of: MoveProperty, name: &'static str, about: &'static str) -> Name {
    Name { name, meaning: Meaning::Move(of), about }
}

const fn card(of: CardProperty, name: &'static str, about: &'static str) -> Name {
    Name { name, meaning: Meaning::Card(of), about }
}

const fn seat(of: SeatProperty, name: &'static str, about: &'static str) -> Name {
    Name { name, meaning: Meaning::Seat(of), about }
}

const fn call(
    of: Intrinsic,
    name: &'static str,
    parameters: &'static [Parameter],
    about: &'static str,
) -> Name {
    Name { name, meaning: Meaning::Call(of, parameters), about }
}

/// The names, those of a move first, then a card's, the view's and a seat's.
pub const NAMES: &[Name] = &[
    moved(MoveProperty::ToFoundation, "to_foundation", "The move is to the foundations."),
    moved(MoveProperty::ToTableau, "to_tableau", "The move is to a tableau pile, or into a space."),
    moved(MoveProperty::ToSpace, "to_space", "The move is into a space."),
    moved(MoveProperty::FromReserve, "from_reserve", "The move is from the reserve."),
    moved(MoveProperty::FromWaste, "from_waste", "The move is from the waste."),
    moved(MoveProperty::FromTableau, "from_tableau", "The move is from a tableau pile."),
    moved(
        MoveProperty::FromFoundation,
        "from_foundation",
        "The move is from a foundation back to the tableau.",
    ),
    moved(MoveProperty::IsDraw, "is_draw", "The move is a draw: one packet from the stock to the waste."),
    moved(MoveProperty::IsRedeal, "is_redeal", "The move is a redeal: the waste becomes the stock again."),
    moved(
        MoveProperty::Card,
        "card",
        "The lowest card moved; `()` for a draw, a redeal and a card not seen.",
    ),
    moved(MoveProperty::Count, "count", "How many cards move; 0 for a draw and a redeal."),
    moved(
        MoveProperty::Source,
        "source",
        "The number of the tableau pile it leaves, starting at 1; 0 if it leaves none.",
    ),
    moved(
        MoveProperty::Target,
        "target",
        "The number of the tableau pile it goes to, starting at 1; 0 if it goes to none.",
    ),
    moved(
        MoveProperty::EmptiesPile,
        "empties_pile",
        "The move empties a pile, even if the space is filled at once.",
    ),
    moved(MoveProperty::TurnsUp, "turns_up", "The move uncovers a hidden card."),
    card(CardProperty::Rank, "rank", "1 for an ace to 13 for a king."),
    card(CardProperty::Suit, "suit", "1 clubs, 2 diamonds, 3 hearts, 4 spades."),
    card(CardProperty::Red, "red", "It is a diamond or a heart."),
    card(
        CardProperty::Up,
        "up",
        "Steps above the base rank, with A after K: 0 to 12; 0 until the base is chosen.",
    ),
    Name { name: "moves", meaning: Meaning::Moves, about: "The legal moves, in the engine's order." },
    view(ViewProperty::Base, "base", "The base rank, 1 to 13; 0 before it is chosen."),
    view(ViewProperty::Cards, "cards", "Cards on the foundations."),
    call(
        Intrinsic::Foundation,
        "foundation",
        &[Parameter::Suit],
        "Cards on the foundations of the suit with this number, from 1 to 4.",
    ),
    call(
        Intrinsic::Wants,
        "wants",
        &[Parameter::CardOrNone],
        "Whether the foundations would take the card now.",
    ),
    call(Intrinsic::Steps, "steps", &[Parameter::Card], "How many cards of its suit must go up before it."),
    view(ViewProperty::ReserveLeft, "reserve_left", "Cards left in all reserves."),
    view(ViewProperty::ReserveTop, "reserve_top", "The top of the first reserve, if it is face up."),
    call(
        Intrinsic::Reserve,
        "reserve",
        &[Parameter::Below],
        "The card `i` places below the top of the first reserve, if face up.",
    ),
    view(ViewProperty::Reserves, "reserves", "How many reserve piles there are."),
    call(
        Intrinsic::ReserveLen,
        "reserve_len",
        &[Parameter::Reserve],
        "All cards of a reserve, those face down included.",
    ),
    call(
        Intrinsic::ReservePile,
        "reserve_pile",
        &[Parameter::Reserve, Parameter::Below],
        "The card `i` places below the top of a reserve, if face up.",
    ),
    view(ViewProperty::Piles, "piles", "How many tableau piles there are."),
    call(
        Intrinsic::PileLen,
        "pile_len",
        &[Parameter::Pile],
        "All cards of a pile, those face down included.",
    ),
    call(Intrinsic::PileTop, "pile_top", &[Parameter::Pile], "The top card of a pile; `()` for a space."),
    call(
        Intrinsic::Pile,
        "pile",
        &[Parameter::Pile, Parameter::Below],
        "The card `i` places below the top of a pile, if face up.",
    ),
    view(ViewProperty::Spaces, "spaces", "How many piles are empty."),
    view(ViewProperty::StockLeft, "stock_left", "Cards in the stock."),
    view(ViewProperty::WasteLeft, "waste_left", "Cards in the waste."),
    view(ViewProperty::WasteTop, "waste_top", "The top of the waste."),
    call(
        Intrinsic::Waste,
        "waste",
        &[Parameter::Below],
        "The card `i` places below the top of the waste; in a squared waste only the top is seen.",
    ),
    call(
        Intrinsic::Coming,
        "coming",
        &[Parameter::Below],
        "The stock card that comes up after `i` others, if it is known from an earlier pass or was bought.",
    ),
    view(ViewProperty::Pass, "pass", "The pass through the stock, from 1."),
    view(ViewProperty::RedealsLeft, "redeals_left", "Redeals left; -1 where they are unlimited."),
    view(ViewProperty::Draw, "draw", "Cards in the next packet; 0 if a die has yet to be rolled."),
    view(
        ViewProperty::Stake,
        "stake",
        "The price of the deck in cents; where it is bought in stages, what was paid so far.",
    ),
    view(
        ViewProperty::PaysPerCard,
        "pays_per_card",
        "What each card on the foundations pays at the end, in cents; see `pay` where that changes with their number.",
    ),
    call(
        Intrinsic::Pay,
        "pay",
        &[Parameter::Cards],
        "What the house pays for a game that ends with `n` cards on the foundations, in cents: steps, the bonus for a win \
             and the jackpot as it starts included, fees of redeals not taken off.",
    ),
    view(ViewProperty::RedealFee, "redeal_fee", "What the next redeal costs, in cents."),
    call(
        Intrinsic::Random,
        "random",
        &[Parameter::Numbers],
        "A random whole number from 0 to n - 1; the same each time that the game is played again.",
    ),
    view(ViewProperty::Seats, "seats", "How many players there are, you included."),
    view(ViewProperty::Seat, "seat", "Your seat, from 1."),
    call(Intrinsic::At, "at", &[Parameter::Seat], "What everyone can see at a seat; it may be your own."),
    seat(SeatProperty::Score, "score", "The player's points so far, those of the current deal included."),
    seat(SeatProperty::Cards, "cards", "Cards that the player has on the foundations."),
    seat(SeatProperty::ReserveLeft, "reserve_left", "Cards left in all reserves."),
    seat(SeatProperty::ReserveTop, "reserve_top", "The top of the first reserve, if it is face up."),
    seat(SeatProperty::Spaces, "spaces", "How many piles are empty."),
    seat(SeatProperty::StockLeft, "stock_left", "Cards in the stock."),
    seat(SeatProperty::WasteLeft, "waste_left", "Cards in the waste."),
    seat(SeatProperty::WasteTop, "waste_top", "The top of the waste."),
    call(
        Intrinsic::SeatPileLen,
        "pile_len",
        &[Parameter::Pile],
        "All cards of a pile, those face down included.",
    ),
    call(Intrinsic::SeatPileTop, "pile_top", &[Parameter::Pile], "The top card of a pile; `()` for a space."),
    call(
        Intrinsic::SeatPile,
        "pile",
        &[Parameter::Pile, Parameter::Below],
        "The card `i` places below the top of a pile, if face up.",
    ),
];
