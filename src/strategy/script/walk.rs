//! Visits every node of a syntax tree. Rhai's own walk omits the value of a `break`.

use rhai::{AST, ASTNode, Expr, Stmt, StmtBlock};

/// Calls `visit` on every node of a script, including its functions, with the path from the root to it.
pub fn walk_paths(ast: &AST, visit: &mut dyn FnMut(&[ASTNode<'_>])) {
    ast.walk(&mut |path| along(path, visit));
}

fn along(path: &[ASTNode<'_>], visit: &mut dyn FnMut(&[ASTNode<'_>])) -> bool {
    visit(path);
    if let Some(ASTNode::Stmt(Stmt::BreakLoop(Some(value), ..))) = path.last() {
        value.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| along(path, visit));
    }
    true
}

/// Calls `visit` on every node of a script, including its functions.
pub fn walk_all(ast: &AST, visit: &mut dyn FnMut(&ASTNode<'_>)) {
    walk_paths(ast, &mut |path| path.last().into_iter().for_each(&mut *visit));
}

/// Calls `visit` on every node of statements, the outer before the inner.
pub fn walk(statements: &[Stmt], visit: &mut dyn FnMut(&ASTNode<'_>)) {
    let mut visit = |path: &[ASTNode<'_>]| path.last().into_iter().for_each(&mut *visit);
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| along(path, &mut visit));
    }
}

/// Returns the blocks that stand directly in a node.
pub fn blocks<'a>(node: &ASTNode<'a>) -> Vec<&'a StmtBlock> {
    match *node {
        ASTNode::Stmt(Stmt::Block(block)) => vec![block],
        ASTNode::Expr(Expr::Stmt(block)) => vec![block],
        ASTNode::Stmt(Stmt::If(x, _)) => vec![&x.body, &x.branch],
        ASTNode::Stmt(Stmt::While(x, _) | Stmt::Do(x, ..)) => vec![&x.body],
        ASTNode::Stmt(Stmt::For(x, _)) => vec![&x.2.body],
        ASTNode::Stmt(Stmt::TryCatch(x, _)) => vec![&x.body, &x.branch],
        _ => Vec::new(),
    }
}
