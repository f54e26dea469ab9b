//! Every name of the game in scripts: one table for the interpreter ([`super::api`]), the compiler, the checks at load,
//! the definitions for editors and the documentation. The values of names are computed in [`super::intrinsics`]; a new
//! name is a variant there. Below it stand the names of the players that a script may ask.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::LazyLock;

use serde_json::{Value, json};
use strum::{Display, EnumIter, EnumMessage, EnumString, IntoEnumIterator, IntoStaticStr};

use crate::diagnostic::did_you_mean;
use crate::game::MOST_SEATS;
use crate::rules::{MOST_CARDS, MOST_DRAWN, MOST_PILES, MOST_RESERVES};

use super::super::native::NATIVE;
use super::super::settings::{PROFILES, SEARCH, meant, split};
use super::intrinsics::{CardProperty, Intrinsic, MoveProperty, NumberMethod, SeatProperty, ViewProperty};
use super::value::Types;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// `view.moves`.
    Moves,
    /// `memory`, of which only elements are read.
    Memory,
    View(ViewProperty),
    Move(MoveProperty),
    Card(CardProperty),
    Seat(SeatProperty),
    /// A method of the view or of a seat.
    Call(Intrinsic),
    /// A method of whole numbers.
    Number(NumberMethod),
    /// A method of the view for looking ahead.
    Think(Thought),
}

/// A method of the view for looking ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumIter, EnumMessage, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Thought {
    /// Your view after this move of the view. A card that turns up unknown is `()`.
    After,
    /// The same for a move with which a die is rolled, were this what it shows.
    AfterRoll,
    /// A view of the `k`-th sampled deal, from 0: one that agrees with all you have seen. It shows every card.
    Sample,
    /// Cards on the foundations in the end, if from here this strategy, or this function of the script, plays the
    /// `k`-th sampled deal on.
    Playout,
    /// The move that this strategy, or this function of the script, would choose here, or `()` if it would resign. Ask
    /// the view of the decision, or one of a sampled deal.
    Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    Suit,
    Pile,
    Reserve,
    Seat,
    /// A distance below a top, or until a card comes, from 0.
    Below,
    /// The size of the range to draw a number from.
    Numbers,
    Cards,
    Card,
    CardOrNone,
    Move,
    /// The result of a die, from 1.
    Face,
    /// The number of a sampled deal, from 0.
    Sample,
    /// A strategy, or a function of the script.
    Player,
}

#[derive(Clone, Debug)]
pub struct Name {
    pub name: &'static str,
    pub meaning: Meaning,
    /// The parameters of a method; `None` for a property.
    pub parameters: Option<&'static [Parameter]>,
    /// Its description, in a sentence.
    pub about: String,
}

impl Meaning {
    pub fn types(self) -> Types {
        match self {
            Meaning::Moves => Types::LIST,
            Meaning::Memory => Types::INT,
            Meaning::View(property) => property.types(),
            Meaning::Move(property) => property.types(),
            Meaning::Card(property) => property.types(),
            Meaning::Seat(property) => property.types(),
            Meaning::Call(of) => of.types(),
            Meaning::Number(of) => of.types(),
            Meaning::Think(Thought::Playout) => Types::INT,
            Meaning::Think(Thought::Choice) => Types::MOVE.with(Types::UNIT),
            Meaning::Think(_) => Types::VIEW,
        }
    }
}

