//! Gives a script engine the names of the game.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, EvalAltResult};

use crate::cards::{Card, Rank, Suit};
use crate::game::{Move, Place, Snapshot, View};

/// What the names read: the position of the decision being made. A script's own values hold no
/// part of it, so none of them outlives it.
pub type Desk = Rc<RefCell<Snapshot>>;

/// `view` in a script.
#[derive(Clone, Copy, Debug)]
pub struct ViewHandle;

/// A move in a script: its place in the list of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveHandle(pub u16);

/// A seat in a script: its number, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatHandle(pub u8);

type Fault = Box<EvalAltResult>;

/// A card in a script is its playing-card character. A `char` costs the interpreter no allocation,
/// and cards compare with each other and with `()` at the speed of built-in operators.
pub fn to_char(card: Card) -> char {
    const CLUBS: [u32; 4] = [0x1F0D0, 0x1F0C0, 0x1F0B0, 0x1F0A0];
    let rank = card.rank().index() as u32;
    // A knight stands between the jack and the queen.
    let place = rank + 1 + u32::from(rank > 10);
    char::from_u32(CLUBS[card.suit().index()] + place).unwrap_or('?')
}

pub fn from_char(card: char) -> Result<Card, Fault> {
    let code = card as u32;
    let (suit, place) = ((0x1F0DF_u32.wrapping_sub(code)) / 16, code % 16);
    if suit > 3 || !matches!(place, 1..=11 | 13 | 14) {
        return Err(format!("`{card}` is a character, not a card").into());
    }
    let rank = place - 1 - u32::from(place > 12);
    Ok(Card::new(Rank::from_index(rank as usize), Suit::from_index(suit as usize)))
}

/// A card in notation, for what a script prints; other characters as they are.
pub fn show_char(card: char) -> String {
    from_char(card).map_or_else(|_| card.to_string(), |card| card.to_string())
}

fn seen(card: Option<Card>) -> Dynamic {
    card.map_or(Dynamic::UNIT, |card| Dynamic::from(to_char(card)))
}

