//! Lints values of the wrong kind: arguments of methods, and values for `memory`.

use rhai::{Expr, Position, Stmt};

use super::super::names::{is_memory, parameters_of};
use super::super::value::Types;
use super::types::{Scope, first, start};

/// Finds an argument of a game's method, along a chain, that it never accepts.
pub fn wrong_argument(scope: &Scope<'_>, expr: &Expr) -> Option<(Position, String)> {
    let Expr::Dot(dot, options, _) = expr else { return None };
    let (mut of, mut rest, mut options) = (scope.type_of(&dot.lhs), &dot.rhs, *options);
    // An unknown value may be a map, which holds functions of any name.
    let game = Types::VIEW.with(Types::SEAT).with(Types::MOVE).with(Types::CARD).with(Types::INT);
    while options.is_empty() && of.is_one_of(game) {
        let link = first(rest);
        if let Some(wrong) = wrong_call(scope, link) {
            return Some(wrong);
        }
        of = scope.member(of, link);
        let Expr::Dot(inner, next, _) = rest else { break };
        (rest, options) = (&inner.rhs, *next);
    }
    None
}

fn wrong_call(scope: &Scope<'_>, link: &Expr) -> Option<(Position, String)> {
    let Expr::MethodCall(call, _) = link else { return None };
    if scope.has_method(&call.name, call.args.len()) {
        return None;
    }
    let taken = parameters_of(&call.name, call.args.len())?;
    let (given, argument, takes) = taken.iter().zip(&call.args).find_map(|(parameter, argument)| {
        let (takes, given) = (parameter.types(), scope.type_of(argument));
        given.is_never(takes).then_some((given, argument, takes))
    })?;
    let message = format!("`{}` was given {} where it takes {}", call.name, given.words(), takes.words());
    Some((start(argument), message))
}

/// Finds a value assigned to `memory` that is not a whole number.
pub fn wrong_memory(scope: &Scope<'_>, statement: &Stmt) -> Option<(Position, String)> {
    let Stmt::Assignment(x) = statement else { return None };
    let Expr::Index(index, ..) = &x.1.lhs else { return None };
    let Expr::Variable(name, ..) = &index.lhs else { return None };
    let given = scope.type_of(&x.1.rhs);
    if !is_memory(&name.1) || scope.declares(&name.1) || !given.is_never(Types::INT) {
        return None;
    }
    Some((start(&x.1.rhs), format!("`{}` holds whole numbers, and this is {}", name.1, given.words())))
}
