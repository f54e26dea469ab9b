//! The players of sampled deals: strategies of the shelf, and functions of the script; and scripts that may ask them.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, Engine, EvalAltResult, NativeCallContext, Position};

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{Lookahead, Move, MoveList, Policy, Snapshot, View};
use crate::interrupt;

use super::super::error_rate::{Erring, erring_move};
use super::super::native::{Greedy, Random};
use super::super::profiles::{meant, under};
use super::super::settings::{resolve, split};
use super::super::{Strategy, StrategyError};
use super::eval_context::{Context, EvalContext, Players};
use super::fault::describe;
use super::handles::{Fault, MoveHandle, ViewHandle, is_same};
use super::load::load;
use super::meter::interrupted;
use super::module::Form;
use super::parameters::write;
use super::players::{SHELF, allowed, is_on_shelf, may_not, unknown};
use super::strategy::{Options, Script};

/// Operations charged for a playout, including its deal but not its moves.
const PLAYOUT: u64 = 30;
/// Number of moves charged as one operation: the engine makes them in its time.
const MOVES: u64 = 4;
/// Number of moves that a native player could choose from, charged as one operation: it looks at all of them.
const CHOICES: u64 = 128;
/// Number of operations of compiled code charged as one: they take about two microseconds, whatever they do.
const COMPILED: u64 = 4_096;
/// Operations charged when a decision first asks for a player: loading and compiling it takes about that long. It is
/// charged even if the player is cached, so that a decision costs the same whatever was played before.
const PLAYER: u64 = 10_000;
/// Operations charged per byte of its script, if it is a function.
const BYTE: u64 = 2;
/// A number that no count of the meter has.
const NEVER: u64 = 0;
/// Maximum number of cached players.
const MOST_KEPT: usize = 32;

enum Player {
    /// The most frequently requested one. It is called directly, which saves a call for every move.
    Greedy(Greedy),
    Native(Box<dyn Strategy>),
    /// A script of the shelf, with its errors per thousand decisions.
    Script(Box<Script>, u16),
    Function(Box<Script>),
    /// A function with this many parameters, interpreted where the script is.
    Interpreted(usize),
}

struct Cached {
    name: String,
    player: Player,
    asked: u64,
}

/// The players that a script has requested.
pub struct PlayoutPlayers {
    /// The requesting script, if its functions are read from its text, and compiled.
    script: Option<Arc<SourceText>>,
    cached: RefCell<Vec<Cached>>,
    /// Those requested since the meter began this count.
    asked: RefCell<(u64, BTreeSet<String>)>,
    /// Whether a player is being asked, or the script itself is: then it may not ask others.
    is_asking: Cell<bool>,
}

trait Task {
    type Answer;

    /// Asks a player; `apart` is one that uses the script's own random numbers and memory.
    fn ask<P: Policy>(
        self,
        position: &Snapshot,
        apart: bool,
        player: &mut P,
    ) -> Result<Self::Answer, P::Error>;
}

/// The cards that go up in the `k`-th sampled deal of a position, and the moves made.
struct Playout<'a>(&'a Lookahead, u64);

impl Task for Playout<'_> {
    type Answer = (usize, u32);

    fn ask<P: Policy>(
        self,
        position: &Snapshot,
        apart: bool,
        player: &mut P,
    ) -> Result<(usize, u32), P::Error> {
        match apart {
            true => position.play_apart(self.0, self.1, player),
            false => position.play_on(self.0, self.1, player),
        }
    }
}

struct Choice<'a>(&'a Lookahead);

impl Task for Choice<'_> {
    type Answer = Option<Move>;

    fn ask<P: Policy>(
        self,
        position: &Snapshot,
        apart: bool,
        player: &mut P,
    ) -> Result<Option<Move>, P::Error> {
        match apart {
            true => position.choice_apart(self.0, player),
            false => position.choice(self.0, player),
        }
    }
}

impl PlayoutPlayers {
    pub fn new(script: Option<Arc<SourceText>>) -> PlayoutPlayers {
        PlayoutPlayers {
            script,
            cached: RefCell::default(),
            asked: RefCell::default(),
            is_asking: Cell::new(false),
        }
    }

