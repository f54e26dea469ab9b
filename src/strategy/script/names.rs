//! Every name of the game in scripts: one table for the interpreter ([`super::api`]), the compiler, the checks at load,
//! the definitions for editors and the documentation.
//!
//! The values of names are computed in [`super::intrinsics`]. A new name is an entry here and a variant there.

use std::fmt::Write;

use crate::game::MOST_SEATS;
use crate::rules::{MOST_CARDS, MOST_DRAWN, MOST_PILES, MOST_RESERVES};

use super::intrinsics::{CardProperty, Intrinsic, MoveProperty, NumberMethod, SeatProperty, ViewProperty};
use super::value::Types;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `view.moves`.
    Moves,
    /// `memory`, of which only elements are read.
    Memory,
    View(ViewProperty),
    Move(MoveProperty),
    Card(CardProperty),
    Seat(SeatProperty),
    /// A method of the view or of a seat.
    Call(Intrinsic),
    /// A method of whole numbers.
    Number(NumberMethod),
    /// A method of the view for looking ahead.
    Think(Thought),
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    Suit,
    Pile,
    Reserve,
    Seat,
    /// A distance below a top, or until a card comes, from 0.
    Below,
    /// The size of the range to draw a number from.
    Numbers,
    /// A number of cards, from 0 to all.
    Cards,
    Card,
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

#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub name: &'static str,
    pub meaning: Meaning,
    /// The parameters of a method; `None` for a property.
    pub parameters: Option<&'static [Parameter]>,
    /// Its description, in a sentence.
    pub about: &'static str,
}

impl Meaning {
    pub fn types(self) -> Types {
        match self {
            Meaning::Moves => Types::LIST,
            Meaning::Memory => Types::INT,
            Meaning::View(property) => property.types(),
            Meaning::Move(property) => property.types(),
            Meaning::Card(property) => property.types(),
            Meaning::Seat(property) => property.types(),
            Meaning::Call(of) => of.types(),
            Meaning::Number(of) => of.types(),
            Meaning::Think(Thought::Playout) => Types::INT,
            Meaning::Think(Thought::Choice) => Types::MOVE.with(Types::UNIT),
            Meaning::Think(_) => Types::VIEW,
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

    pub fn types(self) -> Types {
        match self {
            Parameter::Card => Types::CARD,
            Parameter::CardOrNone => Types::CARD_OR_UNIT,
            Parameter::Move => Types::MOVE,
            Parameter::Player => Types::TEXT,
            _ => Types::INT,
        }
    }
}

impl Name {
    pub fn owner(&self) -> Types {
        match self.meaning {
            Meaning::Moves | Meaning::View(_) | Meaning::Think(_) => Types::VIEW,
            Meaning::Memory => Types::MEMORY,
            Meaning::Number(_) => Types::INT,
            Meaning::Move(_) => Types::MOVE,
            Meaning::Card(_) => Types::CARD,
            Meaning::Seat(_) => Types::SEAT,
            Meaning::Call(of) if of.is_of_seat() => Types::SEAT,
            Meaning::Call(_) => Types::VIEW,
        }
    }

    /// Returns the parameters of a method, each `name: type`; `None` for a property.
    pub fn signature(&self) -> Option<Vec<String>> {
        let each = |p: &Parameter| format!("{}: {:?}", p.name(), p.types());
        Some(self.parameters?.iter().map(each).collect())
    }
}

/// An entry of the table as text, for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiName {
    /// The variable that has it: `view`, `m`, `c`, `s` or `n`; for a name by itself, the word.
    pub variable: &'static str,
    /// The type of that variable: `View`, `Move`, `Card`, `Seat`, `int` or `Memory`.
    pub owner: String,
    /// The word.
    pub name: &'static str,
    /// The parameters of a method, each `name: type`; `None` for a property.
    pub parameters: Option<Vec<String>>,
    /// The type of its value.
    pub returns: String,
    /// Its description, in a sentence.
    pub about: &'static str,
}

/// Returns every name, in the order of the table.
pub fn entries() -> impl Iterator<Item = ApiName> {
    NAMES.iter().map(|name| ApiName {
        variable: name.owner().variable(),
        owner: format!("{:?}", name.owner()),
        name: name.name,
        parameters: name.signature(),
        returns: format!("{:?}", name.meaning.types()),
        about: name.about,
    })
}

/// Returns a definitions file (`.d.rhai`) of everything that a script can use of the game, for editors.
pub fn definitions() -> String {
    let mut out = String::from(
        "module static;\n\n\
         // What a Saratoga strategy sees. It defines one of\n\
         //   fn score(view, m)  an integer for each legal move; the highest is played, negative is never\n\
         //   fn choose(view)    one of view.moves, or () to resign\n\
         // At its top it may declare parameters, which can be set from the command line and tuned:\n\
         //   const HOLD = param(4, 0..=13);  a whole number with its default and the values it may have\n\
         //   const BOLD = param(true);       a truth value\n\
         // and may define, for rules whose stake is bought in stages,\n\
         //   fn stage(view, at, cost)  true to buy the stage for cost cents; false to stop, or to go on without\n\
         //                             cards. at is \"deal\" (nothing is seen yet), \"first-look\",\n\
         //                             \"first-draw\", \"pass\" or \"unknown-card\". Without it a strategy buys\n\
         //                             everything but unknown cards.\n\
         // Piles and suits count from 1, suits in the order clubs, diamonds, hearts, spades. A card is\n\
         // () where it cannot be seen. Cards compare with == and != to each other and to (),\n\
         // and print as `TH` in `${c}`.\n",
    );
    for ApiName { variable, owner, name, parameters, returns, about } in entries() {
        let get = if parameters.is_none() { "get " } else { "" };
        let parameters: String = parameters.unwrap_or_default().iter().map(|p| format!(", {p}")).collect();
        // Writing to a string does not fail.
        let _ = match is_memory(name) {
            true => write!(out, "\n/// {about}\nlet {name}: {owner};\n"),
            false => {
                write!(out, "\n/// {about}\nfn {get}{name}({variable}: {owner}{parameters}) -> {returns};\n")
            }
        };
    }
    out
}

pub fn name_of(meaning: Meaning) -> &'static str {
    NAMES.iter().find(|name| name.meaning == meaning).map_or("", |name| name.name)
}

