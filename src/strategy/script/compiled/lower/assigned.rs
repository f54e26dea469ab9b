//! The variables that statements assign.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, Stmt};

use super::super::super::walk::walk;

/// The names that are assigned anywhere in statements.
pub fn assigned_in(statements: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    walk(statements, &mut |node| {
        if let ASTNode::Stmt(Stmt::Assignment(x)) = node
            && let Expr::Variable(x, ..) = &x.1.lhs
        {
            names.insert(x.1.to_string());
        }
    });
    names
}
