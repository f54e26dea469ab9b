//! Who plays sampled deals on: strategies of the shelf, and functions of the script.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, NativeCallContext, Position};

use crate::diagnostic::{SourceText, did_you_mean};
use crate::game::{Ahead, MoveList, Policy, View};
use crate::interrupt;

use super::super::{AsPolicy, Greedy, NATIVE, Strategy, StrategyError, load, split_settings};
use super::desk::Desk;
use super::engine::{Printed, collect};
use super::fault::describe;
use super::handles::{Fault, MoveHandle, ViewHandle, is_same};
use super::meter::{SharedMeter, interrupted};
use super::names::{Meaning, NAMES, Name, Thought};
use super::outline::Form;
use super::shelf::SHELF;
use super::strategy::Script;

/// Operations that a playout counts as, its deal included, its moves apart.
const PLAYOUT: u64 = 30;
/// So many moves count as an operation: the engine makes them in its time.
const MOVES: u64 = 4;
/// So many operations of compiled code count as one: they take some two microseconds, whatever they do.
const COMPILED: u64 = 4_096;
/// Operations that a player counts as when a decision first asks for it: it is read and compiled in the time of about so
/// many. It counts so where it is there already, too: a decision takes the same whatever was played before.
const PLAYER: u64 = 10_000;
/// And for each byte of its script, where it is a function.
const BYTE: u64 = 2;
/// So many players are kept.
const MOST_KEPT: usize = 32;

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
    /// The one that most scripts ask for. It is asked as itself, which saves a call for every move.
    Greedy(Greedy),
    Native(Box<dyn Strategy>),
    Script(Box<Script>),
    /// A function of the script itself.
    Function(Box<Script>),
    /// The same with so many parameters, interpreted where the script is.
    Own(usize),
}

/// A player that is kept, and when it was asked for last, as the meter tells it.
struct Kept {
    name: String,
    player: Player,
    asked: u64,
}

/// The players that a script has asked for.
pub struct Players {
    desk: Desk,
    meter: SharedMeter,
    printed: Printed,
    /// The script that asks, where its text is all that there is of it.
    script: OnceCell<Arc<SourceText>>,
    made: RefCell<Vec<Kept>>,
    /// Those that were asked for since the meter began to count for this time.
    asked: RefCell<(u64, BTreeSet<String>)>,
}