    /// Charges for a player, if it was not requested before in this decision, whether cached or not.
    fn charge(&self, context: &EvalContext, cached: &mut [Cached], name: &str) -> Result<(), Fault> {
        let (mut asked, count) = (self.asked.borrow_mut(), context.meter.begun());
        if asked.0 != count {
            *asked = (count, BTreeSet::new());
        }
        if asked.1.contains(name) {
            return Ok(());
        }
        // A function is compiled with its whole script.
        let of_own = self.script.as_ref().filter(|_| !is_on_shelf(name)).map_or(0, |text| text.text.len());
        context.meter.charge(PLAYER + BYTE * of_own as u64)?;
        // Only this many are cached: beyond that they are created, and charged, again.
        if asked.1.len() >= MOST_KEPT {
            asked.1.clear();
            cached.iter_mut().for_each(|it| it.asked = NEVER);
        }
        asked.1.insert(name.into());
        Ok(())
    }

    fn find(&self, call: Option<&NativeCallContext<'_>>, method: &str, name: &str) -> Result<Player, Fault> {
        let mut forms = [Form::Choose, Form::Score].into_iter();
        let own = forms.find(|form| call.is_some_and(|call| defines(call, name, form.parameters())));
        if let Some(form) = own {
            let script = self.script.as_ref().and_then(|text| asked_script(name, text, Some(form)).ok());
            return Ok(script.map_or(Player::Interpreted(form.parameters()), Player::Function));
        }
        if !is_on_shelf(name) {
            let (message, meant) = unknown(method, name);
            let meant = meant.map_or(String::new(), |meant| format!("; did you mean \"{meant}\"?"));
            return Err(format!("{message}{meant}; {}", allowed()).into());
        }
        if let Some((message, help)) = self.refused(method, name) {
            return Err(help.map_or(message.clone(), |help| format!("{message}; {help}")).into());
        }
        on_shelf(name).map_err(|error| format!("`{method}`: {error}").into())
    }

    /// Lets the player of a name, which is created and charged if necessary, do a task. Returns the answer, and how many
    /// moves a native player could choose from.
    fn ask<T: Task>(
        &self,
        context: &EvalContext,
        call: Option<&NativeCallContext<'_>>,
        (method, name): (&str, &str),
        task: T,
    ) -> Result<(T::Answer, u64), Fault> {
        let begun = context.meter.begun();
        let mut cached = self.cached.borrow_mut();
        let mut place = cached.iter().position(|it| it.name == name);
        if place.is_none_or(|i| cached[i].asked != begun) {
            self.charge(context, &mut cached, name)?;
            if place.is_none() {
                // A player that cannot be created is looked up, and charged, each time.
                let player = self.find(call, method, name).inspect_err(|_| {
                    self.asked.borrow_mut().1.remove(name);
                })?;
                if cached.len() >= MOST_KEPT {
                    cached.clear();
                }
                place = Some(cached.len());
                cached.push(Cached { name: name.to_string(), player, asked: begun });
            }
        }
        let Some(Cached { player, asked, .. }) = place.and_then(|i| cached.get_mut(i)) else {
            return Err("there is no such player".into());
        };
        *asked = begun;
        let position = context.position.borrow();
        match player {
            Player::Interpreted(parameters) => {
                let Some(call) = call else { return Err("compiled code asks no function".into()) };
                let mut player = Interpreted { call, context, name, parameters: *parameters };
                drop(cached);
                Ok((task.ask(&position, true, &mut player)?, 0))
            }
            Player::Greedy(greedy) => ask_native(task, &position, name, greedy),
            Player::Native(native) => ask_native(task, &position, name, &mut **native),
            Player::Function(script) => {
                let mut player = Asked { script, slip: None, context, name, rest: 0 };
                Ok((task.ask(&position, true, &mut player)?, 0))
            }
            Player::Script(script, slip) => {
                let mut player = Asked { script, slip: Some(*slip), context, name, rest: 0 };
                Ok((task.ask(&position, false, &mut player)?, 0))
            }
        }
    }

    /// Charges for a playout, and calls `ask` unless a player is being asked.
    fn alone<T>(
        &self,
        context: &EvalContext,
        method: &str,
        ask: impl FnOnce() -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        struct Asking<'a>(&'a Cell<bool>);
        impl Drop for Asking<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        context.meter.charge(PLAYOUT)?;
        if self.is_asking.get() {
            let message = format!(
                "`{method}` was called by a player that another script asked: such a player may not ask others"
            );
            return Err(message.into());
        }
        self.is_asking.set(true);
        // A panic in the library of scripts ends it too.
        let _asking = Asking(&self.is_asking);
        ask()
    }
}