impl Parameter {
    fn name(self) -> &'static str {
        match self {
            Parameter::Suit => "suit",
            Parameter::Pile => "pile",
            Parameter::Reserve => "reserve",
            Parameter::Seat => "seat",
            Parameter::Below => "i",
            Parameter::Numbers | Parameter::Cards => "n",
            Parameter::Card | Parameter::CardOrNone => "card",
            Parameter::Move => "m",
            Parameter::Face => "face",
            Parameter::Sample => "k",
            Parameter::Player => "name",
        }
    }

    /// Returns what it counts, and the numbers allowed under some rules.
    pub fn range(self) -> Option<(&'static str, i64, i64)> {
        Some(match self {
            Parameter::Suit => ("suits", 1, 4),
            Parameter::Pile => ("piles", 1, MOST_PILES as i64),
            Parameter::Reserve => ("reserves", 1, MOST_RESERVES),
            Parameter::Seat => ("seats", 1, MOST_SEATS as i64),
            Parameter::Below => ("cards", 0, i64::MAX),
            Parameter::Numbers => ("numbers", 1, u32::MAX.into()),
            Parameter::Cards => ("cards", 0, MOST_CARDS),
            Parameter::Face => ("faces", 1, MOST_DRAWN),
            Parameter::Sample => ("samples", 0, i64::MAX),
            Parameter::Card | Parameter::CardOrNone | Parameter::Move | Parameter::Player => return None,
        })
    }

    pub fn types(self) -> Types {
        match self {
            Parameter::Card => Types::CARD,
            Parameter::CardOrNone => Types::CARD_OR_UNIT,
            Parameter::Move => Types::MOVE,
            Parameter::Player => Types::TEXT,
            _ => Types::INT,
        }
    }
}

impl Thought {
    fn parameters(self) -> &'static [Parameter] {
        match self {
            Thought::After => &[Parameter::Move],
            Thought::AfterRoll => &[Parameter::Move, Parameter::Face],
            Thought::Sample => &[Parameter::Sample],
            Thought::Playout => &[Parameter::Sample, Parameter::Player],
            Thought::Choice => &[Parameter::Player],
        }
    }
}

impl NumberMethod {
    fn parameters(self) -> &'static [Parameter] {
        match self {
            NumberMethod::Has | NumberMethod::Add | NumberMethod::Without => &[Parameter::Card],
            NumberMethod::Popcount | NumberMethod::BitNot => &[],
        }
    }
}

impl Intrinsic {
    pub fn parameters(self) -> &'static [Parameter] {
        use Intrinsic::*;
        match self {
            Foundation => &[Parameter::Suit],
            Wants => &[Parameter::CardOrNone],
            Steps => &[Parameter::Card],
            Reserve | Waste | Coming => &[Parameter::Below],
            ReserveLen => &[Parameter::Reserve],
            ReservePile => &[Parameter::Reserve, Parameter::Below],
            PileLen | PileTop | SeatPileLen | SeatPileTop => &[Parameter::Pile],
            Pile | SeatPile => &[Parameter::Pile, Parameter::Below],
            Pay => &[Parameter::Cards],
            Random => &[Parameter::Numbers],
            At => &[Parameter::Seat],
        }
    }

    /// Returns the types of its arguments, including the seat.
    pub fn arguments(self) -> Vec<Types> {
        let seat = self.is_of_seat().then_some(Types::SEAT);
        seat.into_iter().chain(self.parameters().iter().map(|parameter| parameter.types())).collect()
    }
}

impl Name {
    pub fn owner(&self) -> Types {
        match self.meaning {
            Meaning::Moves | Meaning::View(_) | Meaning::Think(_) => Types::VIEW,
            Meaning::Memory => Types::MEMORY,
            Meaning::Number(_) => Types::INT,
            Meaning::Move(_) => Types::MOVE,
            Meaning::Card(_) => Types::CARD,
            Meaning::Seat(_) => Types::SEAT,
            Meaning::Call(of) if of.is_of_seat() => Types::SEAT,
            Meaning::Call(_) => Types::VIEW,
        }
    }

    /// Returns the parameters of a method, each `name: type`; `None` for a property.
    pub fn signature(&self) -> Option<Vec<String>> {
        let each = |p: &Parameter| format!("{}: {:?}", p.name(), p.types());
        Some(self.parameters?.iter().map(each).collect())
    }
}

