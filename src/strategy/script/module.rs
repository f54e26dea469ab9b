//! A parsed script, shared by checks, compiler and interpreter.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{AST, Dynamic, Engine, ParseError, Position, ScriptFuncDef, Stmt};

use crate::diagnostic::SourceText;

use super::parameters::{Parameter, declarations};
use super::places::Lines;

pub struct Module {
    pub source: Arc<SourceText>,
    pub lines: Rc<Lines>,
    pub ast: AST,
    /// Its functions, in text order.
    pub functions: Vec<Function>,
    /// The bodies of its closures with their parameters, including captured variables.
    pub closures: Vec<(Range<usize>, Vec<String>)>,
    /// The constants at its top, in text order.
    pub constants: Vec<Constant>,
    /// Those of them that are parameters.
    pub parameters: Vec<Parameter>,
    /// The function that decides, and its form.
    pub entry: Option<(usize, Form)>,
    /// The function that decides on stages of the stake.
    pub stage: Option<usize>,
}

pub struct Constant {
    pub name: String,
    pub at: Position,
    /// Its value, if known.
    pub value: Option<Dynamic>,
}

/// The function that a script may have for staged stakes.
pub const STAGE: &str = "stage";

impl Module {
    /// Parses a text.
    ///
    /// # Errors
    /// Returns the first position that does not parse.
    pub fn parse(source: &Arc<SourceText>, engine: &Engine) -> Result<Module, ParseError> {
        let (ast, lines) = (engine.compile(&source.text)?, Lines::of(source));
        let constants = ast.statements().iter().filter_map(|statement| match statement {
            Stmt::Var(x, ..) => Some(Constant { name: x.0.name.to_string(), at: x.0.pos, value: None }),
            _ => None,
        });
        let closures = ast.iter_fn_def().filter(|def| def.name.starts_with(CLOSURE));
        let own = ast.iter_fn_def().filter(|def| !def.name.starts_with(CLOSURE));
        let mut functions: Vec<Function> = own.map(|def| Function::of(&lines, def, engine)).collect();
        functions.sort_by_key(|function| function.place.start);
        let mut module = Module {
            source: source.clone(),
            functions,
            closures: closures.map(|def| (body_of(&lines, def), parameters_of(def))).collect(),
            constants: constants.collect(),
            parameters: declarations(&ast, &lines).into_iter().filter_map(Result::ok).collect(),
            ast,
            lines: Rc::new(lines),
            entry: None,
            stage: None,
        };
        module.entry = match module.entries()[..] {
            [(index, form)] if module.takes(index, form.parameters()) => Some((index, form)),
            _ => None,
        };
        module.stage = module.functions.iter().position(|function| function.name == STAGE);
        Ok(module)
    }

    /// Returns the functions that have the name of one that decides.
    pub fn entries(&self) -> Vec<(usize, Form)> {
        let forms = |name: &str| [Form::Score, Form::Choose].into_iter().find(|form| form.name() == name);
        let each = self.functions.iter().enumerate();
        each.filter_map(|(index, function)| Some((index, forms(&function.name)?))).collect()
    }

    fn takes(&self, index: usize, parameters: usize) -> bool {
        self.functions[index].parameters.len() == parameters
    }

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `fn score(view, m)`
    Score,
    /// `fn choose(view)`
    Choose,
}

impl Form {
    pub fn name(self) -> &'static str {
        match self {
            Form::Score => "score",
            Form::Choose => "choose",
        }
    }

    pub fn parameters(self) -> usize {
        match self {
            Form::Score => 2,
            Form::Choose => 1,
        }
    }
}

/// Prefix of the engine's names for closures.
pub const CLOSURE: &str = "anon$";

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
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
    fn of(lines: &Lines, def: &ScriptFuncDef, engine: &Engine) -> Function {
        let body = body_of(lines, def);
        let (head, name) = (&lines.source.text[..body.start], def.name.as_str());
        let mut places = head.rmatch_indices(name).map(|(at, _)| at);
        let start = places.find(|at| head[at + name.len()..].trim_start().starts_with('('));
        let start = start.unwrap_or(body.start);
        Function {
            name: name.into(),
            parameters: parameters_of(def),
            place: start..(start + name.len()).min(lines.source.text.len()),
            code: engine.compile(lines.alone(&body)),
            body,
            typed: def.this_type.is_some(),
        }
    }

    /// Returns the statements of its body; empty if it uses `this`.
    pub fn statements(&self) -> &[Stmt] {
        self.code.as_ref().map_or(&[], AST::statements)
    }
}

/// Returns the bytes of a function's body, from its first brace on.
fn body_of(lines: &Lines, def: &ScriptFuncDef) -> Range<usize> {
    let (length, start) = (lines.source.text.len(), lines.offset(def.body.start_position()).unwrap_or(0));
    let end = lines.offset(def.body.end_position()).map_or(length, |end| end + 1);
    start..end.clamp(start, length)
}

fn parameters_of(def: &ScriptFuncDef) -> Vec<String> {
    def.params.iter().map(ToString::to_string).collect()
}

pub fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
