//! What a script shows before any game: code that fails whenever it is run, and code without effect.
//!
//! Only what is certain is reported. A type that is not known is any type.

mod arguments;
mod compared;
mod flow;
mod functions;
mod parts;
mod ranges;
mod types;

use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, Position, Stmt};

use crate::diagnostic::{Diagnostic, SourceText};

use super::compiled::Sources;
use super::limits::MAX_VARIABLES;
use super::outline::{Form, Function};
use super::parameters::Parameter;
use super::places::{offset, span};
use super::stage::STAGE;
use super::walk::walk;
use compared::Part;
use flow::Useless;
use types::{Scope, Type};

/// The errors and warnings of a script that loads, in the order of their places. `ast` is the whole of it, with these
/// functions and parameters.
pub fn lint(
    source: &Arc<SourceText>,
    ast: &AST,
    functions: &[Function],
    parameters: &[Parameter],
    sources: &Sources,
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = functions::hidden_methods(source, functions).collect();
    let parameters: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    found.extend(functions::unused(source, ast, functions, &functions[sources.entry], &parameters));
    for (function, read) in functions.iter().zip(&sources.functions) {
        let mut lint = Lint { source, function, sources, found: &mut found };
        let statements = read.statements();
        if let Some(wanted) = wanted(sources, function) {
            lint.results(statements, &wanted);
        }
        // What fails within `try` may be caught.
        let mut tries = false;
        walk(statements, &mut |node| tries |= matches!(node, ASTNode::Stmt(Stmt::TryCatch(..))));
        if !tries {
            lint.conditions(statements);
        }
        lint.constants(statements);
        lint.parts(statements);
        lint.useless(statements);
    }
    found.sort_by_key(|fault| fault.span.start);
    found.dedup();
    found
}

/// What a function that the game calls must return.
struct Wanted {
    types: Type,
    kinds: Vec<Type>,
    words: &'static str,
}

fn wanted(sources: &Sources, function: &Function) -> Option<Wanted> {
    let (types, kinds, words) = match (function.name.as_str(), function.parameters.len(), sources.form) {
        ("score", 2, Form::Score) => (Type::INT, vec![Type::VIEW, Type::MOVE], "a whole number"),
        ("choose", 1, Form::Choose) => {
            (Type::MOVE.or(Type::UNIT), vec![Type::VIEW], "one of `view.moves`, or `()` to resign")
        }
        (STAGE, 3, _) => (Type::BOOL, vec![Type::VIEW, Type::TEXT, Type::INT], "true to buy or false not to"),
        _ => return None,
    };
    (!function.typed).then_some(Wanted { types, kinds, words })
}

struct Lint<'a> {
    source: &'a Arc<SourceText>,
    function: &'a Function,
    sources: &'a Sources,
    found: &'a mut Vec<Diagnostic>,
}

impl<'a> Lint<'a> {
    /// The place that a position of the function's body means.
    fn place(&self, at: Position) -> std::ops::Range<usize> {
        let body = &self.source.text[self.function.body.clone()];
        match offset(body, at) {
            Some(_) => {
                let word = span(body, at);
                let start = self.function.body.start;
                start + word.start..start + word.end
            }
            None => self.function.place.clone(),
        }
    }

    fn scope(&self, statements: &[Stmt]) -> Scope<'a> {
        let kinds = wanted(self.sources, self.function).map_or(Vec::new(), |wanted| wanted.kinds);
        Scope::new(self.sources, &self.function.parameters, &kinds, statements)
    }

    /// Every value that a function may return.
    fn results(&mut self, statements: &[Stmt], wanted: &Wanted) {
        let mut scope = self.scope(statements);
        let mut results = Vec::new();
        scope.results(statements, true, &mut results);
        results.extend(types::without_value(statements).map(|at| (Type::UNIT, at)));
        for (types, at) in results {
            if types.is_never(wanted.types) {
                let message = format!(
                    "`{}` returns {} here; it must return {}",
                    self.function.name,
                    types.words(),
                    wanted.words
                );
                let mut fault = Diagnostic::error(self.source, self.place(at), message);
                if types == Type::DECIMAL && wanted.types == Type::INT {
                    fault = fault.help("multiply all scores, so that they are whole numbers");
                }
                self.found.push(fault);
            }
        }
    }

    /// Parts that fail or come to nothing, and more variables than there may be.
    fn parts(&mut self, statements: &[Stmt]) {
        let mut scope = self.scope(statements);
        for Part { at, message, help, is_error } in parts::parts(&mut scope, statements) {
            let kind = if is_error { Diagnostic::error } else { Diagnostic::warning };
            self.found.push(kind(self.source, self.place(at), message).help(help));
        }
        if let Some(at) = parts::one_too_many(statements, self.function.parameters.len()) {
            let message = format!("there are more than {MAX_VARIABLES} variables at one time");
            let help = "those of a block `{ .. }` are gone after it; a list holds many values";
            self.found.push(Diagnostic::error(self.source, self.place(at), message).help(help));
        }
    }

    /// Variables that nothing reads, and statements that are never reached.
    fn useless(&mut self, statements: &[Stmt]) {
        for Useless { at, message, help } in flow::useless(statements) {
            self.found.push(Diagnostic::warning(self.source, self.place(at), message).help(help));
        }
    }

    /// Conditions that are no truth values.
    fn conditions(&mut self, statements: &[Stmt]) {
        let mut scope = self.scope(statements);
        let mut conditions = Vec::new();
        scope.conditions(statements, &mut conditions);
        for (types, at) in conditions {
            if types.is_never(Type::BOOL) {
                let message = format!("a condition must be true or false, and this is {}", types.words());
                self.found.push(Diagnostic::error(self.source, self.place(at), message));
            }
        }
    }

    /// Assignments to an element of a constant. Each use of a constant is a copy.
    fn constants(&mut self, statements: &[Stmt]) {
        let mut own: Vec<String> = self.function.parameters.clone();
        walk(statements, &mut |node| match node {
            ASTNode::Stmt(Stmt::Var(x, ..)) => own.push(x.0.name.to_string()),
            ASTNode::Stmt(Stmt::For(x, ..)) => {
                own.push(x.0.name.to_string());
                own.extend(x.1.iter().map(|counter| counter.name.to_string()));
            }
            _ => {}
        });
        let mut assigned = Vec::new();
        walk(statements, &mut |node| {
            if let ASTNode::Stmt(Stmt::Assignment(x)) = node {
                let mut target = &x.1.lhs;
                while let Expr::Index(x, ..) | Expr::Dot(x, ..) = target {
                    target = &x.lhs;
                }
                if let (Expr::Variable(x, _, at), false) = (target, matches!(x.1.lhs, Expr::Variable(..))) {
                    assigned.push((x.1.to_string(), *at));
                }
            }
        });
        for (name, at) in assigned {
            if !own.contains(&name) && self.sources.constants.contains_key(&name) {
                let message = format!("`{name}` is constant: this assignment changes nothing");
                let help = format!("copy it to a variable first: `let copy = {name};`");
                self.found.push(Diagnostic::warning(self.source, self.place(at), message).help(help));
            }
        }
    }
}
