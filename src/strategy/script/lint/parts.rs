//! Lints parts of expressions, with the variables of a function and the types of its expressions: what always fails, and
//! comparisons that always have the same result.

use rhai::{ASTFlags, Dynamic, Expr, FnCallExpr, Position, Stmt};

use crate::cards::{Card, Rank, Suit};
use crate::diagnostic::{Diagnostic, Severity};
use crate::game::MEMORY;

use super::super::module::{Lines, Module, start};
use super::super::names::{self, MEMORY_WORD, parameters_of};
use super::super::value::{Types, Value, card_of};

/// Lints an expression by itself. If the script has a `try`, failures may be caught.
pub fn of_expression(scope: &Scope<'_>, expr: &Expr, tries: bool) -> Vec<Diagnostic> {
    let warning = match expr {
        Expr::FnCall(call, _) => compared(scope, call),
        _ => None,
    };
    let errors = if tries {
        [None, None, None]
    } else {
        [operands(scope, expr), out_of_range(scope, expr), wrong_argument(scope, expr)]
    };
    warning.into_iter().chain(errors.into_iter().flatten()).collect()
}

pub fn assigned(scope: &Scope<'_>, statement: &Stmt, tries: bool) -> Vec<Diagnostic> {
    let Stmt::Assignment(x) = statement else { return Vec::new() };
    let target = &x.1.lhs;
    let mut root = target;
    while let Expr::Index(x, ..) | Expr::Dot(x, ..) = root {
        root = &x.lhs;
    }
    let constant = match root {
        Expr::Variable(x, _, at)
            if scope.variable(&x.1).is_none() && scope.module.constant(&x.1).is_some() =>
        {
            let name = &x.1;
            match std::ptr::eq(root, target) {
                true => {
                    let help = "declare it with `let` in a function to change it";
                    Some(scope.error(*at, format!("`{name}` is constant"), help)).filter(|_| !tries)
                }
                // Each use of a constant is a copy.
                false => Some(scope.warning(
                    *at,
                    format!("`{name}` is constant: this assignment changes nothing"),
                    format!("copy it to a variable first: `let copy = {name};`"),
                )),
            }
        }
        _ => None,
    };
    let found =
        [constant, read_only(scope, target), wrong_memory(scope, target, &x.1.rhs).filter(|_| !tries)];
    found.into_iter().flatten().collect()
}

fn read_only(scope: &Scope<'_>, target: &Expr) -> Option<Diagnostic> {
    let Expr::Dot(dot, ..) = target else { return None };
    let (mut of, mut rest) = (scope.types(&dot.lhs), &dot.rhs);
    while let Expr::Dot(inner, options, _) = rest {
        if !options.is_empty() {
            return None;
        }
        of = scope.member(of, first(rest));
        rest = &inner.rhs;
    }
    let Expr::Property(x, at) = rest else { return None };
    let looked_at = Types::VIEW.with(Types::MOVE).with(Types::SEAT).with(Types::CARD_OR_UNIT);
    let message = format!("`{}` of {} cannot be assigned to", x.2, of.words());
    let help = "the game is only looked at: keep another value in a variable";
    of.is_one_of(looked_at).then(|| scope.error(*at, message, help))
}

fn wrong_memory(scope: &Scope<'_>, target: &Expr, value: &Expr) -> Option<Diagnostic> {
    let Expr::Index(index, ..) = target else { return None };
    let Expr::Variable(name, ..) = &index.lhs else { return None };
    let given = scope.types(value);
    let message = format!("`{}` holds whole numbers, and this is {}", name.1, given.words());
    let help =
        "`if test { 1 } else { 0 }` makes a number of a truth value; of a card keep its `rank` and `suit`";
    (scope.is_memory(&name.1) && given.is_never(Types::INT)).then(|| scope.error(start(value), message, help))
}

