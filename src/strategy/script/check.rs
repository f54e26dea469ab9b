//! Checks a script before any game: unknown names, and a missing or doubtful entry.

use rhai::{ASTFlags, ASTNode, Engine, Expr, Position, Stmt};

use crate::diagnostic::did_you_mean;

use super::eval_context::Players;
use super::faults::Faults;
use super::limits::{MAX_COMPUTED, MAX_PARAMETERS};
use super::lookup::wrong_names;
use super::module::{Form, Module, count};
use super::walk::walk_paths;
use super::{declarations, stage, syntax};

/// Finds the entry of a script, the function that decides on stages of the stake, its parameters, and faults in its
/// names and outline. The entry is `decides`, or the usual one of scripts.
pub fn check(
    engine: &Engine,
    players: &dyn Players,
    module: &mut Module,
    decides: Option<(&str, Form)>,
    faults: &mut Faults<'_>,
) {
    top_level(module, faults);
    too_many_parameters(module, faults);
    too_many_computed(module, faults);
    module.entry = match decides {
        Some((name, form)) => module.function(name, form.parameters()).map(|index| (index, form)),
        None => find_entry(module, faults),
    };
    if let Some((index, _)) = module.entry
        && let Err(error) = &module.functions[index].code
    {
        faults.extend([syntax::fault(&module.source, error)]);
    }
    module.stage = stage::find(module, faults);
    module.parameters = declarations::declared(module, faults);
    wrong_names(engine, players, module, faults);
}

/// Reports functions with too many parameters.
fn too_many_parameters(module: &Module, faults: &mut Faults<'_>) {
    for function in module.functions.iter().filter(|it| it.parameters.len() > MAX_PARAMETERS) {
        let (name, n) = (&function.name, function.parameters.len());
        let message = format!("`{name}` has {n} parameters, and at most {MAX_PARAMETERS} are allowed");
        faults.error(&function.place, message, "give it a list of values");
    }
}

/// Reports lists and calls with more computed values than are allowed at one time.
fn too_many_computed(module: &Module, faults: &mut Faults<'_>) {
    // The maximum number within each node of a path.
    let mut within: Vec<usize> = Vec::new();
    walk_paths(&module.ast, &mut |path| {
        within.truncate(path.len() - 1);
        let around = within.last().copied().unwrap_or(0);
        let computed = path.last().map_or(0, computed);
        within.push(around + computed);
        if around <= MAX_COMPUTED && around + computed > MAX_COMPUTED {
            let at = path.last().map_or(Position::NONE, ASTNode::position);
            let message = format!("more than {MAX_COMPUTED} values are computed at one time here");
            faults.error(at, message, "fill the list in a loop, or write a function for a part of it");
        }
    });
}

/// Counts the values in a list, a map or a call that are not constants.
fn computed(node: &ASTNode<'_>) -> usize {
    let computed = |value: &Expr| !value.is_constant();
    match node {
        ASTNode::Expr(Expr::Array(all, _)) => all.iter().filter(|value| computed(value)).count(),
        ASTNode::Expr(Expr::Map(x, _)) => x.0.iter().filter(|(_, value)| computed(value)).count(),
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
        | ASTNode::Stmt(Stmt::FnCall(call, _)) => call.args.iter().filter(|value| computed(value)).count(),
        _ => 0,
    }
}

/// Checks that only constants and functions are at the top level: a script is not run from top to bottom.
fn top_level(module: &Module, faults: &mut Faults<'_>) {
    for stmt in module.ast.statements() {
        let (at, message, help) = match stmt {
            Stmt::Noop(_) => continue,
            Stmt::Var(_, flags, _) if flags.contains(ASTFlags::CONSTANT) => continue,
            Stmt::Var(x, _, _) => (
                x.0.pos,
                format!("functions cannot see `{}`, a variable outside of them", x.0.name),
                "write `const` for a value that does not change; `memory[i]` keeps numbers from one decision to the next",
            ),
            other => (
                other.position(),
                "a statement outside of a function is never run".to_string(),
                "only constants and functions are allowed at the top level of a strategy",
            ),
        };
        faults.error(at, message, help);
    }
}

fn find_entry(module: &Module, faults: &mut Faults<'_>) -> Option<(usize, Form)> {
    let functions = &module.functions;
    let named: Vec<(usize, Form)> = (0..functions.len())
        .flat_map(|index| [Form::Score, Form::Choose].into_iter().map(move |form| (index, form)))
        .filter(|(index, form)| functions[*index].name == form.name())
        .collect();
    match named[..] {
        [] => {
            let mut near =
                functions.iter().filter_map(|f| Some((f, did_you_mean(&f.name, ["score", "choose"])?)));
            let message = "the script defines neither `fn score(view, m)` nor `fn choose(view)`";
            match near.next() {
                Some((f, meant)) => {
                    faults.error(&f.place, message, format!("`{}`: did you mean `{meant}`?", f.name));
                }
                None => faults.error(&(0..0), message, ""),
            }
            None
        }
        [(index, form)] if functions[index].parameters.len() == form.parameters() => Some((index, form)),
        [(index, form)] => {
            let f = &functions[index];
            let takes = if form == Form::Score { "`fn score(view, m)`" } else { "`fn choose(view)`" };
            let message = format!("`{}` has {}", f.name, count(f.parameters.len(), "parameter"));
            faults.error(&f.place, message, format!("it must be {takes}"));
            None
        }
        [_, (second, _), ..] => {
            let message = "the script defines more than one of `score` and `choose`";
            let help = "a strategy either scores each move or chooses one";
            faults.error(&functions[second].place, message, help);
            None
        }
    }
}
