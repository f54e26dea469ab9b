//! The queries of scripts about a position: properties of the view, of moves, cards and seats, and methods, the
//! *intrinsics*. Compiled code and the interpreter both get their answers here. The name of each in scripts is that of its
//! variant, and its description is the variant's doc comment: [`super::names`] has the table of all of them.

use strum::{Display, EnumIter, EnumMessage, EnumString, IntoStaticStr};

use crate::cards::{Card, Suit};
use crate::game::{Lookahead, Move, Place, View};

use super::value::{CARDS, SEATS, Types, UNIT, seen};

/// A property of the view: constant within a decision, so it is read once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[derive(Display, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ViewProperty {
    /// The base rank, 1 to 13; 0 before it is chosen.
    Base,
    /// Cards on the foundations.
    Cards,
    /// Cards left in all reserves.
    ReserveLeft,
    /// The top of the first reserve, if it is face up.
    ReserveTop,
    /// How many reserve piles there are.
    Reserves,
    /// How many tableau piles there are.
    Piles,
    /// How many piles are empty.
    Spaces,
    /// Cards in the stock.
    StockLeft,
    /// Cards in the waste.
    WasteLeft,
    /// The top of the waste.
    WasteTop,
    /// The pass through the stock, from 1.
    Pass,
    /// Redeals left; -1 where they are unlimited.
    RedealsLeft,
    /// Cards in the next packet; 0 if a die has yet to be rolled.
    Draw,
    /// The price of the deck in cents; where it is bought in stages, what was paid so far.
    Stake,
    /// What each card on the foundations pays at the end, in cents; see `pay` where that changes with their number.
    PaysPerCard,
    /// What the next redeal costs, in cents.
    RedealFee,
    /// Faces of the die that says how many cards are drawn; 0 where there is none.
    Faces,
    /// The game is over there for certain; never so in the view that you are asked about.
    Ended,
    /// How many players there are, you included.
    Seats,
    /// Your seat, from 1.
    Seat,
}

/// What changes a property of the view during a game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ChangedBy {
    /// Plays alone, as all reserves and piles.
    Plays,
    /// Draws, and perhaps more.
    Draws,
    /// Anything but draws, or nothing.
    Rest,
}

impl ViewProperty {
    /// Returns what changes the property. A script is not asked again after a draw if it reads nothing that draws change.
    pub fn changed_by(self) -> ChangedBy {
        use ViewProperty::*;
        match self {
            Reserves | ReserveLeft | ReserveTop | Piles | Spaces => ChangedBy::Plays,
            StockLeft | WasteLeft | WasteTop => ChangedBy::Draws,
            Base | Cards | Pass | RedealsLeft | Draw | Seats | Seat => ChangedBy::Rest,
            Stake | PaysPerCard | RedealFee | Faces | Ended => ChangedBy::Rest,
        }
    }

    pub fn types(self) -> Types {
        match self {
            ViewProperty::ReserveTop | ViewProperty::WasteTop => Types::CARD_OR_UNIT,
            ViewProperty::Ended => Types::BOOL,
            _ => Types::INT,
        }
    }

    pub fn read(self, view: &View<'_>) -> i64 {
        match self {
            ViewProperty::Base => view.base().map_or(0, |base| base.number()),
            ViewProperty::Cards => view.cards() as i64,
            ViewProperty::Reserves => view.reserves() as i64,
            ViewProperty::ReserveLeft => view.reserve_left() as i64,
            ViewProperty::ReserveTop => seen(view.reserve_top()),
            ViewProperty::Piles => view.piles() as i64,
            ViewProperty::Spaces => view.spaces() as i64,
            ViewProperty::StockLeft => view.stock_left() as i64,
            ViewProperty::WasteLeft => view.waste_left() as i64,
            ViewProperty::WasteTop => seen(view.waste_top()),
            ViewProperty::Pass => i64::from(view.pass()),
            ViewProperty::RedealsLeft => view.redeals_left().map_or(-1, i64::from),
            ViewProperty::Draw => view.draw() as i64,
            ViewProperty::Seats => view.seats() as i64,
            ViewProperty::Seat => view.seat() as i64 + 1,
            ViewProperty::Stake => view.stake(),
            ViewProperty::PaysPerCard => view.rules().casino.pays_per_card,
            ViewProperty::RedealFee => view.redeal_fee(),
            ViewProperty::Faces => view.faces() as i64,
            // Nobody is asked after the end of a game.
            ViewProperty::Ended => 0,
        }
    }

