//! Every property and method available to scripts, read from the definitions for editors: additions to the language are
//! tested automatically.

use std::sync::LazyLock;

use saratoga::strategy::script::definitions;

/// A property or method. The types are those of the grammar of random scripts.
#[derive(Clone, Debug)]
pub struct Name {
    pub owner: &'static str,
    pub word: String,
    /// Whether it is a property, written without brackets.
    pub property: bool,
    /// The names of its arguments, which determine their allowed values.
    pub arguments: Vec<String>,
    /// The type of its value; empty for the list of moves.
    pub returns: &'static str,
}

pub static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    definitions().lines().filter_map(|line| line.strip_prefix("fn ")).filter_map(read).collect()
});

/// Parses `get rank(c: Card) -> int;`. Names for looking ahead are not compiled, and stand in the grammar.
fn read(line: &str) -> Option<Name> {
    let property = line.starts_with("get ");
    let line = line.strip_prefix("get ").unwrap_or(line);
    let (word, rest) = line.split_once('(').unwrap();
    let (parameters, returns) = rest.split_once(") -> ").unwrap();
    let mut parameters = parameters.split(", ").map(|parameter| parameter.split_once(": ").unwrap());
    let owner = match parameters.next().unwrap().1 {
        "View" => "view",
        "Move" => "move",
        "Card" => "sure",
        "Seat" => "seat",
        "int" => "int",
        other => panic!("a value of a kind that is new here: {other}"),
    };
    let returns = match returns.trim_end_matches(';') {
        "View" => return None,
        _ if word == "playout" || word == "choice" => return None,
        "int" => "int",
        "bool" => "bool",
        "Card | ()" => "card",
        "Seat" => "seat",
        "Array" if word == "moves" => "",
        other => panic!("`{word}` returns what is new here: {other}"),
    };
    // `Card | ()` means a card that may be missing, `Card` one that is present.
    let arguments =
        parameters.map(|(name, kind)| if kind == "Card" { "sure card" } else { name }.to_string());
    Some(Name { owner, word: word.into(), property, arguments: arguments.collect(), returns })
}
