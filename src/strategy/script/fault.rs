//! Explains errors in plain words with a position: those of the script engine, and of a text that does not parse.

use std::any::type_name;
use std::ops::Range;
use std::sync::Arc;

use rhai::{Dynamic, Engine, EvalAltResult, LexError, ParseError, ParseErrorType as Kind};

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::MEMORY;

use super::limits::{
    FORBIDDEN, MAX_ARRAY, MAX_CALL_DEPTH, MAX_MAP, MAX_NESTING, MAX_STRING, MAX_VARIABLES, Stop,
    max_operations,
};
use super::module::{CLOSURE, Lines, word_at};
use super::names::{MEMORY_WORD, NAMES};
use super::value::{MoveHandle, SeatHandle, ViewHandle, show_char};

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
        E::ErrorAssignmentToConstant(name, _) if name == MEMORY_WORD => {
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

const VALUE: &str = "a value is, for example, `1`, `m.count` or `()`";

/// Words and signs of other languages, and what to write instead.
const OTHERS: &[(&[&str], &str)] = &[
    (&["and"], "write `&&`"),
    (&["or"], "write `||`"),
    (&["not"], "write `!`, as in `!m.is_draw`"),
    (&["is", "==="], "write `==`"),
    (&["!==", "<>"], "write `!=`"),
    (&["=<"], "write `<=`"),
    (&[":="], "write `=`"),
    (&["++"], "write `+= 1`"),
    (&["--"], "write `-= 1`"),
    (&["elif", "elseif", "elsif"], "write `else if`"),
    (&["then"], "a block stands in braces: `if m.is_draw { 1 }`"),
    (&["function", "func", "def"], "write `fn`"),
    (&["var"], "write `let`"),
    (&["null", "nil", "None", "NULL", "undefined", "void"], "write `()` for nothing"),
    (&["True"], "write `true`"),
    (&["False"], "write `false`"),
    (&["match"], "write `switch`"),
    (&["case"], "a case of a `switch` is written `1 => 50,`"),
    (&["default"], "the last case of a `switch` is written `_ => 50`"),
    (&["foreach"], "write `for x in list { .. }`"),
    (&["->"], "a function does not say what it returns"),
    (&["?"], "write `if m.is_draw { 1 } else { 2 }`, which has a value"),
    (&["#"], "a comment begins with `//`, and a map with `#{`"),
    (&["(*"], "a comment stands between `/*` and `*/`"),
];

pub fn instead_of(word: &str) -> Option<&'static str> {
    OTHERS.iter().find(|(others, _)| others.contains(&word)).map(|(_, instead)| *instead)
}

pub fn of_parse(lines: &Lines, ParseError(kind, position): &ParseError) -> Diagnostic {
    let (source, text) = (&lines.source, lines.source.text.as_str());
    if let Some(fault) = open_comment(source) {
        return fault;
    }
    let end = text.trim_end().len();
    let at = lines.offset(*position).map_or(end, |at| at.min(end));
    let tokens = tokens(text);
    let index = tokens.partition_point(|token| token.end <= at);
    // Within a quoted text, it is a single character.
    let is_here = |token: &&Range<usize>| {
        token.start == at || token.start < at && !text[token.start..].starts_with(['"', '`'])
    };
    let here = match tokens.get(index).filter(is_here) {
        Some(token) => token.clone(),
        None if at == end => end..end,
        None => word_at(text, at),
    };
    let before = tokens[..index].last().cloned();
    let place = Place { text, before, here, open: open(text, &tokens[..index]) };
    let (span, message, help) = place.words(kind);
    let diagnostic = Diagnostic::error(source, span, message);
    if help.is_empty() { diagnostic } else { diagnostic.help(help) }
}

struct Place<'t> {
    text: &'t str,
    /// The last token that fits.
    before: Option<Range<usize>>,
    /// The first token that does not fit.
    here: Range<usize>,
    /// The brackets open before it, innermost last.
    open: Vec<Range<usize>>,
}

