//! A parsed script, shared by checks, compiler and interpreter.

use std::ops::Range;
use std::sync::Arc;

use rhai::{AST, Dynamic, Engine, ParseError, Position, Stmt};

use crate::diagnostic::SourceText;

use super::parameters::Parameter;
use super::places::{Lines, offset};

/// A parsed script.
pub struct Module {
    /// Its text.
    pub source: Arc<SourceText>,
    /// Its syntax tree.
    pub ast: AST,
    /// Its functions, in text order.
    pub functions: Vec<Function>,
    /// The constants at its top, in text order.
    pub constants: Vec<Constant>,
    /// Those of them that are parameters.
    pub parameters: Vec<Parameter>,
    /// The function that decides, and its form.
    pub entry: Option<(usize, Form)>,
    /// The function that decides on stages of the stake.
    pub stage: Option<usize>,
}

/// A constant at the top of a script.
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Position of its name.
    pub at: Position,
    /// Its value, if known.
    pub value: Option<Dynamic>,
}

impl Module {
    /// Parses a text.
    ///
    /// # Errors
    /// Returns the first position that does not parse.
    pub fn parse(source: &Arc<SourceText>, engine: &Engine) -> Result<Module, ParseError> {
        let ast = engine.compile(&source.text)?;
        let constants = ast.statements().iter().filter_map(|statement| match statement {
            Stmt::Var(x, ..) => Some(Constant { name: x.0.name.to_string(), at: x.0.pos, value: None }),
            _ => None,
        });
        Ok(Module {
            source: source.clone(),
            functions: functions(&source.text, &ast, engine),
            constants: constants.collect(),
            ast,
            parameters: Vec::new(),
            entry: None,
            stage: None,
        })
    }

    /// Returns the constant of a name.
    pub fn constant(&self, name: &str) -> Option<&Constant> {
        self.constants.iter().rev().find(|constant| constant.name == name)
    }

    /// Returns the function meant by a call with this many arguments.
    pub fn function(&self, name: &str, arguments: usize) -> Option<usize> {
        self.functions.iter().position(|f| f.name == name && f.parameters.len() == arguments && !f.typed)
    }

    /// Returns whether a call in method style, with this many arguments in brackets, may mean a function of the script.
    pub fn has_method(&self, name: &str, arguments: usize) -> bool {
        self.functions.iter().any(|f| f.name == name && f.parameters.len() == arguments)
    }
}

/// The two forms of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `fn score(view, m)`
    Score,
    /// `fn choose(view)`
    Choose,
}

impl Form {
    /// Returns the name of its function.
    pub fn name(self) -> &'static str {
        match self {
            Form::Score => "score",
            Form::Choose => "choose",
        }
    }

    /// Returns how many parameters it has.
    pub fn parameters(self) -> usize {
        match self {
            Form::Score => 2,
            Form::Choose => 1,
        }
    }
}

/// Prefix of the engine's names for closures.
pub const CLOSURE: &str = "anon$";

/// A function of the script.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Position of its name.
    pub place: Range<usize>,
    /// Its body, including the braces.
    pub body: Range<usize>,
    /// Whether it is a method of one type.
    pub typed: bool,
    /// Its body as a separate script, with positions in the whole: Rhai keeps those of functions private. A script has
    /// no `this`.
    pub code: Result<AST, ParseError>,
}

impl Function {
    /// Returns the statements of its body; empty if it uses `this`.
    pub fn statements(&self) -> &[Stmt] {
        self.code.as_ref().map_or(&[], AST::statements)
    }
}

/// Returns the bytes of a function's body, from its first brace on.
fn body_of(text: &str, def: &rhai::ScriptFuncDef) -> Range<usize> {
    let start = offset(text, def.body.start_position()).unwrap_or(0);
    let end = offset(text, def.body.end_position()).map_or(text.len(), |end| end + 1);
    start..end.clamp(start, text.len())
}

/// Returns the bodies of closures with their parameters, including captured variables.
pub fn closures(text: &str, ast: &AST) -> Vec<(Range<usize>, Vec<String>)> {
    let closures = ast.iter_fn_def().filter(|def| def.name.starts_with(CLOSURE));
    let parameters = |def: &rhai::ScriptFuncDef| def.params.iter().map(ToString::to_string).collect();
    closures.map(|def| (body_of(text, def), parameters(def))).collect()
}

fn functions(text: &str, ast: &AST, engine: &Engine) -> Vec<Function> {
    let lines = Lines::of(text);
    let own = ast.iter_fn_def().filter(|def| !def.name.starts_with(CLOSURE));
    let mut found: Vec<Function> = own
        .map(|def| {
            let body = body_of(text, def);
            Function {
                name: def.name.to_string(),
                parameters: def.params.iter().map(ToString::to_string).collect(),
                place: name_before(text, &def.name, body.start),
                code: engine.compile(lines.alone(&body)),
                body,
                typed: def.this_type.is_some(),
            }
        })
        .collect();
    found.sort_by_key(|f| f.place.start);
    found
}

/// Returns the position of the name of a function whose body starts at `body`.
fn name_before(text: &str, name: &str, body: usize) -> Range<usize> {
    let head = &text[..body];
    let start = head
        .rmatch_indices(name)
        .map(|(i, _)| i)
        .find(|i| head[i + name.len()..].trim_start().starts_with('('))
        .unwrap_or(body);
    start..(start + name.len()).min(text.len())
}

/// Formats a count of things.
pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
