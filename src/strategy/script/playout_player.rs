//! The players of sampled deals: strategies of the shelf, and functions of the script; and scripts that may ask them.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Engine, EvalAltResult, Position};

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{Lookahead, MoveList, Policy, Snapshot, View};
use crate::interrupt;

use super::super::native::{Erring, Greedy, Random, erring_move};
use super::super::settings::{meant, resolve, split, under};
use super::super::{Strategy, StrategyError};
use super::api::{Answer, Context, EvalContext, Players, Task};
use super::engine::Follow;
use super::fault;
use super::limits::interrupted;
use super::load::{Loaded, engine_of, load};
use super::module::{Form, write_parameters};
use super::names::{SHELF, allowed, is_on_shelf, may_not, unknown};
use super::strategy::Script;
use super::value::Fault;

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
const MOST_KEPT: usize = 32;

enum Player {
    /// The most frequently requested one. It is called directly, which saves a call for every move.
    Greedy(Greedy),
    Native(Box<dyn Strategy>),
    /// A script of the shelf, with its errors per thousand decisions; `None` for a function of the script that asks.
    Script(Box<Script>, Option<u16>),
}

pub struct PlayoutPlayers {
    /// Who is told of the steps of its functions, which are not compiled then.
    follow: Option<Follow>,
    /// The engine of its functions, once one was requested.
    own: OnceCell<(Rc<Engine>, Context)>,
    /// Those that were created, by their names.
    cached: RefCell<Vec<(String, Player)>>,
    /// Those requested since the meter began this count.
    asked: RefCell<(u64, BTreeSet<String>)>,
    /// Whether a player is being asked, or the script itself is: then it may not ask others.
    is_asking: Cell<bool>,
}

impl<'a> Task<'a> {
    fn from(self) -> &'a Lookahead {
        match self {
            Task::Playout(from, _) | Task::Choice(from) => from,
        }
    }

    fn method(self) -> &'static str {
        match self {
            Task::Playout(..) => "playout",
            Task::Choice(_) => "choice",
        }
    }

    /// Asks a player; `apart` is one that uses the script's own random numbers and memory. Returns the moves made too.
    fn ask<P: Policy>(
        self,
        position: &Snapshot,
        apart: bool,
        player: &mut P,
    ) -> Result<(Answer, u32), P::Error> {
        Ok(match self {
            Task::Playout(from, k) => {
                let (cards, moves) = position.play(from, k, apart, player)?;
                (Answer { cards: cards as i64, chosen: None }, moves)
            }
            Task::Choice(from) => (Answer { cards: 0, chosen: position.choose(from, apart, player)? }, 0),
        })
    }
}

impl PlayoutPlayers {
    pub fn new(follow: Option<Follow>, is_asking: bool) -> PlayoutPlayers {
        PlayoutPlayers {
            follow,
            own: OnceCell::new(),
            cached: RefCell::default(),
            asked: RefCell::default(),
            is_asking: Cell::new(is_asking),
        }
    }

    /// Charges for a player, if it was not requested before in this decision, whether cached or not.
    fn charge(&self, context: &EvalContext, name: &str) -> Result<(), Fault> {
        let (mut asked, count) = (self.asked.borrow_mut(), context.meter.begun());
        if asked.0 != count {
            *asked = (count, BTreeSet::new());
        }
        if asked.1.contains(name) {
            return Ok(());
        }
        // A function is compiled with its whole script.
        let script = context.module.get().filter(|_| !is_on_shelf(name));
        let of_own = script.map_or(0, |script| script.source.text.len());
        context.meter.charge(PLAYER + BYTE * of_own as u64)?;
        // Only this many are cached: beyond that they are created, and charged, again.
        if asked.1.len() >= MOST_KEPT {
            asked.1.clear();
        }
        asked.1.insert(name.into());
        Ok(())
    }

