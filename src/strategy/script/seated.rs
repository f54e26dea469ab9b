//! A player of sampled deals in use, with its operations counted.

use std::rc::Rc;

use rhai::{Dynamic, EvalAltResult, NativeCallContext, Position};

use crate::game::{MoveList, Policy, View};
use crate::interrupt;

use super::super::slip::slips;
use super::super::{Strategy, StrategyError};
use super::fault::describe;
use super::handles::{Fault, MoveHandle, ViewHandle, is_same};
use super::meter::interrupted;
use super::playout::{Player, Players};

/// Number of operations of compiled code charged as one: they take about two microseconds, whatever they do.
const COMPILED: u64 = 4_096;

/// A script of the shelf, or a function used as one.
pub struct Seated<'a> {
    pub player: &'a mut Player,
    pub players: &'a Players,
    pub name: &'a str,
    /// Operations of compiled code not yet charged.
    pub rest: u64,
}

impl Policy for Seated<'_> {
    type Error = Fault;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Fault> {
        let (decided, (interpreted, compiled)) = match self.player {
            // These are used in other ways.
            Player::Greedy(_) | Player::Native(_) | Player::Own(_) => return Ok(None),
            Player::Script(script, slip) => {
                if let Some(slip) = slips(*slip, view, legal) {
                    return Ok(Some(slip));
                }
                (script.decide(view, legal), script.took())
            }
            Player::Function(script) => {
                if interrupt::requested() {
                    return Err(interrupted());
                }
                let desk = self.players.desk.borrow();
                let decided = script.decide(&view.with_rng(desk.rng()), legal);
                let printed = script.printed();
                if !printed.is_empty() {
                    self.players.printed.borrow_mut().keep(printed.trim_end_matches('\n'));
                }
                (decided, script.took())
            }
        };
        let decided = decided.map_err(|error| match self.player {
            Player::Function(_) => told_of_own(self.name, &error),
            _ => told(self.name, &error),
        })?;
        self.rest += compiled;
        self.players.meter.charge(interpreted + self.rest / COMPILED)?;
        self.rest %= COMPILED;
        Ok(decided)
    }

    fn repeats_draw(&self) -> bool {
        match &*self.player {
            Player::Script(script, 0) | Player::Function(script) => script.repeats_draw(),
            Player::Script(..) | Player::Greedy(_) | Player::Native(_) | Player::Own(_) => false,
        }
    }
}

pub fn told(name: &str, error: &StrategyError) -> Fault {
    match error {
        StrategyError::Interrupted => interrupted(),
        other => format!("`{name}` failed when it was asked: {other}").into(),
    }
}

/// Reports an error in a function of the script itself, at its position.
fn told_of_own(name: &str, error: &StrategyError) -> Fault {
    let StrategyError::Script(fault) = error else { return told(name, error) };
    let (line, column) = fault.position();
    let place = u16::try_from(line).ok().zip(u16::try_from(column).ok());
    let at = place.map_or(Position::NONE, |(line, column)| Position::new(line, column));
    let message = format!("{} (when `{name}` was asked)", fault.message);
    EvalAltResult::ErrorRuntime(message.into(), at).into()
}

/// A function of the script itself, interpreted.
pub struct Own<'a, 'c> {
    pub call: &'a NativeCallContext<'c>,
    pub players: &'a Players,
    pub name: &'a str,
    pub parameters: usize,
}

impl Own<'_, '_> {
    fn ask(&self, view: &mut Dynamic, m: Option<MoveHandle>) -> Result<Dynamic, Fault> {
        self.players.meter.charge(3)?;
        match m {
            None => self.call.call_fn_raw(self.name, false, false, &mut [view]),
            Some(m) => self.call.call_fn_raw(self.name, false, false, &mut [view, &mut Dynamic::from(m)]),
        }
    }

    fn wrong(&self, value: &Dynamic, wanted: &str) -> Fault {
        let found = describe(self.call.engine(), value);
        format!("`{}` returned {found} when it was asked; it must return {wanted}", self.name).into()
    }
}

impl Policy for Own<'_, '_> {
    type Error = Fault;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Fault> {
        if interrupt::requested() {
            return Err(interrupted());
        }
        let seen = self.players.desk.borrow().seen_by(view, legal).map(Rc::new);
        let at = || Dynamic::from(ViewHandle(seen.clone()));
        if self.parameters == 1 {
            let chosen = self.ask(&mut at(), None)?;
            if chosen.is_unit() {
                return Ok(None);
            }
            let index = chosen.read_lock::<MoveHandle>().filter(|m| is_same(&m.of, &seen)).map(|m| m.index);
            return match index {
                Some(index) => Ok(Some(index.into())),
                None => Err(self.wrong(&chosen, "one of `view.moves`, or `()` to resign")),
            };
        }
        let (mut best, mut highest) = (None, -1);
        for index in 0..legal.len() {
            let m = MoveHandle { index: index as u16, of: seen.clone() };
            let value = self.ask(&mut at(), Some(m))?;
            let score = value.as_int().map_err(|_| self.wrong(&value, "a whole number"))?;
            if score > highest {
                (best, highest) = (Some(index), score);
            }
        }
        Ok(best)
    }
}