/// Finds an argument of a game's method, along a chain, that it never accepts.
fn wrong_argument(scope: &Scope<'_>, expr: &Expr) -> Option<Diagnostic> {
    let Expr::Dot(dot, options, _) = expr else { return None };
    let (mut of, mut rest, mut options) = (scope.types(&dot.lhs), &dot.rhs, *options);
    // An unknown value may be a map, which holds functions of any name.
    let game = Types::VIEW.with(Types::SEAT).with(Types::MOVE).with(Types::CARD).with(Types::INT);
    while options.is_empty() && of.is_one_of(game) {
        let link = first(rest);
        if let Expr::MethodCall(call, _) = link
            && !scope.has_method(call)
            && let Some(taken) = parameters_of(&call.name, call.args.len())
        {
            for (parameter, argument) in taken.iter().zip(&call.args) {
                let (given, takes) = (scope.types(argument), parameter.types());
                if given.is_never(takes) {
                    let (name, given, takes) = (&call.name, given.words(), takes.words());
                    let message = format!("`{name}` was given {given} where it takes {takes}");
                    let help = "`saratoga scripts definitions` lists what each method takes";
                    return Some(scope.error(start(argument), message, help));
                }
            }
        }
        of = scope.member(of, link);
        let Expr::Dot(inner, next, _) = rest else { break };
        (rest, options) = (&inner.rhs, *next);
    }
    None
}

/// Finds an index of `memory` or an argument of a method that no ruleset allows.
fn out_of_range(scope: &Scope<'_>, expr: &Expr) -> Option<Diagnostic> {
    let (at, message) = match expr {
        Expr::Index(index, ..) => {
            let Expr::Variable(x, ..) = &index.lhs else { return None };
            let (place, at) = scope.whole(&index.rhs).filter(|_| scope.is_memory(&x.1))?;
            let last = MEMORY as i64 - 1;
            if (0..=last).contains(&place) {
                return None;
            }
            (at, format!("`{}` was given {place}: its places count from 0 to {last}", x.1))
        }
        Expr::MethodCall(call, _) if !scope.has_method(call) => {
            let taken = parameters_of(&call.name, call.args.len())?;
            let mut wrong = taken.iter().zip(&call.args).filter_map(|(parameter, argument)| {
                let ((n, at), (what, low, high)) = scope.whole(argument).zip(parameter.range())?;
                (!(low..=high).contains(&n)).then_some((n, at, what, low, high))
            });
            let (n, at, what, low, high) = wrong.next()?;
            let to = if high == i64::MAX { String::new() } else { format!(" to {high}") };
            (at, format!("`{}` was given {n}: {what} count from {low}{to}", call.name))
        }
        _ => return None,
    };
    Some(scope.error(at, message, "no ruleset allows it: this fails whenever it is run"))
}

fn operands(scope: &Scope<'_>, expr: &Expr) -> Option<Diagnostic> {
    let (sign, values) = match expr {
        Expr::And(values, _) => ("&&", &values[..]),
        Expr::Or(values, _) => ("||", &values[..]),
        Expr::FnCall(call, _) if call.name == "!" && call.args.len() == 1 => ("!", &call.args[..]),
        _ => return None,
    };
    let of_wrong = |value: &Expr| Some(scope.types(value)).filter(|of| of.is_never(Types::BOOL));
    let (value, of) = values.iter().find_map(|value| Some((value, of_wrong(value)?)))?;
    let message = format!("`{sign}` takes truth values, and this is {}", of.words());
    let help = match (of, written(value)) {
        (Types::INT, Some(name)) => format!("compare it with a number, as in `{name} == 0`"),
        (of, Some(name)) if of.meets(Types::UNIT) => format!("compare it, as in `{name} == ()`"),
        _ => "compare it with another value".into(),
    };
    Some(scope.error(start(value), message, help))
}

