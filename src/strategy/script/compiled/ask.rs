//! What compiled code asks of the position: one entry for each name a script sees.

use crate::cards::{Card, Suit};
use crate::game::{Move, Place, View};

use super::value::{CARDS, SEATS, Types, UNIT, seen};

/// A property of the view: the same for all moves of a decision, so it is read once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Look {
    Base,
    Cards,
    Reserves,
    ReserveLeft,
    ReserveTop,
    Piles,
    Spaces,
    StockLeft,
    WasteLeft,
    WasteTop,
    Pass,
    RedealsLeft,
    Draw,
    Seats,
    Seat,
    Stake,
    PaysPerCard,
}

/// Every property of the view by name.
pub const LOOKS: [(&str, Look); 17] = [
    ("base", Look::Base),
    ("cards", Look::Cards),
    ("reserves", Look::Reserves),
    ("reserve_left", Look::ReserveLeft),
    ("reserve_top", Look::ReserveTop),
    ("piles", Look::Piles),
    ("spaces", Look::Spaces),
    ("stock_left", Look::StockLeft),
    ("waste_left", Look::WasteLeft),
    ("waste_top", Look::WasteTop),
    ("pass", Look::Pass),
    ("redeals_left", Look::RedealsLeft),
    ("draw", Look::Draw),
    ("seats", Look::Seats),
    ("seat", Look::Seat),
    ("stake", Look::Stake),
    ("pays_per_card", Look::PaysPerCard),
];

impl Look {
    pub fn types(self) -> Types {
        match self {
            Look::ReserveTop | Look::WasteTop => Types::CARD_OR_UNIT,
            _ => Types::INT,
        }
    }

    pub fn read(self, view: &View<'_>) -> i64 {
        match self {
            Look::Base => view.base().map_or(0, |base| base.number()),
            Look::Cards => view.cards() as i64,
            Look::Reserves => view.reserves() as i64,
            Look::ReserveLeft => view.reserve_left() as i64,
            Look::ReserveTop => seen(view.reserve_top()),
            Look::Piles => view.piles() as i64,
            Look::Spaces => view.spaces() as i64,
            Look::StockLeft => view.stock_left() as i64,
            Look::WasteLeft => view.waste_left() as i64,
            Look::WasteTop => seen(view.waste_top()),
            Look::Pass => i64::from(view.pass()),
            Look::RedealsLeft => view.redeals_left().map_or(-1, i64::from),
            Look::Draw => view.draw() as i64,
            Look::Seats => view.seats() as i64,
            Look::Seat => view.seat() as i64 + 1,
            Look::Stake => view.stake(),
            Look::PaysPerCard => view.rules().casino.pays_per_card,
        }
    }
}

/// A method of the view with arguments, or of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Ask {
    Foundation,
    Wants,
    Steps,
    Reserve,
    ReservePile,
    ReserveLen,
    PileLen,
    PileTop,
    Pile,
    /// The lowest card of a pile: scripts have no name for it, and ask for the pile's length first.
    PileLowest,
    Waste,
    Coming,
    Random,
    At,
    SeatPileLen,
    SeatPileTop,
    SeatPile,
}

/// The methods of the view by name, with what they take.
pub const ASKS: [(&str, Ask, &[Types]); 13] = [
    ("foundation", Ask::Foundation, &[Types::INT]),
    ("wants", Ask::Wants, &[Types::CARD_OR_UNIT]),
    ("steps", Ask::Steps, &[Types::CARD]),
    ("reserve", Ask::Reserve, &[Types::INT]),
    ("reserve_pile", Ask::ReservePile, &[Types::INT, Types::INT]),
    ("reserve_len", Ask::ReserveLen, &[Types::INT]),
    ("pile_len", Ask::PileLen, &[Types::INT]),
    ("pile_top", Ask::PileTop, &[Types::INT]),
    ("pile", Ask::Pile, &[Types::INT, Types::INT]),
    ("waste", Ask::Waste, &[Types::INT]),
    ("coming", Ask::Coming, &[Types::INT]),
    ("random", Ask::Random, &[Types::INT]),
    ("at", Ask::At, &[Types::INT]),
];

/// The methods of a seat; the seat itself is the first argument.
pub const SEAT_ASKS: [(&str, Ask, &[Types]); 3] = [
    ("pile_len", Ask::SeatPileLen, &[Types::INT]),
    ("pile_top", Ask::SeatPileTop, &[Types::INT]),
    ("pile", Ask::SeatPile, &[Types::INT, Types::INT]),
];

