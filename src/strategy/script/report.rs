//! Reports which functions of a script are compiled, and what prevents the others.

use std::collections::BTreeSet;
use std::ops::Range;

use rhai::{ASTNode, Expr, Stmt};

use crate::diagnostic::Diagnostic;

use super::compiled::Sources;
use super::lint::used;
use super::module::Form;
use super::names::asks_player;
use super::walk::walk;

/// How a function of a script is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionReport {
    /// Its name.
    pub name: String,
    /// Position of its name in the script.
    pub place: Range<usize>,
    /// What prevents it from being compiled, with its position; `None` for a compiled function.
    pub stops: Option<Diagnostic>,
    /// Whether it asks for a position after a roll, so that everything is interpreted under rules with a die.
    pub dice: bool,
}

pub fn report(sources: &Sources) -> Vec<FunctionReport> {
    let (reached, source) = (reached(sources), &sources.module.source);
    let functions = &sources.module.functions;
    let dice = reached.iter().any(|&index| asks_for_rolls(functions[index].statements()));
    let used = used(&sources.module);
    let why = |index: usize| match &used {
        _ if sources.module.stage == Some(index) => "the game asks it rarely",
        Some(used) if !used.contains(&functions[index].name) => "it is never used",
        Some(_) => "only interpreted functions call it",
        None => "only interpreted functions call it, by a name that is computed, or it is never used",
    };
    let each = functions.iter().zip(&sources.unsupported).enumerate();
    each.map(|(index, (function, unsupported))| {
        let stops = match unsupported {
            Some((at, what)) => Some(Diagnostic::warning(source, *at..*at, what.clone())),
            None if reached.contains(&index) => None,
            None => Some(Diagnostic::warning(source, function.place.clone(), why(index))),
        };
        FunctionReport { name: function.name.clone(), place: function.place.clone(), stops, dice }
    })
    .collect()
}

/// Returns whether a position after the roll of a die is requested.
fn asks_for_rolls(statements: &[Stmt]) -> bool {
    let mut found = false;
    walk(statements, &mut |node| {
        if let ASTNode::Expr(Expr::MethodCall(call, _)) = node {
            found |= call.name == "after_roll";
        }
    });
    found
}

/// Returns the functions that play out sampled deals or are asked for a choice: each is compiled as a separate
/// strategy.
fn playing(sources: &Sources) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for function in &sources.module.functions {
        walk(function.statements(), &mut |node| {
            if let ASTNode::Expr(Expr::MethodCall(call, _)) = node
                && asks_player(&call.name, call.args.len())
                && let Some(Expr::StringConstant(name, _)) = call.args.last()
            {
                let forms = [Form::Choose, Form::Score];
                found.extend(forms.iter().find_map(|form| sources.module.function(name, form.parameters())));
            }
        });
    }
    found
}

/// Returns the functions that compiled code reaches from the one that decides, and from those that play out sampled
/// deals.
fn reached(sources: &Sources) -> BTreeSet<usize> {
    let (mut found, mut next) = (BTreeSet::new(), vec![sources.entry]);
    next.extend(playing(sources));
    while let Some(index) = next.pop() {
        if sources.unsupported[index].is_some() || !found.insert(index) {
            continue;
        }
        walk(sources.module.functions[index].statements(), &mut |node| {
            if let ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _)) = node {
                next.extend(sources.module.function(&call.name, call.args.len()));
            }
        });
    }
    found
}
