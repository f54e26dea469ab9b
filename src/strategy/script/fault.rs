//! Converts errors of the script engine to plain words with a position.

use std::any::type_name;
use std::ops::Range;

use rhai::{Dynamic, Engine, EvalAltResult};

use crate::diagnostic::Diagnostic;
use crate::game::MEMORY;

use super::handles::{MoveHandle, SeatHandle, ViewHandle, show_char};
use super::limits::{
    MAX_ARRAY, MAX_CALL_DEPTH, MAX_MAP, MAX_NESTING, MAX_STRING, MAX_VARIABLES, max_operations,
};
use super::meter::Stop;
use super::module::CLOSURE;
use super::names::{NAMES, is_memory};
use super::places::Lines;

/// Returns the fault of a script whose constants failed.
pub fn of_load(lines: &Lines, error: &EvalAltResult) -> Diagnostic {
    let mut fault = of_run(lines, error, None);
    if let Some(stop) = stop_of(error) {
        let operations = max_operations();
        fault.message = match stop {
            Stop::Operations => format!("loading the script took more than {operations} operations"),
            Stop::Interrupted => "interrupted while the script was loaded".into(),
        };
    }
    fault
}

fn innermost(mut error: &EvalAltResult) -> &EvalAltResult {
    while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = error {
        error = next;
    }
    error
}

/// Returns why the engine stopped a script, if it did.
pub fn stop_of(error: &EvalAltResult) -> Option<Stop> {
    Stop::of(innermost(error))
}

/// Returns whether a limit stopped it, for which Rhai keeps no position within functions.
pub fn is_of_a_limit(error: &EvalAltResult) -> bool {
    match innermost(error) {
        EvalAltResult::ErrorTerminated(..) => stop_of(error) == Some(Stop::Operations),
        other => other.is_system_exception(),
    }
}

/// Returns the fault of a running script: in the function whose name is at `called`, if the error does not say.
pub fn of_run(lines: &Lines, error: &EvalAltResult, called: Option<&Range<usize>>) -> Diagnostic {
    let (mut inner, mut position, mut caller) = (error, error.position(), None);
    while let EvalAltResult::ErrorInFunctionCall(name, _, next, at) = inner {
        caller = Some(name.as_str()).filter(|name| !name.starts_with(CLOSURE));
        inner = next;
        let deeper = inner.position();
        position = if deeper.is_none() { *at } else { deeper };
    }
    let at = match (position.is_none(), called) {
        (true, Some(called)) => called.clone(),
        _ => lines.span(position),
    };
    let (message, help) = run_words(inner);
    let message = match caller {
        Some(name) => format!("{message} (in `{name}`)"),
        None => message,
    };
    let diagnostic = Diagnostic::error(&lines.source, at, message);
    Diagnostic { help, ..diagnostic }
}

