//! Comparisons that always come out the same, and those by size of what has none.

use rhai::{Expr, FnCallExpr, Position};

use crate::cards::{Card, Rank, Suit};

use super::types::{Scope, Type, start};

/// What is wrong at a place, and what to do instead.
pub struct Part {
    pub at: Position,
    pub message: String,
    pub help: String,
    pub is_error: bool,
}

/// What is wrong with a comparison, if it is one.
pub fn compared(scope: &Scope<'_>, call: &FnCallExpr) -> Option<Part> {
    let [a, b] = &call.args[..] else { return None };
    match call.name.as_str() {
        name @ ("<" | "<=" | ">" | ">=") => by_size(scope, name, a, b),
        name @ ("==" | "!=") => never_equal(scope, name, a, b),
        _ => None,
    }
}

/// A comparison by size of what has none.
fn by_size(scope: &Scope<'_>, name: &str, a: &Expr, b: &Expr) -> Option<Part> {
    let (left, right) = (scope.type_of(a), scope.type_of(b));
    let numbers = Type::INT.or(Type::DECIMAL);
    // A character compares with a text as if it were one.
    let texts = Type::TEXT.or(Type::CHARACTER);
    let sized = numbers.or(texts);
    let wrong = [left, right].into_iter().find(|of| of.is_never(sized));
    let mixed = left.is_within(numbers) && right.is_within(texts)
        || left.is_within(texts) && right.is_within(numbers);
    let help = if [left, right].iter().any(|of| of.is_within(Type::CARD.or(Type::UNIT))) {
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

/// Values of kinds that are never equal.
fn never_equal(scope: &Scope<'_>, name: &str, a: &Expr, b: &Expr) -> Option<Part> {
    let (left, right) = (scope.type_of(a), scope.type_of(b));
    let known = |of: Type| of != Type::ANY && of.is_within(Type::ANY);
    if !known(left) || !known(right) || alike(left).meets(alike(right)) {
        return None;
    }
    // One character is equal to a text of it alone, and so is a card to its sign.
    let sign = Type::CARD.or(Type::CHARACTER);
    let text = |of: Type, expr: &Expr| match expr {
        Expr::StringConstant(text, _) => text.chars().count() == 1,
        _ => of.meets(Type::TEXT),
    };
    if left.meets(sign) && text(right, b) || right.meets(sign) && text(left, a) {
        return None;
    }
    let always = if name == "==" { "false" } else { "true" };
    let message =
        format!("this comparison is always {always}: {} is never equal to {}", left.words(), right.words());
    let help = instead(name, a, left, (b, right)).or_else(|| instead(name, b, right, (a, left)));
    let help = help.unwrap_or_else(|| "compare values of the same kind".into());
    Some(Part { at: start(a), message, help, is_error: false })
}

/// Numbers of both kinds are compared by their values.
fn alike(of: Type) -> Type {
    if of.meets(Type::INT.or(Type::DECIMAL)) { of.or(Type::INT).or(Type::DECIMAL) } else { of }
}

/// What to write, where a value of a type is compared with something else.
fn instead(operator: &str, value: &Expr, of: Type, (other, with): (&Expr, Type)) -> Option<String> {
    if of == Type::UNIT {
        return Some(format!("it is never `()`; it is {}", with.words()));
    }
    let name = match chain(value) {
        Some(name) => name,
        None if value.is_constant() => return None,
        None => "it".into(),
    };
    let text = match other {
        Expr::StringConstant(text, _) => Some(text.trim()),
        _ => None,
    };
    if of.is_within(Type::CARD.or(Type::UNIT)) {
        let card = text.and_then(|text| text.to_uppercase().parse::<Card>().ok());
        return Some(match card {
            Some(card) => {
                let (rank, suit) = (card.rank().index() + 1, card.suit().index() + 1);
                if operator == "==" {
                    format!("write `{name} != () && {name}.rank == {rank} && {name}.suit == {suit}`")
                } else {
                    format!("write `{name} == () || {name}.rank != {rank} || {name}.suit != {suit}`")
                }
            }
            None if with == Type::INT => {
                format!("compare a number of the card: `{name}.rank` or `{name}.suit`")
            }
            None => {
                format!("compare `{name}.rank` and `{name}.suit` with numbers, or `{name}` with another card")
            }
        });
    }
    if of == Type::MOVE {
        return Some(format!(
            "compare something of the move: `{name}.count`, `{name}.card`, `{name}.target`"
        ));
    }
    if of == Type::BOOL {
        return Some(format!("a truth value is a condition itself: write `{name}` or `!{name}`"));
    }
    if of == Type::INT && with == Type::BOOL {
        return Some(format!("compare the number with a number, as in `{name} > 0`"));
    }
    let property = |word: &str| name.ends_with(&format!(".{word}"));
    if of == Type::INT
        && let Some(text) = text
    {
        let rank = text.to_uppercase().parse::<Rank>().ok().map(|rank| rank.index() + 1);
        let suit = Suit::ALL.iter().position(|suit| suit.to_string().eq_ignore_ascii_case(text));
        let number = match (rank, suit) {
            (Some(rank), _) if property("rank") => Some(rank),
            (_, Some(suit)) if property("suit") => Some(suit + 1),
            _ => None,
        };
        return Some(match number {
            Some(number) => format!("write `{name} {operator} {number}`"),
            None if property("rank") => "ranks are numbers, from 1 for an ace to 13 for a king".into(),
            None if property("suit") => "suits are numbers: 1 clubs, 2 diamonds, 3 hearts, 4 spades".into(),
            None => format!("compare the number with a number, as in `{name} {operator} 1`"),
        });
    }
    None
}

/// A variable with its properties as it is written.
fn chain(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Variable(x, ..) => Some(x.1.to_string()),
        Expr::Property(x, _) => Some(x.2.to_string()),
        Expr::Dot(x, options, _) if options.is_empty() => {
            Some(format!("{}.{}", chain(&x.lhs)?, chain(&x.rhs)?))
        }
        _ => None,
    }
}