/// A number counted from 1, as an index; `None` outside of `1..=last`.
#[inline(always)]
fn number(n: i64, last: usize) -> Option<usize> {
    let index = (n as u64).wrapping_sub(1);
    (index < last as u64).then_some(index as usize)
}

/// How far below a top; `None` below zero.
#[inline(always)]
fn below(n: i64) -> Option<usize> {
    usize::try_from(n).ok()
}

fn card(bits: i64) -> Card {
    Card::of_pack(0, (bits & 63) as usize)
}

impl Ask {
    pub fn types(self) -> Types {
        match self {
            Ask::Foundation | Ask::Steps | Ask::ReserveLen | Ask::PileLen | Ask::Random => Types::INT,
            Ask::SeatPileLen => Types::INT,
            Ask::Wants => Types::BOOL,
            Ask::At => Types::SEAT,
            _ => Types::CARD_OR_UNIT,
        }
    }

    /// The answer depends on nothing but the position and the arguments.
    pub fn is_pure(self) -> bool {
        self != Ask::Random
    }

    /// The answer; `None` where the interpreter has a fault to report.
    #[inline(always)]
    pub fn answer(self, view: &View<'_>, a: i64, b: i64, c: i64) -> Option<i64> {
        Some(match self {
            Ask::Foundation => view.foundation(Suit::from_index(number(a, 4)?)) as i64,
            Ask::Wants => i64::from(a != UNIT && view.wants(card(a))),
            Ask::Steps => view.steps(card(a)) as i64,
            Ask::Reserve => seen(view.reserve(0, below(a)?)),
            Ask::ReservePile => seen(view.reserve(number(a, view.reserves())?, below(b)?)),
            Ask::ReserveLen => view.reserve_len(number(a, view.reserves())?) as i64,
            Ask::PileLen => view.pile_len(number(a, view.piles())?) as i64,
            Ask::PileTop => seen(view.pile_top(number(a, view.piles())?)),
            Ask::Pile => seen(view.pile(number(a, view.piles())?, below(b)?)),
            Ask::PileLowest => seen(view.lowest(number(a, view.piles())?)),
            Ask::Waste => seen(view.waste(below(a)?)),
            Ask::Coming => seen(view.coming(below(a)?)),
            Ask::Random => {
                number(a, u32::MAX as usize)?;
                i64::from(view.random(a as u32))
            }
            Ask::At => SEATS + number(a, view.seats())? as i64,
            Ask::SeatPileLen => {
                let other = view.other((a - SEATS) as usize)?;
                other.pile_len(number(b, other.piles())?) as i64
            }
            Ask::SeatPileTop => {
                let other = view.other((a - SEATS) as usize)?;
                seen(other.pile_top(number(b, other.piles())?))
            }
            Ask::SeatPile => {
                let other = view.other((a - SEATS) as usize)?;
                seen(other.pile(number(b, other.piles())?, below(c)?))
            }
        })
    }
}

/// A property of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OfSeat {
    Score,
    Cards,
    ReserveLeft,
    ReserveTop,
    Spaces,
    StockLeft,
    WasteLeft,
    WasteTop,
}

/// Every property of a seat by name.
pub const OF_SEAT: [(&str, OfSeat); 8] = [
    ("score", OfSeat::Score),
    ("cards", OfSeat::Cards),
    ("reserve_left", OfSeat::ReserveLeft),
    ("reserve_top", OfSeat::ReserveTop),
    ("spaces", OfSeat::Spaces),
    ("stock_left", OfSeat::StockLeft),
    ("waste_left", OfSeat::WasteLeft),
    ("waste_top", OfSeat::WasteTop),
];

impl OfSeat {
    pub fn types(self) -> Types {
        match self {
            OfSeat::ReserveTop | OfSeat::WasteTop => Types::CARD_OR_UNIT,
            _ => Types::INT,
        }
    }

    pub fn read(self, view: &View<'_>, seat: i64) -> Option<i64> {
        let seat = (seat - SEATS) as usize;
        if self == OfSeat::Score {
            return Some(view.score(seat));
        }
        let other = view.other(seat)?;
        Some(match self {
            OfSeat::Score | OfSeat::Cards => other.cards() as i64,
            OfSeat::ReserveLeft => other.reserve_left() as i64,
            OfSeat::ReserveTop => seen(other.reserve_top()),
            OfSeat::Spaces => other.spaces() as i64,
            OfSeat::StockLeft => other.stock_left() as i64,
            OfSeat::WasteLeft => other.waste_left() as i64,
            OfSeat::WasteTop => seen(other.waste_top()),
        })
    }
}

