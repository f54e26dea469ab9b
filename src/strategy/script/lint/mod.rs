//! Lints of scripts: code that always fails, and code without effect.
//!
//! Only certain findings are reported. An unknown type may be any type.

mod parts;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::module::{self, Constant, Faults, Function, Module, STAGE, Wanted, walk_all};
use super::names::{NAMES, Name, asks_player};
use super::value::Types;
use parts::REMOVE;

pub fn lint(module: &Module, faults: &mut Faults) {
    hidden_methods(module, faults);
    unused(module, faults);
    let may_fail = |function: &Function| {
        let mut tries = false;
        let is_try = |node: &ASTNode<'_>| matches!(node, ASTNode::Stmt(Stmt::TryCatch(..)));
        module::walk(function.statements(), &mut |node| tries |= is_try(node));
        tries
    };
    let tries: Vec<bool> = module.functions.iter().map(may_fail).collect();
    let any_tries = tries.contains(&true);
    for (index, (function, tries)) in module.functions.iter().zip(tries).enumerate() {
        let statements = function.statements();
        let wanted = module.wanted(index);
        let types = wanted.as_ref().map_or(&[][..], |wanted| wanted.parameters);
        let walked = walk::walk_through(module, function, types, [any_tries, tries]);
        if let Some(wanted) = wanted.as_ref().filter(|_| function.code.is_ok()) {
            let nothing = without_value(statements).map(|at| (Types::UNIT, at));
            let results = walked.results.into_iter().chain(nothing);
            results.for_each(|result| wrong_result(function, wanted, result, faults));
        }
        faults.extend(walked.findings);
        // A variable may be unread because of an error.
        for (name, at, message) in walked.unread {
            if !exempt(name, faults) {
                faults.warning(at, message, REMOVE);
            }
        }
    }
}

fn wrong_result(function: &Function, wanted: &Wanted, (types, at): (Types, Position), faults: &mut Faults) {
    let name = &function.name;
    // A variable is `()` until something is found, which may always be.
    let (wrong, must) = (types.without(wanted.result.with(Types::UNIT)), wanted.words);
    let help = match wrong == Types::DECIMAL && wanted.result == Types::INT {
        true => "multiply all scores, so that they are whole numbers",
        false => "",
    };
    if types.is_never(wanted.result) {
        let message = format!("`{name}` returns {} here; it must return {must}", types.words());
        match at.is_none() {
            true => faults.error(&function.place, message, help),
            false => faults.error(at, message, help),
        }
    } else if types != Types::ANY && !wrong.is_none() {
        let message = format!("`{name}` may return {} here; it must return {must}", wrong.words());
        faults.warning(at, message, help);
    }
}

/// Returns the position of a body without a value: it is empty, or ends in a loop and leaves nowhere else.
fn without_value(statements: &[Stmt]) -> Option<Position> {
    let last = match statements {
        [] | [Stmt::Noop(_)] => return Some(Position::NONE),
        [Stmt::Block(block)] => return without_value(block.statements()),
        [.., last] => last,
    };
    let ends = match last {
        Stmt::For(..) => true,
        // A loop without a condition may be left with a value.
        Stmt::While(x, _) => !matches!(x.expr, Expr::Unit(..) | Expr::BoolConstant(..)),
        _ => false,
    };
    let mut leaves = false;
    module::walk(statements, &mut |node| {
        leaves |= matches!(node, ASTNode::Stmt(Stmt::Return(..) | Stmt::BreakLoop(Some(_), ..)));
    });
    (ends && !leaves).then(|| last.position())
}

fn hidden_methods(module: &Module, faults: &mut Faults) {
    for function in module.functions.iter().filter(|function| !function.typed) {
        let name = function.name.as_str();
        let takes = Some(function.parameters.len());
        let hides = |it: &&Name| it.name == name && it.parameters.map(<[_]>::len) == takes;
        let Some(of) = NAMES.iter().find(hides).map(Name::owner) else { continue };
        let message = format!(
            "the function `{name}` hides the method `{name}` of {}: a call such as `{}.{name}(..)` calls the function",
            of.words(),
            of.variable()
        );
        faults.warning(&function.place, message, "give the function another name");
    }
}

