//! Registers the names of the game, [`NAMES`], with a script engine.

use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, FuncRegistration, Module};

use crate::cards::Suit;
use crate::game::{Lookahead, MEMORY, Move, View};

use super::desk::Desk;
use super::handles::{Fault, MemoryHandle, MoveHandle, SeatHandle, ViewHandle, from_char, show_char};
use super::intrinsics::{CardProperty, Intrinsic};
use super::meter::{SharedMeter, list_of_moves};
use super::names::{Meaning, NAMES, Name, Parameter, ValueKind};
use super::playout::Players;
use super::think;
use super::value::{CARDS, SEATS, Types, UNIT, Value};

/// Converts a value for the interpreter.
fn dynamic(types: Types, bits: i64) -> Dynamic {
    Value { bits, is_int: types == Types::INT }.to_dynamic()
}

/// Calls `f` with the view of the desk.
#[inline(always)]
pub(super) fn look<T>(desk: &Desk, f: impl FnOnce(View<'_>) -> T) -> Result<T, Fault> {
    match desk.borrow().view() {
        Some(view) => Ok(f(view)),
        None => Err("there is no game to look at yet".into()),
    }
}

/// Calls `f` with a view, and with its position if it belongs to a lookahead.
#[inline(always)]
fn look_at<T>(
    desk: &Desk,
    view: &ViewHandle,
    f: impl FnOnce(View<'_>, Option<&Lookahead>) -> T,
) -> Result<T, Fault> {
    match &view.0 {
        None => look(desk, |view| f(view, None)),
        Some(ahead) => Ok(f(ahead.view(desk.borrow().rng()), Some(ahead))),
    }
}

/// Calls `f` with a move and its view, and with the position of that if it belongs to a lookahead.
#[inline(always)]
fn of_move<T>(
    desk: &Desk,
    m: &MoveHandle,
    f: impl FnOnce(Move, View<'_>, Option<&Lookahead>) -> T,
) -> Result<T, Fault> {
    let desk = desk.borrow();
    let (moves, view) = match &m.of {
        None => (desk.moves(), desk.view()),
        Some(ahead) => (ahead.moves(), Some(ahead.view(desk.rng()))),
    };
    match (moves.get(usize::from(m.index)), view) {
        (Some(&it), Some(view)) => Ok(f(it, view, m.of.as_deref())),
        _ => Err("there is no such move".into()),
    }
}

/// Registers every name of the table.
pub fn register(engine: &mut Engine, desk: &Desk, meter: &SharedMeter, players: &Rc<Players>) {
    engine.register_type_with_name::<ViewHandle>("View");
    engine.register_type_with_name::<MoveHandle>("Move");
    engine.register_type_with_name::<char>("Card");
    engine.register_type_with_name::<SeatHandle>("Seat");
    engine.register_type_with_name::<MemoryHandle>("Memory");
    for name in NAMES {
        register_name(engine, desk.clone(), meter, name);
    }
    think::register(engine, desk, meter, players);
    engine.register_fn("==", |a: MoveHandle, b: MoveHandle| a == b);
    engine.register_fn("!=", |a: MoveHandle, b: MoveHandle| a != b);
    let desk = desk.clone();
    let notation = move |m: &mut MoveHandle| {
        of_move(&desk, m, |m, view, _| m.notation(view.rules().reserve.piles as usize))
    };
    engine.register_fn("to_string", notation.clone());
    engine.register_fn("to_debug", notation);
    engine.register_fn("to_string", |c: &mut char| show_char(*c));
    engine.register_fn("to_debug", |c: &mut char| show_char(*c));
}

fn register_name(engine: &mut Engine, desk: Desk, meter: &SharedMeter, name: &'static Name) {
    let types = name.meaning.types();
    match name.meaning {
        Meaning::Moves => {
            let meter = meter.clone();
            engine.register_get(name.name, move |view: &mut ViewHandle| -> Result<Array, Fault> {
                let moves =
                    view.0.as_ref().map_or_else(|| desk.borrow().moves().len(), |it| it.moves().len());
                meter.charge(list_of_moves(moves))?;
                let each = (0..moves).map(|i| MoveHandle { index: i as u16, of: view.0.clone() });
                Ok(each.map(Dynamic::from).collect())
            });
        }
        Meaning::Memory => register_memory(engine, &desk, name.name),
        Meaning::View(property) => {
            engine.register_get(name.name, move |view: &mut ViewHandle| {
                let read = |view: View<'_>, ahead: Option<&Lookahead>| match ahead {
                    None => property.read(&view),
                    Some(ahead) => property.read_ahead(ahead, &view),
                };
                look_at(&desk, view, read).map(|bits| dynamic(types, bits))
            });
        }
        Meaning::Move(property) => {
            engine.register_get(name.name, move |m: &mut MoveHandle| {
                let read = |m, view: View<'_>, ahead: Option<&Lookahead>| match ahead {
                    None => property.read(&view, m),
                    Some(ahead) => property.read_ahead(ahead, &view, m),
                };
                of_move(&desk, m, read).map(|bits| dynamic(types, bits))
            });
        }
        Meaning::Card(property) => {
            engine.register_get(name.name, move |c: &mut char| {
                let card = CARDS + from_char(*c)?.kind() as i64;
                match property.of_alone(card) {
                    Some(bits) => Ok(dynamic(types, bits)),
                    None => look(&desk, |view| dynamic(types, property.read(&view, card))),
                }
            });
        }
        Meaning::Seat(property) => {
            engine.register_get(name.name, move |s: &mut SeatHandle| {
                let seat = SEATS + i64::from(s.seat);
                let bits = look_at(&desk, &ViewHandle(s.of.clone()), |view, ahead| match ahead {
                    None => property.read(&view, seat),
                    Some(ahead) => Some(property.read_ahead(ahead, &view)),
                })?;
                bits.map(|bits| dynamic(types, bits)).ok_or_else(nobody)
            });
        }
        Meaning::Think(..) => {}
        Meaning::Number(of, parameters) => {
            let number = move |n: i64, bit: i64| dynamic(types, of.of(n, bit));
            if parameters.is_empty() {
                engine.register_fn(name.name, move |n: i64| number(n, 0));
            } else {
                engine.register_fn(name.name, move |n: i64, c: char| {
                    let card = CARDS + from_char(c)?.kind() as i64;
                    Ok::<_, Fault>(number(n, CardProperty::Bit.of_alone(card).unwrap_or(0)))
                });
            }
        }
        Meaning::Call(of, parameters) => {
            let call = Call { name: name.name, of, parameters, types, desk };
            if name.owner() == ValueKind::Seat {
                call.register_of_seat(engine)
            } else {
                call.register(engine)
            }
        }
    }
}

/// Registers `memory`. Functions see no variables from outside, so it is a constant whose elements can be read and set.
fn register_memory(engine: &mut Engine, desk: &Desk, name: &'static str) {
    let mut module = Module::new();
    module.set_var(name, MemoryHandle);
    engine.register_global_module(module.into());
    let from = desk.clone();
    engine.register_indexer_get(move |_: &mut MemoryHandle, place: i64| {
        look(&from, |view| view.remembered(place))?.ok_or_else(|| no_place(name, place))
    });
    let to = desk.clone();
    let set = move |_: &mut MemoryHandle, place: i64, number: i64| {
        look(&to, |view| view.remember(place, number))?.ok_or_else(|| no_place(name, place))
    };
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(engine, set);
    let set = move |_: &mut MemoryHandle, _: i64, _: Dynamic| -> Result<(), Fault> {
        Err(format!("`{name}` keeps whole numbers, and nothing else").into())
    };
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(engine, set);
}

fn no_place(name: &str, place: i64) -> Fault {
    format!("`{name}` was given {place}: its places count from 0 to {}", MEMORY - 1).into()
}

fn nobody() -> Fault {
    "nobody sits there any more".into()
}

/// A method and its parameters.
#[derive(Clone)]
struct Call {
    name: &'static str,
    of: Intrinsic,
    parameters: &'static [Parameter],
    types: Types,
    desk: Desk,
}

impl Call {
    fn register(self, engine: &mut Engine) {
        let name = self.name;
        match self.parameters {
            [Parameter::Card] => {
                engine.register_fn(name, move |v: &mut ViewHandle, c: char| self.of_card(v, c));
            }
            [Parameter::CardOrNone] => {
                let none = self.clone();
                engine.register_fn(name, move |v: &mut ViewHandle, c: char| self.of_card(v, c));
                engine.register_fn(name, move |v: &mut ViewHandle, (): ()| none.answer(v, [UNIT, 0, 0]));
            }
            [_] => {
                engine.register_fn(name, move |v: &mut ViewHandle, a: i64| self.checked(v, None, [a, 0]));
            }
            _ => {
                engine.register_fn(name, move |v: &mut ViewHandle, a: i64, b: i64| {
                    self.checked(v, None, [a, b])
                });
            }
        }
    }

    fn register_of_seat(self, engine: &mut Engine) {
        let name = self.name;
        if self.parameters.len() == 1 {
            engine.register_fn(name, move |s: &mut SeatHandle, a: i64| {
                self.checked(&ViewHandle(s.of.clone()), Some(s.seat), [a, 0])
            });
        } else {
            engine.register_fn(name, move |s: &mut SeatHandle, a: i64, b: i64| {
                self.checked(&ViewHandle(s.of.clone()), Some(s.seat), [a, b])
            });
        }
    }

    fn of_card(&self, view: &ViewHandle, card: char) -> Result<Dynamic, Fault> {
        self.answer(view, [CARDS + from_char(card)?.kind() as i64, 0, 0])
    }

    /// Returns the result for whole numbers, of a seat or of the view.
    fn checked(&self, view: &ViewHandle, seat: Option<u8>, [a, b]: [i64; 2]) -> Result<Dynamic, Fault> {
        look_at(&self.desk, view, |view, _| {
            let of = match seat {
                Some(seat) => view.other(seat.into()).ok_or_else(nobody)?,
                None => view,
            };
            let given = self.parameters.iter().zip([a, b]);
            given.into_iter().try_for_each(|(parameter, n)| check(self.name, *parameter, n, &of))
        })??;
        match seat {
            Some(seat) => self.answer(view, [SEATS + i64::from(seat), a, b]),
            None => self.answer(view, [a, b, 0]),
        }
    }

    fn answer(&self, view: &ViewHandle, [a, b, c]: [i64; 3]) -> Result<Dynamic, Fault> {
        let bits = look_at(&self.desk, view, |view, ahead| match ahead {
            None => self.of.answer(&view, a, b, c),
            Some(ahead) => self.of.answer_ahead(ahead, &view, a, b, c),
        })?;
        let bits = bits.ok_or_else(nobody)?;
        if self.of == Intrinsic::At
            && let Some(ahead) = &view.0
            && bits - SEATS == ahead.seat() as i64
        {
            return Ok(Dynamic::from(SeatHandle { seat: (bits - SEATS) as u8, of: Some(ahead.clone()) }));
        }
        Ok(dynamic(self.types, bits))
    }
}

/// Checks that a number from a script is allowed for the parameter.
fn check(name: &str, parameter: Parameter, n: i64, view: &View<'_>) -> Result<(), Fault> {
    let (what, last) = match parameter {
        Parameter::Suit => ("suits", Suit::ALL.len() as i64),
        Parameter::Pile => ("piles", view.piles() as i64),
        Parameter::Reserve => ("reserves", view.reserves() as i64),
        Parameter::Seat => ("seats", view.seats() as i64),
        Parameter::Numbers => ("numbers", i64::from(u32::MAX)),
        Parameter::Below if n < 0 => {
            return Err(format!("`{name}` was given {n}: cards count from 0, the top itself").into());
        }
        Parameter::Cards if !(0..=view.all_cards() as i64).contains(&n) => {
            return Err(
                format!("`{name}` was given {n}: a game has 0 to {} cards up", view.all_cards()).into()
            );
        }
        _ => return Ok(()),
    };
    if (1..=last).contains(&n) {
        return Ok(());
    }
    let why =
        if last < 1 { format!("there are no {what}") } else { format!("{what} count from 1 to {last}") };
    Err(format!("`{name}` was given {n}: {why}").into())
}
