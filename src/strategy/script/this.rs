//! What a script may do with `this`.
//!
//! A variable is looked at when it is read: what it costs, and whether it is too large. `this` is not a variable, and the
//! engine reads it without asking. So it may be used, and may not be put into something larger: a value that grows by
//! itself, call after call, would take all memory there is.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use crate::diagnostic::{Diagnostic, SourceText};

use super::places::Lines;
use super::walk::walk_paths;

/// Uses of `this` by which a value could grow, each at its place.
pub fn faults(source: &Arc<SourceText>, lines: &Lines<'_>, ast: &AST) -> Vec<Diagnostic> {
    let mut faults: BTreeMap<(usize, usize), (Position, &str, &str)> = BTreeMap::new();
    let mut operands: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let key = |at: Position| (at.line().unwrap_or(0), at.position().unwrap_or(0));
    walk_paths(ast, &mut |path| match path.last() {
        Some(ASTNode::Stmt(Stmt::Assignment(x))) => {
            if let Some(at) = root(&x.1.lhs) {
                let help = "return the new value, and assign it where the function is called";
                faults.insert(key(at), (at, "`this` cannot be assigned to", help));
            }
        }
        Some(ASTNode::Expr(Expr::ThisPtr(at))) => {
            let around = &path[..path.len() - 1];
            let within = |wanted: fn(&Expr) -> bool| {
                around.iter().any(|node| matches!(node, ASTNode::Expr(expr) if wanted(expr)))
            };
            let help = "put it in a variable first";
            if within(|expr| matches!(expr, Expr::MethodCall(..))) {
                faults.insert(key(*at), (*at, "`this` cannot be given to a method", help));
            } else if within(|expr| matches!(expr, Expr::Array(..) | Expr::Map(..))) {
                faults.insert(key(*at), (*at, "`this` cannot be put into an array or a map", help));
            } else if let Some(whole) = around.iter().find_map(calculation) {
                let count = operands.entry(key(whole)).or_default();
                *count += 1;
                if *count > 1 {
                    faults.insert(key(*at), (*at, "`this` is used twice in one calculation", help));
                }
            }
        }
        _ => {}
    });
    let each = faults.into_values();
    each.map(|(at, message, help)| Diagnostic::error(source, lines.span(at), message).help(help)).collect()
}

/// Where `this` is the root of a chain of properties, elements and methods.
fn root(mut chain: &Expr) -> Option<Position> {
    while let Expr::Dot(x, ..) | Expr::Index(x, ..) = chain {
        chain = &x.lhs;
    }
    if let Expr::ThisPtr(at) = chain { Some(*at) } else { None }
}

/// The place of a call or an operator, or of a text with values in it.
fn calculation(node: &ASTNode<'_>) -> Option<Position> {
    match node {
        ASTNode::Expr(Expr::FnCall(_, at) | Expr::InterpolatedString(_, at)) => Some(*at),
        ASTNode::Stmt(Stmt::FnCall(_, at)) => Some(*at),
        _ => None,
    }
}
