//! Lints of scripts: code that always fails, and code without effect.
//!
//! Only certain findings are reported. An unknown type may be any type.

mod functions;
mod parts;
mod scope;
mod walk;

use rhai::{ASTNode, Expr, Position, Stmt};

use super::faults::Faults;
use super::limits::MAX_VARIABLES;
use super::module::{Form, Function, Module, STAGE};
use super::value::Types;
pub use functions::used;
use scope::Finding;

/// Reports what is wrong or useless in the functions of a script.
pub fn lint(module: &Module, faults: &mut Faults) {
    functions::hidden_methods(module, faults);
    functions::unused(module, faults);
    let may_fail = |function: &Function| {
        let mut tries = false;
        let is_try = |node: &ASTNode<'_>| matches!(node, ASTNode::Stmt(Stmt::TryCatch(..)));
        super::walk::walk(function.statements(), &mut |node| tries |= is_try(node));
        tries
    };
    let tries: Vec<bool> = module.functions.iter().map(may_fail).collect();
    let any_tries = tries.contains(&true);
    for (function, tries) in module.functions.iter().zip(tries) {
        let statements = function.statements();
        let wanted = wanted(module, function);
        let types = wanted.as_ref().map_or(&[][..], |wanted| wanted.parameters);
        let walked = walk::walk_through(module, function, types, any_tries);
        let mut found = Vec::new();
        if let Some(wanted) = wanted.as_ref().filter(|_| function.code.is_ok()) {
            let nothing = without_value(statements).map(|at| (Types::UNIT, at));
            let results = walked.results.into_iter().chain(nothing);
            found.extend(results.filter_map(|(types, at)| wrong_result(&function.name, wanted, types, at)));
        }
        // A failure within `try` may be caught.
        let conditions =
            walked.conditions.into_iter().filter(|(types, _)| !tries && types.is_never(Types::BOOL));
        found.extend(conditions.map(|(types, at)| {
            let message = format!("a condition must be true or false, and this is {}", types.words());
            Finding::error(at, message, "")
        }));
        found.extend(walked.findings);
        found.extend(walked.one_too_many.map(|at| {
            let message = format!("there are more than {MAX_VARIABLES} variables at one time");
            Finding::error(
                at,
                message,
                "those of a block `{ .. }` are gone after it; a list holds many values",
            )
        }));
        for Finding { at, message, help, is_error, variable } in found.into_iter().chain(walked.useless) {
            match () {
                () if variable.is_some_and(|name| functions::exempt(name, faults)) => {}
                () if is_error && at.is_none() => faults.error(&function.place, message, help),
                () if is_error => faults.error(at, message, help),
                () => faults.warning(at, message, help),
            }
        }
    }
}

/// What the game gives to a function that it calls, and takes from it.
struct Wanted {
    parameters: &'static [Types],
    result: Types,
    words: &'static str,
}

fn wanted(module: &Module, function: &Function) -> Option<Wanted> {
    let form = module.entry.map(|(_, form)| form);
    let (parameters, result, words): (&[Types], _, _) =
        match (function.name.as_str(), function.parameters.len(), form) {
            ("score", 2, Some(Form::Score)) => (&[Types::VIEW, Types::MOVE], Types::INT, "a whole number"),
            ("choose", 1, Some(Form::Choose)) => {
                let result = Types::MOVE.with(Types::UNIT);
                (&[Types::VIEW], result, "one of `view.moves`, or `()` to resign")
            }
            (STAGE, 3, _) => {
                (&[Types::VIEW, Types::TEXT, Types::INT], Types::BOOL, "true to buy or false not to")
            }
            _ => return None,
        };
    (!function.typed).then_some(Wanted { parameters, result, words })
}

/// Checks a value that a function may return.
fn wrong_result(name: &str, wanted: &Wanted, types: Types, at: Position) -> Option<Finding<'static>> {
    // A variable is `()` until something is found, which may always be.
    let (wrong, must) = (types.without(wanted.result.with(Types::UNIT)), wanted.words);
    let help = match wrong == Types::DECIMAL && wanted.result == Types::INT {
        true => "multiply all scores, so that they are whole numbers",
        false => "",
    };
    if types.is_never(wanted.result) {
        let message = format!("`{name}` returns {} here; it must return {must}", types.words());
        Some(Finding::error(at, message, help))
    } else if types != Types::ANY && !wrong.is_none() {
        let message = format!("`{name}` may return {} here; it must return {must}", wrong.words());
        Some(Finding::warning(at, message, help))
    } else {
        None
    }
}

/// Returns the position of a body without a value: it is empty, or ends in a loop and leaves nowhere else.
fn without_value(statements: &[Stmt]) -> Option<Position> {
    let last = match statements {
        [] | [Stmt::Noop(_)] => return Some(Position::NONE),
        [Stmt::Block(block)] => return without_value(block.statements()),
        [.., last] => last,
    };
    let ends = match last {
        Stmt::For(..) => true,
        // A loop without a condition may be left with a value.
        Stmt::While(x, _) => !matches!(x.expr, Expr::Unit(..) | Expr::BoolConstant(..)),
        _ => false,
    };
    let mut leaves = false;
    super::walk::walk(statements, &mut |node| {
        leaves |= matches!(node, ASTNode::Stmt(Stmt::Return(..) | Stmt::BreakLoop(Some(_), ..)));
    });
    (ends && !leaves).then(|| last.position())
}