/// Runs `f` on the view of the desk.
#[inline(always)]
fn look<T>(desk: &Desk, f: impl FnOnce(View<'_>) -> T) -> Result<T, Fault> {
    match desk.borrow().view() {
        Some(view) => Ok(f(view)),
        None => Err("there is no game to look at yet".into()),
    }
}

/// Runs `f` on a move and the view of the desk.
#[inline(always)]
fn of_move<T>(desk: &Desk, m: MoveHandle, f: impl FnOnce(Move, View<'_>) -> T) -> Result<T, Fault> {
    let desk = desk.borrow();
    match (desk.moves().get(m.0 as usize), desk.view()) {
        (Some(&m), Some(view)) => Ok(f(m, view)),
        _ => Err("there is no such move".into()),
    }
}

/// A number a script gives, checked and counted from 0.
fn number(name: &str, what: &str, n: i64, first: i64, last: i64) -> Result<usize, Fault> {
    if (first..=last).contains(&n) {
        return Ok((n - first) as usize);
    }
    let whose = if first == 1 { format!("{what} count from 1 to {last}") } else { what.to_string() };
    Err(format!("`{name}` was given {n}: {whose}").into())
}

fn below(name: &str, i: i64) -> Result<usize, Fault> {
    number(name, "cards count from 0, the top itself", i, 0, i64::MAX)
}

/// Registers every name of the list.
pub fn register(engine: &mut Engine, desk: &Desk) {
    engine.register_type_with_name::<ViewHandle>("View");
    engine.register_type_with_name::<MoveHandle>("Move");
    engine.register_type_with_name::<char>("Card");
    engine.register_type_with_name::<SeatHandle>("Seat");
    register_moves(engine, desk);
    register_cards(engine, desk);
    register_view(engine, desk);
    register_view_methods(engine, desk);
    register_seats(engine, desk);
}

fn register_moves(engine: &mut Engine, desk: &Desk) {
    macro_rules! property {
        ($($name:literal => $f:expr;)*) => { $({
            let desk = desk.clone();
            engine.register_get($name, move |m: &mut MoveHandle| of_move(&desk, *m, $f));
        })* };
    }
    property! {
        "to_foundation" => |m, _| m.to_foundation();
        "to_tableau" => |m, _| m.to_tableau();
        "to_space" => |m, view| view.to_space(m);
        "from_reserve" => |m, _| m.from_reserve();
        "from_waste" => |m, _| m.from_waste();
        "from_tableau" => |m, _| m.from_tableau();
        "from_foundation" => |m, _| m.from_foundation();
        "is_draw" => |m, _| m.is_draw();
        "is_redeal" => |m, _| m.is_redeal();
        "card" => |m, view| seen(view.card(m));
        "count" => |m, _| m.count() as i64;
        "source" => |m, _| pile_number(m.source());
        "target" => |m, _| pile_number(m.target());
        "empties_pile" => |m, view| view.empties_pile(m);
        "turns_up" => |m, view| view.turns_up(m);
    }
    engine.register_fn("==", |a: MoveHandle, b: MoveHandle| a == b);
    engine.register_fn("!=", |a: MoveHandle, b: MoveHandle| a != b);
    let desk = desk.clone();
    let notation = move |m: &mut MoveHandle| {
        of_move(&desk, *m, |m, view| m.notation(view.rules().reserve.piles as usize))
    };
    engine.register_fn("to_string", notation.clone());
    engine.register_fn("to_debug", notation);
}

fn pile_number(place: Place) -> i64 {
    if let Place::Pile(pile) = place { pile as i64 + 1 } else { 0 }
}

fn register_cards(engine: &mut Engine, desk: &Desk) {
    engine.register_get("rank", |c: &mut char| from_char(*c).map(|card| card.rank().number()));
    engine.register_get("suit", |c: &mut char| from_char(*c).map(|card| card.suit().index() as i64 + 1));
    engine.register_get("red", |c: &mut char| from_char(*c).map(|card| card.suit().is_red()));
    let at = desk.clone();
    engine.register_get("up", move |c: &mut char| {
        let card = from_char(*c)?;
        look(&at, |view| view.base().map_or(0, |base| card.rank().steps_above(base) as i64))
    });
    engine.register_fn("to_string", |c: &mut char| show_char(*c));
    engine.register_fn("to_debug", |c: &mut char| show_char(*c));
}

fn register_view(engine: &mut Engine, desk: &Desk) {
    macro_rules! property {
        ($($name:literal => $f:expr;)*) => { $({
            let desk = desk.clone();
            engine.register_get($name, move |_: &mut ViewHandle| look(&desk, $f));
        })* };
    }
    property! {
        "base" => |view| view.base().map_or(0, |base| base.number());
        "cards" => |view| view.cards() as i64;
        "reserves" => |view| view.reserves() as i64;
        "reserve_left" => |view| view.reserve_left() as i64;
        "reserve_top" => |view| seen(view.reserve_top());
        "piles" => |view| view.piles() as i64;
        "spaces" => |view| view.spaces() as i64;
        "stock_left" => |view| view.stock_left() as i64;
        "waste_left" => |view| view.waste_left() as i64;
        "waste_top" => |view| seen(view.waste_top());
        "pass" => |view| i64::from(view.pass());
        "redeals_left" => |view| view.redeals_left().map_or(-1, i64::from);
        "draw" => |view| view.draw() as i64;
        "seats" => |view| view.seats() as i64;
        "seat" => |view| view.seat() as i64 + 1;
        "stake" => |view| view.stake();
        "pays_per_card" => |view| view.rules().casino.pays_per_card;
    }
    let desk = desk.clone();
    engine.register_get("moves", move |_: &mut ViewHandle| -> Array {
        (0..desk.borrow().moves().len()).map(|i| Dynamic::from(MoveHandle(i as u16))).collect()
    });
}

fn register_view_methods(engine: &mut Engine, desk: &Desk) {
    macro_rules! method {
        ($($name:literal => |$view:ident, $($arg:ident: $type:ty),+| $f:expr;)*) => { $({
            let desk = desk.clone();
            engine.register_fn($name, move |_: &mut ViewHandle, $($arg: $type),+| {
                look(&desk, |$view| -> Result<_, Fault> { Ok($f) })?
            });
        })* };
    }
    fn reserve(name: &str, view: View<'_>, r: i64) -> Result<usize, Fault> {
        number(name, "reserves", r, 1, view.reserves() as i64)
    }
    method! {
        "foundation" => |view, s: i64| {
            view.foundation(Suit::from_index(number("foundation", "suits", s, 1, 4)?)) as i64
        };
        "wants" => |view, c: char| view.wants(from_char(c)?);
        "wants" => |_view, _none: ()| false;
        "steps" => |view, c: char| view.steps(from_char(c)?) as i64;
        "reserve" => |view, i: i64| seen(view.reserve(0, below("reserve", i)?));
        "reserve_pile" => |view, r: i64, i: i64| {
            seen(view.reserve(reserve("reserve_pile", view, r)?, below("reserve_pile", i)?))
        };
        "reserve_len" => |view, r: i64| view.reserve_len(reserve("reserve_len", view, r)?) as i64;
        "pile_len" => |view, p: i64| view.pile_len(pile("pile_len", view, p)?) as i64;
        "pile_top" => |view, p: i64| seen(view.pile_top(pile("pile_top", view, p)?));
        "pile" => |view, p: i64, i: i64| seen(view.pile(pile("pile", view, p)?, below("pile", i)?));
        "waste" => |view, i: i64| seen(view.waste(below("waste", i)?));
        "coming" => |view, i: i64| seen(view.coming(below("coming", i)?));
        "random" => |view, n: i64| {
            let last = number("random", "numbers", n, 1, i64::from(u32::MAX))?;
            i64::from(view.random(last as u32 + 1))
        };
    }
}

fn pile(name: &str, view: View<'_>, p: i64) -> Result<usize, Fault> {
    number(name, "piles", p, 1, view.piles() as i64)
}

/// What lies open at a seat, for those around the table.
fn register_seats(engine: &mut Engine, desk: &Desk) {
    fn at<T>(desk: &Desk, seat: SeatHandle, f: impl FnOnce(View<'_>) -> T) -> Result<T, Fault> {
        let gone = || Fault::from("nobody sits there any more");
        look(desk, |view| view.other(seat.0.into()).map(f))?.ok_or_else(gone)
    }
    let seats = desk.clone();
    engine.register_fn("at", move |_: &mut ViewHandle, s: i64| -> Result<SeatHandle, Fault> {
        let last = look(&seats, |view| view.seats() as i64)?;
        Ok(SeatHandle(number("at", "seats", s, 1, last)? as u8))
    });
    let score = desk.clone();
    engine.register_get("score", move |s: &mut SeatHandle| look(&score, |view| view.score(s.0.into())));
    macro_rules! property {
        ($($name:literal => $f:expr;)*) => { $({
            let desk = desk.clone();
            engine.register_get($name, move |s: &mut SeatHandle| at(&desk, *s, $f));
        })* };
    }
    property! {
        "cards" => |view| view.cards() as i64;
        "reserve_left" => |view| view.reserve_left() as i64;
        "reserve_top" => |view| seen(view.reserve_top());
        "spaces" => |view| view.spaces() as i64;
        "stock_left" => |view| view.stock_left() as i64;
        "waste_left" => |view| view.waste_left() as i64;
        "waste_top" => |view| seen(view.waste_top());
    }
    macro_rules! method {
        ($($name:literal => |$view:ident, $($arg:ident),+| $f:expr;)*) => { $({
            let desk = desk.clone();
            engine.register_fn($name, move |s: &mut SeatHandle, $($arg: i64),+| {
                at(&desk, *s, |$view| -> Result<_, Fault> { Ok($f) })?
            });
        })* };
    }
    method! {
        "pile_len" => |view, p| view.pile_len(pile("pile_len", view, p)?) as i64;
        "pile_top" => |view, p| seen(view.pile_top(pile("pile_top", view, p)?));
        "pile" => |view, p, i| seen(view.pile(pile("pile", view, p)?, below("pile", i)?));
    }
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