/// Returns every name in the order of the table, as JSON for editors: its owner, its parameters if it is a method, the
/// type of its value, and its description.
pub fn names() -> Value {
    let each = NAMES.iter().map(|name| {
        json!({
            "owner": format!("{:?}", name.owner()),
            "name": name.name,
            "parameters": name.signature(),
            "returns": format!("{:?}", name.meaning.types()),
            "about": name.about,
        })
    });
    each.collect()
}

/// Returns a definitions file (`.d.rhai`) of everything that a script can use of the game, for editors.
pub fn definitions() -> String {
    let mut out = String::from(
        "module static;\n\n\
         // What a Saratoga strategy sees. It defines one of\n\
         //   fn score(view, m)  an integer for each legal move; the highest is played, negative is never\n\
         //   fn choose(view)    one of view.moves, or () to resign\n\
         // At its top it may declare parameters, which can be set from the command line and tuned:\n\
         //   const HOLD = param(4, 0..=13);  a whole number with its default and the values it may have\n\
         //   const BOLD = param(true);       a truth value\n\
         // and may define, for rules whose stake is bought in stages,\n\
         //   fn stage(view, at, cost)  true to buy the stage for cost cents; false to stop, or to go on without\n\
         //                             cards. at is \"deal\" (nothing is seen yet), \"first-look\",\n\
         //                             \"first-draw\", \"pass\" or \"unknown-card\". Without it a strategy buys\n\
         //                             everything but unknown cards.\n\
         // Piles and suits count from 1, suits in the order clubs, diamonds, hearts, spades. A card is\n\
         // () where it cannot be seen. Cards compare with == and != to each other and to (),\n\
         // and print as `TH` in `${c}`.\n",
    );
    for name in NAMES.iter() {
        let (word, about, owner, returns) = (name.name, &name.about, name.owner(), name.meaning.types());
        let (get, variable) = (if name.parameters.is_none() { "get " } else { "" }, owner.variable());
        let parameters: String =
            name.signature().unwrap_or_default().iter().map(|p| format!(", {p}")).collect();
        // Writing to a string does not fail.
        let _ = match name.meaning {
            Meaning::Memory => write!(out, "\n/// {about}\nlet {word}: {owner:?};\n"),
            _ => write!(
                out,
                "\n/// {about}\nfn {get}{word}({variable}: {owner:?}{parameters}) -> {returns:?};\n"
            ),
        };
    }
    out
}

/// The word for the numbers that a script keeps.
pub const MEMORY_WORD: &str = "memory";

/// Finds the property of a type of value, or its method with this many arguments.
pub fn find(owner: Types, word: &str, arguments: Option<usize>) -> Option<&'static Name> {
    let mut named = NAMES.iter().filter(|name| name.name == word && name.owner() == owner);
    named.find(|name| name.parameters.map(<[_]>::len) == arguments)
}

/// Returns the parameters of a method with this many arguments, of any type of value.
pub fn parameters_of(word: &str, arguments: usize) -> Option<&'static [Parameter]> {
    let mut named = NAMES.iter().filter(|name| name.name == word).filter_map(|name| name.parameters);
    named.find(|parameters| parameters.len() == arguments)
}

/// Returns whether the last of this many arguments of a method is the name of a player.
pub fn asks_player(word: &str, arguments: usize) -> bool {
    parameters_of(word, arguments).is_some_and(|parameters| parameters.last() == Some(&Parameter::Player))
}

