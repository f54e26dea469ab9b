//! Lints comparisons that always have the same result, and ordering of values that have no order.

use rhai::{Expr, FnCallExpr, Position, Stmt};

use crate::cards::{Card, Rank, Suit};

use super::super::handles::from_char;
use super::super::places::offset;
use super::super::syntax::tokens;
use super::super::value::Types;
use super::types::{Scope, start};

/// A finding with its position, and what to do instead.
pub struct Part {
    pub at: Position,
    pub message: String,
    pub help: String,
    pub is_error: bool,
}

/// Lints a comparison.
pub fn compared(scope: &Scope<'_>, call: &FnCallExpr) -> Option<Part> {
    let [a, b] = &call.args[..] else { return None };
    match call.name.as_str() {
        name @ ("<" | "<=" | ">" | ">=") => by_size(scope, name, a, b),
        name @ ("==" | "!=") => never_equal(scope, name, a, b),
        _ => None,
    }
}

/// Lints a value that is not a boolean, for an operator that takes only booleans.
pub fn operands(scope: &Scope<'_>, expr: &Expr) -> Option<Part> {
    let (sign, values) = match expr {
        Expr::And(values, _) => ("&&", &values[..]),
        Expr::Or(values, _) => ("||", &values[..]),
        Expr::FnCall(call, _) if call.name == "!" && call.args.len() == 1 => ("!", &call.args[..]),
        _ => return None,
    };
    let of_wrong = |value: &Expr| Some(scope.type_of(value)).filter(|of| of.is_never(Types::BOOL));
    let (value, of) = values.iter().find_map(|value| Some((value, of_wrong(value)?)))?;
    let message = format!("`{sign}` takes truth values, and this is {}", of.words());
    let help = match (of, written(value)) {
        (Types::INT, Some(name)) => format!("compare it with a number, as in `{name} == 0`"),
        (of, Some(name)) if of.meets(Types::UNIT) => format!("compare it, as in `{name} == ()`"),
        _ => "compare it with another value".into(),
    };
    Some(Part { at: start(value), message, help, is_error: true })
}

/// Lints an ordering of values that have no order.
fn by_size(scope: &Scope<'_>, name: &str, a: &Expr, b: &Expr) -> Option<Part> {
    let (left, right) = (scope.type_of(a), scope.type_of(b));
    let numbers = Types::NUMBER;
    // A character compares with a text like a text.
    let texts = Types::TEXT.with(Types::CHARACTER);
    let sized = numbers.with(texts);
    let wrong = [left, right].into_iter().find(|of| of.is_never(sized));
    let mixed = left.is_one_of(numbers) && right.is_one_of(texts)
        || left.is_one_of(texts) && right.is_one_of(numbers);
    let help = if [left, right].iter().any(|of| of.is_one_of(Types::CARD.with(Types::UNIT))) {
        "compare ranks: `a.rank < b.rank`, of cards that are not `()`"
    } else {
        "compare numbers with numbers"
    };
    let message = match wrong {
        Some(wrong) => format!("`{name}` compares sizes, and {} has none", wrong.words()),
        None if mixed => format!("`{name}` never holds between {} and {}", left.words(), right.words()),
        None => return None,
    };
    Some(Part { at: start(a), message, help: help.into(), is_error: false })
}

/// Lints a comparison of values that are never equal.
fn never_equal(scope: &Scope<'_>, name: &str, a: &Expr, b: &Expr) -> Option<Part> {
    let (left, right) = (scope.type_of(a), scope.type_of(b));
    if !differ(a, left, b, right) {
        return None;
    }
    let always = if name == "==" { "false" } else { "true" };
    let message =
        format!("this comparison is always {always}: {} is never equal to {}", left.words(), right.words());
    let help = instead(name, a, left, (b, right)).or_else(|| instead(name, b, right, (a, left)));
    let help = help.unwrap_or_else(|| "compare values of the same kind".into());
    Some(Part { at: start(a), message, help, is_error: false })
}

