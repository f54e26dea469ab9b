//! The table of names.

use super::super::intrinsics::{
    CardProperty, Intrinsic, MoveProperty, NumberMethod, SeatProperty, ViewProperty,
};
use super::kinds::{Meaning, Name, Parameter, Thought};

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

const fn number(
    of: NumberMethod,
    name: &'static str,
    parameters: &'static [Parameter],
    about: &'static str,
) -> Name {
    Name { name, meaning: Meaning::Number(of, parameters), about }
}

const fn think(
    of: Thought,
    name: &'static str,
    parameters: &'static [Parameter],
    about: &'static str,
) -> Name {
    Name { name, meaning: Meaning::Think(of, parameters), about }
}

/// The names: those of a move first, then of a card, the view and a seat.
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
    moved(MoveProperty::Rolls, "rolls", "A die is rolled with the move: ask for `after_roll`, not `after`."),
    card(CardProperty::Rank, "rank", "1 for an ace to 13 for a king."),
    card(CardProperty::Suit, "suit", "1 clubs, 2 diamonds, 3 hearts, 4 spades."),
    card(CardProperty::Red, "red", "It is a diamond or a heart."),
    card(
        CardProperty::Up,
        "up",
        "Steps above the base rank, with A after K: 0 to 12; 0 until the base is chosen.",
    ),
    card(
        CardProperty::Bit,
        "bit",
        "A number with one bit, another for each kind of card: the set of this card alone.",
    ),
    number(
        NumberMethod::Has,
        "has",
        &[Parameter::Card],
        "Whether the card is in this set of cards. A set is a whole number, 0 without cards; packs are not told apart.",
    ),
    number(
        NumberMethod::Add,
        "add",
        &[Parameter::Card],
        "The set with the card. The number itself stays what it is: write `seen = seen.add(c)`.",
    ),
    number(NumberMethod::Without, "without", &[Parameter::Card], "The set without the card."),
    number(NumberMethod::Popcount, "popcount", &[], "How many bits are 1: the cards of a set."),
    number(NumberMethod::BitNot, "bit_not", &[], "All 64 bits the other way round."),
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
        "The card `i` places below the top of the waste; in a squared waste only the top is seen, and cards that were bought.",
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
    view(
        ViewProperty::Faces,
        "faces",
        "Faces of the die that says how many cards are drawn; 0 where there is none.",
    ),
    think(
        Thought::After,
        "after",
        &[Parameter::Move],
        "Your view after this move of the view. A card that turns up unknown is `()`.",
    ),
    think(
        Thought::AfterRoll,
        "after_roll",
        &[Parameter::Move, Parameter::Face],
        "The same for a move with which a die is rolled, were this what it shows.",
    ),
    think(
        Thought::Sample,
        "sample",
        &[Parameter::Sample],
        "A view of the `k`-th sampled deal, from 0: one that agrees with all you have seen. It shows every card.",
    ),
    think(
        Thought::Playout,
        "playout",
        &[Parameter::Sample, Parameter::Player],
        "Cards on the foundations in the end, if from here this strategy, or this function of the script, plays the `k`-th sampled deal on.",
    ),
    think(
        Thought::Choice,
        "choice",
        &[Parameter::Player],
        "The move that this strategy, or this function of the script, would choose here, or `()` if it would resign. Ask the view \
             of the decision, or one of a sampled deal.",
    ),
    view(
        ViewProperty::Ended,
        "ended",
        "The game is over there for certain; never so in the view that you are asked about.",
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
    Name {
        name: "memory",
        meaning: Meaning::Memory,
        about: "The number kept at place `i`, from 0 to 63. Assign to it to keep another one: `memory[0] += 1`. All are 0 at the deal, and forgotten when the game ends.",
    },
];
