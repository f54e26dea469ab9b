//! Lints of scripts: code that always fails, and code without effect.
//!
//! Only certain findings are reported. An unknown type may be any type.

mod arguments;
mod compared;
mod flow;
mod functions;
mod parts;
mod ranges;
mod types;
mod ways;

use rhai::{ASTNode, Expr, Position, Stmt};

use super::faults::Faults;
use super::limits::MAX_VARIABLES;
use super::module::{Form, Function, Module};
use super::stage::STAGE;
use super::value::Types;
use super::walk::walk;
use compared::Part;
use flow::Useless;
pub use functions::used;
use types::Scope;
use ways::{Places, Ways, ways};

/// Reports what is wrong or useless in the functions of a script.
pub fn lint(module: &Module, faults: &mut Faults<'_>) {
    functions::hidden_methods(module, faults);
    functions::unused(module, faults);
    for function in &module.functions {
        let mut lint = Lint { module, function, faults };
        let statements = function.statements();
        let wanted = wanted(module, function);
        let kinds = wanted.as_ref().map_or(&[][..], |wanted| &wanted.kinds);
        let Ways { results, conditions } = ways(module, &function.parameters, kinds, statements);
        if let Some(wanted) = wanted.as_ref().filter(|_| function.code.is_ok()) {
            lint.results(statements, results, wanted);
        }
        // A failure within `try` may be caught.
        let mut tries = false;
        walk(statements, &mut |node| tries |= matches!(node, ASTNode::Stmt(Stmt::TryCatch(..))));
        if !tries {
            lint.conditions(conditions);
        }
        lint.constants(statements);
        lint.parts(statements);
        lint.useless(statements);
    }
}

/// The required result of a function that the game calls.
struct Wanted {
    types: Types,
    kinds: Vec<Types>,
    words: &'static str,
}

fn wanted(module: &Module, function: &Function) -> Option<Wanted> {
    let form = module.entry.map(|(_, form)| form);
    let (types, kinds, words) = match (function.name.as_str(), function.parameters.len(), form) {
        ("score", 2, Some(Form::Score)) => (Types::INT, vec![Types::VIEW, Types::MOVE], "a whole number"),
        ("choose", 1, Some(Form::Choose)) => {
            (Types::MOVE.with(Types::UNIT), vec![Types::VIEW], "one of `view.moves`, or `()` to resign")
        }
        (STAGE, 3, _) => {
            (Types::BOOL, vec![Types::VIEW, Types::TEXT, Types::INT], "true to buy or false not to")
        }
        _ => return None,
    };
    (!function.typed).then_some(Wanted { types, kinds, words })
}

struct Lint<'a, 's> {
    module: &'a Module,
    function: &'a Function,
    faults: &'a mut Faults<'s>,
}

impl<'a> Lint<'a, '_> {
    fn error(&mut self, at: Position, message: String, help: &str) {
        match at.is_none() {
            true => self.faults.error(&self.function.place, message, help),
            false => self.faults.error(at, message, help),
        }
    }

    fn scope(&self, statements: &[Stmt]) -> Scope<'a> {
        let kinds = wanted(self.module, self.function).map_or(Vec::new(), |wanted| wanted.kinds);
        Scope::new(self.module, &self.function.parameters, &kinds, statements)
    }

    /// Checks every value that a function may return.
    fn results(&mut self, statements: &[Stmt], mut results: Places, wanted: &Wanted) {
        results.extend(types::without_value(statements).map(|at| (Types::UNIT, at)));
        let (name, must) = (&self.function.name, wanted.words);
        for (types, at) in results {
            // A variable is `()` until something is found, which may always be.
            let wrong = types.without(wanted.types.with(Types::UNIT));
            let help = match wrong == Types::DECIMAL && wanted.types == Types::INT {
                true => "multiply all scores, so that they are whole numbers",
                false => "",
            };
            if types.is_never(wanted.types) {
                let message = format!("`{name}` returns {} here; it must return {must}", types.words());
                self.error(at, message, help);
            } else if types != Types::ANY && wrong != Types::NONE {
                let message = format!("`{name}` may return {} here; it must return {must}", wrong.words());
                self.faults.warning(at, message, help);
            }
        }
    }

    /// Reports parts that fail or have no effect, and too many variables.
    fn parts(&mut self, statements: &[Stmt]) {
        let mut scope = self.scope(statements);
        for Part { at, message, help, is_error } in parts::parts(&mut scope, statements) {
            match is_error {
                true => self.faults.error(at, message, help),
                false => self.faults.warning(at, message, help),
            }
        }
        if let Some(at) = parts::one_too_many(statements, self.function.parameters.len()) {
            let message = format!("there are more than {MAX_VARIABLES} variables at one time");
            let help = "those of a block `{ .. }` are gone after it; a list holds many values";
            self.error(at, message, help);
        }
    }

    /// Reports variables that nothing reads, and statements that are never reached.
    fn useless(&mut self, statements: &[Stmt]) {
        let functions = &self.module.functions;
        let own = |name: &str| functions.iter().any(|it| it.name == name);
        for Useless { at, variable, message, help } in flow::useless(statements, &own) {
            if variable.is_some_and(|name| functions::exempt(name, self.faults)) {
                continue;
            }
            self.faults.warning(at, message, help);
        }
    }

    /// Reports conditions that are not booleans.
    fn conditions(&mut self, conditions: Places) {
        for (types, at) in conditions {
            if types.is_never(Types::BOOL) {
                let message = format!("a condition must be true or false, and this is {}", types.words());
                self.error(at, message, "");
            }
        }
    }

    /// Reports assignments to an element of a constant. Each use of a constant is a copy.
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
            if !own.contains(&name) && self.module.constant(&name).is_some() {
                let message = format!("`{name}` is constant: this assignment changes nothing");
                let help = format!("copy it to a variable first: `let copy = {name};`");
                self.faults.warning(at, message, help);
            }
        }
    }
}