pub fn is_memory(word: &str) -> bool {
    word == name_of(Meaning::Memory)
}

/// Finds the property of a type of value, or its method with this many arguments.
pub fn find(owner: Types, word: &str, arguments: Option<usize>) -> Option<&'static Name> {
    let mut named = NAMES.iter().filter(|name| name.name == word && name.owner() == owner);
    named.find(|name| name.parameters.map(<[_]>::len) == arguments)
}

/// Returns the meaning of a word as a property of a type of value.
pub fn property(owner: Types, word: &str) -> Option<Meaning> {
    find(owner, word, None).map(|name| name.meaning)
}

/// Returns the meaning of a word as a method of the view or a seat with this many arguments.
pub fn method(owner: Types, word: &str, arguments: usize) -> Option<Intrinsic> {
    match find(owner, word, Some(arguments))?.meaning {
        Meaning::Call(of) => Some(of),
        _ => None,
    }
}

/// Returns the meaning of a word as a method of a whole number with this many arguments.
pub fn of_number(word: &str, arguments: usize) -> Option<NumberMethod> {
    match find(Types::INT, word, Some(arguments))?.meaning {
        Meaning::Number(of) => Some(of),
        _ => None,
    }
}

/// Returns the parameters of a method with this many arguments, of any type of value.
pub fn parameters_of(word: &str, arguments: usize) -> Option<&'static [Parameter]> {
    let mut named = NAMES.iter().filter(|name| name.name == word).filter_map(|name| name.parameters);
    named.find(|parameters| parameters.len() == arguments)
}

pub fn thought(method: &str) -> Option<Thought> {
    NAMES.iter().filter(|name| name.name == method).find_map(|name| match name.meaning {
        Meaning::Think(thought) => Some(thought),
        _ => None,
    })
}

/// Returns whether the last of this many arguments of a method is the name of a player.
pub fn asks_player(word: &str, arguments: usize) -> bool {
    parameters_of(word, arguments).is_some_and(|parameters| parameters.last() == Some(&Parameter::Player))
}

/// Returns the argument types of an intrinsic, including the seat.
pub fn arguments_of(intrinsic: Intrinsic) -> Vec<Types> {
    let name = NAMES.iter().find(|name| name.meaning == Meaning::Call(intrinsic));
    // The lowest card of a pile, which has no name, takes the pile.
    let parameters = name.and_then(|name| name.parameters).unwrap_or(&[Parameter::Pile]);
    let seat = intrinsic.is_of_seat().then_some(Types::SEAT);
    seat.into_iter().chain(parameters.iter().map(|parameter| parameter.types())).collect()
}

const fn property_of(name: &'static str, meaning: Meaning, about: &'static str) -> Name {
    Name { name, meaning, parameters: None, about }
}

const fn method_of(
    name: &'static str,
    meaning: Meaning,
    parameters: &'static [Parameter],
    about: &'static str,
) -> Name {
    Name { name, meaning, parameters: Some(parameters), about }
}

use Meaning::{Call, Card, Move, Number, Seat, Think, View};
use {CardProperty as C, Intrinsic as I, MoveProperty as M, NumberMethod as N};
use {Parameter as P, SeatProperty as S, Thought as T, ViewProperty as V};

