//! Scopes of the variables of a script.

use std::ops::Range;

use rhai::{AST, ASTNode, Expr, Stmt, StmtBlock};

use super::module::{Module, closures};
use super::places::Lines;
use super::walk::walk_all;

/// A variable of a script.
pub struct Declared {
    pub name: String,
    /// Where its name stands; the start of the body for a parameter.
    pub at: usize,
    /// Where it can be seen.
    pub visible: Range<usize>,
    /// It is the variable of a `for` loop.
    pub of_loop: bool,
}

/// The variables of a script.
pub struct Variables {
    all: Vec<Declared>,
    functions: Vec<Range<usize>>,
    closures: Vec<Range<usize>>,
}

impl Variables {
    /// Finds the variables of a script.
    pub fn of(module: &Module, lines: &Lines<'_>) -> Variables {
        let closures = closures(&module.source.text, &module.ast);
        let functions = module.functions.iter().map(|function| (function.body.clone(), &function.parameters));
        let bodies = functions.chain(closures.iter().map(|(body, parameters)| (body.clone(), parameters)));
        let (mut all, mut blocks) = (Vec::new(), Vec::new());
        for (body, parameters) in bodies {
            for name in parameters {
                let (name, at) = (name.clone(), body.start);
                all.push(Declared { name, at, visible: body.clone(), of_loop: false });
            }
            blocks.push(body);
        }
        blocks.extend(blocks_of(&module.ast, lines));
        blocks.sort_by_key(|block| block.start);
        let within = |at: usize| {
            let before = &blocks[..blocks.partition_point(|block| block.start <= at)];
            before.iter().rev().find(|block| at < block.end).map_or(at, |block| block.end)
        };
        walk_all(&module.ast, &mut |node| match node {
            ASTNode::Stmt(Stmt::Var(x, ..)) => {
                let Some(at) = lines.offset(x.0.pos) else { return };
                all.push(Declared {
                    name: x.0.name.to_string(),
                    at,
                    visible: at..within(at),
                    of_loop: false,
                });
            }
            ASTNode::Stmt(Stmt::For(x, _)) => {
                for name in std::iter::once(&x.0).chain(&x.1) {
                    let (Some(at), Some(visible)) = (lines.offset(name.pos), range(&x.2.body, lines)) else {
                        continue;
                    };
                    all.push(Declared { name: name.name.to_string(), at, visible, of_loop: true });
                }
            }
            ASTNode::Stmt(Stmt::TryCatch(x, _)) => {
                if let (Expr::Variable(name, _, at), Some(visible)) = (&x.expr, range(&x.branch, lines))
                    && let Some(at) = lines.offset(*at)
                {
                    all.push(Declared { name: name.1.to_string(), at, visible, of_loop: false });
                }
            }
            _ => {}
        });
        let functions = module.functions.iter().map(|function| function.body.clone()).collect();
        Variables { all, functions, closures: closures.into_iter().map(|(body, _)| body).collect() }
    }

    /// Returns the names that can be seen at a place.
    pub fn seen(&self, at: usize) -> impl Iterator<Item = &str> {
        // A closure takes nothing from around it.
        let closure = self.closures.iter().filter(|body| body.contains(&at)).map(|body| body.start).max();
        let seen = self.all.iter().filter(move |it| {
            it.visible.contains(&at) && closure.is_none_or(|start| start <= it.visible.start)
        });
        seen.map(|it| it.name.as_str())
    }

    /// Returns the variable of a name that the function around a place declares elsewhere: the last before the place, or else
    /// the first behind it.
    pub fn elsewhere(&self, name: &str, at: usize) -> Option<&Declared> {
        let body = self.functions.iter().find(|body| body.contains(&at))?;
        let all = self.all.iter().filter(|it| it.name == name && body.contains(&it.at));
        let before = all.clone().filter(|it| it.at < at).max_by_key(|it| it.at);
        before.or_else(|| all.min_by_key(|it| it.at))
    }
}

/// Returns the blocks of a script except the bodies of functions.
fn blocks_of(ast: &AST, lines: &Lines<'_>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    walk_all(ast, &mut |node| {
        let blocks: &[&StmtBlock] = match node {
            ASTNode::Stmt(Stmt::Block(block)) => &[&**block],
            ASTNode::Expr(Expr::Stmt(block)) => &[&**block],
            ASTNode::Stmt(Stmt::If(x, _)) => &[&x.body, &x.branch],
            ASTNode::Stmt(Stmt::While(x, _) | Stmt::Do(x, ..)) => &[&x.body],
            ASTNode::Stmt(Stmt::For(x, _)) => &[&x.2.body],
            ASTNode::Stmt(Stmt::TryCatch(x, _)) => &[&x.body, &x.branch],
            _ => &[],
        };
        found.extend(blocks.iter().filter_map(|block| range(block, lines)));
    });
    found
}

fn range(block: &StmtBlock, lines: &Lines<'_>) -> Option<Range<usize>> {
    let (start, end) = (lines.offset(block.position())?, lines.offset(block.end_position())?);
    (start < end).then_some(start..end)
}
