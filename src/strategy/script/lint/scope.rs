//! The variables of a function, and the types of its expressions.

use rhai::{ASTFlags, Expr, FnCallExpr, Position};

use super::super::handles::from_char;
use super::super::module::Module;
use super::super::names::{self, is_memory};
use super::super::value::{Types, Value};

/// A finding in a function.
pub struct Finding<'a> {
    pub at: Position,
    pub message: String,
    pub help: String,
    pub is_error: bool,
    /// The variable, if it is about one.
    pub variable: Option<&'a str>,
}

impl Finding<'_> {
    pub fn error(at: Position, message: impl Into<String>, help: impl Into<String>) -> Self {
        Finding { at, message: message.into(), help: help.into(), is_error: true, variable: None }
    }

    pub fn warning(at: Position, message: impl Into<String>, help: impl Into<String>) -> Self {
        Finding { is_error: false, ..Finding::error(at, message, help) }
    }
}

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
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().rposition(|variable| variable.name == name)
    }

    /// Returns whether the script has such a function, which may be called as a method.
    pub fn has_method(&self, call: &FnCallExpr) -> bool {
        self.module.has_method(&call.name, call.args.len())
    }

    /// Returns whether a name means the memory of the script.
    pub fn is_memory(&self, name: &str) -> bool {
        is_memory(name) && self.variable(name).is_none()
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

    /// Returns the types of an expression.
    pub fn types(&self, expr: &Expr) -> Types {
        match expr {
            Expr::IntegerConstant(..) => Types::INT,
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Types::BOOL,
            Expr::FloatConstant(..) => Types::DECIMAL,
            Expr::CharConstant(sign, _) if from_char(*sign).is_ok() => Types::CARD,
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

    /// Returns the types of what a loop goes through.
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

/// Returns the type of an operator's result.
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

/// Returns the first link of a chain.
pub fn first(rest: &Expr) -> &Expr {
    match rest {
        Expr::Dot(x, ..) | Expr::Index(x, ..) => &x.lhs,
        other => other,
    }
}

/// Returns where an expression starts; for an operator, Rhai has the position of its symbol.
pub fn start(expr: &Expr) -> Position {
    match expr {
        Expr::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => start(&call.args[0]),
        other => other.start_position(),
    }
}
