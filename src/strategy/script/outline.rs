//! The outline of a script: its functions and where they stand, and which of them decides.

use std::ops::Range;
use std::sync::Arc;

use rhai::AST;

use crate::diagnostic::SourceText;

use super::places::offset;

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

    /// How many parameters it has.
    pub fn parameters(self) -> usize {
        match self {
            Form::Score => 2,
            Form::Choose => 1,
        }
    }
}

/// The function that decides.
#[derive(Clone, Debug)]
pub struct DecidingFunction {
    /// What it is called.
    pub called: String,
    /// Which form it has.
    pub form: Form,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Where its name stands.
    pub name: Range<usize>,
    /// Its body, the braces included.
    pub body: Range<usize>,
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

/// The functions of a script, in the order in which they stand.
pub fn functions(source: &Arc<SourceText>, ast: &AST) -> Vec<Function> {
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

/// A number of things.
pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