fn ask_native<T: Task, S: Strategy + ?Sized>(
    task: T,
    position: &Snapshot,
    name: &str,
    player: &mut S,
) -> Result<(T::Answer, u64), Fault> {
    let mut counted = Counted { strategy: player, choices: 0 };
    let answer = task.ask(position, false, &mut counted).map_err(|error| failed(name, &error))?;
    Ok((answer, counted.choices))
}

impl Players for PlayoutPlayers {
    fn play(
        &self,
        context: &EvalContext,
        call: Option<&NativeCallContext<'_>>,
        (from, k): (&Lookahead, u64),
        name: &str,
    ) -> Result<i64, Fault> {
        let name = under(name, from.rules());
        let asked = || self.ask(context, call, ("playout", name), Playout(from, k));
        let ((cards, moves), choices) = self.alone(context, "playout", asked)?;
        context.meter.charge(u64::from(moves) / MOVES + choices / CHOICES)?;
        Ok(cards as i64)
    }

    fn choose(
        &self,
        context: &EvalContext,
        call: &NativeCallContext<'_>,
        from: &Lookahead,
        name: &str,
    ) -> Result<Option<Move>, Fault> {
        let name = under(name, from.rules());
        let asked = || self.ask(context, Some(call), ("choice", name), Choice(from));
        Ok(self.alone(context, "choice", asked)?.0)
    }

    fn refused(&self, method: &str, name: &str) -> Option<(String, Option<String>)> {
        let stands_for = meant(name).map_or(String::new(), |meant| format!(", which is \"{meant}\""));
        if let Some(why) = may_not(name) {
            return Some((format!("`{method}` was given \"{name}\"{stands_for}: {why}"), Some(allowed())));
        }
        let kind = split(name).0;
        if kind != name && meant(kind).is_some() {
            let message = format!("`{method}` was given \"{name}\": `{kind}` has no settings");
            return Some((message, Some(allowed())));
        }
        let has_settings = !split(meant(name).unwrap_or(name)).1.is_empty();
        let error = if has_settings { on_shelf(name).err() } else { None };
        error.map(|error| (format!("`{method}`: {error}"), None))
    }

    fn fresh(&self) -> Rc<dyn Players> {
        let players = PlayoutPlayers::new(self.script.clone());
        players.is_asking.set(self.is_asking.get());
        Rc::new(players)
    }
}

/// Loads a script, or a function of it, as a player that may not ask others.
fn asked_script(
    name: &str,
    source: &Arc<SourceText>,
    function: Option<Form>,
) -> Result<Box<Script>, Vec<Diagnostic>> {
    let decides = function.map(|form| (name, form));
    let players = PlayoutPlayers::new(None);
    players.is_asking.set(true);
    let loaded = load(source, true, decides, Rc::new(players), |_, _| ())?;
    Ok(Box::new(Script::of(name, loaded, Options::default()).steady()))
}

/// Returns the player of a strategy of the shelf, or why its settings are not possible.
fn on_shelf(name: &str) -> Result<Player, String> {
    let (plain, settings) = split(meant(name).unwrap_or(name));
    let fault = |faults: Vec<Diagnostic>| faults.first().map_or(String::new(), ToString::to_string);
    let script = SHELF.iter().find(|(known, _)| *known == plain && !matches!(plain, "greedy" | "random"));
    let Some((_, text)) = script else {
        let (_, slip) = resolve(&[], &settings).map_err(|error| format!("{plain}: {error}"))?;
        let native: Box<dyn Strategy> = match (plain, slip) {
            ("greedy", None) => return Ok(Player::Greedy(Greedy)),
            ("greedy", _) => Box::new(Greedy),
            _ => Box::new(Random),
        };
        return Ok(Player::Native(match slip {
            Some(slip) => Box::new(Erring::new(native, name, slip)),
            None => native,
        }));
    };
    let source = |text: String| Arc::new(SourceText { name: format!("scripts/{plain}.rhai"), text });
    let mut script = asked_script(name, &source((*text).into()), None).map_err(fault)?;
    let parameters = script.parameters().to_vec();
    let (values, slip) = resolve(&parameters, &settings).map_err(|error| format!("{plain}: {error}"))?;
    if !values.is_empty() {
        script = asked_script(name, &source(write(text, &values)), None).map_err(fault)?;
    }
    Ok(Player::Script(script, slip.unwrap_or(0)))
}

/// Returns whether the script that asks has such a function.
fn defines(call: &NativeCallContext<'_>, name: &str, parameters: usize) -> bool {
    call.iter_namespaces().any(|module| module.get_script_fn(name, parameters).is_some())
}