    /// Like `read`, for a lookahead position with its view.
    pub fn read_ahead(self, ahead: &Lookahead, view: &View<'_>) -> i64 {
        match self {
            ViewProperty::ReserveTop => seen(ahead.reserve(0, 0)),
            ViewProperty::WasteTop => seen(ahead.waste(0)),
            ViewProperty::Ended => i64::from(ahead.ended()),
            _ => self.read(view),
        }
    }
}

/// A method with arguments, of the view or of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[derive(EnumIter, EnumMessage, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Intrinsic {
    /// Cards on the foundations of the suit with this number, from 1 to 4.
    Foundation,
    /// Whether the foundations would take the card now.
    Wants,
    /// How many cards of its suit must go up before it.
    Steps,
    /// The card `i` places below the top of the first reserve, if face up.
    Reserve,
    /// All cards of a reserve, those face down included.
    ReserveLen,
    /// The card `i` places below the top of a reserve, if face up.
    ReservePile,
    /// All cards of a pile, those face down included.
    PileLen,
    /// The top card of a pile; `()` for a space.
    PileTop,
    /// The card `i` places below the top of a pile, if face up.
    Pile,
    /// The card `i` places below the top of the waste; in a squared waste only the top is seen, and cards that were
    /// bought.
    Waste,
    /// The stock card that comes up after `i` others, if it is known from an earlier pass or was bought.
    Coming,
    /// What the house pays for a game that ends with `n` cards on the foundations, in cents: steps, the bonus for a win
    /// and the jackpot as it starts included, fees of redeals not taken off.
    Pay,
    /// A random whole number from 0 to n - 1; the same each time that the game is played again.
    Random,
    /// What everyone can see at a seat; it may be your own.
    At,
    /// All cards of a pile, those face down included.
    #[strum(serialize = "pile_len")]
    SeatPileLen,
    /// The top card of a pile; `()` for a space.
    #[strum(serialize = "pile_top")]
    SeatPileTop,
    /// The card `i` places below the top of a pile, if face up.
    #[strum(serialize = "pile")]
    SeatPile,
}

/// Converts a number counted from 1 to an index; `None` outside of `1..=last`.
#[inline(always)]
fn number(n: i64, last: usize) -> Option<usize> {
    let index = (n as u64).wrapping_sub(1);
    (index < last as u64).then_some(index as usize)
}

/// Converts a distance below a top; `None` if negative.
#[inline(always)]
fn below(n: i64) -> Option<usize> {
    usize::try_from(n).ok()
}

fn card(bits: i64) -> Card {
    Card::of_pack(0, (bits & 63) as usize)
}

impl Intrinsic {
    pub fn types(self) -> Types {
        match self {
            Intrinsic::Foundation
            | Intrinsic::Steps
            | Intrinsic::ReserveLen
            | Intrinsic::PileLen
            | Intrinsic::Pay
            | Intrinsic::Random => Types::INT,
            Intrinsic::SeatPileLen => Types::INT,
            Intrinsic::Wants => Types::BOOL,
            Intrinsic::At => Types::SEAT,
            _ => Types::CARD_OR_UNIT,
        }
    }

    /// Returns whether it is a method of a seat, which is the first argument.
    pub fn is_of_seat(self) -> bool {
        matches!(self, Intrinsic::SeatPileLen | Intrinsic::SeatPileTop | Intrinsic::SeatPile)
    }