pub fn compared(scope: &Scope<'_>, call: &FnCallExpr) -> Option<Diagnostic> {
    let [a, b] = &call.args[..] else { return None };
    match call.name.as_str() {
        name @ ("<" | "<=" | ">" | ">=") => by_size(scope, name, a, b),
        name @ ("==" | "!=") => never_equal(scope, name, a, b),
        _ => None,
    }
}

fn by_size(scope: &Scope<'_>, name: &str, a: &Expr, b: &Expr) -> Option<Diagnostic> {
    let (left, right) = (scope.types(a), scope.types(b));
    // A character compares with a text like a text.
    let texts = Types::TEXT.with(Types::CHARACTER);
    let sized = Types::NUMBER.with(texts);
    let wrong = [left, right].into_iter().find(|of| of.is_never(sized));
    let mixed = left.is_one_of(Types::NUMBER) && right.is_one_of(texts)
        || left.is_one_of(texts) && right.is_one_of(Types::NUMBER);
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
    Some(scope.warning(start(a), message, help))
}

fn never_equal(scope: &Scope<'_>, name: &str, a: &Expr, b: &Expr) -> Option<Diagnostic> {
    let (left, right) = (scope.types(a), scope.types(b));
    if !differ(a, left, b, right) {
        return None;
    }
    let always = if name == "==" { "false" } else { "true" };
    let message =
        format!("this comparison is always {always}: {} is never equal to {}", left.words(), right.words());
    let help = instead(name, a, left, (b, right)).or_else(|| instead(name, b, right, (a, left)));
    let help = help.unwrap_or_else(|| "compare values of the same kind".into());
    Some(scope.warning(start(a), message, help))
}

/// Returns whether two values of these types are never equal.
fn differ(a: &Expr, left: Types, b: &Expr, right: Types) -> bool {
    let known = |of: Types| of != Types::ANY && !of.is_none();
    if !known(left) || !known(right) || alike(left).meets(alike(right)) {
        return false;
    }
    // A character equals a text of that single character, and a card equals its sign.
    let meets = |sign: Types, of: Types, expr: &Expr| match expr {
        Expr::StringConstant(text, _) => match text.chars().collect::<Vec<_>>()[..] {
            [one] if card_of(one).is_some() => sign.meets(Types::CARD),
            [_] => sign.meets(Types::CHARACTER),
            _ => false,
        },
        _ => sign.meets(Types::CARD.with(Types::CHARACTER)) && of.meets(Types::TEXT),
    };
    !(meets(left, right, b) || meets(right, left, a))
}

