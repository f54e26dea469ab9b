//! What the names of the game read and change while a script runs, and their registration with a script engine.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rhai::{Array, Dynamic, Engine, FuncRegistration, ImmutableString};

use crate::cards::Suit;
use crate::game::{Lookahead, MEMORY, Move, Snapshot, View};

use super::intrinsics::{CardProperty, Intrinsic};
use super::limits::{MAX_PRINTED, Meter, list_of_moves};
use super::module::Module;
use super::names::{Meaning, NAMES, Name, Parameter, Thought};
use super::value::{
    CARDS, Fault, MemoryHandle, MoveHandle, SEATS, SeatHandle, Types, UNIT, Value, ViewHandle, card_of,
    is_same, show_char,
};

/// The state shared by the names of an engine. A script's own values hold no part of it, so none of them outlives a
/// decision.
pub struct EvalContext {
    pub position: RefCell<Snapshot>,
    pub meter: Meter,
    pub printed: RefCell<Prints>,
    pub players: Rc<dyn Players>,
    pub module: OnceCell<Rc<Module>>,
    /// The costs of reading the long constants of the script.
    pub constants: RefCell<Vec<(String, u64)>>,
}

pub type Context = Rc<EvalContext>;

/// What a player is asked in a position.
#[derive(Clone, Copy)]
pub enum Task<'a> {
    /// The cards that go up when it plays this sampled deal to the end.
    Playout(&'a Lookahead, u64),
    /// The move that it would choose, unless it would resign.
    Choice(&'a Lookahead),
}

/// What a player answers: what was not asked for is 0 or `None`.
#[derive(Default)]
pub struct Answer {
    pub cards: i64,
    pub chosen: Option<Move>,
}

pub trait Players {
    fn ask(&self, context: &EvalContext, task: Task<'_>, name: &str) -> Result<Answer, Fault>;

    /// Explains why a strategy of the shelf cannot be asked by a method, if it cannot, and what is allowed.
    fn refused(&self, method: &str, name: &str) -> Option<(String, Option<String>)>;

    /// Returns players for a variant of the script, none of which has been asked yet.
    fn fresh(&self) -> Rc<dyn Players>;
}

impl EvalContext {
    /// Calls `f` with a view, and with its position if it belongs to a lookahead.
    #[inline(always)]
    pub fn look<T>(
        &self,
        view: &ViewHandle,
        f: impl FnOnce(View<'_>, Option<&Lookahead>) -> T,
    ) -> Result<T, Fault> {
        let position = self.position.borrow();
        match &view.0 {
            Some(ahead) => Ok(f(ahead.view(position.rng()), Some(ahead))),
            None => Ok(f(position.view().ok_or("there is no game to look at yet")?, None)),
        }
    }

    /// Calls `f` with a move and its view, and with the position of that if it belongs to a lookahead.
    #[inline(always)]
    pub fn look_at_move<T>(
        &self,
        m: &MoveHandle,
        f: impl FnOnce(Move, View<'_>, Option<&Lookahead>) -> T,
    ) -> Result<T, Fault> {
        let position = self.position.borrow();
        let (moves, view) = match &m.of {
            None => (position.moves(), position.view()),
            Some(ahead) => (ahead.moves(), Some(ahead.view(position.rng()))),
        };
        match (moves.get(usize::from(m.index)), view) {
            (Some(&it), Some(view)) => Ok(f(it, view, m.of.as_deref())),
            _ => Err("there is no such move".into()),
        }
    }

    pub fn notation(&self, m: &MoveHandle) -> Result<String, Fault> {
        self.look_at_move(m, |m, view, _| m.notation(view.rules().reserve.piles as usize))
    }
}

#[derive(Debug, Default)]
pub struct Prints {
    text: String,
    /// Whether a line did not fit: nothing after it is kept.
    pub is_full: bool,
}

impl Prints {
    /// Keeps lines while there is room. The first that does not fit is cut to an ellipsis.
    pub fn keep(&mut self, lines: &str) {
        if self.is_full {
            return;
        }
        self.is_full = self.text.len() + lines.len() >= MAX_PRINTED;
        self.text.push_str(if self.is_full { "..." } else { lines });
        self.text.push('\n');
    }

    pub fn take(&mut self) -> String {
        std::mem::take(self).text
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn cut(&mut self, len: usize) {
        if self.text.len() > len {
            self.text.truncate(len);
            self.is_full = false;
        }
    }
}

/// Operations charged for a position: it is built in about that time, and stored in two thousand bytes.
pub const POSITION: u64 = 30;
const SAMPLE: u64 = 60;

fn dynamic(types: Types, bits: i64) -> Dynamic {
    Value { bits, is_int: types == Types::INT }.to_dynamic()
}

fn bits_of(card: char) -> Result<i64, Fault> {
    let of = card_of(card).ok_or_else(|| format!("`{card}` is a character, not a card"))?;
    Ok(CARDS + of.kind() as i64)
}

pub fn register(engine: &mut Engine, context: &Context) {
    engine.register_type_with_name::<ViewHandle>("View");
    engine.register_type_with_name::<MoveHandle>("Move");
    engine.register_type_with_name::<char>("Card");
    engine.register_type_with_name::<SeatHandle>("Seat");
    engine.register_type_with_name::<MemoryHandle>("Memory");
    for name in NAMES.iter() {
        register_name(engine, context.clone(), name);
    }
    engine.register_fn("==", |a: MoveHandle, b: MoveHandle| a == b);
    engine.register_fn("!=", |a: MoveHandle, b: MoveHandle| a != b);
    for name in ["to_string", "to_debug"] {
        let context = context.clone();
        engine.register_fn(name, move |m: &mut MoveHandle| context.notation(m));
        engine.register_fn(name, |c: &mut char| show_char(*c));
    }
}

fn register_name(engine: &mut Engine, context: Context, name: &'static Name) {
    let (word, types) = (name.name, name.meaning.types());
    match name.meaning {
        Meaning::Moves => {
            engine.register_get(word, move |view: &mut ViewHandle| -> Result<Array, Fault> {
                let moves = match &view.0 {
                    None => context.position.borrow().moves().len(),
                    Some(ahead) => ahead.moves().len(),
                };
                context.meter.charge(list_of_moves(moves))?;
                let each = (0..moves).map(|i| MoveHandle { index: i as u16, of: view.0.clone() });
                Ok(each.map(Dynamic::from).collect())
            });
        }
        Meaning::Memory => register_memory(engine, &context, word),
        Meaning::View(property) => {
            engine.register_get(word, move |view: &mut ViewHandle| {
                let read = |view: View<'_>, ahead: Option<&Lookahead>| match ahead {
                    None => property.read(&view),
                    Some(ahead) => property.read_ahead(ahead, &view),
                };
                context.look(view, read).map(|bits| dynamic(types, bits))
            });
        }
        Meaning::Move(property) => {
            engine.register_get(word, move |m: &mut MoveHandle| {
                let read = |m, view: View<'_>, ahead: Option<&Lookahead>| match ahead {
                    None => property.read(&view, m),
                    Some(ahead) => property.read_ahead(ahead, &view, m),
                };
                context.look_at_move(m, read).map(|bits| dynamic(types, bits))
            });
        }
        Meaning::Card(property) => {
            engine.register_get(word, move |c: &mut char| {
                let card = bits_of(*c)?;
                let bits = match property.of_alone(card) {
                    Some(bits) => bits,
                    None => context.look(&ViewHandle(None), |view, _| property.read(&view, card))?,
                };
                Ok::<_, Fault>(dynamic(types, bits))
            });
        }
        Meaning::Seat(property) => {
            engine.register_get(word, move |s: &mut SeatHandle| {
                let seat = SEATS + i64::from(s.seat);
                let bits = context.look(&ViewHandle(s.of.clone()), |view, ahead| match ahead {
                    None => property.read(&view, seat),
                    Some(ahead) => Some(property.read_ahead(ahead, &view)),
                })?;
                bits.map(|bits| dynamic(types, bits)).ok_or_else(nobody)
            });
        }
        Meaning::Number(of) if name.parameters == Some(&[]) => {
            engine.register_fn(word, move |n: i64| dynamic(types, of.of(n, 0)));
        }
        Meaning::Number(of) => {
            engine.register_fn(word, move |n: i64, c: char| {
                let bit = CardProperty::Bit.of_alone(bits_of(c)?).unwrap_or(0);
                Ok::<_, Fault>(dynamic(types, of.of(n, bit)))
            });
        }
        Meaning::Call(of) => Call { of, context }.register(engine, word),
        Meaning::Think(of) => Thinker { name: word, context }.register(engine, of),
    }
}

/// Registers `memory`. Functions see no variables from outside, so it is a constant whose elements can be read and set.
fn register_memory(engine: &mut Engine, context: &Context, name: &'static str) {
    let mut module = rhai::Module::new();
    module.set_var(name, MemoryHandle);
    engine.register_global_module(module.into());
    let no_place = move |place: i64| -> Fault {
        format!("`{name}` was given {place}: its places count from 0 to {}", MEMORY - 1).into()
    };
    let (from, to) = (context.clone(), context.clone());
    engine.register_indexer_get(move |_: &mut MemoryHandle, place: i64| {
        from.look(&ViewHandle(None), |view, _| view.remembered(place))?.ok_or_else(|| no_place(place))
    });
    let set = move |_: &mut MemoryHandle, place: i64, number: i64| {
        to.look(&ViewHandle(None), |view, _| view.remember(place, number))?.ok_or_else(|| no_place(place))
    };
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(engine, set);
    let set = move |_: &mut MemoryHandle, _: i64, _: Dynamic| -> Result<(), Fault> {
        Err(format!("`{name}` keeps whole numbers, and nothing else").into())
    };
    FuncRegistration::new_index_setter().with_purity(true).register_into_engine(engine, set);
}

fn nobody() -> Fault {
    "nobody sits there any more".into()
}

#[derive(Clone)]
struct Call {
    of: Intrinsic,
    context: Context,
}

impl Call {
    fn register(self, engine: &mut Engine, name: &'static str) {
        match (self.of.is_of_seat(), self.of.parameters()) {
            (false, [parameter @ (Parameter::Card | Parameter::CardOrNone)]) => {
                if *parameter == Parameter::CardOrNone {
                    let none = self.clone();
                    engine.register_fn(name, move |v: &mut ViewHandle, (): ()| none.answer(v, [UNIT, 0, 0]));
                }
                engine.register_fn(name, move |v: &mut ViewHandle, c: char| {
                    self.answer(v, [bits_of(c)?, 0, 0])
                });
            }
            (false, [_]) => {
                engine.register_fn(name, move |v: &mut ViewHandle, a: i64| self.checked(v, None, [a, 0]));
            }
            (false, _) => {
                engine.register_fn(name, move |v: &mut ViewHandle, a: i64, b: i64| {
                    self.checked(v, None, [a, b])
                });
            }
            (true, [_]) => {
                engine.register_fn(name, move |s: &mut SeatHandle, a: i64| {
                    self.checked(&ViewHandle(s.of.clone()), Some(s.seat), [a, 0])
                });
            }
            (true, _) => {
                engine.register_fn(name, move |s: &mut SeatHandle, a: i64, b: i64| {
                    self.checked(&ViewHandle(s.of.clone()), Some(s.seat), [a, b])
                });
            }
        }
    }

    /// Returns the result for whole numbers, of a seat or of the view.
    fn checked(&self, view: &ViewHandle, seat: Option<u8>, [a, b]: [i64; 2]) -> Result<Dynamic, Fault> {
        self.context.look(view, |view, _| {
            let of = match seat {
                Some(seat) => view.other(seat.into()).ok_or_else(nobody)?,
                None => view,
            };
            let mut given = self.of.parameters().iter().zip([a, b]);
            given.try_for_each(|(parameter, n)| check(self.of.into(), *parameter, n, &of))
        })??;
        match seat {
            Some(seat) => self.answer(view, [SEATS + i64::from(seat), a, b]),
            None => self.answer(view, [a, b, 0]),
        }
    }

    fn answer(&self, view: &ViewHandle, [a, b, c]: [i64; 3]) -> Result<Dynamic, Fault> {
        let bits = self.context.look(view, |view, ahead| match ahead {
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
        Ok(dynamic(self.of.types(), bits))
    }
}

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
    match (1..=last).contains(&n) {
        true => Ok(()),
        false if last < 1 => Err(format!("`{name}` was given {n}: there are no {what}").into()),
        false => Err(format!("`{name}` was given {n}: {what} count from 1 to {last}").into()),
    }
}

struct Thinker {
    name: &'static str,
    context: Context,
}

impl Thinker {
    fn register(self, engine: &mut Engine, of: Thought) {
        let name = self.name;
        match of {
            Thought::After => {
                engine.register_fn(name, move |view: &mut ViewHandle, m: MoveHandle| {
                    self.after(view, &m, None)
                });
            }
            Thought::AfterRoll => {
                engine.register_fn(name, move |view: &mut ViewHandle, m: MoveHandle, face: i64| {
                    self.after(view, &m, Some(face))
                });
            }
            Thought::Sample => {
                engine.register_fn(name, move |view: &mut ViewHandle, k: i64| {
                    self.context.meter.charge(SAMPLE)?;
                    let (number, from) = (self.number(k)?, self.position(view)?);
                    let sample = self.context.position.borrow().sample(&from, number);
                    Ok::<_, Fault>(ViewHandle(Some(Rc::new(sample))))
                });
            }
            Thought::Choice => {
                engine.register_fn(name, move |view: &mut ViewHandle, player: ImmutableString| {
                    let (from, context) = (self.whole_position(view)?, &self.context);
                    let chosen = context.players.ask(context, Task::Choice(&from), &player)?.chosen;
                    let index = chosen.and_then(|m| from.moves().iter().position(|&known| known == m));
                    let handle = |i| Dynamic::from(MoveHandle { index: i as u16, of: view.0.clone() });
                    Ok::<_, Fault>(index.map_or(Dynamic::UNIT, handle))
                });
            }
            Thought::Playout => {
                engine.register_fn(name, move |view: &mut ViewHandle, k: i64, player: ImmutableString| {
                    let (from, context) = (self.position(view)?, &self.context);
                    let task = Task::Playout(&from, self.number(k)?);
                    Ok::<_, Fault>(context.players.ask(context, task, &player)?.cards)
                });
            }
        }
    }

    fn position(&self, view: &ViewHandle) -> Result<Rc<Lookahead>, Fault> {
        match &view.0 {
            Some(ahead) => Ok(ahead.clone()),
            None => Ok(self.context.position.borrow().origin().ok_or("there is no game to look at yet")?),
        }
    }

    /// Returns the position of a view in which every card is known that a player would see there: the choice of a
    /// player who sees more than this one cannot be determined.
    fn whole_position(&self, view: &ViewHandle) -> Result<Rc<Lookahead>, Fault> {
        let from = self.position(view)?;
        if view.0.is_none() || from.is_sampled() {
            return Ok(from);
        }
        let message = format!(
            "`{}` was asked of a view after a move, where a card that turns up may not be known: ask a sampled deal, as in \
             `view.sample(0).after(m)`",
            self.name
        );
        Err(message.into())
    }

    fn after(&self, view: &ViewHandle, m: &MoveHandle, face: Option<i64>) -> Result<ViewHandle, Fault> {
        self.context.meter.charge(POSITION)?;
        let from = self.position(view)?;
        let made = self.made(&from, view, m)?;
        let face = self.face(&from, made, face)?;
        Ok(ViewHandle(Some(self.context.position.borrow().after(&from, made, face))))
    }

    /// Returns the intended move of a view: one of its own, or, in a sampled deal, one of the view that was sampled.
    fn made(&self, from: &Lookahead, view: &ViewHandle, m: &MoveHandle) -> Result<Move, Fault> {
        let of = if is_same(&view.0, &m.of) { None } else { Some(self.position(&ViewHandle(m.of.clone()))?) };
        if let Some(of) = &of
            && !from.sampled_of().is_some_and(|sampled| Rc::ptr_eq(sampled, of))
        {
            let message =
                format!("`{}` was given a move of another view: take one of its own `moves`", self.name);
            return Err(message.into());
        }
        let moves = of.as_deref().unwrap_or(from).moves();
        let &made = moves.get(usize::from(m.index)).ok_or("there is no such move")?;
        if of.is_some() && !from.moves().contains(&made) {
            let message = format!("`{}` was given a move that is not legal in this sampled deal", self.name);
            return Err(message.into());
        }
        Ok(made)
    }

    /// Returns the result of the die; 0 for a move without a roll.
    fn face(&self, from: &Lookahead, m: Move, face: Option<i64>) -> Result<u8, Fault> {
        let faces = from.view(self.context.position.borrow().rng()).faces();
        match (from.rolls(m), face) {
            (false, None) => Ok(0),
            (true, Some(face)) if (1..=faces as i64).contains(&face) => Ok(face as u8),
            (true, Some(face)) => {
                Err(format!("`{}` was given {face}: the die shows 1 to {faces}", self.name).into())
            }
            (true, None) => Err("a die is rolled with this move: ask for `after_roll(m, face)`".into()),
            (false, Some(_)) => Err("no die is rolled with this move: ask for `after(m)`".into()),
        }
    }

    fn number(&self, k: i64) -> Result<u64, Fault> {
        u64::try_from(k).map_err(|_| format!("`{}` was given {k}: samples count from 0", self.name).into())
    }
}
