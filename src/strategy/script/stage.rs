//! `fn stage(view, at, cost)`, the function that a script may have for stakes bought in stages.

use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, FnCallExpr, ImmutableString, Position};

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};
use crate::rules::StageAt;

use super::lookup::Parameters;
use super::names::ValueKind;
use super::outline::{Function, count};
use super::places::{Lines, span};

/// Its name.
pub const STAGE: &str = "stage";

/// How it must look.
const FORM: &str = "`fn stage(view, at, cost)`";

/// The function, if the script has it, and what is wrong with it.
pub fn find<'f>(
    source: &Arc<SourceText>,
    ast: &AST,
    functions: &'f [Function],
    faults: &mut Vec<Diagnostic>,
) -> Option<&'f Function> {
    let mut named = functions.iter().filter(|f| f.name == STAGE);
    let Some(found) = named.next() else {
        misspelt(source, ast, functions, faults);
        return None;
    };
    for f in [found].into_iter().chain(named) {
        if f.parameters.len() != 3 {
            let message = format!("`{STAGE}` has {}", count(f.parameters.len(), "parameter"));
            faults
                .push(Diagnostic::error(source, f.place.clone(), message).help(format!("it must be {FORM}")));
        }
    }
    if found.parameters.len() == 3 {
        wrong_steps(source, ast, found, faults);
    }
    Some(found)
}

/// Its body, in which the first parameter is the view.
pub fn view_of(stage: &Function) -> Parameters {
    let view = stage.parameters.first().map(|name| (name.clone(), ValueKind::View));
    (stage.body.clone(), view.into_iter().collect())
}

/// A function that nobody calls, of three parameters and nearly of the name: it would never be asked.
fn misspelt(source: &Arc<SourceText>, ast: &AST, functions: &[Function], faults: &mut Vec<Diagnostic>) {
    let near = |f: &&Function| f.parameters.len() == 3 && did_you_mean(&f.name, [STAGE]).is_some();
    for f in functions.iter().filter(near) {
        let mut called = false;
        calls(ast, |call, _| called |= call.name == f.name);
        if !called {
            let message = format!("nothing calls `{}`", f.name);
            let help = format!("did you mean `{STAGE}`? {FORM} is asked where a stake is bought in stages");
            faults.push(Diagnostic::error(source, f.place.clone(), message).help(help));
        }
    }
}

/// Texts that are compared with `at` and are no stage: the comparison would never hold.
fn wrong_steps(source: &Arc<SourceText>, ast: &AST, stage: &Function, faults: &mut Vec<Diagnostic>) {
    let words = StageAt::ALL.map(StageAt::word);
    let lines = Lines::of(&source.text);
    calls(ast, |call, at| {
        let inside = lines.offset(at).is_some_and(|at| stage.body.contains(&at));
        if !inside || !matches!(call.name.as_str(), "==" | "!=") {
            return;
        }
        let Some((text, at)) = compared(call, &stage.parameters[1]) else { return };
        if words.contains(&text.as_str()) {
            return;
        }
        let known = words.map(|word| format!("\"{word}\"")).join(", ");
        let guess =
            did_you_mean(text, words).map_or(String::new(), |word| format!("did you mean \"{word}\"? "));
        let message = format!("`{}` is never \"{text}\"", stage.parameters[1]);
        let help = format!("{guess}it is one of {known}");
        faults.push(Diagnostic::error(source, span(&source.text, at), message).help(help));
    });
}

/// The text that a variable is compared with.
fn compared<'c>(call: &'c FnCallExpr, variable: &str) -> Option<(&'c ImmutableString, Position)> {
    let of = |a: &Expr| matches!(a, Expr::Variable(x, _, _) if x.1.as_str() == variable);
    match &call.args[..] {
        [a, Expr::StringConstant(text, at)] | [Expr::StringConstant(text, at), a] if of(a) => {
            Some((text, *at))
        }
        _ => None,
    }
}

/// Every call of the script, operators among them.
fn calls(ast: &AST, mut visit: impl FnMut(&FnCallExpr, Position)) {
    ast.walk(&mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::FnCall(call, at))) => visit(call, *at),
            Some(ASTNode::Stmt(rhai::Stmt::FnCall(call, at))) => visit(call, *at),
            _ => {}
        }
        true
    });
}