type Words = (Range<usize>, String, String);

impl Place<'_> {
    fn at(&self, span: &Range<usize>) -> &str {
        &self.text[span.clone()]
    }

    fn line(&self, at: usize) -> usize {
        self.text[..at].matches('\n').count() + 1
    }

    fn found(&self) -> String {
        match self.at(&self.here) {
            "" => "the end of the script".into(),
            token => format!("`{token}`"),
        }
    }

    fn last(&self) -> &str {
        self.before.as_ref().map_or("", |before| self.at(before))
    }

    fn words(&self, kind: &Kind) -> Words {
        const LOOPS: &str = "write `for m in view.moves { .. }` or `for i in 0..10 { .. }`";
        let found = self.found();
        let must_be =
            |what: &str, help: &str| (format!("found {found} where {what} must stand"), help.to_string());
        let told = |message: &str, help: &str| (message.to_string(), help.to_string());
        if let Some(told) = self.of_another_language(kind) {
            return told;
        }
        let (message, help) = match kind {
            _ if self.closes_nothing() => {
                told(&format!("{found} closes nothing"), "remove it, or write what it is to close")
            }
            Kind::BadInput(LexError::ImproperSymbol(sign, _)) if sign == "=" => {
                told("`=` assigns a value, and has none itself", "write `==` to compare")
            }
            Kind::BadInput(LexError::MalformedChar(text)) => (
                format!("`'{text}'` is not one character"),
                format!("a text stands in double quotes: `\"{text}\"`"),
            ),
            Kind::BadInput(LexError::UnterminatedString) => told(
                "the text that begins here does not end",
                "close it with another quote, on the same line",
            ),
            Kind::BadInput(LexError::MalformedNumber(number)) => {
                told(&format!("`{number}` is not a number"), "write `12` or `1.5`")
            }
            Kind::BadInput(LexError::MalformedEscapeSequence(sign)) => {
                told(&format!("`{sign}` means nothing in a text"), r"write `\\` for `\`")
            }
            Kind::BadInput(LexError::UnexpectedInput(_)) if !found.is_ascii() => told(
                &format!("{found} cannot be a name"),
                "a name has letters from `a` to `z` or `A` to `Z`, digits and `_`",
            ),
            Kind::BadInput(LexError::UnexpectedInput(_)) | Kind::ExprExpected(_) => must_be("a value", VALUE),
            Kind::BadInput(LexError::Runtime(message)) => told(message, ""),
            Kind::UnexpectedEOF => return self.unclosed(""),
            Kind::MissingToken(token, _) => match (token.as_str(), self.at(&self.here)) {
                (";", "") => return self.unclosed(""),
                (";", _) => return self.unfinished(),
                ("}" | ")" | "]", _) => return self.unclosed(token),
                (",", "" | ";" | "}" | ")" | "]") if !self.open.is_empty() => {
                    return self.unclosed(self.open.last().map_or("", |open| closing(self.at(open))));
                }
                (token, _) => {
                    let help = match token {
                        "," => "values in brackets are separated by `,`",
                        "{" => "a block stands in braces: `if m.is_draw { 1 }`",
                        "in" => LOOPS,
                        "=>" => "a case of a `switch` is written `1 => 50,`",
                        ":" => "an entry of a map is written `name: 1`",
                        _ => "",
                    };
                    told(&format!("`{token}` is missing before {found}"), help)
                }
            },
            Kind::VariableExpected => {
                let of_for = self.last() == "for" || self.open.last().is_some_and(|it| self.is_of_for(it));
                must_be(
                    "the name of a variable",
                    if of_for { LOOPS } else { "a name is a word such as `best`" },
                )
            }
            Kind::PropertyExpected => must_be("the name of a property", "write it, as in `m.count`"),
            Kind::FnMissingName => must_be("the name of a function", "write it, as in `fn score(view, m)`"),
            Kind::FnMissingParams(name) => {
                let message = format!("the parameters of `{name}` are missing before {found}");
                let help = match name.as_str() {
                    "score" => "write `fn score(view, m) { .. }`".into(),
                    "choose" => "write `fn choose(view) { .. }`".into(),
                    _ => format!(
                        "write `fn {name}() {{ .. }}`, with the names of its parameters in the brackets"
                    ),
                };
                (message, help)
            }
            Kind::FnMissingBody(name) => {
                let of = if name.is_empty() { "the function".into() } else { format!("`{name}`") };
                told(&format!("the body of {of} is missing before {found}"), "it stands in braces: `{ 1 }`")
            }
            Kind::FnDuplicatedDefinition(name, n) => told(
                &format!("`{name}` with {n} parameters is defined twice"),
                "give one of them another name",
            ),
            Kind::FnDuplicatedParam(_, name) => {
                told(&format!("two parameters are called `{name}`"), "give one of them another name")
            }
            Kind::WrongFnDefinition => {
                let line = self.open.first().map(|open| self.line(self.deeper(open).start));
                let help = line.map(|line| {
                    format!("end the function before it with `}}`: the `{{` of line {line} is still open")
                });
                ("a function cannot be defined inside another".into(), help.unwrap_or_default())
            }
            Kind::DuplicatedProperty(name) => {
                told(&format!("the map has `{name}` twice"), "remove one of them")
            }
            Kind::LoopBreak => {
                told(&format!("{found} stands outside of a loop"), "`return` leaves a function")
            }
            Kind::Reserved(word) => {
                told(&format!("`{word}` cannot be a name: the language keeps it"), "choose another name")
            }
            Kind::UnknownOperator(sign) => told(&format!("there is no `{sign}`"), ""),
            Kind::AssignmentToConstant(name) if !name.is_empty() => {
                told(&format!("`{name}` is constant"), "declare it with `let` in a function to change it")
            }
            Kind::AssignmentToConstant(_) | Kind::AssignmentToInvalidLHS(_) => told(
                "nothing can be assigned to this",
                "a value is assigned to a variable, as in `x = 1`; `==` compares",
            ),
            Kind::MismatchedType(..) => must_be(
                "a condition or a list",
                "numbers are counted by `for i in 0..10`, moves by `for o in view.moves`",
            ),
            Kind::WrongSwitchDefaultCase => {
                told("`_` is not the last case of this `switch`", "write it last")
            }
            Kind::WrongSwitchIntegerCase => {
                let mut tokens = tokens(self.text).into_iter();
                let number = tokens.find(|token| token.end > self.here.start && self.at(token) != "-");
                let case = self.here.start..number.map_or(self.here.end, |number| number.end);
                let message = format!("the case `{}` stands behind a range", self.at(&case));
                return (case, message, "write cases of one number before ranges".into());
            }
            Kind::ExprTooDeep => told(
                "the expression is nested too deeply",
                "give parts of it names with `let`, or write a function",
            ),
            Kind::TooManyFunctions => told("the script has too many functions", ""),
            other => match other.to_string() {
                this if this.starts_with("'this'") => told(
                    "`this` stands only in a function that is called as a method",
                    "write the name of a parameter, such as `m`",
                ),
                other => (lower(&other), String::new()),
            },
        };
        (self.here.clone(), message, help)
    }

    fn of_another_language(&self, kind: &Kind) -> Option<Words> {
        let here = self.at(&self.here);
        if self.text[self.here.start..].starts_with("::") {
            let message = "`::` is not available: a script has no modules";
            let help = "a function sees the constants of the script: write `LIMIT`, not `global::LIMIT`";
            return Some((self.here.clone(), message.into(), help.into()));
        }
        let word = match kind {
            Kind::Reserved(word) | Kind::BadInput(LexError::ImproperSymbol(word, _)) => word.as_str(),
            Kind::UnknownOperator(sign) => sign.as_str(),
            _ => here,
        };
        if FORBIDDEN.contains(&word) {
            let message = format!("`{word}` is not available in strategy scripts");
            return Some((self.here.clone(), message, "a script sees the game and nothing else".into()));
        }
        if matches!(kind, Kind::BadInput(LexError::MalformedChar(_) | LexError::UnterminatedString)) {
            return None;
        }
        if here == "=>" && matches!(kind, Kind::MissingToken(token, _) if token != "=>") {
            return Some((self.here.clone(), "there is no `=>` between values".into(), "write `>=`".into()));
        }
        if here == ":" && matches!(kind, Kind::MissingToken(token, _) if token == ";") {
            let help = "a map is written `#{ name: 1 }`";
            return Some((self.here.clone(), "`:` stands only in a map".into(), help.into()));
        }
        let last = self.before.clone().map(|before| (self.last(), before));
        let words = [Some((word, self.here.clone())), Some((here, self.here.clone())), last];
        words.into_iter().flatten().find_map(|(word, span)| {
            let instead = instead_of(word).filter(|_| !self.declares(word))?;
            Some((span, format!("there is no `{word}` in the language of scripts"), instead.into()))
        })
    }

    fn declares(&self, word: &str) -> bool {
        let declared = |before: &str| self.text.contains(&format!("{before} {word}"));
        ["let", "const", "fn"].into_iter().any(declared)
    }

    fn unfinished(&self) -> Words {
        if let Some(block) = self.open.last().filter(|open| self.at(open) == "{" && self.is_behind(open)) {
            let message = format!("`}}` is missing before {}", self.found());
            let help = format!("the `{{` of line {} is still open", self.line(block.start));
            return (self.here.clone(), message, help);
        }
        let (Some(before), found) = (&self.before, self.found()) else {
            return (self.here.clone(), "`;` is missing".into(), String::new());
        };
        let message = format!("`;` is missing between `{}` and {found}", self.at(before));
        let help = match self.text[before.end..self.here.start].contains('\n') {
            true => "a statement ends with `;`",
            false => "a statement ends with `;`; values are joined by signs such as `+` and `&&`",
        };
        (before.clone(), message, help.into())
    }

    /// Returns whether the token that does not fit seems to follow a block that is still open: no statement begins with
    /// it, or its line is indented no deeper than the block, and less than the line before.
    fn is_behind(&self, block: &Range<usize>) -> bool {
        let here = self.here.start;
        let is_first = self.text[self.line_start(here)..here].trim().is_empty();
        let before = self.before.as_ref().map_or(0, |before| self.indent(before.start));
        let is_back = is_first && self.indent(here) < before && self.indent(here) <= self.indent(block.start);
        is_back || matches!(self.at(&self.here), "else" | "," | ")" | "]" | "=>" | "catch")
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |end| end + 1)
    }

    fn indent(&self, at: usize) -> usize {
        let line = &self.text[self.line_start(at)..];
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    fn unclosed(&self, token: &str) -> Words {
        let Some(open) = self.open.last() else {
            let message = format!("found {} where a value must stand", self.found());
            return (self.here.clone(), message, VALUE.into());
        };
        if !self.here.is_empty() && !token.is_empty() {
            let message = format!("`{token}` is missing before {}", self.found());
            let help = format!("the `{}` of line {} is still open", self.at(open), self.line(open.start));
            return (self.here.clone(), message, help);
        }
        let open = self.deeper(open);
        let (message, closing) =
            (format!("this `{}` is never closed", self.at(&open)), closing(self.at(&open)));
        (open, message, format!("write `{closing}` where it is to end"))
    }

    /// Returns an opening bracket, or the one that is probably meant: the first whose line is indented deeper than that
    /// of the bracket that closes it.
    fn deeper(&self, open: &Range<usize>) -> Range<usize> {
        let mut stack: Vec<Range<usize>> = Vec::new();
        for token in tokens(self.text) {
            match self.at(&token) {
                "{" | "#{" => stack.push(token),
                "}" => {
                    let Some(opened) = stack.pop() else { break };
                    let is_first = self.text[self.line_start(token.start)..token.start].trim().is_empty();
                    if is_first && self.indent(token.start) < self.indent(opened.start) {
                        return opened;
                    }
                }
                _ => {}
            }
        }
        open.clone()
    }

    fn is_of_for(&self, open: &Range<usize>) -> bool {
        self.text[..open.start].trim_end().ends_with("for")
    }

    fn closes_nothing(&self) -> bool {
        let here = self.at(&self.here);
        let mut open = self.open.iter().map(|open| closing(self.at(open)));
        matches!(here, "}" | ")" | "]") && !open.any(|closing| closing == here)
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// Returns the brackets that are open after some tokens, innermost last.
fn open(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut open = Vec::new();
    for token in tokens {
        match &text[token.clone()] {
            "{" | "#{" | "(" | "[" => open.push(token.clone()),
            "}" | ")" | "]" => drop(open.pop()),
            _ => {}
        }
    }
    open
}

fn tokens(text: &str) -> Vec<Range<usize>> {
    parts(text).filter(|(_, is_token)| *is_token).map(|(span, _)| span).collect()
}

pub fn open_comment(source: &Arc<SourceText>) -> Option<Diagnostic> {
    let text = &source.text;
    let mut comments =
        parts(text).filter(|(span, is_token)| !is_token && text[span.start..].starts_with("/*"));
    let (span, _) = comments.find(|(span, _)| comment(&text[span.start..]).is_none())?;
    let message = "the comment that begins here does not end";
    let help = "close it with `*/`: each `/*` within it takes one of its own";
    Some(Diagnostic::error(source, span.start..span.start + 2, message).help(help))
}

/// The length of the comment that begins here, and that others may stand in; `None` if it does not end.
fn comment(text: &str) -> Option<usize> {
    let (mut at, mut open) = (2, 1);
    while open > 0 {
        let next = at + text[at..].find(['*', '/'])?;
        let (step, change) = match text.get(next..next + 2) {
            Some("/*") => (2, 1),
            Some("*/") => (2, -1),
            _ => (1, 0),
        };
        (at, open) = (next + step, open + change);
    }
    Some(at)
}

/// The tokens of a text, and what stands between them.
fn parts(text: &str) -> impl Iterator<Item = (Range<usize>, bool)> {
    const LONG: [&str; 28] = [
        "===", "!==", "<<=", ">>=", "**=", "..=", "++", "--", "==", "!=", "<=", ">=", "=>", "=<", "<>", "->",
        ":=", "::", "&&", "||", "+=", "-=", "*=", "/=", "..", "??", "?.", "#{",
    ];
    let mut at = 0;
    std::iter::from_fn(move || {
        let (rest, start) = (&text[at..], at);
        let first = rest.chars().next()?;
        let (len, is_token) = match first {
            _ if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
            _ if rest.starts_with("/*") => (comment(rest).unwrap_or(rest.len()), false),
            _ if first.is_whitespace() => (first.len_utf8(), false),
            '"' | '\'' | '`' => (quoted(rest, first), true),
            _ => match LONG.iter().find(|long| rest.starts_with(**long)) {
                Some(long) => (long.len(), true),
                None => (word_at(text, at).len(), true),
            },
        };
        at += len;
        Some((start..at, is_token))
    })
}

/// Returns the length of a quoted text that begins here: to its end, or that of the line. One in backquotes may span
/// lines.
fn quoted(text: &str, quote: char) -> usize {
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' if quote != '`' => drop(chars.next()),
            '\n' if quote != '`' => return at,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
