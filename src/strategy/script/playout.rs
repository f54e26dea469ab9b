//! Players of sampled deals: strategies of the shelf, and functions of the script.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rhai::NativeCallContext;

use crate::diagnostic::{SourceText, did_you_mean};
use crate::game::{Lookahead, Move};

use super::super::profiles::{PROFILES, SEARCH, meant, under};
use super::super::{AsPolicy, Counted, Greedy, NATIVE, Strategy, load, split_settings};
use super::desk::Desk;
use super::handles::Fault;
use super::meter::SharedMeter;
use super::module::Form;
use super::names::{Meaning, NAMES, Name, Thought};
use super::seated::{Own, Seated, told};
use super::shelf::SHELF;
use super::strategy::Script;
use super::written::Printed;

/// Operations charged for a playout, including its deal but not its moves.
const PLAYOUT: u64 = 30;
/// Number of moves charged as one operation: the engine makes them in its time.
const MOVES: u64 = 4;
/// Number of moves that a native player could choose from, charged as one operation: it looks at all of them.
const CHOICES: u64 = 128;
/// Operations charged when a decision first asks for a player: loading and compiling it takes about that long. It is
/// charged even if the player is cached, so that a decision costs the same whatever was played before.
const PLAYER: u64 = 10_000;
/// Operations charged per byte of its script, if it is a function.
const BYTE: u64 = 2;
/// A value that [`SharedMeter`] never returns for a restart.
const NEVER: u64 = 0;
/// Maximum number of cached players.
const MOST_KEPT: usize = 32;

thread_local! {
    /// Whether a player is being asked.
    static PLAYING: Cell<bool> = const { Cell::new(false) };
}

/// Marks that a player is being asked while it exists.
struct Playing;

impl Playing {
    fn begin(method: &str) -> Result<Playing, Fault> {
        if PLAYING.replace(true) {
            let message = format!(
                "`{method}` was called by a player that another script asked: such a player may not ask others"
            );
            return Err(message.into());
        }
        Ok(Playing)
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        PLAYING.set(false);
    }
}

/// A player, with how its operations are counted.
pub enum Player {
    /// The most frequently requested one. It is called directly, which saves a call for every move.
    Greedy(Greedy),
    Native(Box<dyn Strategy>),
    /// A script of the shelf, with its errors per thousand decisions.
    Script(Box<Script>, u16),
    /// A function of the script itself.
    Function(Box<Script>),
    /// A function with this many parameters, interpreted where the script is.
    Own(usize),
}

/// A cached player, and the restart number of the meter when it was last requested.
struct Kept {
    name: String,
    player: Player,
    asked: u64,
}

/// The players that a script has requested.
pub struct Players {
    pub desk: Desk,
    pub meter: SharedMeter,
    pub printed: Printed,
    /// The requesting script, if its text is all there is of it.
    script: OnceCell<Arc<SourceText>>,
    made: RefCell<Vec<Kept>>,
    /// Those requested since the current restart of the meter.
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

    /// Sets the script whose functions are read from its text, and compiled.
    pub fn reads(&self, script: &Arc<SourceText>) {
        let _ = self.script.set(script.clone());
    }

    /// Charges for a player, if it was not requested before in this decision, whether cached or not.
    fn ask(&self, made: &mut [Kept], name: &str) -> Result<(), Fault> {
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
        // Only this many are cached: beyond that they are created, and charged, again.
        if asked.1.len() >= MOST_KEPT {
            asked.1.clear();
            made.iter_mut().for_each(|kept| kept.asked = NEVER);
        }
        asked.1.insert(name.into());
        Ok(())
    }

    /// Returns the player of a name.
    fn find(&self, call: Option<&NativeCallContext<'_>>, method: &str, name: &str) -> Result<Player, Fault> {
        let forms = [(Form::Choose, 1), (Form::Score, 2)];
        let Some((form, parameters)) =
            forms.into_iter().find(|(_, n)| call.is_some_and(|call| defines(call, name, *n)))
        else {
            return find(method, name);
        };
        let script = self.script.get().and_then(|text| Script::function(text, name, form).ok());
        Ok(script.map_or(Player::Own(parameters), |script| Player::Function(Box::new(script.steady()))))
    }