    /// Returns whether the result depends only on the position and the arguments.
    pub fn is_pure(self) -> bool {
        self != Intrinsic::Random
    }

    /// Returns the result; `None` if the interpreter has to report a fault.
    #[inline(always)]
    pub fn answer(self, view: &View<'_>, a: i64, b: i64, c: i64) -> Option<i64> {
        Some(match self {
            Intrinsic::Foundation => view.foundation(Suit::from_index(number(a, 4)?)) as i64,
            Intrinsic::Wants => i64::from(a != UNIT && view.wants(card(a))),
            Intrinsic::Steps => view.steps(card(a)) as i64,
            Intrinsic::Reserve => seen(view.reserve(0, below(a)?)),
            Intrinsic::ReservePile => seen(view.reserve(number(a, view.reserves())?, below(b)?)),
            Intrinsic::ReserveLen => view.reserve_len(number(a, view.reserves())?) as i64,
            Intrinsic::PileLen => view.pile_len(number(a, view.piles())?) as i64,
            Intrinsic::PileTop => seen(view.pile_top(number(a, view.piles())?)),
            Intrinsic::Pile => seen(view.pile(number(a, view.piles())?, below(b)?)),
            Intrinsic::Waste => seen(view.waste(below(a)?)),
            Intrinsic::Coming => seen(view.coming(below(a)?)),
            Intrinsic::Pay => view.pay(below(a).filter(|&cards| cards <= view.all_cards())?),
            Intrinsic::Random => {
                number(a, u32::MAX as usize)?;
                i64::from(view.random(a as u32))
            }
            Intrinsic::At => SEATS + number(a, view.seats())? as i64,
            Intrinsic::SeatPileLen => {
                let other = view.other((a - SEATS) as usize)?;
                other.pile_len(number(b, other.piles())?) as i64
            }
            Intrinsic::SeatPileTop => {
                let other = view.other((a - SEATS) as usize)?;
                seen(other.pile_top(number(b, other.piles())?))
            }
            Intrinsic::SeatPile => {
                let other = view.other((a - SEATS) as usize)?;
                seen(other.pile(number(b, other.piles())?, below(c)?))
            }
        })
    }

    /// Like [`Intrinsic::answer`], for a lookahead position with its view.
    pub fn answer_ahead(self, ahead: &Lookahead, view: &View<'_>, a: i64, b: i64, c: i64) -> Option<i64> {
        Some(match self {
            Intrinsic::Reserve => seen(ahead.reserve(0, below(a)?)),
            Intrinsic::ReservePile => seen(ahead.reserve(number(a, view.reserves())?, below(b)?)),
            Intrinsic::PileTop => seen(ahead.pile(number(a, view.piles())?, 0)),
            Intrinsic::Pile => seen(ahead.pile(number(a, view.piles())?, below(b)?)),
            Intrinsic::Waste => seen(ahead.waste(below(a)?)),
            Intrinsic::Coming => seen(ahead.coming(below(a)?)),
            Intrinsic::SeatPileLen => view.own_seat().pile_len(number(b, view.piles())?) as i64,
            Intrinsic::SeatPileTop => seen(ahead.known(view.own_seat().pile(number(b, view.piles())?, 0))),
            Intrinsic::SeatPile => {
                seen(ahead.known(view.own_seat().pile(number(b, view.piles())?, below(c)?)))
            }
            _ => self.answer(view, a, b, c)?,
        })
    }
}

/// A property of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[derive(Display, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SeatProperty {
    /// The player's points so far, those of the current deal included.
    Score,
    /// Cards that the player has on the foundations.
    Cards,
    /// Cards left in all reserves.
    ReserveLeft,
    /// The top of the first reserve, if it is face up.
    ReserveTop,
    /// How many piles are empty.
    Spaces,
    /// Cards in the stock.
    StockLeft,
    /// Cards in the waste.
    WasteLeft,
    /// The top of the waste.
    WasteTop,
}