/// Adds the names of an enum: properties, or methods with the parameters that `of` returns.
fn add<W>(all: &mut Vec<Name>, of: impl Fn(W) -> (Meaning, Option<&'static [Parameter]>))
where
    W: Copy + IntoEnumIterator + EnumMessage + Into<&'static str>,
{
    all.extend(W::iter().map(|word| {
        let (meaning, parameters) = of(word);
        let about = word.get_documentation().unwrap_or_default().trim_end().replace('\n', " ");
        Name { name: word.into(), meaning, parameters, about }
    }));
}

/// The names: those of a move first, then of a card, a number, the view and a seat.
pub static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    let mut all = Vec::new();
    let special = |name, meaning, about: &str| Name { name, meaning, parameters: None, about: about.into() };
    add(&mut all, |of| (Meaning::Move(of), None));
    add(&mut all, |of| (Meaning::Card(of), None));
    add(&mut all, |of| (Meaning::Number(of), Some(of.parameters())));
    all.push(special("moves", Meaning::Moves, "The legal moves, in the engine's order."));
    add(&mut all, |of| (Meaning::View(of), None));
    add(&mut all, |of| (Meaning::Seat(of), None));
    add(&mut all, |of| (Meaning::Call(of), Some(of.parameters())));
    add(&mut all, |of| (Meaning::Think(of), Some(of.parameters())));
    all.push(special(
        MEMORY_WORD,
        Meaning::Memory,
        "The number kept at place `i`, from 0 to 63. Assign to it to keep another one: `memory[0] += 1`. All are 0 at \
         the deal, and forgotten when the game ends.",
    ));
    let order = [Types::MOVE, Types::CARD, Types::INT, Types::VIEW, Types::SEAT];
    all.sort_by_key(|name| order.iter().position(|of| *of == name.owner()).unwrap_or(order.len()));
    all
});

/// Every shelf script: its name and its text, sorted by name.
pub const SHELF: &[(&str, &str)] = &[
    ("cautious", include_str!("../../../scripts/cautious.rhai")),
    ("chooser", include_str!("../../../scripts/chooser.rhai")),
    ("foresight", include_str!("../../../scripts/foresight.rhai")),
    ("greedy", include_str!("../../../scripts/greedy.rhai")),
    ("hoarder", include_str!("../../../scripts/hoarder.rhai")),
    ("patient", include_str!("../../../scripts/patient.rhai")),
    ("racer", include_str!("../../../scripts/racer.rhai")),
    ("reserve-first", include_str!("../../../scripts/reserve-first.rhai")),
    ("sampler", include_str!("../../../scripts/sampler.rhai")),
    ("tunable", include_str!("../../../scripts/tunable.rhai")),
];

/// Lists the strategies whose names need no path, including that of the higher layer.
fn shelf() -> impl Iterator<Item = &'static str> + Clone {
    let scripts = SHELF.iter().map(|(name, _)| *name);
    let profiles = PROFILES.iter().map(|(name, ..)| *name);
    scripts.chain(NATIVE.iter().map(|(name, _)| *name)).chain(profiles).chain([SEARCH])
}

/// Returns whether a name is that of a strategy of the shelf, possibly followed by settings.
pub fn is_on_shelf(name: &str) -> bool {
    shelf().any(|known| known == split(name).0)
}

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

/// Explains why a strategy of this name cannot be asked, whatever its settings.
pub fn may_not(name: &str) -> Option<&'static str> {
    let plain = split(name).0;
    let plain = split(meant(plain).unwrap_or(plain)).0;
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

/// Explains what is wrong with a name that is not a strategy of the shelf, and suggests another.
pub fn unknown(method: &str, name: &str) -> (String, Option<&'static str>) {
    let message = format!(
        "`{method}` was given \"{name}\", which is no strategy of the shelf and no function of this script with the \
         parameters `(view, m)` or `(view)`"
    );
    (message, did_you_mean(split(name).0, shelf().filter(|name| may_not(name).is_none())))
}

/// Returns whether a script plays out sampled deals, so that its games take long.
pub fn plays_on(text: &str) -> bool {
    text.contains(&format!(".{}(", Thought::Playout))
}

/// Returns whether a script looks at positions ahead, its own or those of sampled deals.
pub fn looks_ahead(text: &str) -> bool {
    let mut thinks = NAMES.iter().filter(|name| matches!(name.meaning, Meaning::Think(_)));
    thinks.any(|name| text.contains(&format!(".{}(", name.name)))
}