    fn find(&self, context: &EvalContext, method: &str, name: &str) -> Result<Player, Fault> {
        let own = |form: Form| {
            let module = context.module.get()?;
            Some((module, (module.function(name, form.parameters())?, form)))
        };
        if let Some((module, entry)) = [Form::Choose, Form::Score].into_iter().find_map(own) {
            if let Err(error) = &module.functions[entry.0].code {
                let fault = StrategyError::Script(Box::new(fault::of_parse(&module.lines, error)));
                return Err(own_failed(name, &fault, false));
            }
            // Functions share it: constants may be large.
            let (engine, context) = self.own.get_or_init(|| {
                engine_of(module, Rc::new(PlayoutPlayers::new(None, true)), self.follow.clone())
            });
            let loaded = Loaded::new(engine, context, module, entry);
            let script = Script::of(name, loaded, self.follow.is_none());
            return Ok(Player::Script(Box::new(script), None));
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

    /// Lets the player of a name, which is created and charged if necessary, do a task. Returns the answer, the moves made,
    /// and how many moves a native player could choose from.
    fn answer(&self, context: &EvalContext, task: Task<'_>, name: &str) -> Result<(Answer, u32, u64), Fault> {
        self.charge(context, name)?;
        let mut cached = self.cached.borrow_mut();
        let place = match cached.iter().position(|(known, _)| known == name) {
            Some(place) => place,
            None => {
                // A player that cannot be created is looked up, and charged, each time.
                let player = self.find(context, task.method(), name).inspect_err(|_| {
                    self.asked.borrow_mut().1.remove(name);
                })?;
                if cached.len() >= MOST_KEPT {
                    cached.clear();
                }
                cached.push((name.to_string(), player));
                cached.len() - 1
            }
        };
        let position = context.position.borrow();
        match &mut cached[place].1 {
            Player::Greedy(greedy) => ask_native(task, &position, name, greedy),
            Player::Native(native) => ask_native(task, &position, name, &mut **native),
            Player::Script(script, slip) => {
                let mut player = Asked { script, slip: *slip, context, name, rest: 0, moves: 0 };
                let (answer, moves) = task.ask(&position, slip.is_none(), &mut player)?;
                Ok((answer, moves, 0))
            }
        }
    }
}

fn ask_native<S: Strategy + ?Sized>(
    task: Task<'_>,
    position: &Snapshot,
    name: &str,
    strategy: &mut S,
) -> Result<(Answer, u32, u64), Fault> {
    let mut counted = Counted { strategy, choices: 0 };
    let (answer, moves) = task.ask(position, false, &mut counted).map_err(|error| failed(name, &error))?;
    Ok((answer, moves, counted.choices))
}

impl Players for PlayoutPlayers {
    fn ask(&self, context: &EvalContext, task: Task<'_>, name: &str) -> Result<Answer, Fault> {
        struct Asking<'a>(&'a Cell<bool>);
        impl Drop for Asking<'_> {
            fn drop(&mut self) {
                self.0.set(false);
            }
        }
        context.meter.charge(PLAYOUT)?;
        if self.is_asking.replace(true) {
            let message = format!(
                "`{}` was called by a player that another script asked: such a player may not ask others",
                task.method()
            );
            return Err(message.into());
        }
        // A panic in the library of scripts ends it too.
        let asking = Asking(&self.is_asking);
        let (answer, moves, choices) = self.answer(context, task, under(name, task.from().rules()))?;
        drop(asking);
        if let Task::Playout(..) = task {
            context.meter.charge(u64::from(moves) / MOVES + choices / CHOICES)?;
        }
        Ok(answer)
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
        Rc::new(PlayoutPlayers::new(self.follow.clone(), self.is_asking.get()))
    }
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
    let load = |text: String| {
        let source = Arc::new(SourceText { name: format!("scripts/{plain}.rhai"), text });
        let loaded = load(&source, Rc::new(PlayoutPlayers::new(None, true)), None).map_err(fault)?;
        Ok::<_, String>(Script::of(name, loaded, true))
    };
    let mut script = load((*text).into())?;
    let parameters = script.parameters().to_vec();
    let (values, slip) = resolve(&parameters, &settings).map_err(|error| format!("{plain}: {error}"))?;
    if !values.is_empty() {
        script = load(write_parameters(text, &values))?;
    }
    Ok(Player::Script(Box::new(script), Some(slip.unwrap_or(0))))
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

struct Asked<'a> {
    script: &'a mut Script,
    /// Errors per thousand decisions; `None` for a function of the script that asks.
    slip: Option<u16>,
    context: &'a EvalContext,
    name: &'a str,
    /// Operations of compiled code not yet charged.
    rest: u64,
    moves: u64,
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
                decided.map_err(|error| own_failed(self.name, &error, self.script.interpreter.stopped.get()))
            }
        };
        let (interpreted, compiled) = self.script.took();
        self.rest += compiled;
        // The moves of a playout that ends are charged then.
        let moves = if decided.is_err() { self.moves / MOVES } else { 0 };
        let charged = self.context.meter.charge(interpreted + self.rest / COMPILED + moves);
        self.rest %= COMPILED;
        self.moves += 1;
        match decided {
            Err(fault) if !fault.is_catchable() => Err(fault),
            decided => charged.and(decided),
        }
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

/// Reports an error in a function of the script itself, at its position. It cannot be caught if it is of a limit.
fn own_failed(name: &str, error: &StrategyError, is_of_a_limit: bool) -> Fault {
    let StrategyError::Script(fault) = error else { return failed(name, error) };
    let (line, column) = fault.position();
    let place = u16::try_from(line).ok().zip(u16::try_from(column).ok());
    let at = place.map_or(Position::NONE, |(line, column)| Position::new(line, column));
    let message = format!("{} (when `{name}` was asked)", fault.message);
    let kind = if is_of_a_limit { EvalAltResult::ErrorTerminated } else { EvalAltResult::ErrorRuntime };
    kind(message.into(), at).into()
}

impl Script {
    /// Loads a script, to be compiled and run under the usual limits.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::load(name, source, true, None)
    }

    /// Loads a script, to be run only by Rhai's interpreter.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn interpreted(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::load(name, source, false, None)
    }

    /// Loads a script, to be compiled or not; `follow` is told of all its steps and those of its functions that play deals
    /// on, if they are interpreted.
    pub(super) fn load(
        name: &str,
        source: &Arc<SourceText>,
        compile: bool,
        follow: Option<Follow>,
    ) -> Result<Script, Vec<Diagnostic>> {
        let players = Rc::new(PlayoutPlayers::new(follow.clone(), false));
        Ok(Script::of(name, load(source, players, follow)?, compile))
    }
}
