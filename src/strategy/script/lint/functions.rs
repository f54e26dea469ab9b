//! Lints functions that hide a method of the game, and unused functions and constants.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::super::faults::Faults;
use super::super::module::{CLOSURE, Module, STAGE};
use super::super::names::{NAMES, Name, asks_player};
use super::super::walk::walk_all;

/// Finds functions that a method call would call instead of the game's method.
pub fn hidden_methods(module: &Module, faults: &mut Faults) {
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
pub fn unused(module: &Module, faults: &mut Faults) {
    let words = Words::of(module);
    if let Some(reached) = words.used(module) {
        for function in &module.functions {
            let name = function.name.as_str();
            if reached.contains(name) || exempt(name, faults) {
                continue;
            }
            faults.warning(
                &function.place,
                format!("the function `{}` is never used", function.name),
                REMOVE,
            );
        }
    }
    for constant in &module.constants {
        let name = &constant.name;
        if words.read(name) || exempt(name, faults) {
            continue;
        }
        let message = if module.parameters.iter().any(|parameter| parameter.name == *name) {
            format!("the parameter `{name}` is never used: to set it changes nothing")
        } else {
            format!("the constant `{name}` is never used")
        };
        faults.warning(constant.at, message, REMOVE);
    }
}

/// Returns the functions that are reached from the one that decides or from `stage`; `None` if unknown.
pub fn used(module: &Module) -> Option<BTreeSet<String>> {
    Some(Words::of(module).used(module)?.into_iter().map(String::from).collect())
}

/// Returns whether a name may be unused, or an error may be the reason.
pub fn exempt(name: &str, faults: &Faults) -> bool {
    name.starts_with('_') || faults.names(name)
}

/// Advice for unused names.
pub const REMOVE: &str = "use it or remove it; a name that begins with `_` is not warned of";

type Place = (usize, usize);

fn place(at: Position) -> Option<Place> {
    Some((at.line()?, at.position().unwrap_or(0)))
}

/// The names and texts that each function and each constant mentions.
struct Words {
    /// Of functions, by their names.
    functions: BTreeMap<String, BTreeSet<String>>,
    /// Of constants, by theirs.
    constants: BTreeMap<String, BTreeSet<String>>,
    /// Functions in which a function is named by a computed value.
    computing: BTreeSet<String>,
}

impl Words {
    fn of(module: &Module) -> Words {
        let mut bodies: Vec<(Place, Place, String)> = Vec::new();
        for def in module.ast.iter_fn_def().filter(|def| !def.name.starts_with(CLOSURE)) {
            if let (Some(start), Some(end)) =
                (place(def.body.start_position()), place(def.body.end_position()))
            {
                bodies.push((start, end, def.name.to_string()));
            }
        }
        bodies.sort();
        let mut starts: Vec<(Place, &str)> =
            module.constants.iter().filter_map(|it| Some((place(it.at)?, it.name.as_str()))).collect();
        starts.sort_unstable();
        let mut words = Words {
            functions: bodies.iter().map(|(.., name)| (name.clone(), BTreeSet::new())).collect(),
            constants: BTreeMap::new(),
            computing: BTreeSet::new(),
        };
        walk_all(&module.ast, &mut |node| {
            let Some((word, at)) = word(node).and_then(|(word, at)| Some((word, place(at)?))) else { return };
            let within = bodies[..bodies.partition_point(|(start, ..)| *start <= at)].last();
            if let Some((.., function)) = within.filter(|(_, end, _)| at <= *end) {
                words.functions.entry(function.clone()).or_default().insert(word.to_string());
                if computes(node) {
                    words.computing.insert(function.clone());
                }
            } else if let Some((_, constant)) =
                starts[..starts.partition_point(|(start, _)| *start <= at)].last()
            {
                words.constants.entry(constant.to_string()).or_default().insert(word.to_string());
            }
        });
        words
    }

    fn used<'w>(&'w self, module: &'w Module) -> Option<BTreeSet<&'w str>> {
        // Without a function that decides, any function may be meant to.
        let (entry, _) = module.entry?;
        self.reached([module.functions[entry].name.as_str(), STAGE])
    }

    /// Returns the functions that are called from some; `None` if unknown.
    fn reached<'w>(&'w self, from: impl IntoIterator<Item = &'w str>) -> Option<BTreeSet<&'w str>> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<&str> = from.into_iter().collect();
        next.extend(self.constants.values().flatten().map(String::as_str));
        while let Some(name) = next.pop() {
            let Some((name, words)) = self.functions.get_key_value(name) else { continue };
            if self.computing.contains(name) {
                return None;
            }
            if reached.insert(name.as_str()) {
                next.extend(words.iter().map(String::as_str));
            }
        }
        Some(reached)
    }

    /// Returns whether a constant is read anywhere other than in its definition.
    fn read(&self, constant: &str) -> bool {
        let others = self.constants.iter().filter(|(name, _)| *name != constant).map(|(_, words)| words);
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