/// Finds functions that are never called from the one that decides or from `stage`, and constants that nothing reads.
fn unused(module: &Module, faults: &mut Faults) {
    let words = Words::of(module);
    let reached = words.used(module);
    for function in &module.functions {
        let name = function.name.as_str();
        if reached.as_ref().is_some_and(|reached| !reached.contains(name)) && !exempt(name, faults) {
            faults.warning(&function.place, format!("the function `{name}` is never used"), REMOVE);
        }
    }
    for Constant { name, at, .. } in &module.constants {
        if words.read(name) || exempt(name, faults) {
            continue;
        }
        let message = match module.parameters.iter().any(|parameter| parameter.name == *name) {
            true => format!("the parameter `{name}` is never used: to set it changes nothing"),
            false => format!("the constant `{name}` is never used"),
        };
        faults.warning(*at, message, REMOVE);
    }
}

/// Returns the functions that are reached from the one that decides or from `stage`; `None` if unknown.
pub fn used(module: &Module) -> Option<BTreeSet<String>> {
    Some(Words::of(module).used(module)?.into_iter().map(String::from).collect())
}

/// Returns whether a name may be unused, or an error may be the reason.
fn exempt(name: &str, faults: &Faults) -> bool {
    name.starts_with('_') || faults.names(name)
}

/// The names and texts that each function and each constant mentions.
#[derive(Default)]
struct Words<'m> {
    functions: BTreeMap<&'m str, BTreeSet<String>>,
    constants: BTreeMap<&'m str, BTreeSet<String>>,
    /// Functions in which a function is named by a computed value.
    computing: BTreeSet<&'m str>,
}

impl<'m> Words<'m> {
    fn of(module: &'m Module) -> Words<'m> {
        let functions = module.functions.iter().map(|it| (it.name.as_str(), BTreeSet::new())).collect();
        let mut words = Words { functions, ..Words::default() };
        let constants = module.constants.iter();
        let starts: Vec<(usize, &str)> =
            constants.filter_map(|it| Some((module.lines.offset(it.at)?, it.name.as_str()))).collect();
        walk_all(&module.ast, &mut |node| {
            let Some((word, at)) = word(node) else { return };
            let Some(at) = module.lines.offset(at) else { return };
            if let Some(function) = module.functions.iter().find(|it| it.body.contains(&at)) {
                words.functions.entry(&function.name).or_default().insert(word.to_string());
                if computes(node) {
                    words.computing.insert(&function.name);
                }
            } else if let Some((_, constant)) = starts.iter().rfind(|(start, _)| *start <= at) {
                words.constants.entry(constant).or_default().insert(word.to_string());
            }
        });
        words
    }

    /// Returns the functions that are called from the one that decides or from `stage`; `None` if unknown.
    fn used(&self, module: &Module) -> Option<BTreeSet<&str>> {
        // Without a function that decides, any function may be meant to.
        let (entry, _) = module.entry?;
        let mut reached = BTreeSet::new();
        let mut next: Vec<&str> = vec![&module.functions[entry].name, STAGE];
        next.extend(self.constants.values().flatten().map(String::as_str));
        while let Some(name) = next.pop() {
            let Some((name, words)) = self.functions.get_key_value(name) else { continue };
            if self.computing.contains(name) {
                return None;
            }
            if reached.insert(*name) {
                next.extend(words.iter().map(String::as_str));
            }
        }
        Some(reached)
    }

    /// Returns whether a constant is read anywhere other than in its definition.
    fn read(&self, constant: &str) -> bool {
        let others = self.constants.iter().filter(|(name, _)| **name != constant).map(|(_, words)| words);
        self.functions.values().chain(others).any(|words| words.contains(constant))
    }
}

/// Returns the word by which a node may name a function or a constant.
fn word<'n>(node: &'n ASTNode<'_>) -> Option<(&'n str, Position)> {
    match node {
        ASTNode::Stmt(Stmt::FnCall(call, at))
        | ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at)) => Some((&call.name, *at)),
        ASTNode::Expr(Expr::Variable(x, _, at)) => Some((&x.1, *at)),
        ASTNode::Expr(Expr::StringConstant(text, at)) => Some((text, *at)),
        _ => None,
    }
}

/// Returns whether a function is named by anything other than a text or a variable, which holds a text found elsewhere.
fn computes(node: &ASTNode<'_>) -> bool {
    let (ASTNode::Stmt(Stmt::FnCall(call, _))
    | ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) = node
    else {
        return false;
    };
    let names = |call: &FnCallExpr| call.name == "Fn" || asks_player(&call.name, call.args.len());
    names(call) && !matches!(call.args.last(), Some(Expr::StringConstant(..) | Expr::Variable(..)) | None)
}
