//! What can be known to be wrong with a script before any game: names that do not exist, and a
//! missing or doubtful entry.

use std::ops::Range;
use std::sync::Arc;

use rhai::{AST, ASTFlags, Engine, Stmt};

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};

use super::fault::{offset, span};
use super::lookup::{Parameters, wrong_names};
use super::names::Kind;
use super::stage;

/// The two forms of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `fn score(view, m)`
    Score,
    /// `fn choose(view)`
    Choose,
}

impl Form {
    /// The name of its function.
    pub fn name(self) -> &'static str {
        match self {
            Form::Score => "score",
            Form::Choose => "choose",
        }
    }

    fn parameters(self) -> usize {
        match self {
            Form::Score => 2,
            Form::Choose => 1,
        }
    }
}

/// The function that decides.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which form it has.
    pub form: Form,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Where its name stands.
    pub name: Range<usize>,
    /// Its body, the braces included.
    pub body: Range<usize>,
}

impl Entry {
    /// Its body with the kinds of its parameters.
    fn parameters_of_the_game(&self) -> Parameters {
        let kinds = [Kind::View, Kind::Move];
        (self.body.clone(), self.parameters.iter().cloned().zip(kinds).collect())
    }
}

/// How the engine's names for closures begin.
pub const CLOSURE: &str = "anon$";

/// A function of the script.
#[derive(Clone, Debug)]
pub struct Function {
    /// What it is called.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Where its name stands.
    pub place: Range<usize>,
    /// Its body, the braces included.
    pub body: Range<usize>,
    /// It is a method of one type.
    pub typed: bool,
}

/// Finds the entry of a script, the function that is asked at steps of the stake, and all that is wrong
/// in it.
///
/// # Errors
/// The faults, in the order of their places.
pub fn check(
    source: &Arc<SourceText>,
    engine: &Engine,
    ast: &AST,
) -> Result<(Entry, Option<Function>, Vec<Function>), Vec<Diagnostic>> {
    let functions = functions(source, ast);
    let mut faults = Vec::new();
    top_level(source, ast, &mut faults);
    let entry = find_entry(source, &functions, &mut faults);
    let stage = stage::find(source, ast, &functions, &mut faults);
    let of_the_game = entry.iter().map(Entry::parameters_of_the_game).chain(stage.map(stage::view_of));
    faults.extend(wrong_names(source, engine, ast, &functions, of_the_game.collect()));
    faults.sort_by_key(|fault| fault.span.start);
    faults.dedup_by_key(|fault| fault.span.clone());
    match entry {
        Some(entry) if faults.is_empty() => {
            let stage = stage.cloned();
            Ok((entry, stage, functions))
        }
        _ => Err(faults),
    }
}

/// The bytes of a function's body, from its first brace on.
fn body_of(text: &str, def: &rhai::ScriptFuncDef) -> Range<usize> {
    let start = offset(text, def.body.start_position()).unwrap_or(0);
    let end = offset(text, def.body.end_position()).map_or(text.len(), |end| end + 1);
    start..end.clamp(start, text.len())
}

/// Bodies of closures with their parameters, among them what they take from around them.
pub fn closures(text: &str, ast: &AST) -> Vec<(Range<usize>, Vec<String>)> {
    let closures = ast.iter_fn_def().filter(|def| def.name.starts_with(CLOSURE));
    let parameters = |def: &rhai::ScriptFuncDef| def.params.iter().map(ToString::to_string).collect();
    closures.map(|def| (body_of(text, def), parameters(def))).collect()
}

fn functions(source: &Arc<SourceText>, ast: &AST) -> Vec<Function> {
    let text = &source.text;
    let mut found = Vec::new();
    for def in ast.iter_fn_def() {
        if def.name.starts_with(CLOSURE) {
            continue;
        }
        let body = body_of(text, def);
        found.push(Function {
            name: def.name.to_string(),
            parameters: def.params.iter().map(ToString::to_string).collect(),
            place: name_before(text, &def.name, body.start),
            body,
            typed: def.this_type.is_some(),
        });
    }
    found.sort_by_key(|f| f.place.start);
    found
}

/// Where the name of a function stands, whose body starts at `body`.
fn name_before(text: &str, name: &str, body: usize) -> Range<usize> {
    let head = &text[..body];
    let start = head
        .rmatch_indices(name)
        .map(|(i, _)| i)
        .find(|i| head[i + name.len()..].trim_start().starts_with('('))
        .unwrap_or(body);
    start..(start + name.len()).min(text.len())
}

/// Only constants and functions stand at the top: a script is not run from top to bottom.
fn top_level(source: &Arc<SourceText>, ast: &AST, faults: &mut Vec<Diagnostic>) {
    for stmt in ast.statements() {
        let (at, message, help) = match stmt {
            Stmt::Noop(_) => continue,
            Stmt::Var(_, flags, _) if flags.contains(ASTFlags::CONSTANT) => continue,
            Stmt::Var(x, _, _) => (
                x.0.pos,
                format!("functions cannot see `{}`, a variable outside of them", x.0.name),
                "write `const` for a value that does not change; nothing is kept between decisions",
            ),
            other => (
                other.position(),
                "a statement outside of a function is never run".to_string(),
                "only constants and functions stand at the top of a strategy",
            ),
        };
        faults.push(Diagnostic::error(source, span(&source.text, at), message).help(help));
    }
}

fn find_entry(
    source: &Arc<SourceText>,
    functions: &[Function],
    faults: &mut Vec<Diagnostic>,
) -> Option<Entry> {
    let named: Vec<(&Function, Form)> = functions
        .iter()
        .flat_map(|f| [Form::Score, Form::Choose].into_iter().map(move |form| (f, form)))
        .filter(|(f, form)| f.name == form.name())
        .collect();
    match named[..] {
        [] => {
            let near = functions.iter().find(|f| did_you_mean(&f.name, ["score", "choose"]).is_some());
            let at = near.map_or(0..0, |f| f.place.clone());
            let message = "the script defines neither `fn score(view, m)` nor `fn choose(view)`";
            let mut fault = Diagnostic::error(source, at, message);
            if let Some(near) = near {
                let meant = did_you_mean(&near.name, ["score", "choose"]).unwrap_or("score");
                fault = fault.help(format!("`{}`: did you mean `{meant}`?", near.name));
            }
            faults.push(fault);
            None
        }
        [(f, form)] if f.parameters.len() == form.parameters() => Some(Entry {
            form,
            parameters: f.parameters.clone(),
            name: f.place.clone(),
            body: f.body.clone(),
        }),
        [(f, form)] => {
            let takes = if form == Form::Score { "`fn score(view, m)`" } else { "`fn choose(view)`" };
            let message = format!("`{}` has {}", f.name, count(f.parameters.len(), "parameter"));
            let help = format!("it must be {takes}");
            faults.push(Diagnostic::error(source, f.place.clone(), message).help(help));
            None
        }
        [_, (second, _), ..] => {
            let message = "the script defines more than one of `score` and `choose`";
            let help = "a strategy either scores each move or chooses one";
            faults.push(Diagnostic::error(source, second.place.clone(), message).help(help));
            None
        }
    }
}

/// A number of things.
pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