    /// Lets `ask` use the player of a name, which is created and charged if necessary.
    fn ask_for<T>(
        &self,
        call: Option<&NativeCallContext<'_>>,
        (method, name): (&str, &str),
        ask: impl FnOnce(Asked<'_, '_, '_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.meter.charge(PLAYOUT)?;
        let _playing = Playing::begin(method)?;
        let begun = self.meter.begun();
        let mut made = self.made.borrow_mut();
        let mut place = made.iter().position(|kept| kept.name == name);
        if place.is_none_or(|i| made[i].asked != begun) {
            self.ask(&mut made, name)?;
            if place.is_none() {
                // A player that cannot be created is looked up, and charged, each time.
                let player = self.find(call, method, name).inspect_err(|_| {
                    self.asked.borrow_mut().1.remove(name);
                })?;
                if made.len() >= MOST_KEPT {
                    made.clear();
                }
                place = Some(made.len());
                made.push(Kept { name: name.to_string(), player, asked: begun });
            }
        }
        let Some(Kept { player, asked, .. }) = place.and_then(|i| made.get_mut(i)) else {
            return Err("there is no such player".into());
        };
        *asked = begun;
        match player {
            Player::Own(parameters) => {
                let Some(call) = call else { return Err("compiled code asks no function".into()) };
                let own = Own { call, players: self, name, parameters: *parameters };
                drop(made);
                ask(Asked::Own(own))
            }
            Player::Greedy(greedy) => ask(Asked::Greedy(greedy)),
            Player::Native(native) => ask(Asked::Native(&mut **native)),
            Player::Function(_) => ask(Asked::Function(Seated { player, players: self, name, rest: 0 })),
            Player::Script(..) => ask(Asked::Script(Seated { player, players: self, name, rest: 0 })),
        }
    }

    /// Plays the `k`-th sampled deal of a position to its end; returns the cards that go up. Compiled code, which makes
    /// no call of the engine, only names strategies of the shelf.
    pub fn play(
        &self,
        call: Option<&NativeCallContext<'_>>,
        from: &Lookahead,
        k: u64,
        name: &str,
    ) -> Result<i64, Fault> {
        let (desk, mut choices) = (&self.desk, 0);
        let name = under(name, from.rules());
        let (cards, moves) = self.ask_for(call, ("playout", name), |asked| match asked {
            Asked::Own(mut own) => desk.borrow().play_apart(from, k, &mut own),
            Asked::Function(mut seated) => desk.borrow().play_apart(from, k, &mut seated),
            Asked::Script(mut seated) => desk.borrow().play_on(from, k, &mut seated),
            Asked::Greedy(greedy) => {
                let mut counted = Counted::new(greedy);
                let played = desk.borrow().play_on(from, k, &mut counted);
                choices = counted.choices;
                played.map_err(|error| told(name, &error))
            }
            Asked::Native(native) => {
                let mut counted = Counted::new(native);
                let played = desk.borrow().play_on(from, k, &mut counted);
                choices = counted.choices;
                played.map_err(|error| told(name, &error))
            }
        })?;
        self.meter.charge(u64::from(moves) / MOVES + choices / CHOICES)?;
        Ok(cards as i64)
    }

    /// Returns the move that the player of a name would choose in a position, unless it would resign.
    pub fn choose(
        &self,
        call: &NativeCallContext<'_>,
        from: &Rc<Lookahead>,
        name: &str,
    ) -> Result<Option<Move>, Fault> {
        let (desk, name) = (&self.desk, under(name, from.rules()));
        self.ask_for(Some(call), ("choice", name), |asked| match asked {
            Asked::Own(mut own) => desk.borrow().choice_apart(from, &mut own),
            Asked::Function(mut seated) => desk.borrow().choice_apart(from, &mut seated),
            Asked::Script(mut seated) => desk.borrow().choice(from, &mut seated),
            Asked::Greedy(greedy) => {
                desk.borrow().choice(from, &mut AsPolicy(greedy)).map_err(|error| told(name, &error))
            }
            Asked::Native(native) => {
                desk.borrow().choice(from, &mut AsPolicy(native)).map_err(|error| told(name, &error))
            }
        })
    }
}

/// A player in use. For native ones only the moves made are charged.
enum Asked<'a, 'b, 'c> {
    Greedy(&'a mut Greedy),
    Native(&'a mut dyn Strategy),
    Script(Seated<'a>),
    Function(Seated<'a>),
    Own(Own<'b, 'c>),
}

/// Lists the strategies whose names need no path, including that of the higher layer.
fn shelf() -> impl Iterator<Item = &'static str> + Clone {
    let scripts = SHELF.iter().map(|(name, _)| *name);
    let profiles = PROFILES.iter().map(|(name, ..)| *name);
    scripts.chain(NATIVE.iter().map(|(name, _)| *name)).chain(profiles).chain([SEARCH])
}

/// Describes the allowed players.
pub fn allowed() -> String {
    let all = |is_kind: bool| {
        let names = shelf().filter(|name| may_not(name).is_none() && meant(name).is_some() == is_kind);
        names.collect::<BTreeSet<&str>>().into_iter().collect::<Vec<_>>().join(", ")
    };
    format!(
        "allowed: {}, with their settings; {}; functions of this script with the parameters `(view, m)` or `(view)`",
        all(false),
        all(true)
    )
}

/// Returns whether it is the method that plays out sampled deals.
pub fn is_playout(method: &str) -> bool {
    let of = |name: &&Name| matches!(name.meaning, Meaning::Think(Thought::Playout, _));
    NAMES.iter().find(of).is_some_and(|name| name.name == method)
}

/// Returns whether a script plays out sampled deals, so that its games take long.
pub fn plays_on(text: &str) -> bool {
    NAMES.iter().any(|name| is_playout(name.name) && text.contains(&format!(".{}(", name.name)))
}

/// Returns whether a script looks at positions ahead, its own or those of sampled deals.
pub fn looks_ahead(text: &str) -> bool {
    let thinks = |name: &&Name| matches!(name.meaning, Meaning::Think(..));
    NAMES.iter().filter(thinks).any(|name| text.contains(&format!(".{}(", name.name)))
}

/// Returns whether a name is that of a strategy of the shelf, possibly followed by settings.
pub fn is_on_shelf(name: &str) -> bool {
    shelf().any(|known| known == split_settings(name).0)
}

/// Explains why a strategy of this name cannot be used, whatever its settings.
fn may_not(name: &str) -> Option<&'static str> {
    let plain = split_settings(name).0;
    let plain = split_settings(meant(plain).unwrap_or(plain)).0;
    let text = SHELF.iter().find(|(known, _)| *known == plain).map_or("", |(_, text)| text);
    match () {
        () if plain == SEARCH => {
            Some("it searches deals of its own, which a player that is asked may not do")
        }
        () if plays_on(text) => {
            Some("it plays sampled deals on itself, which a player that is asked may not do")
        }
        () => None,
    }
}

/// Explains why a strategy of the shelf cannot be used by a method, if it cannot, and what is allowed.
pub fn refused(method: &str, name: &str) -> Option<(String, Option<String>)> {
    let stands_for = meant(name).map_or(String::new(), |meant| format!(", which is \"{meant}\""));
    if let Some(why) = may_not(name) {
        return Some((format!("`{method}` was given \"{name}\"{stands_for}: {why}"), Some(allowed())));
    }
    let kind = split_settings(name).0;
    if kind != name && meant(kind).is_some() {
        let message = format!("`{method}` was given \"{name}\": `{kind}` has no settings");
        return Some((message, Some(allowed())));
    }
    let of = meant(name).unwrap_or(name);
    let has_settings = !split_settings(of).1.is_empty();
    let error = if has_settings { load(of).err() } else { None };
    error.map(|error| (format!("`{method}`: {error}"), None))
}

/// Explains what is wrong with a name that is not a strategy of the shelf, and suggests another.
pub fn unknown(method: &str, name: &str) -> (String, Option<&'static str>) {
    let message = format!(
        "`{method}` was given \"{name}\", which is no strategy of the shelf and no function of this script with the \
         parameters `(view, m)` or `(view)`"
    );
    (message, did_you_mean(split_settings(name).0, shelf().filter(|name| may_not(name).is_none())))
}

/// Finds the strategy of a name. Scripts open no files, so there are no paths.
fn find(method: &str, name: &str) -> Result<Player, Fault> {
    if !is_on_shelf(name) {
        let (message, meant) = unknown(method, name);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean \"{meant}\"?"));
        return Err(format!("{message}{meant}; {}", allowed()).into());
    }
    if let Some((message, help)) = refused(method, name) {
        return Err(help.map_or(message.clone(), |help| format!("{message}; {help}")).into());
    }
    let source =
        load(meant(name).unwrap_or(name)).map_err(|error| Fault::from(format!("`{method}`: {error}")))?;
    let Some(text) = source.script() else {
        let is_greedy = name == Greedy.name();
        return Ok(if is_greedy { Player::Greedy(Greedy) } else { Player::Native(source.instantiate()) });
    };
    let made = Script::new(name, text);
    made.map(|script| Player::Script(Box::new(script.steady()), source.slip())).map_err(|faults| {
        let first = faults.first().map_or(String::new(), ToString::to_string);
        format!("`{method}`: {first}").into()
    })
}

/// Returns whether the script has a function of a name with this many parameters.
fn defines(call: &NativeCallContext<'_>, name: &str, parameters: usize) -> bool {
    call.iter_namespaces().any(|module| module.get_script_fn(name, parameters).is_some())
}
