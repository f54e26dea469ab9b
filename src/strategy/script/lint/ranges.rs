//! Lints whole numbers that no ruleset allows: they always fail.

use rhai::{Expr, Position};

use crate::game::MEMORY;

use super::super::names::{is_memory, parameters_of};
use super::types::Scope;

/// Finds an invalid index of `memory`, or an invalid argument of a method.
pub fn out_of_range(scope: &Scope<'_>, expr: &Expr) -> Option<(Position, String)> {
    match expr {
        Expr::Index(index, ..) => {
            let Expr::Variable(x, ..) = &index.lhs else { return None };
            let (place, at) = scope.whole(&index.rhs).filter(|_| is_memory(&x.1) && !scope.declares(&x.1))?;
            let last = MEMORY as i64 - 1;
            let message = format!("`{}` was given {place}: its places count from 0 to {last}", x.1);
            (!(0..=last).contains(&place)).then_some((at, message))
        }
        Expr::MethodCall(call, _) if !scope.has_method(&call.name, call.args.len()) => {
            let given = call.args.iter().map(|argument| scope.whole(argument));
            let found =
                parameters_of(&call.name, call.args.len())?.iter().zip(given).find_map(|(parameter, n)| {
                    let ((n, at), (what, first, last)) = n.zip(parameter.range())?;
                    (!(first..=last).contains(&n)).then_some((n, at, what, first, last))
                });
            let (n, at, what, first, last) = found?;
            let to = if last == i64::MAX { String::new() } else { format!(" to {last}") };
            let message = format!("`{}` was given {n}: {what} count from {first}{to}", call.name);
            Some((at, message))
        }
        _ => None,
    }
}