/// Returns whether two values of these types are never equal.
fn differ(a: &Expr, left: Types, b: &Expr, right: Types) -> bool {
    let known = |of: Types| of != Types::ANY && of.is_one_of(Types::ANY);
    if !known(left) || !known(right) || alike(left).meets(alike(right)) {
        return false;
    }
    // A character equals a text of that single character, and a card equals its sign.
    let meets = |sign: Types, of: Types, expr: &Expr| match expr {
        Expr::StringConstant(text, _) => match text.chars().collect::<Vec<_>>()[..] {
            [one] if from_char(one).is_ok() => sign.meets(Types::CARD),
            [_] => sign.meets(Types::CHARACTER),
            _ => false,
        },
        _ => sign.meets(Types::CARD.with(Types::CHARACTER)) && of.meets(Types::TEXT),
    };
    !(meets(left, right, b) || meets(right, left, a))
}

/// Numbers of both kinds are compared by their values.
fn alike(of: Types) -> Types {
    if of.meets(Types::NUMBER) { of.with(Types::INT).with(Types::DECIMAL) } else { of }
}

/// Suggests what to write if a value of a type is compared with something else.
fn instead(operator: &str, value: &Expr, of: Types, (other, with): (&Expr, Types)) -> Option<String> {
    if of == Types::UNIT {
        return Some(format!("it is never `()`; it is {}", with.words()));
    }
    let written = written(value);
    if written.is_none() && value.is_constant() {
        return None;
    }
    if of == Types::BOOL {
        return Some(match written {
            Some(name) => format!("a truth value is a condition itself: write `{name}` or `!{name}`"),
            None => {
                "a truth value is a condition itself: leave the comparison out, or write `!` before it".into()
            }
        });
    }
    // What has no short name gets one.
    let named = |word: &str| match &written {
        Some(name) => (name.clone(), String::new()),
        None => (word.to_string(), format!("name it first with `let {word} = ..`: ")),
    };
    let sign = match other {
        Expr::StringConstant(text, _) => Some(text.trim().to_uppercase()),
        Expr::CharConstant(sign, _) => Some(sign.to_uppercase().to_string()),
        _ => None,
    };
    if of.is_one_of(Types::CARD.with(Types::UNIT)) {
        let (name, first) = named("card");
        let help = match sign.as_deref().and_then(parts_of_card) {
            Some(parts) => {
                let (guard, joined) = if operator == "==" { ("!=", "&&") } else { ("==", "||") };
                let parts = parts.iter().map(|(part, n)| format!(" {joined} {name}.{part} {operator} {n}"));
                format!("write `{name} {guard} (){}`", parts.collect::<String>())
            }
            None if with == Types::INT && of.meets(Types::UNIT) => {
                let (guard, joined) = if operator == "==" { ("!=", "&&") } else { ("==", "||") };
                format!(
                    "compare a number of the card, where there is one: \
                     `{name} {guard} () {joined} {name}.rank {operator} ..`"
                )
            }
            None if with == Types::INT => {
                format!("compare a number of the card: `{name}.rank` or `{name}.suit`")
            }
            None => {
                format!("compare `{name}.rank` and `{name}.suit` with numbers, or `{name}` with another card")
            }
        };
        return Some(format!("{first}{help}"));
    }
    if of == Types::MOVE {
        let (name, first) = named("chosen");
        let help = format!("compare something of the move: `{name}.count`, `{name}.card`, `{name}.target`");
        return Some(format!("{first}{help}"));
    }
    if of == Types::INT && with == Types::BOOL {
        let (name, first) = named("n");
        return Some(format!("{first}compare the number with a number, as in `{name} > 0`"));
    }
    if of == Types::INT
        && let Some(sign) = sign
    {
        let (name, first) = named("n");
        let property = |word: &str| name.ends_with(&format!(".{word}"));
        let number = match (rank(&sign), suit(&sign)) {
            (Some(rank), _) if property("rank") => Some(rank),
            (_, Some(suit)) if property("suit") => Some(suit),
            _ => None,
        };
        let help = match number {
            Some(number) => format!("write `{name} {operator} {number}`"),
            None if property("rank") => "ranks are numbers, from 1 for an ace to 13 for a king".into(),
            None if property("suit") => "suits are numbers: 1 clubs, 2 diamonds, 3 hearts, 4 spades".into(),
            None => format!("compare the number with a number, as in `{name} {operator} 1`"),
        };
        return Some(format!("{first}{help}"));
    }
    None
}