/// A property of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum OfMove {
    ToFoundation,
    ToTableau,
    ToSpace,
    FromReserve,
    FromWaste,
    FromTableau,
    FromFoundation,
    IsDraw,
    IsRedeal,
    Card,
    Count,
    Source,
    Target,
    EmptiesPile,
    TurnsUp,
}

/// Every property of a move by name.
pub const OF_MOVE: [(&str, OfMove); 15] = [
    ("to_foundation", OfMove::ToFoundation),
    ("to_tableau", OfMove::ToTableau),
    ("to_space", OfMove::ToSpace),
    ("from_reserve", OfMove::FromReserve),
    ("from_waste", OfMove::FromWaste),
    ("from_tableau", OfMove::FromTableau),
    ("from_foundation", OfMove::FromFoundation),
    ("is_draw", OfMove::IsDraw),
    ("is_redeal", OfMove::IsRedeal),
    ("card", OfMove::Card),
    ("count", OfMove::Count),
    ("source", OfMove::Source),
    ("target", OfMove::Target),
    ("empties_pile", OfMove::EmptiesPile),
    ("turns_up", OfMove::TurnsUp),
];

#[inline(always)]
fn pile_number(place: Place) -> i64 {
    if let Place::Pile(pile) = place { pile as i64 + 1 } else { 0 }
}

impl OfMove {
    pub fn types(self) -> Types {
        match self {
            OfMove::Card => Types::CARD_OR_UNIT,
            OfMove::Count | OfMove::Source | OfMove::Target => Types::INT,
            _ => Types::BOOL,
        }
    }

    /// What follows from the move alone, whatever the position; `None` where the position is asked.
    #[inline(always)]
    pub fn of_alone(self, m: Move) -> Option<i64> {
        Some(match self {
            OfMove::ToFoundation => i64::from(m.to_foundation()),
            OfMove::ToTableau => i64::from(m.to_tableau()),
            OfMove::FromReserve => i64::from(m.from_reserve()),
            OfMove::FromWaste => i64::from(m.from_waste()),
            OfMove::FromTableau => i64::from(m.from_tableau()),
            OfMove::FromFoundation => i64::from(m.from_foundation()),
            OfMove::IsDraw => i64::from(m.is_draw()),
            OfMove::IsRedeal => i64::from(m.is_redeal()),
            OfMove::Count => m.count() as i64,
            OfMove::Source => pile_number(m.source()),
            OfMove::Target => pile_number(m.target()),
            OfMove::ToSpace | OfMove::Card | OfMove::EmptiesPile | OfMove::TurnsUp => return None,
        })
    }

    #[inline(always)]
    pub fn read(self, view: &View<'_>, m: Move) -> i64 {
        match self {
            OfMove::ToSpace => i64::from(view.to_space(m)),
            OfMove::Card => seen(view.card(m)),
            OfMove::EmptiesPile => i64::from(view.empties_pile(m)),
            OfMove::TurnsUp => i64::from(view.turns_up(m)),
            alone => alone.of_alone(m).unwrap_or(0),
        }
    }
}

/// A property of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfCard {
    Rank,
    Suit,
    Red,
    Up,
}

/// Every property of a card by name.
pub const OF_CARD: [(&str, OfCard); 4] =
    [("rank", OfCard::Rank), ("suit", OfCard::Suit), ("red", OfCard::Red), ("up", OfCard::Up)];

impl OfCard {
    pub fn types(self) -> Types {
        if self == OfCard::Red { Types::BOOL } else { Types::INT }
    }

    /// What follows from the card alone; `None` where the base rank is asked.
    #[inline(always)]
    pub fn of_alone(self, bits: i64) -> Option<i64> {
        Some(match self {
            OfCard::Rank => ((bits - CARDS) >> 2) + 1,
            OfCard::Suit => (bits & 3) + 1,
            OfCard::Red => i64::from(card(bits).suit().is_red()),
            OfCard::Up => return None,
        })
    }

    #[inline(always)]
    pub fn read(self, view: &View<'_>, bits: i64) -> i64 {
        let up = || view.base().map_or(0, |base| card(bits).rank().steps_above(base) as i64);
        self.of_alone(bits).unwrap_or_else(up)
    }
}
