//! Every property and method available to scripts, read from the definitions for editors: additions to the language are
//! tested automatically.

use std::sync::LazyLock;

use saratoga::strategy::script::definitions;

use super::tree::Ty;

/// A property or method.
#[derive(Clone, Debug)]
pub struct Name {
    /// The kind of value that has it.
    pub owner: Ty,
    /// Its name.
    pub word: String,
    /// Whether it is a property, written without brackets.
    pub property: bool,
    /// The names of its arguments, which determine their allowed values.
    pub arguments: Vec<String>,
    /// The type of its value; `None` for the list of moves.
    pub returns: Option<Ty>,
}

impl Name {
    /// Returns its name in counts, such as `View.pile_top`.
    pub fn key(&self) -> String {
        key(self.owner, &self.word)
    }
}

/// Returns the name of a word of an owner in counts.
pub fn key(owner: Ty, word: &str) -> String {
    let owner = if owner == Ty::Sure { Ty::Card } else { owner };
    format!("{owner:?}.{word}")
}

/// All names.
pub static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    definitions().lines().filter_map(|line| line.strip_prefix("fn ")).filter_map(read).collect()
});

/// Parses `get rank(c: Card) -> int;`. Names for looking ahead are not compiled, and have separate tests.
fn read(line: &str) -> Option<Name> {
    let property = line.starts_with("get ");
    let line = line.strip_prefix("get ").unwrap_or(line);
    let (word, rest) = line.split_once('(').unwrap();
    let (parameters, returns) = rest.split_once(") -> ").unwrap();
    let mut parameters = parameters.split(", ").map(|parameter| parameter.split_once(": ").unwrap());
    let owner = match parameters.next().unwrap().1 {
        "View" => Ty::View,
        "Move" => Ty::Move,
        "Card" => Ty::Sure,
        "Seat" => Ty::Seat,
        "int" => Ty::Int,
        other => panic!("a value of a kind that is new here: {other}"),
    };
    let returns = match returns.trim_end_matches(';') {
        _ if word == "playout" || word == "choice" => return None,
        "int" => Some(Ty::Int),
        "bool" => Some(Ty::Bool),
        "Card | ()" => Some(Ty::Card),
        "Seat" => Some(Ty::Seat),
        "Array" if word == "moves" => None,
        "View" => return None,
        other => panic!("`{word}` returns what is new here: {other}"),
    };
    // `Card | ()` means a card that may be missing, `Card` one that is present.
    let arguments = parameters.map(|(name, kind)| match kind {
        "Card" => "sure card".to_string(),
        _ => name.to_string(),
    });
    Some(Name { owner, word: word.into(), property, arguments: arguments.collect(), returns })
}