/// Numbers of both kinds are compared by their values.
fn alike(of: Types) -> Types {
    if of.meets(Types::NUMBER) { of.with(Types::NUMBER) } else { of }
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
        let (guard, joined) = if operator == "==" { ("!=", "&&") } else { ("==", "||") };
        let help = match sign.as_deref().and_then(parts_of_card) {
            Some(parts) => {
                let parts = parts.iter().map(|(part, n)| format!(" {joined} {name}.{part} {operator} {n}"));
                format!("write `{name} {guard} (){}`", parts.collect::<String>())
            }
            None if with == Types::INT && of.meets(Types::UNIT) => {
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

fn rank(sign: &str) -> Option<usize> {
    sign.parse::<Rank>().ok().map(|rank| rank.index() + 1)
}

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
pub fn cases(scope: &Scope<'_>, switch: &Stmt) -> Vec<Diagnostic> {
    let Stmt::Switch(x, _) = switch else { return Vec::new() };
    let of = scope.types(&x.0);
    let each = x.1.cases.values().flat_map(|case| case.blocks.iter().map(move |arm| (&case.value, *arm)));
    each.filter_map(|(value, arm)| {
        let literal = literal(&scope.module.lines, value, x.1.expressions[arm].rhs.start_position())?;
        let with = scope.types(&literal);
        if !differ(&x.0, of, &literal, with) {
            return None;
        }
        let message = format!("this case never holds: {} is never equal to {}", of.words(), with.words());
        let help = instead("==", &x.0, of, (&literal, with));
        let help = help.unwrap_or_else(|| "the cases are values of the same kind".into());
        Some(scope.warning(literal.position(), message, help))
    })
    .collect()
}

/// Returns the value of a case before the place of its result. The tree does not hold where it stands.
fn literal(lines: &Lines, value: &Dynamic, result: Position) -> Option<Expr> {
    let before = &lines.source.text[..lines.offset(result)?];
    let at = lines.position(before.rfind(&format!("{value:?}")).unwrap_or(before.len()));
    if let Ok(text) = value.as_immutable_string_ref() {
        return Some(Expr::StringConstant(text.clone(), at));
    }
    let number = value.as_int().map(|n| Expr::IntegerConstant(n, at));
    let sign = value.as_char().map(|sign| Expr::CharConstant(sign, at));
    number.or(sign).or(value.as_bool().map(|truth| Expr::BoolConstant(truth, at))).ok()
}

pub const REMOVE: &str = "use it or remove it; a name that begins with `_` is not warned of";

pub struct Variable<'a> {
    pub name: &'a str,
    pub at: Position,
    /// Its types after what was assigned to it last; none where no way leads.
    pub types: Types,
    pub is_read: bool,
    pub is_assigned: bool,
}

/// The visible variables of a function, innermost last.
pub struct Scope<'a> {
    pub module: &'a Module,
    pub variables: Vec<Variable<'a>>,
}

impl Scope<'_> {
    pub fn error(&self, at: Position, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        self.module.lines.fault(Severity::Error, at, message, help)
    }

    pub fn warning(&self, at: Position, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        self.module.lines.fault(Severity::Warning, at, message, help)
    }

    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().rposition(|variable| variable.name == name)
    }

    /// Returns whether the script has such a function, which may be called as a method.
    pub fn has_method(&self, call: &FnCallExpr) -> bool {
        self.module.has_method(&call.name, call.args.len())
    }

    pub fn is_memory(&self, name: &str) -> bool {
        name == MEMORY_WORD && self.variable(name).is_none()
    }

    /// Returns the constant whole number of an expression, including constants of the script, and its position.
    pub fn whole(&self, expr: &Expr) -> Option<(i64, Position)> {
        match expr {
            Expr::IntegerConstant(n, at) => Some((*n, *at)),
            Expr::Variable(x, _, at) if self.variable(&x.1).is_none() => {
                let value = self.module.constant(&x.1)?.value.as_ref()?;
                Some((value.as_int().ok()?, *at))
            }
            _ => None,
        }
    }

    /// Returns the types of a call that stands as a statement.
    pub fn of_call(&self, call: &FnCallExpr) -> Types {
        call_types(call, |expr| self.types(expr))
    }

    pub fn types(&self, expr: &Expr) -> Types {
        match expr {
            Expr::IntegerConstant(..) => Types::INT,
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Types::BOOL,
            Expr::FloatConstant(..) => Types::DECIMAL,
            Expr::CharConstant(sign, _) if card_of(*sign).is_some() => Types::CARD,
            Expr::CharConstant(..) => Types::CHARACTER,
            Expr::StringConstant(..) | Expr::InterpolatedString(..) => Types::TEXT,
            Expr::Array(..) => Types::LIST,
            Expr::Map(..) => Types::MAP,
            Expr::Unit(_) => Types::UNIT,
            Expr::Variable(x, ..) => match self.variable(&x.1) {
                Some(i) => self.variables[i].types,
                None => self.constant(&x.1),
            },
            Expr::FnCall(call, _) => self.of_call(call),
            // The index is all that follows.
            Expr::Index(x, ASTFlags::BREAK, _) => match &x.lhs {
                Expr::Variable(name, ..) if self.is_memory(&name.1) => Types::INT,
                _ => Types::ANY,
            },
            Expr::Dot(dot, options, _) if options.is_empty() => {
                let (mut of, mut rest) = (self.types(&dot.lhs), &dot.rhs);
                loop {
                    of = self.member(of, first(rest));
                    match rest {
                        Expr::Dot(dot, options, _) if options.is_empty() => rest = &dot.rhs,
                        Expr::Dot(..) | Expr::Index(..) => return Types::ANY,
                        _ => return of,
                    }
                }
            }
            _ => Types::ANY,
        }
    }

    fn constant(&self, name: &str) -> Types {
        match self.module.constant(name).and_then(|constant| constant.value.as_ref()) {
            Some(value) if value.is_string() => Types::TEXT,
            Some(value) if value.is_float() => Types::DECIMAL,
            Some(value) => Value::of(value).map_or(Types::ANY, Value::types),
            None => Types::ANY,
        }
    }

    pub fn of_loop(&self, list: &Expr) -> Types {
        match list {
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") => Types::INT,
            Expr::Dot(dot, ..)
                if self.types(&dot.lhs) == Types::VIEW
                    && matches!(&dot.rhs, Expr::Property(p, _) if p.2 == "moves") =>
            {
                Types::MOVE
            }
            _ => Types::ANY,
        }
    }

    /// Returns the types of a property or a method of a value of these types.
    pub fn member(&self, of: Types, link: &Expr) -> Types {
        let (name, arguments) = match link {
            Expr::Property(x, _) => (x.2.as_str(), None),
            Expr::MethodCall(call, _) if !self.has_method(call) => {
                (call.name.as_str(), Some(call.args.len()))
            }
            _ => return Types::ANY,
        };
        let owner = match of {
            Types::VIEW | Types::MOVE | Types::SEAT => of,
            // It is not a card only if there is a fault.
            _ if of.is_one_of(Types::CARD_OR_UNIT) => Types::CARD,
            // Lists are only asked for their length here.
            _ if of.is_one_of(Types::LIST.with(Types::TEXT)) => {
                return match (name, arguments) {
                    ("len", None | Some(0)) => Types::INT,
                    ("is_empty", None | Some(0)) => Types::BOOL,
                    _ => Types::ANY,
                };
            }
            _ => return Types::ANY,
        };
        names::find(owner, name, arguments).map_or(Types::ANY, |known| known.meaning.types())
    }
}