fn run_words(error: &EvalAltResult) -> (String, Option<String>) {
    use EvalAltResult as E;
    let message = match error {
        // Of a function that was asked.
        E::ErrorTerminated(told, _) if told.is_string() => thrown(told),
        E::ErrorTerminated(..) => {
            let help = "is there a loop without an end, or are there many playouts, or long lists? `--script-operations` allows more";
            let message = match Stop::of(error) {
                Some(Stop::Interrupted) => "interrupted while deciding".into(),
                _ => format!("the decision took more than {} operations", max_operations()),
            };
            return (message, Some(help.into()));
        }
        E::ErrorStackOverflow(_) => {
            format!("functions called each other more than {MAX_CALL_DEPTH} deep")
        }
        E::ErrorTooManyVariables(_) => format!("there are more than {MAX_VARIABLES} variables"),
        E::ErrorDataTooLarge(what, _) => match what.rsplit(' ').next() {
            Some("string") => format!("a string grew over {MAX_STRING} bytes"),
            Some("map") => format!("a map grew over {MAX_MAP} entries"),
            _ if what.starts_with("Texts") => {
                format!("the texts in a list grew over {MAX_STRING} bytes together")
            }
            _ if what.starts_with("Lists") => {
                format!("a list grew over {MAX_ARRAY} elements, those of the lists in it counted")
            }
            _ if what.starts_with("Depth") => {
                format!("arrays and maps are nested more than {MAX_NESTING} deep")
            }
            _ => format!("an array grew over {MAX_ARRAY} elements"),
        },
        E::ErrorArithmetic(what, _) if what.starts_with("Negation overflow") => {
            "the number without its sign is too large: the largest is 9223372036854775807".into()
        }
        E::ErrorArithmetic(what, _) if what.starts_with("Error parsing") => {
            let text = what.split('\'').nth(1).unwrap_or_default();
            format!("`{text}` is no number")
        }
        E::ErrorArithmetic(what, _) => lower(what),
        E::ErrorArrayBounds(len, index, _) => format!("index {index} is outside an array of {len}"),
        E::ErrorStringBounds(len, index, _) => format!("index {index} is outside a string of {len}"),
        E::ErrorBitFieldBounds(len, index, _) => format!("bit {index} is outside {len} bits"),
        E::ErrorIndexNotFound(index, _) => format!("there is no index {}", value_words(index)),
        E::ErrorVariableNotFound(name, _) => format!("there is no variable `{name}` here"),
        E::ErrorPropertyNotFound(name, _) => format!("there is no property `{name}`"),
        E::ErrorFunctionNotFound(call, _) => return no_function(call),
        E::ErrorDotExpr(what, _) => return no_property(what),
        E::ErrorIndexingType(what, _) if what.starts_with("Memory") => {
            format!("`memory` is asked for a place by a whole number, from 0 to {}: `memory[0]`", MEMORY - 1)
        }
        E::ErrorIndexingType(what, _) => {
            let of = type_words(what.split(" [").next().unwrap_or(what));
            let help = "`all[0]` is an element of a list or a text, or a bit of a number; `map[\"name\"]` is one of a map";
            return (format!("{of} has no elements that `[ ]` could ask for"), Some(help.into()));
        }
        E::ErrorMismatchDataType(wanted, found, _) if wanted == "char" => {
            let help = "a character stands in single quotes: `'x'`";
            return (format!("found {}, wanted a character", type_words(found)), Some(help.into()));
        }
        E::ErrorMismatchDataType(wanted, found, _) | E::ErrorMismatchOutputType(wanted, found, _) => {
            format!("found {}, wanted {}", type_words(found), type_words(wanted))
        }
        E::ErrorFor(_) => {
            let help = "numbers are counted by `for i in 0..10`, moves by `for o in view.moves`";
            return ("`for` needs a range, an array, a map or a string".into(), Some(help.into()));
        }
        E::ErrorAssignmentToConstant(name, _) if is_memory(name) => {
            return (
                format!("`{name}` itself cannot be assigned to"),
                Some(format!("write `{name}[0] = ..`")),
            );
        }
        E::ErrorAssignmentToConstant(name, _) => format!("`{name}` is constant"),
        E::ErrorRuntime(value, _) if value.is_unit() => "the script threw an error".into(),
        E::ErrorRuntime(value, _) => thrown(value),
        other => lower(&without_position(&other.to_string())),
    };
    (message, None)
}

/// Explains `pile_top (View, ())`: a call whose arguments no function of the name takes.
fn no_function(call: &str) -> (String, Option<String>) {
    if let Some(of) = call.strip_prefix("elements of ").and_then(|it| it.strip_suffix(" cannot be sorted")) {
        let help = "write which of two comes first: `all.sort(|a, b| a.count - b.count)`";
        return (format!("`sort` cannot order a list with {} in it", type_words(of)), Some(help.into()));
    }
    let Some((name, arguments)) = call.split_once(" (") else {
        return (format!("there is no function `{call}`"), None);
    };
    let name = if name.starts_with(CLOSURE) { "the closure" } else { name };
    let arguments: Vec<String> = arguments
        .strip_suffix(')')
        .unwrap_or(arguments)
        .split(", ")
        .filter(|a| !a.is_empty())
        .map(type_words)
        .collect();
    if let Some(told) = wrong_argument(name, &arguments) {
        return told;
    }
    let given = if arguments.is_empty() { "nothing".to_string() } else { arguments.join(" and ") };
    let has = |kind: &str| arguments.iter().any(|it| it == kind);
    let calculates = matches!(name, "+" | "-" | "*" | "/" | "%" | "**");
    let help = if has("`()`") {
        Some("`()` is no card: test with `!= ()` first")
    } else if calculates && has("a truth value") {
        Some("`if test { 1 } else { 0 }` makes a number of a truth value")
    } else if calculates && has("a card") {
        Some("a card has numbers: `rank`, `suit`, `up`")
    } else if calculates && has("a move") {
        Some("a move has numbers: `count`, `source`, `target`")
    } else if name == "contains" {
        Some("`x in y` looks into a list, a range, a map or a text")
    } else {
        None
    };
    let name = if name == "the closure" { name.into() } else { format!("`{name}`") };
    (format!("{name} does not take {given}"), help.map(String::from))
}

