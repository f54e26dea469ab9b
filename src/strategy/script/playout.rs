//! Who plays sampled deals on: strategies of the shelf, and functions of the script.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use rhai::NativeCallContext;

use crate::diagnostic::{SourceText, did_you_mean};
use crate::game::Ahead;

use super::super::profiles::{PROFILES, SEARCH, meant};
use super::super::{AsPolicy, Greedy, NATIVE, Strategy, load, split_settings};
use super::desk::Desk;
use super::engine::Printed;
use super::handles::Fault;
use super::meter::SharedMeter;
use super::names::{Meaning, NAMES, Name, Thought};
use super::outline::Form;
use super::seated::{Own, Seated, told};
use super::shelf::SHELF;
use super::strategy::Script;

/// Operations that a playout counts as, its deal included, its moves apart.
const PLAYOUT: u64 = 30;
/// So many moves count as an operation: the engine makes them in its time.
const MOVES: u64 = 4;
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
pub enum Player {
    /// The one that most scripts ask for. It is asked as itself, which saves a call for every move.
    Greedy(Greedy),
    Native(Box<dyn Strategy>),
    /// One of the shelf, of whose decisions so many of a thousand are slips.
    Script(Box<Script>, u16),
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
    pub desk: Desk,
    pub meter: SharedMeter,
    pub printed: Printed,
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
            Player::Script(..) => {
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

/// The strategies whose names need no path, that of the layer above among them.
fn shelf() -> impl Iterator<Item = &'static str> + Clone {
    let scripts = SHELF.iter().map(|(name, _)| *name);
    let profiles = PROFILES.iter().map(|(name, ..)| *name);
    scripts.chain(NATIVE.iter().map(|(name, _)| *name)).chain(profiles).chain([SEARCH])
}

/// What may be named, in words.
pub fn allowed() -> String {
    let names: BTreeSet<&str> = shelf().filter(|name| refused(name).is_none()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    format!(
        "allowed: {}, settings included, and functions of this script with the parameters `(view, m)` or `(view)`",
        names.join(", ")
    )
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
    let stands_for = meant(name);
    let of = stands_for.unwrap_or(name);
    let (plain, settings) = split_settings(of);
    let given = match stands_for {
        Some(meant) => format!("`playout` was given \"{name}\", which is \"{meant}\""),
        None => format!("`playout` was given \"{name}\""),
    };
    if plain == SEARCH {
        return Some(format!("{given}: it searches deals of its own, and who plays on may not"));
    }
    let text = SHELF.iter().find(|(known, _)| *known == plain).map_or("", |(_, text)| text);
    if plays_on(text) {
        return Some(format!(
            "{given}, which plays sampled deals on itself: who plays on may not ask for another"
        ));
    }
    if settings.is_empty() { None } else { load(of).err().map(|error| format!("`playout`: {error}")) }
}

/// What is wrong with a name that is no strategy of the shelf, and what may be meant.
pub fn unknown(name: &str) -> (String, Option<&'static str>) {
    let message = format!(
        "`playout` was given \"{name}\", which is no strategy of the shelf and no function of this script with the \
         parameters `(view, m)` or `(view)`"
    );
    (message, did_you_mean(split_settings(name).0, shelf().filter(|name| refused(name).is_none())))
}

/// The strategy of a name. Scripts open no files, so there are no paths.
fn find(name: &str) -> Result<Player, Fault> {
    if !is_on_shelf(name) {
        let (message, meant) = unknown(name);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean \"{meant}\"?"));
        return Err(format!("{message}{meant}; {}", allowed()).into());
    }
    if let Some(message) = refused(name) {
        return Err(format!("{message}; {}", allowed()).into());
    }
    let source =
        load(meant(name).unwrap_or(name)).map_err(|error| Fault::from(format!("`playout`: {error}")))?;
    let Some(text) = source.script() else {
        let is_greedy = name == Greedy.name();
        return Ok(if is_greedy { Player::Greedy(Greedy) } else { Player::Native(source.instantiate()) });
    };
    let made = Script::new(name, text);
    made.map(|script| Player::Script(Box::new(script.steady()), source.slip())).map_err(|faults| {
        let first = faults.first().map_or(String::new(), ToString::to_string);
        format!("`playout`: {first}").into()
    })
}

/// Whether the script has a function of a name with so many parameters.
fn defines(call: &NativeCallContext<'_>, name: &str, parameters: usize) -> bool {
    call.iter_namespaces().any(|module| module.get_script_fn(name, parameters).is_some())
}