/// A native strategy as a player; the moves that it could choose from are counted.
struct Counted<'a, S: ?Sized> {
    strategy: &'a mut S,
    choices: u64,
}

impl<S: Strategy + ?Sized> Policy for Counted<'_, S> {
    type Error = StrategyError;

    // The answer is passed on unchanged: the strategy is asked for every move.
    #[inline(always)]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.choices += legal.len() as u64;
        self.strategy.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        self.strategy.repeats_draw()
    }
}

/// A script as a player; its operations are charged.
struct Asked<'a> {
    script: &'a mut Script,
    /// Errors per thousand decisions; `None` for a function of the script that asks.
    slip: Option<u16>,
    context: &'a EvalContext,
    name: &'a str,
    /// Operations of compiled code not yet charged.
    rest: u64,
}

impl Policy for Asked<'_> {
    type Error = Fault;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Fault> {
        let decided = match self.slip {
            Some(slip) => {
                if let Some(slip) = erring_move(slip, view, legal) {
                    return Ok(Some(slip));
                }
                self.script.decide(view, legal).map_err(|error| failed(self.name, &error))
            }
            None => {
                if interrupt::requested() {
                    return Err(interrupted());
                }
                let position = self.context.position.borrow();
                let decided = self.script.decide(&view.with_rng(position.rng()), legal);
                let printed = self.script.printed();
                if !printed.is_empty() {
                    self.context.printed.borrow_mut().keep(printed.trim_end_matches('\n'));
                }
                decided.map_err(|error| own_failed(self.name, &error))
            }
        };
        let (interpreted, compiled) = self.script.took();
        let decided = decided?;
        self.rest += compiled;
        self.context.meter.charge(interpreted + self.rest / COMPILED)?;
        self.rest %= COMPILED;
        Ok(decided)
    }

    fn repeats_draw(&self) -> bool {
        self.slip.unwrap_or(0) == 0 && self.script.repeats_draw()
    }
}

fn failed(name: &str, error: &StrategyError) -> Fault {
    match error {
        StrategyError::Interrupted => interrupted(),
        other => format!("`{name}` failed when it was asked: {other}").into(),
    }
}

/// Reports an error in a function of the script itself, at its position.
fn own_failed(name: &str, error: &StrategyError) -> Fault {
    let StrategyError::Script(fault) = error else { return failed(name, error) };
    let (line, column) = fault.position();
    let place = u16::try_from(line).ok().zip(u16::try_from(column).ok());
    let at = place.map_or(Position::NONE, |(line, column)| Position::new(line, column));
    let message = format!("{} (when `{name}` was asked)", fault.message);
    EvalAltResult::ErrorRuntime(message.into(), at).into()
}

struct Interpreted<'a, 'c> {
    call: &'a NativeCallContext<'c>,
    context: &'a EvalContext,
    name: &'a str,
    parameters: usize,
}

impl Interpreted<'_, '_> {
    fn ask(&self, view: &mut Dynamic, m: Option<MoveHandle>) -> Result<Dynamic, Fault> {
        self.context.meter.charge(3)?;
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

impl Policy for Interpreted<'_, '_> {
    type Error = Fault;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Fault> {
        if interrupt::requested() {
            return Err(interrupted());
        }
        let seen = self.context.position.borrow().seen_by(view, legal).map(Rc::new);
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

impl Script {
    /// Loads a script, to be compiled and run under the usual limits.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::with(name, source, Options::default())
    }

    /// Loads a script, to be run only by Rhai's interpreter.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn interpreted(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::with(name, source, Options { compile: false, ..Options::default() })
    }

    /// Loads a script with the given options.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn with(name: &str, source: &Arc<SourceText>, options: Options) -> Result<Script, Vec<Diagnostic>> {
        let players = PlayoutPlayers::new(Some(source.clone()));
        let loaded = load(source, options.limits, None, Rc::new(players), |_, _| ())?;
        Ok(Script::of(name, loaded, options))
    }

    /// Loads a script whose engine `extend` adds to, to be run only by Rhai's interpreter, as are its functions that play
    /// deals on.
    pub(super) fn extended(
        name: &str,
        source: &Arc<SourceText>,
        extend: impl FnOnce(&mut Engine, &Context),
    ) -> Result<Script, Vec<Diagnostic>> {
        let loaded = load(source, true, None, Rc::new(PlayoutPlayers::new(None)), extend)?;
        Ok(Script::of(name, loaded, Options { compile: false, limits: true }))
    }
}
