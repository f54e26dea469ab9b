//! Every property and method available to scripts, read from the definitions for editors: additions to the language are
//! tested automatically.

use std::sync::LazyLock;

use saratoga::strategy::script::definitions;

/// The intended type of an expression. A deliberately faulty script does not respect it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Int,
    Bool,
    /// A card or `()`.
    Card,
    /// A card that is certainly present.
    Sure,
    Move,
    /// A move or `()`.
    MaybeMove,
    Seat,
    View,
    /// A whole number, a boolean, a card or `()`, at different times.
    Any,
    /// A list; the script determines its element types.
    List,
    /// A statement, or `()`.
    Nothing,
}

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
    /// Returns whether it needs a card that is present.
    pub fn takes_sure_card(&self) -> bool {
        self.arguments.iter().any(|argument| argument == "sure card")
    }
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
