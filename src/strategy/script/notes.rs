//! Inserts calls into a script, to record what it does.
//!
//! Lines are preserved; columns are not.

use std::sync::Arc;

use rhai::{Expr, Stmt};

use crate::diagnostic::SourceText;

use super::module::Module;
use super::walk::{blocks, walk};

/// Operations that the engine counts for an inserted call with one argument; they are not charged to the script.
pub const NOTE_OPERATIONS: u64 = 4;

/// Returns the first statement of each line of a script: the line, from 0, and its byte.
pub fn starts(module: &Module) -> Vec<(usize, usize)> {
    let text = &module.source.text;
    let (lines, mut found) = (&module.lines, Vec::new());
    let mut add = |statements: &[Stmt], at: Option<usize>| {
        // The `if` after `else` is a block without braces, which must not contain anything else.
        if at.is_some_and(|at| text[at..].starts_with('{')) {
            let places = statements.iter().filter_map(|statement| lines.offset(position(statement)));
            found.extend(places.map(|at| before_brackets(text, at)));
        }
    };
    for function in &module.functions {
        walk(function.statements(), &mut |node| {
            for block in blocks(node) {
                add(block.statements(), lines.offset(block.position()));
            }
        });
    }
    let mut found: Vec<(usize, usize)> =
        found.into_iter().map(|at| (text[..at].matches('\n').count(), at)).collect();
    found.sort_unstable();
    found.dedup_by_key(|(line, _)| *line);
    found
}

/// Returns where a statement begins, ignoring brackets; for a calculation Rhai has the position of the operator.
pub fn position(statement: &Stmt) -> rhai::Position {
    fn first(expr: &Expr) -> rhai::Position {
        match expr {
            Expr::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => first(&call.args[0]),
            Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => {
                all.first().map_or(rhai::Position::NONE, first)
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
pub fn before_brackets(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let kept = text[line..at].trim_end_matches(['(', '-', '!', '+', ' ', '\t']);
    let rest = &text[line + kept.len()..];
    line + kept.len() + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
}

/// Returns a script with texts inserted at these bytes, which are in order.
pub fn written_into(source: &SourceText, put: &[(usize, String)]) -> Arc<SourceText> {
    let (mut text, mut last) = (String::with_capacity(source.text.len() + 32 * put.len()), 0);
    for (at, more) in put {
        text.push_str(&source.text[last..*at]);
        text.push_str(more);
        last = *at;
    }
    text.push_str(&source.text[last..]);
    Arc::new(SourceText { name: source.name.clone(), text })
}