/// Returns the number of a rank letter.
fn rank(sign: &str) -> Option<usize> {
    sign.parse::<Rank>().ok().map(|rank| rank.index() + 1)
}

/// Returns the number of a suit letter.
fn suit(sign: &str) -> Option<usize> {
    let suit = Suit::ALL.iter().position(|suit| suit.to_string().eq_ignore_ascii_case(sign));
    suit.map(|suit| suit + 1)
}

/// Returns the properties of a card that a text names: of a whole card, of a rank or of a suit.
fn parts_of_card(sign: &str) -> Option<Vec<(&'static str, usize)>> {
    if let Ok(card) = sign.parse::<Card>() {
        return Some(vec![("rank", card.rank().index() + 1), ("suit", card.suit().index() + 1)]);
    }
    rank(sign).map(|rank| ("rank", rank)).or(suit(sign).map(|suit| ("suit", suit))).map(|part| vec![part])
}

/// Returns a short expression as written: a variable, with its properties and methods.
fn written(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Variable(x, ..) => Some(x.1.to_string()),
        Expr::Property(x, _) => Some(x.2.to_string()),
        Expr::IntegerConstant(n, _) => Some(n.to_string()),
        Expr::MethodCall(call, _) => {
            let arguments: Option<Vec<String>> = call.args.iter().map(written).collect();
            Some(format!("{}({})", call.name, arguments?.join(", ")))
        }
        Expr::Dot(x, options, _) if options.is_empty() => {
            Some(format!("{}.{}", written(&x.lhs)?, written(&x.rhs)?))
        }
        _ => None,
    }
}

/// Lints the cases of a `switch` that its value is never equal to.
pub fn cases(scope: &Scope<'_>, switch: &Stmt) -> Vec<Part> {
    let Stmt::Switch(x, at) = switch else { return Vec::new() };
    let of = scope.type_of(&x.0);
    let found = literals(&scope.module.source.text, *at);
    found
        .iter()
        .filter_map(|literal| {
            let with = scope.type_of(literal);
            if !differ(&x.0, of, literal, with) {
                return None;
            }
            let message = format!("this case never holds: {} is never equal to {}", of.words(), with.words());
            let help = instead("==", &x.0, of, (literal, with));
            let help = help.unwrap_or_else(|| "the cases are values of the same kind".into());
            Some(Part { at: literal.position(), message, help, is_error: false })
        })
        .collect()
}

/// Returns the values of the cases of a `switch` from its text. The tree holds only their hashes.
fn literals(text: &str, at: Position) -> Vec<Expr> {
    let Some(start) = offset(text, at) else { return Vec::new() };
    let (mut found, mut depth, mut is_value) = (Vec::new(), 0, false);
    for token in tokens(&text[start..]) {
        let word = &text[start..][token.clone()];
        match word {
            "{" | "#{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        match word {
            "}" if depth == 0 => break,
            // The block of the switch, or one of a case.
            "{" | "}" if depth == 1 => is_value = true,
            "," if depth == 1 => is_value = true,
            "=>" | "if" if depth == 1 => is_value = false,
            _ if depth == 1 && is_value => found.extend(literal(text, start + token.start, word)),
            _ => {}
        }
    }
    found
}

/// Returns the value of a token at a byte of the text.
fn literal(text: &str, at: usize, word: &str) -> Option<Expr> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let column = text[line..at].chars().count() + 1;
    let place = Position::new(text[..at].matches('\n').count() as u16 + 1, column as u16);
    let quoted = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(text) = quoted('"') {
        return Some(Expr::StringConstant(text.into(), place));
    }
    if let Some(sign) = quoted('\'') {
        return Some(Expr::CharConstant(sign.chars().next()?, place));
    }
    match word {
        "true" | "false" => Some(Expr::BoolConstant(word == "true", place)),
        number => number.parse().ok().map(|n| Expr::IntegerConstant(n, place)),
    }
}
