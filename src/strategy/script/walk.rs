//! Every node of a syntax tree. Rhai's own walk leaves out the value of a `break`.

use rhai::{AST, ASTNode, Expr, Stmt};

/// Calls `visit` on every node of statements, the outer before the inner.
pub fn walk(statements: &[Stmt], visit: &mut dyn FnMut(&ASTNode<'_>)) {
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| at(path, visit));
    }
}

/// The same for a whole script, its functions among it.
pub fn walk_all(ast: &AST, visit: &mut dyn FnMut(&ASTNode<'_>)) {
    ast.walk(&mut |path| at(path, visit));
}

fn at(path: &[ASTNode<'_>], visit: &mut dyn FnMut(&ASTNode<'_>)) -> bool {
    let Some(node) = path.last() else { return true };
    visit(node);
    if let ASTNode::Stmt(Stmt::BreakLoop(Some(value), ..)) = node {
        walk_expr(value, visit);
    }
    true
}

/// The same for an expression.
pub fn walk_expr(value: &Expr, visit: &mut dyn FnMut(&ASTNode<'_>)) {
    value.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| at(path, visit));
}
