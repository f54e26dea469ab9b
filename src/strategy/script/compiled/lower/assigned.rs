//! Finds the variables that statements assign, or whose lists they change.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, Stmt};

use super::super::super::walk::walk;

/// Methods that change the list of a variable, with their numbers of arguments.
const CHANGES: [(&str, usize); 3] = [("push", 1), ("pop", 0), ("clear", 0)];

/// Returns the names that are assigned anywhere in statements.
pub fn assigned_in(statements: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    walk(statements, &mut |node| match node {
        ASTNode::Stmt(Stmt::Assignment(x)) => {
            let target = match &x.1.lhs {
                Expr::Index(x, ..) => &x.lhs,
                other => other,
            };
            if let Expr::Variable(x, ..) = target {
                names.insert(x.1.to_string());
            }
        }
        ASTNode::Expr(Expr::Dot(dot, ..)) => names.extend(changed(&dot.lhs, &dot.rhs)),
        _ => {}
    });
    names
}

/// Returns the variable whose list a chain changes, if it is such a chain.
pub(super) fn changed(root: &Expr, rest: &Expr) -> Option<String> {
    let (Expr::Variable(x, ..), Expr::MethodCall(call, _)) = (root, rest) else { return None };
    let is_change = |(name, arguments): &(&str, usize)| call.name == *name && call.args.len() == *arguments;
    CHANGES.iter().any(is_change).then(|| x.1.to_string())
}
