//! Who plays sampled deals on: strategies of the shelf, and functions of the script.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{Dynamic, NativeCallContext};

use crate::diagnostic::did_you_mean;
use crate::game::{Ahead, MoveList, Policy, View};
use crate::interrupt;

use super::super::{NATIVE, Strategy, StrategyError, load, split_settings};
use super::desk::Desk;
use super::fault::describe;
use super::handles::{Fault, MoveHandle, ViewHandle, is_same};
use super::meter::{SharedMeter, interrupted};
use super::shelf::SHELF;
use super::strategy::Script;

/// Operations that a playout counts as, its deal included, its moves apart.
const PLAYOUT: u64 = 30;
/// So many moves count as an operation: the engine makes them in its time.
const MOVES: u64 = 4;
/// So many operations of compiled code count as one.
const COMPILED: u64 = 512;

thread_local! {
    /// A sampled deal is being played on.
    static PLAYING: Cell<bool> = const { Cell::new(false) };
}

/// Notes that a sampled deal is being played on, as long as it is there.
struct Playing;

impl Playing {
    fn begin() -> Result<Playing, Fault> {
        if PLAYING.replace(true) {
            return Err("`playout` was called within a playout: who plays on may not ask for another".into());
        }
        Ok(Playing)
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        PLAYING.set(false);
    }
}

/// A player, as far as its operations are counted.
enum Player {
    Native(Box<dyn Strategy>),
    Script(Box<Script>),
    /// A function of the script itself, with so many parameters.
    Own(usize),
}

/// The players that a script has asked for.
pub struct Players {
    desk: Desk,
    meter: SharedMeter,
    made: RefCell<BTreeMap<String, Player>>,
}

impl Players {
    pub fn new(desk: &Desk, meter: &SharedMeter) -> Players {
        Players { desk: desk.clone(), meter: meter.clone(), made: RefCell::default() }
    }

    /// Plays the `k`-th sampled deal of a position on; the cards that come up.
    pub fn play(
        &self,
        call: &NativeCallContext<'_>,
        from: &Rc<Ahead>,
        k: u64,
        name: &str,
    ) -> Result<i64, Fault> {
        self.meter.charge(PLAYOUT)?;
        let _playing = Playing::begin()?;
        let mut made = self.made.borrow_mut();
        if !made.contains_key(name) {
            let own = [1, 2].into_iter().find(|&parameters| defines(call, name, parameters));
            made.insert(name.to_string(), own.map_or_else(|| find(name), |own| Ok(Player::Own(own)))?);
        }
        let Some(player) = made.get_mut(name) else { return Ok(0) };
        let played = if let Player::Own(parameters) = player {
            let mut own = Own { call, players: self, name, parameters: *parameters };
            drop(made);
            self.desk.borrow().play_apart(from, k, &mut own)
        } else {
            let mut seated = Seated { player, meter: &self.meter, name, rest: 0 };
            self.desk.borrow().play_on(from, k, &mut seated)
        };
        let (cards, moves) = played?;
        self.meter.charge(u64::from(moves) / MOVES)?;
        Ok(cards as i64)
    }
}

/// The strategies that play sampled deals on: those of the shelf and the native ones.
fn shelf() -> impl Iterator<Item = &'static str> + Clone {
    SHELF.iter().map(|(name, _)| *name).chain(NATIVE.iter().map(|(name, _)| *name))
}

/// Whether a name is that of a strategy of the shelf, which settings may follow.
pub fn is_on_shelf(name: &str) -> bool {
    shelf().any(|known| known == split_settings(name).0)
}

/// What is wrong with a name that is no strategy of the shelf, and what may be meant.
pub fn unknown(name: &str) -> (String, Option<&'static str>) {
    let message = format!(
        "`playout` was given \"{name}\", which is no strategy of the shelf and no function of this script with the \
         parameters `(view, m)` or `(view)`"
    );
    (message, did_you_mean(split_settings(name).0, shelf()))
}

/// The strategy of a name. Scripts open no files, so there are no paths.
fn find(name: &str) -> Result<Player, Fault> {
    let (plain, settings) = split_settings(name);
    if !is_on_shelf(plain) {
        let (message, meant) = unknown(name);
        return Err(meant
            .map_or(message.clone(), |meant| format!("{message}; did you mean \"{meant}\"?"))
            .into());
    }
    if settings.iter().any(|(of, _)| of.eq_ignore_ascii_case("slip")) {
        return Err("who plays a sampled deal on makes no slips".into());
    }
    let source = load(name).map_err(|error| Fault::from(format!("`playout`: {error}")))?;
    let Some(text) = source.script() else { return Ok(Player::Native(source.instantiate())) };
    let made = Script::new(name, text);
    made.map(|script| Player::Script(Box::new(script))).map_err(|faults| {
        let first = faults.first().map_or(String::new(), ToString::to_string);
        format!("`playout`: {first}").into()
    })
}

/// Whether the script has a function of a name with so many parameters.
fn defines(call: &NativeCallContext<'_>, name: &str, parameters: usize) -> bool {
    call.iter_namespaces().any(|module| module.get_script_fn(name, parameters).is_some())
}

/// A strategy of the shelf.
struct Seated<'a> {
    player: &'a mut Player,
    meter: &'a SharedMeter,
    name: &'a str,
    /// Operations of compiled code that are not counted yet.
    rest: u64,
}

impl Policy for Seated<'_> {
    type Error = Fault;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Fault> {
        let (decided, operations) = match self.player {
            Player::Native(native) => {
                return native.decide(view, legal).map_err(|error| told(self.name, &error));
            }
            // It is no strategy, and seated in another way.
            Player::Own(_) => return Ok(None),
            Player::Script(script) => {
                let decided = script.decide(view, legal);
                let each = if script.is_compiled() { COMPILED } else { 1 };
                self.rest += script.operations();
                let operations = self.rest / each;
                self.rest %= each;
                (decided, operations)
            }
        };
        let decided = decided.map_err(|error| told(self.name, &error))?;
        self.meter.charge(operations)?;
        Ok(decided)
    }

    fn repeats_draw(&self) -> bool {
        match &*self.player {
            Player::Native(native) => native.repeats_draw(),
            Player::Script(script) => script.repeats_draw(),
            Player::Own(_) => false,
        }
    }
}

fn told(name: &str, error: &StrategyError) -> Fault {
    match error {
        StrategyError::Interrupted => interrupted(),
        other => format!("`{name}` failed in a playout: {other}").into(),
    }
}

/// A function of the script itself.
struct Own<'a, 'c> {
    call: &'a NativeCallContext<'c>,
    players: &'a Players,
    name: &'a str,
    parameters: usize,
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
        format!("`{}` returned {found} in a playout; it must return {wanted}", self.name).into()
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
