//! Every name of the game in scripts: one table for the interpreter ([`super::api`]), the compiler (lowering), the
//! checks at load, the definitions for editors and the documentation.
//!
//! The values of names are computed in one place too, [`super::intrinsics`]. A new name is an entry here and a variant
//! there.

mod kinds;
mod table;

use super::intrinsics::{Intrinsic, NumberMethod};
use super::value::Types;

pub use kinds::{Meaning, Name, Parameter, Thought, ValueKind};
pub use table::NAMES;

/// An entry of the table as text, for documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiName {
    /// The variable that has it: `view`, `m`, `c`, `s` or `n`; for a name by itself, the word.
    pub variable: &'static str,
    /// The type of that variable: `View`, `Move`, `Card`, `Seat`, `int` or `Memory`.
    pub owner: &'static str,
    /// The word.
    pub name: &'static str,
    /// The parameters of a method, each `name: type`; `None` for a property.
    pub parameters: Option<Vec<String>>,
    /// The type of its value.
    pub returns: String,
    /// Its description, in a sentence.
    pub about: &'static str,
}

/// Returns every name, in the order of the table.
pub fn entries() -> impl Iterator<Item = ApiName> {
    NAMES.iter().map(|name| {
        let owner = match name.owner() {
            ValueKind::View => "View",
            ValueKind::Move => "Move",
            ValueKind::Seat => "Seat",
            ValueKind::Memory => "Memory",
            ValueKind::Number => "int",
            ValueKind::Card | ValueKind::Plain => "Card",
        };
        let variable = name.owner().variable();
        let (parameters, returns) = (name.parameters(), name.returns());
        ApiName { variable, owner, name: name.name, parameters, returns, about: name.about }
    })
}

/// Returns the name of a property.
pub fn name_of(meaning: Meaning) -> &'static str {
    NAMES.iter().find(|name| name.meaning == meaning).map_or("", |name| name.name)
}

/// Returns the meaning of a word as a property of a kind of value.
pub fn property(owner: ValueKind, word: &str) -> Option<Meaning> {
    let name = NAMES.iter().find(|name| name.name == word && name.owner() == owner)?;
    (!matches!(name.meaning, Meaning::Call(..) | Meaning::Think(..) | Meaning::Number(..)))
        .then_some(name.meaning)
}

/// Returns the meaning of a word as a method with this many arguments.
pub fn method(owner: ValueKind, word: &str, arguments: usize) -> Option<Intrinsic> {
    NAMES.iter().find_map(|name| match name.meaning {
        Meaning::Call(of, parameters) if name.name == word && parameters.len() == arguments => {
            (name.owner() == owner).then_some(of)
        }
        _ => None,
    })
}

/// Returns the meaning of a word as a method of a whole number with this many arguments.
pub fn of_number(word: &str, arguments: usize) -> Option<NumberMethod> {
    NAMES.iter().find_map(|name| match name.meaning {
        Meaning::Number(of, parameters) if name.name == word && parameters.len() == arguments => Some(of),
        _ => None,
    })
}

/// Returns the result types of a word as a method with this many arguments.
pub fn method_types(owner: ValueKind, word: &str, arguments: usize) -> Option<Types> {
    NAMES.iter().find_map(|name| match name.meaning {
        Meaning::Call(_, parameters) | Meaning::Think(_, parameters) | Meaning::Number(_, parameters)
            if name.name == word && parameters.len() == arguments =>
        {
            (name.owner() == owner).then(|| name.meaning.types())
        }
        _ => None,
    })
}

/// Returns the parameters of a method with this many arguments, of any kind of value.
pub fn parameters_of(word: &str, arguments: usize) -> Option<&'static [Parameter]> {
    NAMES.iter().find_map(|name| match name.meaning {
        Meaning::Call(_, parameters) | Meaning::Think(_, parameters) | Meaning::Number(_, parameters) => {
            (name.name == word && parameters.len() == arguments).then_some(parameters)
        }
        _ => None,
    })
}

/// Returns the lookahead of a method.
pub fn thought(method: &str) -> Option<Thought> {
    NAMES.iter().filter(|name| name.name == method).find_map(|name| match name.meaning {
        Meaning::Think(thought, _) => Some(thought),
        _ => None,
    })
}

/// Returns the number of arguments of a method whose last argument is the name of a player.
pub fn asks_player(word: &str) -> Option<usize> {
    NAMES.iter().find_map(|name| match name.meaning {
        Meaning::Think(_, parameters) if name.name == word => {
            (parameters.last() == Some(&Parameter::Player)).then_some(parameters.len())
        }
        _ => None,
    })
}

/// Returns the argument types of an intrinsic, including the seat.
pub fn arguments_of(intrinsic: Intrinsic) -> Vec<Types> {
    let of = |name: &Name| match name.meaning {
        Meaning::Call(of, parameters) if of == intrinsic => Some(parameters),
        _ => None,
    };
    // The lowest card of a pile, which has no name, takes the pile.
    let parameters = NAMES.iter().find_map(of).unwrap_or(&[Parameter::Pile]);
    let seat = intrinsic.is_of_seat().then_some(Types::SEAT);
    seat.into_iter().chain(parameters.iter().map(|parameter| parameter.types())).collect()
}