/// The names: those of a move first, then of a card, a number, the view and a seat.
pub const NAMES: &[Name] = &[
    property_of("to_foundation", Move(M::ToFoundation), "The move is to the foundations."),
    property_of("to_tableau", Move(M::ToTableau), "The move is to a tableau pile, or into a space."),
    property_of("to_space", Move(M::ToSpace), "The move is into a space."),
    property_of("from_reserve", Move(M::FromReserve), "The move is from the reserve."),
    property_of("from_waste", Move(M::FromWaste), "The move is from the waste."),
    property_of("from_tableau", Move(M::FromTableau), "The move is from a tableau pile."),
    property_of(
        "from_foundation",
        Move(M::FromFoundation),
        "The move is from a foundation back to the tableau.",
    ),
    property_of("is_draw", Move(M::IsDraw), "The move is a draw: one packet from the stock to the waste."),
    property_of("is_redeal", Move(M::IsRedeal), "The move is a redeal: the waste becomes the stock again."),
    property_of(
        "card",
        Move(M::Card),
        "The lowest card moved; `()` for a draw, a redeal and a card not seen.",
    ),
    property_of("count", Move(M::Count), "How many cards move; 0 for a draw and a redeal."),
    property_of(
        "source",
        Move(M::Source),
        "The number of the tableau pile it leaves, starting at 1; 0 if it leaves none.",
    ),
    property_of(
        "target",
        Move(M::Target),
        "The number of the tableau pile it goes to, starting at 1; 0 if it goes to none.",
    ),
    property_of(
        "empties_pile",
        Move(M::EmptiesPile),
        "The move empties a pile, even if the space is filled at once.",
    ),
    property_of("turns_up", Move(M::TurnsUp), "The move uncovers a hidden card."),
    property_of("rolls", Move(M::Rolls), "A die is rolled with the move: ask for `after_roll`, not `after`."),
    property_of("rank", Card(C::Rank), "1 for an ace to 13 for a king."),
    property_of("suit", Card(C::Suit), "1 clubs, 2 diamonds, 3 hearts, 4 spades."),
    property_of("red", Card(C::Red), "It is a diamond or a heart."),
    property_of(
        "up",
        Card(C::Up),
        "Steps above the base rank, with A after K: 0 to 12; 0 until the base is chosen.",
    ),
    property_of(
        "bit",
        Card(C::Bit),
        "A number with one bit, another for each kind of card: the set of this card alone.",
    ),
    method_of(
        "has",
        Number(N::Has),
        &[P::Card],
        "Whether the card is in this set of cards. A set is a whole number, 0 without cards; packs are \
         not told apart.",
    ),
    method_of(
        "add",
        Number(N::Add),
        &[P::Card],
        "The set with the card. The number itself stays what it is: write `seen = seen.add(c)`.",
    ),
    method_of("without", Number(N::Without), &[P::Card], "The set without the card."),
    method_of("popcount", Number(N::Popcount), &[], "How many bits are 1: the cards of a set."),
    method_of("bit_not", Number(N::BitNot), &[], "All 64 bits the other way round."),
    property_of("moves", Meaning::Moves, "The legal moves, in the engine's order."),
    property_of("base", View(V::Base), "The base rank, 1 to 13; 0 before it is chosen."),
    property_of("cards", View(V::Cards), "Cards on the foundations."),
    method_of(
        "foundation",
        Call(I::Foundation),
        &[P::Suit],
        "Cards on the foundations of the suit with this number, from 1 to 4.",
    ),
    method_of("wants", Call(I::Wants), &[P::CardOrNone], "Whether the foundations would take the card now."),
    method_of("steps", Call(I::Steps), &[P::Card], "How many cards of its suit must go up before it."),
    property_of("reserve_left", View(V::ReserveLeft), "Cards left in all reserves."),
    property_of("reserve_top", View(V::ReserveTop), "The top of the first reserve, if it is face up."),
    method_of(
        "reserve",
        Call(I::Reserve),
        &[P::Below],
        "The card `i` places below the top of the first reserve, if face up.",
    ),
    property_of("reserves", View(V::Reserves), "How many reserve piles there are."),
    method_of(
        "reserve_len",
        Call(I::ReserveLen),
        &[P::Reserve],
        "All cards of a reserve, those face down included.",
    ),
    method_of(
        "reserve_pile",
        Call(I::ReservePile),
        &[P::Reserve, P::Below],
        "The card `i` places below the top of a reserve, if face up.",
    ),
    property_of("piles", View(V::Piles), "How many tableau piles there are."),
    method_of("pile_len", Call(I::PileLen), &[P::Pile], "All cards of a pile, those face down included."),
    method_of("pile_top", Call(I::PileTop), &[P::Pile], "The top card of a pile; `()` for a space."),
    method_of(
        "pile",
        Call(I::Pile),
        &[P::Pile, P::Below],
        "The card `i` places below the top of a pile, if face up.",
    ),
    property_of("spaces", View(V::Spaces), "How many piles are empty."),
    property_of("stock_left", View(V::StockLeft), "Cards in the stock."),
    property_of("waste_left", View(V::WasteLeft), "Cards in the waste."),
    property_of("waste_top", View(V::WasteTop), "The top of the waste."),
    method_of(
        "waste",
        Call(I::Waste),
        &[P::Below],
        "The card `i` places below the top of the waste; in a squared waste only the top is seen, and \
         cards that were bought.",
    ),
    method_of(
        "coming",
        Call(I::Coming),
        &[P::Below],
        "The stock card that comes up after `i` others, if it is known from an earlier pass or was bought.",
    ),
    property_of("pass", View(V::Pass), "The pass through the stock, from 1."),
    property_of("redeals_left", View(V::RedealsLeft), "Redeals left; -1 where they are unlimited."),
    property_of("draw", View(V::Draw), "Cards in the next packet; 0 if a die has yet to be rolled."),
    property_of(
        "stake",
        View(V::Stake),
        "The price of the deck in cents; where it is bought in stages, what was paid so far.",
    ),
    property_of(
        "pays_per_card",
        View(V::PaysPerCard),
        "What each card on the foundations pays at the end, in cents; see `pay` where that changes with \
         their number.",
    ),
    method_of(
        "pay",
        Call(I::Pay),
        &[P::Cards],
        "What the house pays for a game that ends with `n` cards on the foundations, in cents: steps, the \
         bonus for a win and the jackpot as it starts included, fees of redeals not taken off.",
    ),
    property_of("redeal_fee", View(V::RedealFee), "What the next redeal costs, in cents."),
    method_of(
        "random",
        Call(I::Random),
        &[P::Numbers],
        "A random whole number from 0 to n - 1; the same each time that the game is played again.",
    ),
    property_of(
        "faces",
        View(V::Faces),
        "Faces of the die that says how many cards are drawn; 0 where there is none.",
    ),
    method_of(
        "after",
        Think(T::After),
        &[P::Move],
        "Your view after this move of the view. A card that turns up unknown is `()`.",
    ),
    method_of(
        "after_roll",
        Think(T::AfterRoll),
        &[P::Move, P::Face],
        "The same for a move with which a die is rolled, were this what it shows.",
    ),
    method_of(
        "sample",
        Think(T::Sample),
        &[P::Sample],
        "A view of the `k`-th sampled deal, from 0: one that agrees with all you have seen. It shows \
         every card.",
    ),
    method_of(
        "playout",
        Think(T::Playout),
        &[P::Sample, P::Player],
        "Cards on the foundations in the end, if from here this strategy, or this function of the script, \
         plays the `k`-th sampled deal on.",
    ),
    method_of(
        "choice",
        Think(T::Choice),
        &[P::Player],
        "The move that this strategy, or this function of the script, would choose here, or `()` if it \
         would resign. Ask the view of the decision, or one of a sampled deal.",
    ),
    property_of(
        "ended",
        View(V::Ended),
        "The game is over there for certain; never so in the view that you are asked about.",
    ),
    property_of("seats", View(V::Seats), "How many players there are, you included."),
    property_of("seat", View(V::Seat), "Your seat, from 1."),
    method_of("at", Call(I::At), &[P::Seat], "What everyone can see at a seat; it may be your own."),
    property_of("score", Seat(S::Score), "The player's points so far, those of the current deal included."),
    property_of("cards", Seat(S::Cards), "Cards that the player has on the foundations."),
    property_of("reserve_left", Seat(S::ReserveLeft), "Cards left in all reserves."),
    property_of("reserve_top", Seat(S::ReserveTop), "The top of the first reserve, if it is face up."),
    property_of("spaces", Seat(S::Spaces), "How many piles are empty."),
    property_of("stock_left", Seat(S::StockLeft), "Cards in the stock."),
    property_of("waste_left", Seat(S::WasteLeft), "Cards in the waste."),
    property_of("waste_top", Seat(S::WasteTop), "The top of the waste."),
    method_of("pile_len", Call(I::SeatPileLen), &[P::Pile], "All cards of a pile, those face down included."),
    method_of("pile_top", Call(I::SeatPileTop), &[P::Pile], "The top card of a pile; `()` for a space."),
    method_of(
        "pile",
        Call(I::SeatPile),
        &[P::Pile, P::Below],
        "The card `i` places below the top of a pile, if face up.",
    ),
    property_of(
        "memory",
        Meaning::Memory,
        "The number kept at place `i`, from 0 to 63. Assign to it to keep another one: `memory[0] += 1`. \
         All are 0 at the deal, and forgotten when the game ends.",
    ),
];