impl Players {
    pub fn new(desk: &Desk, meter: &SharedMeter, printed: &Printed) -> Players {
        Players {
            desk: desk.clone(),
            meter: meter.clone(),
            printed: printed.clone(),
            script: OnceCell::new(),
            made: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// Functions of this script are read from its text, and compiled.
    pub fn reads(&self, script: &Arc<SourceText>) {
        let _ = self.script.set(script.clone());
    }

    /// Counts a player, if it was not asked for before in this decision.
    fn ask(&self, name: &str) -> Result<(), Fault> {
        let mut asked = self.asked.borrow_mut();
        if asked.0 != self.meter.begun() {
            *asked = (self.meter.begun(), BTreeSet::new());
        }
        if asked.1.contains(name) {
            return Ok(());
        }
        // A function is compiled with its whole script.
        let of_own = self.script.get().filter(|_| !is_on_shelf(name)).map_or(0, |text| text.text.len());
        self.meter.charge(PLAYER + BYTE * of_own as u64)?;
        // So many are kept: where there are more, they are made again, and count again.
        if asked.1.len() >= MOST_KEPT {
            asked.1.clear();
        }
        asked.1.insert(name.into());
        Ok(())
    }

    /// The player of a name.
    fn find(&self, call: &NativeCallContext<'_>, name: &str) -> Result<Player, Fault> {
        let forms = [(Form::Choose, 1), (Form::Score, 2)];
        let Some((form, parameters)) = forms.into_iter().find(|(_, n)| defines(call, name, *n)) else {
            return find(name);
        };
        let script = self.script.get().and_then(|text| Script::function(text, name, form).ok());
        Ok(script.map_or(Player::Own(parameters), |script| Player::Function(Box::new(script.steady()))))
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
        let begun = self.meter.begun();
        let mut made = self.made.borrow_mut();
        let mut place = made.iter().position(|kept| kept.name == name);
        if place.is_none_or(|i| made[i].asked != begun) {
            self.ask(name)?;
            if place.is_none() {
                let player = self.find(call, name)?;
                if made.len() >= MOST_KEPT {
                    made.clear();
                }
                place = Some(made.len());
                made.push(Kept { name: name.to_string(), player, asked: begun });
            }
        }
        let Some(Kept { player, asked, .. }) = place.and_then(|i| made.get_mut(i)) else { return Ok(0) };
        *asked = begun;
        let played = match player {
            Player::Own(parameters) => {
                let mut own = Own { call, players: self, name, parameters: *parameters };
                drop(made);
                self.desk.borrow().play_apart(from, k, &mut own)
            }
            Player::Function(_) => {
                let mut seated = Seated { player, players: self, name, rest: 0 };
                self.desk.borrow().play_apart(from, k, &mut seated)
            }
            Player::Greedy(greedy) => self.play_native(from, k, name, greedy),
            Player::Native(native) => self.play_native(from, k, name, &mut **native),
            Player::Script(_) => {
                let mut seated = Seated { player, players: self, name, rest: 0 };
                self.desk.borrow().play_on(from, k, &mut seated)
            }
        };
        let (cards, moves) = played?;
        self.meter.charge(u64::from(moves) / MOVES)?;
        Ok(cards as i64)
    }

    /// The same with a strategy written in Rust: nothing is counted but its moves.
    fn play_native<S: Strategy + ?Sized>(
        &self,
        from: &Ahead,
        k: u64,
        name: &str,
        native: &mut S,
    ) -> Result<(usize, u32), Fault> {
        let played = self.desk.borrow().play_on(from, k, &mut AsPolicy(native));
        played.map_err(|error| told(name, &error))
    }
}

/// The strategies that play sampled deals on: those of the shelf and the native ones.
fn shelf() -> impl Iterator<Item = &'static str> + Clone {
    SHELF.iter().map(|(name, _)| *name).chain(NATIVE.iter().map(|(name, _)| *name))
}

/// Whether it is the method that plays sampled deals on.
pub fn is_playout(method: &str) -> bool {
    let of = |name: &&Name| matches!(name.meaning, Meaning::Think(Thought::Playout, _));
    NAMES.iter().find(of).is_some_and(|name| name.name == method)
}

/// Whether a script plays sampled deals on, so that it takes its time over a game.
pub fn plays_on(text: &str) -> bool {
    NAMES.iter().any(|name| is_playout(name.name) && text.contains(&format!(".{}(", name.name)))
}

/// Whether a name is that of a strategy of the shelf, which settings may follow.
pub fn is_on_shelf(name: &str) -> bool {
    shelf().any(|known| known == split_settings(name).0)
}

/// Why a strategy of the shelf cannot play sampled deals on, if it cannot.
pub fn refused(name: &str) -> Option<String> {
    let (plain, settings) = split_settings(name);
    if settings.iter().any(|(of, _)| of.eq_ignore_ascii_case("slip")) {
        return Some(format!("`playout` was given \"{name}\": who plays a sampled deal on makes no slips"));
    }
    let text = SHELF.iter().find(|(known, _)| *known == plain).map_or("", |(_, text)| text);
    if plays_on(text) {
        return Some(format!(
            "`playout` was given \"{name}\", which plays sampled deals on itself: who plays on may not ask for another"
        ));
    }
    if settings.is_empty() { None } else { load(name).err().map(|error| format!("`playout`: {error}")) }
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
    if !is_on_shelf(name) {
        let (message, meant) = unknown(name);
        return Err(meant
            .map_or(message.clone(), |meant| format!("{message}; did you mean \"{meant}\"?"))
            .into());
    }
    if let Some(message) = refused(name) {
        return Err(message.into());
    }
    let source = load(name).map_err(|error| Fault::from(format!("`playout`: {error}")))?;
    let Some(text) = source.script() else {
        let is_greedy = name == Greedy.name();
        return Ok(if is_greedy { Player::Greedy(Greedy) } else { Player::Native(source.instantiate()) });
    };
    let made = Script::new(name, text);
    made.map(|script| Player::Script(Box::new(script.steady()))).map_err(|faults| {
        let first = faults.first().map_or(String::new(), ToString::to_string);
        format!("`playout`: {first}").into()
    })
}

/// Whether the script has a function of a name with so many parameters.
fn defines(call: &NativeCallContext<'_>, name: &str, parameters: usize) -> bool {
    call.iter_namespaces().any(|module| module.get_script_fn(name, parameters).is_some())
}

/// A script of the shelf, or a function that is one.
struct Seated<'a> {
    player: &'a mut Player,
    players: &'a Players,
    name: &'a str,
    /// Operations of compiled code that are not counted yet.
    rest: u64,
}

impl Policy for Seated<'_> {
    type Error = Fault;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Fault> {
        let (decided, (interpreted, compiled)) = match self.player {
            // They are seated in other ways.
            Player::Greedy(_) | Player::Native(_) | Player::Own(_) => return Ok(None),
            Player::Script(script) => (script.decide(view, legal), script.took()),
            Player::Function(script) => {
                if interrupt::requested() {
                    return Err(interrupted());
                }
                let desk = self.players.desk.borrow();
                let decided = script.decide(&view.with_rng(desk.rng()), legal);
                let printed = script.printed();
                if !printed.is_empty() {
                    collect(&self.players.printed, printed.trim_end_matches('\n'));
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
            Player::Script(script) | Player::Function(script) => script.repeats_draw(),
            Player::Greedy(_) | Player::Native(_) | Player::Own(_) => false,
        }
    }
}

fn told(name: &str, error: &StrategyError) -> Fault {
    match error {
        StrategyError::Interrupted => interrupted(),
        other => format!("`{name}` failed in a playout: {other}").into(),
    }
}

/// What went wrong in a function of the script itself, at its place.
fn told_of_own(name: &str, error: &StrategyError) -> Fault {
    let StrategyError::Script(fault) = error else { return told(name, error) };
    let (line, column) = fault.position();
    let place = u16::try_from(line).ok().zip(u16::try_from(column).ok());
    let at = place.map_or(Position::NONE, |(line, column)| Position::new(line, column));
    let message = format!("{} (in a playout by `{name}`)", fault.message);
    EvalAltResult::ErrorRuntime(message.into(), at).into()
}

/// A function of the script itself, interpreted.
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
