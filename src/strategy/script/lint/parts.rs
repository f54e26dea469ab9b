//! Lints parts of expressions that always fail: assignments to read-only properties, values that a method never
//! accepts, too many variables.

use rhai::{ASTNode, Expr, Position, Stmt};

use super::super::limits::MAX_VARIABLES;
use super::super::value::Types;
use super::super::walk::walk;
use super::arguments::{wrong_argument, wrong_memory};
use super::compared::{Part, cases, compared, operands};
use super::ranges::out_of_range;
use super::types::{Scope, first};

/// Returns what is wrong in the statements of a function, and adds its variables to the scope. If the script has a
/// `try`, failures may be caught.
pub fn parts(scope: &mut Scope<'_>, statements: &[Stmt]) -> Vec<Part> {
    scope.declare_all(statements);
    let (mut found, tries) = (Vec::new(), tries(scope));
    walk(statements, &mut |node| match node {
        ASTNode::Stmt(statement @ Stmt::Assignment(x)) => {
            found.extend(assigned(scope, &x.1.lhs));
            let help = "`if test { 1 } else { 0 }` makes a number of a truth value; of a card keep its `rank` and `suit`";
            let wrong = wrong_memory(scope, statement).filter(|_| !tries);
            found.extend(wrong.map(|(at, message)| Part { at, message, help: help.into(), is_error: true }));
        }
        ASTNode::Stmt(switch @ Stmt::Switch(..)) => found.extend(cases(scope, switch)),
        ASTNode::Stmt(Stmt::FnCall(call, _)) => found.extend(compared(scope, call)),
        ASTNode::Expr(expr @ Expr::FnCall(call, _)) => {
            found.extend(compared(scope, call));
            found.extend(operands(scope, expr).filter(|_| !tries));
        }
        ASTNode::Expr(expr) if !tries => {
            let help = "no ruleset allows it: this fails whenever it is run";
            let wrong = out_of_range(scope, expr);
            found.extend(wrong.map(|(at, message)| Part { at, message, help: help.into(), is_error: true }));
            let help = "`saratoga scripts definitions` lists what each method takes";
            let wrong = wrong_argument(scope, expr);
            found.extend(operands(scope, expr));
            found.extend(wrong.map(|(at, message)| Part { at, message, help: help.into(), is_error: true }));
        }
        _ => {}
    });
    found
}

/// Returns whether some function of the script has a `try`.
fn tries(scope: &Scope<'_>) -> bool {
    let mut found = false;
    for function in &scope.module.functions {
        walk(function.statements(), &mut |node| found |= matches!(node, ASTNode::Stmt(Stmt::TryCatch(..))));
    }
    found
}

/// Finds an assignment to a read-only property.
fn assigned(scope: &Scope<'_>, target: &Expr) -> Option<Part> {
    let Expr::Dot(dot, ..) = target else { return None };
    let (mut of, mut rest) = (scope.type_of(&dot.lhs), &dot.rhs);
    while let Expr::Dot(inner, options, _) = rest {
        if !options.is_empty() {
            return None;
        }
        of = scope.member(of, first(rest));
        rest = &inner.rhs;
    }
    let Expr::Property(x, at) = rest else { return None };
    let looked_at = Types::VIEW.with(Types::MOVE).with(Types::CARD).with(Types::SEAT).with(Types::UNIT);
    if !of.is_one_of(looked_at) {
        return None;
    }
    let message = format!("`{}` of {} cannot be assigned to", x.2, of.words());
    let help = "the game is only looked at: keep another value in a variable";
    Some(Part { at: *at, message, help: help.into(), is_error: true })
}

/// Finds the first variable of a function that exceeds the limit, given its number of parameters.
pub fn one_too_many(statements: &[Stmt], parameters: usize) -> Option<Position> {
    let (mut have, mut own) = (parameters, Vec::new());
    for statement in statements {
        let within = |block: &[Stmt], more: usize| one_too_many(block, have + more);
        let found = match statement {
            Stmt::Var(x, ..) => {
                if !own.contains(&x.0.name) {
                    own.push(x.0.name.clone());
                    have += 1;
                }
                (have > MAX_VARIABLES).then_some(x.0.pos)
            }
            Stmt::If(x, _) => within(x.body.statements(), 0).or_else(|| within(x.branch.statements(), 0)),
            Stmt::While(x, _) | Stmt::Do(x, ..) => within(x.body.statements(), 0),
            Stmt::Block(block) => within(block.statements(), 0),
            Stmt::For(x, _) => within(x.2.body.statements(), 1 + usize::from(x.1.is_some())),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