impl SeatProperty {
    pub fn types(self) -> Types {
        match self {
            SeatProperty::ReserveTop | SeatProperty::WasteTop => Types::CARD_OR_UNIT,
            _ => Types::INT,
        }
    }

    pub fn read(self, view: &View<'_>, seat: i64) -> Option<i64> {
        let seat = (seat - SEATS) as usize;
        if self == SeatProperty::Score {
            return Some(view.score(seat));
        }
        Some(self.read_of(&view.other(seat)?, |card| card))
    }

    /// Like `read`, for the player's own seat in a lookahead position with its view.
    pub fn read_ahead(self, ahead: &Lookahead, view: &View<'_>) -> i64 {
        if self == SeatProperty::Score {
            return view.score(view.seat());
        }
        self.read_of(&view.own_seat(), |card| ahead.known(card))
    }

    #[inline(always)]
    fn read_of(self, seat: &View<'_>, known: impl Fn(Option<Card>) -> Option<Card>) -> i64 {
        match self {
            SeatProperty::Score | SeatProperty::Cards => seat.cards() as i64,
            SeatProperty::ReserveLeft => seat.reserve_left() as i64,
            SeatProperty::ReserveTop => seen(known(seat.reserve_top())),
            SeatProperty::Spaces => seat.spaces() as i64,
            SeatProperty::StockLeft => seat.stock_left() as i64,
            SeatProperty::WasteLeft => seat.waste_left() as i64,
            SeatProperty::WasteTop => seen(known(seat.waste_top())),
        }
    }
}

/// A property of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[derive(Display, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum MoveProperty {
    /// The move is to the foundations.
    ToFoundation,
    /// The move is to a tableau pile, or into a space.
    ToTableau,
    /// The move is into a space.
    ToSpace,
    /// The move is from the reserve.
    FromReserve,
    /// The move is from the waste.
    FromWaste,
    /// The move is from a tableau pile.
    FromTableau,
    /// The move is from a foundation back to the tableau.
    FromFoundation,
    /// The move is a draw: one packet from the stock to the waste.
    IsDraw,
    /// The move is a redeal: the waste becomes the stock again.
    IsRedeal,
    /// The lowest card moved; `()` for a draw, a redeal and a card not seen.
    Card,
    /// How many cards move; 0 for a draw and a redeal.
    Count,
    /// The number of the tableau pile it leaves, starting at 1; 0 if it leaves none.
    Source,
    /// The number of the tableau pile it goes to, starting at 1; 0 if it goes to none.
    Target,
    /// The move empties a pile, even if the space is filled at once.
    EmptiesPile,
    /// The move uncovers a hidden card.
    TurnsUp,
    /// A die is rolled with the move: ask for `after_roll`, not `after`.
    Rolls,
}

#[inline(always)]
fn pile_number(place: Place) -> i64 {
    if let Place::Pile(pile) = place { pile as i64 + 1 } else { 0 }
}

impl MoveProperty {
    pub fn types(self) -> Types {
        match self {
            MoveProperty::Card => Types::CARD_OR_UNIT,
            MoveProperty::Count | MoveProperty::Source | MoveProperty::Target => Types::INT,
            _ => Types::BOOL,
        }
    }

