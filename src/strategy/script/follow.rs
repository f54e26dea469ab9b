//! The statements of a script that are told apart while it is followed step by step.

use rhai::{Expr, Position, Stmt};

use super::module::Module;
use super::walk::{blocks, walk};

/// The beginning of a statement.
#[derive(Clone, Copy)]
pub struct Start {
    /// Its line, from 0.
    pub line: usize,
    /// Its byte.
    pub at: usize,
    /// The position by which its steps are known.
    pub node: Position,
}

impl Start {
    pub fn of(module: &Module, statement: &Stmt) -> Option<Start> {
        let at = before_brackets(&module.source.text, module.lines.offset(position(statement))?);
        let node = match statement {
            Stmt::Expr(expr) => expr.position(),
            other => other.position(),
        };
        Some(Start { line: module.lines.line(at) - 1, at, node })
    }
}

/// Returns the first statement of each line of a script.
pub fn starts(module: &Module) -> Vec<Start> {
    let mut found = Vec::new();
    for function in &module.functions {
        walk(function.statements(), &mut |node| {
            for block in blocks(node) {
                // The `if` after `else` is a block without braces.
                let at = module.lines.offset(block.position());
                if at.is_some_and(|at| module.source.text[at..].starts_with('{')) {
                    found.extend(block.statements().iter().filter_map(|it| Start::of(module, it)));
                }
            }
        });
    }
    found.sort_by_key(|start| start.at);
    found.dedup_by_key(|start| start.line);
    found
}

/// Returns where a statement begins, ignoring brackets; for a calculation Rhai has the position of the operator.
fn position(statement: &Stmt) -> Position {
    fn first(expr: &Expr) -> Position {
        match expr {
            Expr::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => first(&call.args[0]),
            Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => {
                all.first().map_or(Position::NONE, first)
            }
            other => other.start_position(),
        }
    }
    match statement {
        Stmt::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => first(&call.args[0]),
        Stmt::Expr(expr) => first(expr),
        Stmt::Assignment(x) => first(&x.1.lhs),
        other => other.position(),
    }
}

/// Returns the byte of the first of the brackets and signs before a position on its line.
fn before_brackets(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let kept = text[line..at].trim_end_matches(['(', '-', '!', '+', ' ', '\t']);
    let rest = &text[line + kept.len()..];
    line + kept.len() + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
}
