//! What can be known to be wrong with a script before any game: names that do not exist, and a
//! missing or doubtful entry.

use std::sync::Arc;

use rhai::{AST, ASTFlags, ASTNode, Engine, Expr, Position, Stmt};

use crate::diagnostic::{Diagnostic, Severity, SourceText, did_you_mean};

use super::limits::{MAX_COMPUTED, MAX_PARAMETERS};
use super::lookup::{Parameters, wrong_names};
use super::names::ValueKind;
use super::outline::{DecidingFunction, Form, Function, count, functions};
use super::places::span;
use super::stage;
use super::walk::walk_paths;

/// A script in which nothing is wrong.
pub struct Checked {
    /// The function that decides.
    pub entry: DecidingFunction,
    /// The one that is asked at stages of the stake.
    pub stage: Option<Function>,
    /// All of them.
    pub functions: Vec<Function>,
    /// Names that are likely not meant.
    pub warnings: Vec<Diagnostic>,
}

/// Finds the entry of a script, the function that is asked at stages of the stake, and all that is wrong
/// in it. The entry is `decides`, or what scripts have for it.
///
/// # Errors
/// The faults, in the order of their places.
pub fn check(
    source: &Arc<SourceText>,
    engine: &Engine,
    ast: &AST,
    decides: Option<(&str, Form)>,
) -> Result<Checked, Vec<Diagnostic>> {
    let functions = functions(source, ast);
    let mut faults = Vec::new();
    top_level(source, ast, &mut faults);
    too_many_parameters(source, &functions, &mut faults);
    too_many_computed(source, ast, &mut faults);
    let entry = match decides {
        Some((name, form)) => named(&functions, name, form),
        None => find_entry(source, &functions, &mut faults),
    };
    let stage = stage::find(source, ast, &functions, &mut faults);
    let of_the_game = entry.iter().map(parameters_of_the_game).chain(stage.map(stage::view_of));
    faults.extend(wrong_names(source, engine, ast, &functions, of_the_game.collect()));
    faults.sort_by_key(|fault| fault.span.start);
    faults.dedup_by_key(|fault| fault.span.clone());
    match entry {
        Some(entry) if faults.iter().all(|fault| fault.severity == Severity::Warning) => {
            let stage = stage.cloned();
            Ok(Checked { entry, stage, functions, warnings: faults })
        }
        _ => Err(faults),
    }
}

/// The body of the entry with the kinds of its parameters.
fn parameters_of_the_game(entry: &DecidingFunction) -> Parameters {
    let kinds = [ValueKind::View, ValueKind::Move];
    (entry.body.clone(), entry.parameters.iter().cloned().zip(kinds).collect())
}

/// Functions that take more than a function may.
fn too_many_parameters(source: &Arc<SourceText>, functions: &[Function], faults: &mut Vec<Diagnostic>) {
    for function in functions.iter().filter(|it| it.parameters.len() > MAX_PARAMETERS) {
        let (name, n) = (&function.name, function.parameters.len());
        let message = format!("`{name}` has {n} parameters, and at most {MAX_PARAMETERS} are allowed");
        let help = "give it a list of values";
        faults.push(Diagnostic::error(source, function.place.clone(), message).help(help));
    }
}

/// Lists and calls that are given more computed values than may be there at one time.
fn too_many_computed(source: &Arc<SourceText>, ast: &AST, faults: &mut Vec<Diagnostic>) {
    // How many there may be within each node of a path.
    let mut within: Vec<usize> = Vec::new();
    walk_paths(ast, &mut |path| {
        within.truncate(path.len() - 1);
        let around = within.last().copied().unwrap_or(0);
        let computed = path.last().map_or(0, computed);
        within.push(around + computed);
        if around <= MAX_COMPUTED && around + computed > MAX_COMPUTED {
            let at = path.last().map_or(Position::NONE, ASTNode::position);
            let message = format!("more than {MAX_COMPUTED} values are computed at one time here");
            let help = "fill the list in a loop, or write a function for a part of it";
            faults.push(Diagnostic::error(source, span(&source.text, at), message).help(help));
        }
    });
}

/// How many values that are no constants a list, a map or a call is given.
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

/// Only constants and functions stand at the top: a script is not run from top to bottom.
fn top_level(source: &Arc<SourceText>, ast: &AST, faults: &mut Vec<Diagnostic>) {
    for stmt in ast.statements() {
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
        faults.push(Diagnostic::error(source, span(&source.text, at), message).help(help));
    }
}

/// A function that decides in a form, under a name of its own.
fn named(functions: &[Function], name: &str, form: Form) -> Option<DecidingFunction> {
    let is_it = |f: &&Function| f.name == name && f.parameters.len() == form.parameters() && !f.typed;
    functions.iter().find(is_it).map(|f| deciding(f, form))
}

fn deciding(f: &Function, form: Form) -> DecidingFunction {
    DecidingFunction {
        called: f.name.clone(),
        form,
        parameters: f.parameters.clone(),
        name: f.place.clone(),
        body: f.body.clone(),
    }
}

fn find_entry(
    source: &Arc<SourceText>,
    functions: &[Function],
    faults: &mut Vec<Diagnostic>,
) -> Option<DecidingFunction> {
    let named: Vec<(&Function, Form)> = functions
        .iter()
        .flat_map(|f| [Form::Score, Form::Choose].into_iter().map(move |form| (f, form)))
        .filter(|(f, form)| f.name == form.name())
        .collect();
    match named[..] {
        [] => {
            let near = functions.iter().find(|f| did_you_mean(&f.name, ["score", "choose"]).is_some());
            let at = near.map_or(0..0, |f| f.place.clone());
            let message = "the script defines neither `fn score(view, m)` nor `fn choose(view)`";
            let mut fault = Diagnostic::error(source, at, message);
            if let Some(near) = near {
                let meant = did_you_mean(&near.name, ["score", "choose"]).unwrap_or("score");
                fault = fault.help(format!("`{}`: did you mean `{meant}`?", near.name));
            }
            faults.push(fault);
            None
        }
        [(f, form)] if f.parameters.len() == form.parameters() => Some(deciding(f, form)),
        [(f, form)] => {
            let takes = if form == Form::Score { "`fn score(view, m)`" } else { "`fn choose(view)`" };
            let message = format!("`{}` has {}", f.name, count(f.parameters.len(), "parameter"));
            let help = format!("it must be {takes}");
            faults.push(Diagnostic::error(source, f.place.clone(), message).help(help));
            None
        }
        [_, (second, _), ..] => {
            let message = "the script defines more than one of `score` and `choose`";
            let help = "a strategy either scores each move or chooses one";
            faults.push(Diagnostic::error(source, second.place.clone(), message).help(help));
            None
        }
    }
}
