//! Calls that are put into a script, to note what it does.
//!
//! The lines stay what they are; columns do not.

use std::sync::Arc;

use rhai::{AST, ASTNode, Engine, Expr, Stmt};

use crate::diagnostic::{Diagnostic, SourceText};

use super::desk::Desk;
use super::engine;
use super::fault;
use super::meter::Meter;
use super::outline::{Form, Function, functions};
use super::places::Lines;
use super::walk::walk;
use super::written::Printed;

/// Calls put in take operations too, at most so many times those of the script.
pub const ROOM: u64 = 4;

/// A script that was read, to have calls put into it.
pub struct Parsed<'s> {
    pub source: &'s Arc<SourceText>,
    pub engine: Engine,
    pub functions: Vec<Function>,
}

impl<'s> Parsed<'s> {
    /// Reads a script.
    ///
    /// # Errors
    /// A fault of its text.
    pub fn of(source: &'s Arc<SourceText>) -> Result<Parsed<'s>, Vec<Diagnostic>> {
        let (desk, printed) = (Desk::default(), Printed::default());
        let (engine, ..) = engine::build(&desk, &printed, &Meter::new(false), false);
        let parsed: AST =
            engine.compile(&source.text).map_err(|error| vec![fault::of_parse(source, &error)])?;
        let functions = functions(source, &parsed);
        Ok(Parsed { source, engine, functions })
    }

    /// The function that decides, and its form.
    pub fn entry(&self) -> Option<(Form, &Function)> {
        [Form::Score, Form::Choose].into_iter().find_map(|form| {
            let decides = |it: &&Function| {
                it.name == form.name() && it.parameters.len() == form.parameters() && !it.typed
            };
            self.functions.iter().find(decides).map(|function| (form, function))
        })
    }

    /// The first statement of each line: the line, from 0, and its byte.
    pub fn starts(&self) -> Vec<(usize, usize)> {
        let text = &self.source.text;
        let mut found: Vec<usize> = Vec::new();
        for function in &self.functions {
            // The bodies of functions are closed to other crates, so each is read as a script of its own.
            let (body, first) = (&text[function.body.clone()], function.body.start);
            let Ok(read) = self.engine.compile(body) else { continue };
            found.extend(starts_of(body, read.statements()).into_iter().map(|at| first + at));
        }
        let mut found: Vec<(usize, usize)> =
            found.into_iter().map(|at| (text[..at].matches('\n').count(), at)).collect();
        found.sort_unstable();
        found.dedup_by_key(|(line, _)| *line);
        found
    }
}

/// Where the statements of a body begin, and those within them.
fn starts_of(body: &str, statements: &[Stmt]) -> Vec<usize> {
    let (lines, mut found) = (Lines::of(body), Vec::new());
    let mut add = |statements: &[Stmt], at: Option<usize>| {
        // The `if` after `else` is a block without braces, in which nothing else may stand.
        if at.is_some_and(|at| body[at..].starts_with('{')) {
            let places = statements.iter().filter_map(|statement| lines.offset(position(statement)));
            found.extend(places.map(|at| before_brackets(body, at)));
        }
    };
    walk(statements, &mut |node| {
        let blocks = match node {
            ASTNode::Stmt(Stmt::Block(block)) => vec![&**block],
            ASTNode::Expr(Expr::Stmt(block)) => vec![&**block],
            ASTNode::Stmt(Stmt::If(x, _)) => vec![&x.body, &x.branch],
            ASTNode::Stmt(Stmt::While(x, _) | Stmt::Do(x, ..)) => vec![&x.body],
            ASTNode::Stmt(Stmt::For(x, _)) => vec![&x.2.body],
            ASTNode::Stmt(Stmt::TryCatch(x, _)) => vec![&x.body, &x.branch],
            _ => Vec::new(),
        };
        for block in blocks {
            add(block.statements(), lines.offset(block.position()));
        }
    });
    found
}

/// Where a statement begins, brackets apart; Rhai has the place of the operator for a calculation.
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

/// The byte of the first of the brackets and signs that stand before a place on its line.
pub fn before_brackets(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let kept = text[line..at].trim_end_matches(['(', '-', '!', '+', ' ', '\t']);
    let rest = &text[line + kept.len()..];
    line + kept.len() + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
}

/// The text with others written into it at these bytes, which are in order.
pub fn written_into(text: &str, put: &[(usize, String)]) -> String {
    let mut out = String::with_capacity(text.len() + 32 * put.len());
    let mut last = 0;
    for (at, more) in put {
        out.push_str(&text[last..*at]);
        out.push_str(more);
        last = *at;
    }
    out + &text[last..]
}