fn call_types(call: &FnCallExpr, types: impl Fn(&Expr) -> Types) -> Types {
    match (call.name.as_str(), &call.args[..]) {
        (name, _) if call.op_token.is_none() || name.starts_with(char::is_alphabetic) => Types::ANY,
        ("==" | "!=" | "<" | "<=" | ">" | ">=", _) | ("!", [_]) => Types::BOOL,
        ("-" | "+", [a]) if types(a).is_one_of(Types::NUMBER) => types(a),
        (name, [a, b]) => calculated(name, types(a), types(b)),
        _ => Types::ANY,
    }
}

pub fn calculated(operator: &str, a: Types, b: Types) -> Types {
    let both = |types| a.is_one_of(types) && b.is_one_of(types);
    match operator {
        "+" | "-" | "*" | "/" | "%" | "**" if both(Types::INT) => Types::INT,
        "+" | "-" | "*" | "/" | "%" | "**" if both(Types::NUMBER) => match [a, b].contains(&Types::DECIMAL) {
            true => Types::DECIMAL,
            false => Types::NUMBER,
        },
        "+" if [a, b].contains(&Types::TEXT) => Types::TEXT,
        "&" | "|" | "^" | "<<" | ">>" if both(Types::INT) => Types::INT,
        "&" | "|" | "^" | "<<" | ">>" if both(Types::BOOL) => Types::BOOL,
        _ => Types::ANY,
    }
}

pub fn first(rest: &Expr) -> &Expr {
    match rest {
        Expr::Dot(x, ..) | Expr::Index(x, ..) => &x.lhs,
        other => other,
    }
}
