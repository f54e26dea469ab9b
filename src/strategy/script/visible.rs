//! Scopes of the variables of a script.

use std::ops::Range;

use rhai::{ASTNode, Expr, Stmt, StmtBlock};

use super::module::Module;
use super::places::Lines;
use super::walk::{blocks, walk_all};

pub struct Declared {
    pub name: String,
    /// Where its name stands; the start of the body for a parameter.
    pub at: usize,
    /// Where it can be seen.
    pub visible: Range<usize>,
    /// Whether it is the variable of a `for` loop.
    pub of_loop: bool,
}

pub struct Variables<'m> {
    all: Vec<Declared>,
    module: &'m Module,
}

impl Variables<'_> {
    pub fn of(module: &Module) -> Variables<'_> {
        let lines = &*module.lines;
        let functions = module.functions.iter().map(|it| (&it.body, &it.parameters));
        let closures = module.closures.iter().map(|(body, parameters)| (body, parameters));
        let (mut all, mut outer) = (Vec::new(), Vec::new());
        for (body, parameters) in functions.chain(closures) {
            let each = parameters.iter().map(|name| (name.clone(), body.start, body.clone()));
            all.extend(each.map(|(name, at, visible)| Declared { name, at, visible, of_loop: false }));
            outer.push(body.clone());
        }
        walk_all(&module.ast, &mut |node| {
            outer.extend(blocks(node).into_iter().filter_map(|block| range(block, lines)));
        });
        outer.sort_by_key(|block| block.start);
        let rest_of_block = |at: usize| {
            let before = &outer[..outer.partition_point(|block| block.start <= at)];
            at..before.iter().rev().find(|block| at < block.end).map_or(at, |block| block.end)
        };
        walk_all(&module.ast, &mut |node| {
            let declared: Vec<(&str, _, Option<Range<usize>>)> = match node {
                ASTNode::Stmt(Stmt::Var(x, ..)) => vec![(&x.0.name, x.0.pos, None)],
                ASTNode::Stmt(Stmt::For(x, _)) => {
                    let each = std::iter::once(&x.0).chain(&x.1);
                    each.map(|it| (it.name.as_str(), it.pos, range(&x.2.body, lines))).collect()
                }
                ASTNode::Stmt(Stmt::TryCatch(x, _)) => match &x.expr {
                    Expr::Variable(name, _, at) => vec![(&name.1, *at, range(&x.branch, lines))],
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            let of_loop = matches!(node, ASTNode::Stmt(Stmt::For(..)));
            for (name, at, visible) in declared {
                let Some(at) = lines.offset(at) else { continue };
                let visible = visible.unwrap_or_else(|| rest_of_block(at));
                all.push(Declared { name: name.into(), at, visible, of_loop });
            }
        });
        Variables { all, module }
    }

    /// Returns the names that can be seen at a place.
    pub fn seen(&self, at: usize) -> impl Iterator<Item = &str> {
        // A closure takes nothing from around it.
        let around = self.module.closures.iter().filter(|(body, _)| body.contains(&at));
        let closure = around.map(|(body, _)| body.start).max();
        let seen = self.all.iter().filter(move |it| {
            it.visible.contains(&at) && closure.is_none_or(|start| start <= it.visible.start)
        });
        seen.map(|it| it.name.as_str())
    }

    /// Returns the variable of a name that the function around a place declares elsewhere: the last before the place, or
    /// else the first behind it.
    pub fn elsewhere(&self, name: &str, at: usize) -> Option<&Declared> {
        let body = self.module.functions.iter().map(|it| &it.body).find(|body| body.contains(&at))?;
        let all = self.all.iter().filter(|it| it.name == name && body.contains(&it.at));
        let before = all.clone().filter(|it| it.at < at).max_by_key(|it| it.at);
        before.or_else(|| all.min_by_key(|it| it.at))
    }
}

fn range(block: &StmtBlock, lines: &Lines) -> Option<Range<usize>> {
    let (start, end) = (lines.offset(block.position())?, lines.offset(block.end_position())?);
    (start < end).then_some(start..end)
}
