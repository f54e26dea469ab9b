//! Every property and method that a script sees, read from the definitions that editors are given: what is
//! added to the language is tried without a word here.

use std::sync::LazyLock;

use saratoga::strategy::script::definitions;

use super::tree::Ty;

/// A property or method.
#[derive(Clone, Debug)]
pub struct Name {
    /// Whose it is.
    pub owner: Ty,
    /// The word.
    pub word: String,
    /// It is written without brackets.
    pub property: bool,
    /// What its arguments are called, which says what they may be.
    pub arguments: Vec<String>,
    /// What its value is; `None` for the list of moves.
    pub returns: Option<Ty>,
}

impl Name {
    /// How it is called in counts, as `View.pile_top`.
    pub fn key(&self) -> String {
        key(self.owner, &self.word)
    }
}

/// A word of an owner.
pub fn key(owner: Ty, word: &str) -> String {
    let owner = if owner == Ty::Sure { Ty::Card } else { owner };
    format!("{owner:?}.{word}")
}

/// All of them.
pub static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    definitions().lines().filter_map(|line| line.strip_prefix("fn ")).filter_map(read).collect()
});

/// `get rank(c: Card) -> int;`. What looks ahead is not compiled, and has tests of its own.
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
    // A card that may be missing is asked for with `Card | ()`, a card that is there with `Card`.
    let arguments = parameters.map(|(name, kind)| match kind {
        "Card" => "sure card".to_string(),
        _ => name.to_string(),
    });
    Some(Name { owner, word: word.into(), property, arguments: arguments.collect(), returns })
}