/// Explains a method of the view called with an argument of another kind.
fn wrong_argument(name: &str, arguments: &[String]) -> Option<(String, Option<String>)> {
    let (of, given) = arguments.split_first().filter(|(of, _)| *of == "the view")?;
    let known = NAMES.iter().find(|known| known.name == name && known.owner().words() == *of)?;
    let wanted = known.signature().filter(|wanted| wanted.len() == given.len())?;
    let signature = format!("it is `view.{name}({})`", wanted.join(", "));
    let help = if given.iter().any(|it| it == "`()`") {
        format!("{signature}; `()` is no card: test with `!= ()` first")
    } else {
        signature
    };
    Some((format!("`{name}` was given {}", given.join(" and ")), Some(help)))
}

/// Explains "Unknown property 'rank' - a getter is not registered for type '()'".
fn no_property(what: &str) -> (String, Option<String>) {
    let mut quoted = what.split('\'').skip(1).step_by(2);
    match (quoted.next(), quoted.next()) {
        (Some(name), Some("()")) => (
            format!("`{name}` was asked of `()`: there is no card here"),
            Some("test with `!= ()` first".into()),
        ),
        (Some(name), Some(of)) if is_looked_at(name, of) => (
            format!("`{name}` of {} cannot be assigned to", type_words(of)),
            Some("the game is only looked at: keep another value in a variable".into()),
        ),
        (Some(name), Some(of)) => (format!("{} has no property `{name}`", type_words(of)), None),
        _ => (lower(what), None),
    }
}

/// Returns whether a kind of value has a property, which must then have been assigned to.
fn is_looked_at(name: &str, of: &str) -> bool {
    let words = type_words(of);
    NAMES.iter().any(|known| known.name == name && known.owner().words() == words)
}

pub fn describe(engine: &Engine, value: &Dynamic) -> String {
    if value.is_unit() {
        return "nothing (`()`)".into();
    }
    let kind = type_words(engine.map_type_name(value.type_name()));
    if value.is_string() || value.is_float() || value.is_bool() || value.is_int() {
        return format!("{kind} ({})", value_words(value));
    }
    kind
}

fn value_words(value: &Dynamic) -> String {
    match value.as_char() {
        Ok(c) => show_char(c),
        Err(_) => without_closures(&without_types(&value.to_string())),
    }
}

fn thrown(value: &Dynamic) -> String {
    if value.is_variant() {
        return format!("the script threw {}", type_words(value.type_name()));
    }
    let (words, most) = (value_words(value), 200);
    match words.char_indices().nth(most) {
        Some((end, _)) if !value.is_string() => format!("{} ..", &words[..end]),
        _ => words,
    }
}

/// Replaces the engine's names of closures, which contain numbers that differ between machines.
fn without_closures(text: &str) -> String {
    let mut parts = text.split(CLOSURE);
    let first = parts.next().unwrap_or_default().to_string();
    parts
        .fold(first, |told, part| told + "closure" + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
}

/// Replaces the type names of values of the game, which the engine prints, by words.
fn without_types(text: &str) -> String {
    [type_name::<MoveHandle>(), type_name::<ViewHandle>(), type_name::<SeatHandle>()]
        .into_iter()
        .fold(text.to_string(), |text, name| text.replace(name, &type_words(name)))
}

fn type_words(name: &str) -> String {
    let words = match name.rsplit("::").next().unwrap_or(name) {
        "View" | "ViewHandle" => "the view",
        "Move" | "MoveHandle" => "a move",
        "Card" | "char" => "a card",
        "Seat" | "SeatHandle" => "a seat",
        "i64" | "int" => "a whole number",
        "f64" | "float" => "a decimal number",
        "bool" => "a truth value",
        "string" | "ImmutableString" | "&str" | "&str | ImmutableString | String" => "a string",
        "array" | "Array" => "an array",
        "map" | "Map" => "a map",
        "Fn" | "FnPtr" => "a function",
        "range" | "Range<i64>" | "range=" | "RangeInclusive<i64>" => "a range",
        "Memory" | "MemoryHandle" => "the memory",
        "()" => "`()`",
        other => return format!("`{other}`"),
    };
    words.into()
}

/// Puts the first letter of the engine's words in lower case.
pub fn lower(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}

/// Removes the position from the end of the engine's message, as a diagnostic has its own.
fn without_position(text: &str) -> String {
    text.split(" (line ").next().unwrap_or(text).to_string()
}
