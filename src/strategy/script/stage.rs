//! `fn stage(view, at, cost)`, the function that a script may have for staged stakes.

use rhai::{ASTNode, Expr, FnCallExpr, ImmutableString, Position};

use crate::diagnostic::did_you_mean;
use crate::rules::StageAt;

use super::faults::Faults;
use super::module::{Function, Module, count};
use super::walk::walk_all;

/// Its name.
pub const STAGE: &str = "stage";

/// The required form.
const FORM: &str = "`fn stage(view, at, cost)`";

/// Finds the function, if the script has it, and reports its faults.
pub fn find(module: &Module, faults: &mut Faults<'_>) -> Option<usize> {
    let named = |f: &Function| f.name == STAGE;
    let Some(found) = module.functions.iter().position(named) else {
        misspelt(module, faults);
        return None;
    };
    for f in module.functions.iter().filter(|f| named(f) && f.parameters.len() != 3) {
        let message = format!("`{STAGE}` has {}", count(f.parameters.len(), "parameter"));
        faults.error(&f.place, message, format!("it must be {FORM}"));
    }
    let stage = &module.functions[found];
    if stage.parameters.len() == 3 {
        wrong_steps(module, stage, faults);
    }
    Some(found)
}

/// Reports an uncalled function of three parameters whose name is similar: it would never be used.
fn misspelt(module: &Module, faults: &mut Faults<'_>) {
    let near = |f: &&Function| f.parameters.len() == 3 && did_you_mean(&f.name, [STAGE]).is_some();
    for f in module.functions.iter().filter(near) {
        let mut called = false;
        calls(module, |call, _| called |= call.name == f.name);
        if !called {
            let help = format!("did you mean `{STAGE}`? {FORM} is asked where a stake is bought in stages");
            faults.error(&f.place, format!("nothing calls `{}`", f.name), help);
        }
    }
}

/// Reports texts that are compared with `at` and are not stages: the comparison would never hold.
fn wrong_steps(module: &Module, stage: &Function, faults: &mut Faults<'_>) {
    let words = StageAt::ALL.map(StageAt::word);
    calls(module, |call, at| {
        let inside = faults.lines.offset(at).is_some_and(|at| stage.body.contains(&at));
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
        faults.error(at, message, format!("{guess}it is one of {known}"));
    });
}

/// Returns the text that a variable is compared with.
fn compared<'c>(call: &'c FnCallExpr, variable: &str) -> Option<(&'c ImmutableString, Position)> {
    let of = |a: &Expr| matches!(a, Expr::Variable(x, _, _) if x.1.as_str() == variable);
    match &call.args[..] {
        [a, Expr::StringConstant(text, at)] | [Expr::StringConstant(text, at), a] if of(a) => {
            Some((text, *at))
        }
        _ => None,
    }
}

/// Visits every call of the script, including operators.
fn calls(module: &Module, mut visit: impl FnMut(&FnCallExpr, Position)) {
    walk_all(&module.ast, &mut |node| {
        if let ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(rhai::Stmt::FnCall(call, at)) = node {
            visit(call, *at);
        }
    });
}
