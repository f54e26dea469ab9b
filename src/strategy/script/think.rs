//! Lookahead: views after moves, and of sampled deals.

use std::rc::Rc;

use rhai::{Dynamic, Engine, ImmutableString, NativeCallContext};

use crate::game::{Lookahead, Move};

use super::desk::Desk;
use super::handles::{Fault, MoveHandle, ViewHandle, is_same};
use super::meter::SharedMeter;
use super::names::{Meaning, NAMES, Thought};
use super::playout::Players;

/// Operations charged for a position: it is built in about that time, and stored in two thousand bytes.
pub const POSITION: u64 = 30;
/// Operations charged for a sampled deal.
const SAMPLE: u64 = 60;

/// Registers the names of the table for looking ahead.
pub fn register(engine: &mut Engine, desk: &Desk, meter: &SharedMeter, players: &Rc<Players>) {
    for name in NAMES {
        let Meaning::Think(of, _) = name.meaning else { continue };
        let thinker = Thinker { name: name.name, desk: desk.clone(), meter: meter.clone() };
        match of {
            Thought::After => {
                engine.register_fn(name.name, move |view: &mut ViewHandle, m: MoveHandle| {
                    thinker.after(view, &m, None)
                });
            }
            Thought::AfterRoll => {
                engine.register_fn(name.name, move |view: &mut ViewHandle, m: MoveHandle, face: i64| {
                    thinker.after(view, &m, Some(face))
                });
            }
            Thought::Sample => {
                engine.register_fn(name.name, move |view: &mut ViewHandle, k: i64| {
                    thinker.sample(view, k).map(|sample| ViewHandle(Some(sample)))
                });
            }
            Thought::Choice => {
                let players = players.clone();
                engine.register_fn(
                    name.name,
                    move |call: NativeCallContext, view: &mut ViewHandle, player: ImmutableString| {
                        let from = thinker.whole_position(view)?;
                        let chosen = players.choose(&call, &from, &player)?;
                        let index = chosen.and_then(|m| from.moves().iter().position(|&known| known == m));
                        let of = view.0.clone();
                        let handle = |index| Dynamic::from(MoveHandle { index: index as u16, of });
                        Ok::<_, Fault>(index.map_or(Dynamic::UNIT, handle))
                    },
                );
            }
            Thought::Playout => {
                let players = players.clone();
                engine.register_fn(
                    name.name,
                    move |call: NativeCallContext, view: &mut ViewHandle, k: i64, player: ImmutableString| {
                        let (from, number) = (thinker.position(view)?, thinker.number(k)?);
                        players.play(Some(&call), &from, number, &player)
                    },
                );
            }
        }
    }
}

struct Thinker {
    name: &'static str,
    desk: Desk,
    meter: SharedMeter,
}

impl Thinker {
    fn position(&self, view: &ViewHandle) -> Result<Rc<Lookahead>, Fault> {
        match &view.0 {
            Some(ahead) => Ok(ahead.clone()),
            None => self.desk.borrow().origin().ok_or_else(|| "there is no game to look at yet".into()),
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
        self.meter.charge(POSITION)?;
        let from = self.position(view)?;
        let made = self.made(&from, view, m)?;
        let face = self.face(&from, made, face)?;
        Ok(ViewHandle(Some(self.desk.borrow().after(&from, made, face))))
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
        let Some(&made) = moves.get(usize::from(m.index)) else {
            return Err("there is no such move".into());
        };
        if of.is_some() && !from.moves().contains(&made) {
            let message = format!("`{}` was given a move that is not legal in this sampled deal", self.name);
            return Err(message.into());
        }
        Ok(made)
    }

    /// Returns the result of the die; 0 for a move without a roll.
    fn face(&self, from: &Lookahead, m: Move, face: Option<i64>) -> Result<u8, Fault> {
        let faces = from.view(self.desk.borrow().rng()).faces();
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

    fn sample(&self, view: &ViewHandle, k: i64) -> Result<Rc<Lookahead>, Fault> {
        self.meter.charge(SAMPLE)?;
        let number = self.number(k)?;
        let from = self.position(view)?;
        let sample = self.desk.borrow().sample(&from, number);
        Ok(Rc::new(sample))
    }

    fn number(&self, k: i64) -> Result<u64, Fault> {
        u64::try_from(k).map_err(|_| format!("`{}` was given {k}: samples count from 0", self.name).into())
    }
}