    /// Returns what follows from the move alone; `None` if it depends on the position.
    #[inline(always)]
    pub fn of_alone(self, m: Move) -> Option<i64> {
        Some(match self {
            MoveProperty::ToFoundation => i64::from(m.to_foundation()),
            MoveProperty::ToTableau => i64::from(m.to_tableau()),
            MoveProperty::FromReserve => i64::from(m.from_reserve()),
            MoveProperty::FromWaste => i64::from(m.from_waste()),
            MoveProperty::FromTableau => i64::from(m.from_tableau()),
            MoveProperty::FromFoundation => i64::from(m.from_foundation()),
            MoveProperty::IsDraw => i64::from(m.is_draw()),
            MoveProperty::IsRedeal => i64::from(m.is_redeal()),
            MoveProperty::Count => m.count() as i64,
            MoveProperty::Source => pile_number(m.source()),
            MoveProperty::Target => pile_number(m.target()),
            MoveProperty::ToSpace
            | MoveProperty::Card
            | MoveProperty::EmptiesPile
            | MoveProperty::TurnsUp
            | MoveProperty::Rolls => return None,
        })
    }

    #[inline(always)]
    pub fn read(self, view: &View<'_>, m: Move) -> i64 {
        match self {
            MoveProperty::ToSpace => i64::from(view.to_space(m)),
            MoveProperty::Card => seen(view.card(m)),
            MoveProperty::EmptiesPile => i64::from(view.empties_pile(m)),
            MoveProperty::TurnsUp => i64::from(view.turns_up(m)),
            MoveProperty::Rolls => i64::from(view.rolls(m)),
            alone => alone.of_alone(m).unwrap_or(0),
        }
    }

    /// Like `read`, for a move in a lookahead position with its view.
    pub fn read_ahead(self, ahead: &Lookahead, view: &View<'_>, m: Move) -> i64 {
        if self == MoveProperty::Card { seen(ahead.card(m)) } else { self.read(view, m) }
    }
}

/// A property of a card.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
pub enum CardProperty {
    /// 1 for an ace to 13 for a king.
    Rank,
    /// 1 clubs, 2 diamonds, 3 hearts, 4 spades.
    Suit,
    /// It is a diamond or a heart.
    Red,
    /// Steps above the base rank, with A after K: 0 to 12; 0 until the base is chosen.
    Up,
    /// A number with one bit, another for each kind of card: the set of this card alone.
    Bit,
}

impl CardProperty {
    pub fn types(self) -> Types {
        if self == CardProperty::Red { Types::BOOL } else { Types::INT }
    }

    /// Returns what follows from the card alone; `None` if it depends on the base rank.
    #[inline(always)]
    pub fn of_alone(self, bits: i64) -> Option<i64> {
        Some(match self {
            CardProperty::Rank => ((bits - CARDS) >> 2) + 1,
            CardProperty::Suit => (bits & 3) + 1,
            CardProperty::Red => i64::from(card(bits).suit().is_red()),
            CardProperty::Bit => 1 << ((bits - CARDS) & 63),
            CardProperty::Up => return None,
        })
    }

    #[inline(always)]
    pub fn read(self, view: &View<'_>, bits: i64) -> i64 {
        let steps = |base| card(bits).rank().steps_above(base, view.compiled().hot.pack) as i64;
        self.of_alone(bits).unwrap_or_else(|| view.base().map_or(0, steps))
    }
}

/// A method of whole numbers: of their bits, and of the sets of cards that they encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumIter, EnumMessage, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum NumberMethod {
    /// Whether the card is in this set of cards. A set is a whole number, 0 without cards; packs are not told apart.
    Has,
    /// The set with the card. The number itself stays what it is: write `seen = seen.add(c)`.
    Add,
    /// The set without the card.
    Without,
    /// How many bits are 1: the cards of a set.
    Popcount,
    /// All 64 bits the other way round.
    BitNot,
}

impl NumberMethod {
    pub fn types(self) -> Types {
        if self == NumberMethod::Has { Types::BOOL } else { Types::INT }
    }

    /// Returns the result for a number and the bit of a card.
    pub fn of(self, n: i64, bit: i64) -> i64 {
        match self {
            NumberMethod::Popcount => n.count_ones().into(),
            NumberMethod::BitNot => !n,
            NumberMethod::Has => i64::from(n & bit != 0),
            NumberMethod::Add => n | bit,
            NumberMethod::Without => n & !bit,
        }
    }
}
