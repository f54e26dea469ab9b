//! A parsed script, shared by checks, compiler and interpreter: its functions, constants and parameters, positions in
//! its text, its statements, and its faults.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{
    AST, ASTFlags, ASTNode, Dynamic, Engine, Expr, ParseError, Position, ScriptFuncDef, Stmt, StmtBlock,
};

use strum::{EnumString, IntoStaticStr};

use crate::diagnostic::{Diagnostic, Severity, SourceText, did_you_mean};

use super::value::{Fault, Types};

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
    pub value: Option<Dynamic>,
}

pub const STAGE: &str = "stage";

/// What the game gives to a function that it calls, and takes from it.
pub struct Wanted {
    pub parameters: &'static [Types],
    pub result: Types,
    /// The result in words.
    pub words: &'static str,
}

impl Wanted {
    /// That of `fn stage(view, at, cost)`.
    pub const STAGE: Wanted = Wanted {
        parameters: &[Types::VIEW, Types::TEXT, Types::INT],
        result: Types::BOOL,
        words: "true to buy or false not to",
    };
}

impl Module {
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
            [(index, form)] if module.functions[index].parameters.len() == form.parameters() => {
                Some((index, form))
            }
            _ => None,
        };
        module.stage = module.functions.iter().position(|function| function.name == STAGE);
        Ok(module)
    }

    /// Returns the functions that have the name of one that decides.
    pub fn entries(&self) -> Vec<(usize, Form)> {
        let each = self.functions.iter().enumerate();
        each.filter_map(|(index, function)| Some((index, function.name.parse().ok()?))).collect()
    }

    /// Returns what the game gives to a function and takes from it, if it calls the function.
    pub fn wanted(&self, index: usize) -> Option<Wanted> {
        let function = &self.functions[index];
        match self.entry {
            _ if function.typed => None,
            Some((entry, form)) if entry == index => Some(form.wanted()),
            _ => (self.stage == Some(index) && function.parameters.len() == 3).then_some(Wanted::STAGE),
        }
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Form {
    /// `fn score(view, m)`
    #[default]
    Score,
    /// `fn choose(view)`
    Choose,
}

impl Form {
    pub const fn wanted(self) -> Wanted {
        match self {
            Form::Score => Wanted {
                parameters: &[Types::VIEW, Types::MOVE],
                result: Types::INT,
                words: "a whole number",
            },
            Form::Choose => Wanted {
                parameters: &[Types::VIEW],
                result: Types::MOVE.with(Types::UNIT),
                words: "one of `view.moves`, or `()` to resign",
            },
        }
    }

    pub fn parameters(self) -> usize {
        self.wanted().parameters.len()
    }
}

/// Prefix of the engine's names for closures.
pub const CLOSURE: &str = "anon$";

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    pub place: Range<usize>,
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

pub struct Lines {
    pub source: Arc<SourceText>,
    starts: Vec<usize>,
}

impl Lines {
    pub fn of(source: &Arc<SourceText>) -> Lines {
        let ends = source.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Lines { source: source.clone(), starts }
    }

    pub fn offset(&self, position: Position) -> Option<usize> {
        let text = &self.source.text;
        let start = self.starts.get(position.line()? - 1).copied().unwrap_or(text.len());
        let column = position.position().unwrap_or(1).max(1) - 1;
        let rest = text.get(start..)?;
        Some(start + rest.char_indices().nth(column).map_or(rest.len(), |(i, _)| i))
    }

    pub fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    pub fn position(&self, at: usize) -> Position {
        let line = self.line(at);
        let column = self.source.text[self.starts[line - 1]..at].chars().count() + 1;
        Position::new(line as u16, column as u16)
    }

    /// Returns a part of the text alone, padded so that its positions are those in the whole.
    pub fn alone(&self, part: &Range<usize>) -> String {
        let (text, line) = (&self.source.text, self.line(part.start) - 1);
        let column = text[self.starts[line]..part.start].chars().count();
        ["\n".repeat(line), " ".repeat(column), text[part.clone()].into()].concat()
    }

    /// Returns a fault at a place; no help if that is empty.
    pub fn fault(
        &self,
        severity: Severity,
        at: impl Place,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Diagnostic {
        let help = Some(help.into()).filter(|help| !help.is_empty());
        let (source, span) = (self.source.clone(), at.span(self));
        Diagnostic { severity, source, span, message: message.into(), help }
    }

    /// Returns the word at a position, or the single character there.
    pub fn span(&self, position: Position) -> Range<usize> {
        word_at(&self.source.text, self.offset(position).unwrap_or(0))
    }
}

/// Returns the word that begins at a byte of a text, or the single character there.
pub fn word_at(text: &str, start: usize) -> Range<usize> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let rest = &text[start..];
    let len = match rest.chars().next() {
        Some(c) if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
        Some(c) => c.len_utf8(),
        None => 0,
    };
    start..start + len
}

/// Calls `visit` on every node of a script, including its functions, with the path from the root to it.
pub fn walk_paths(ast: &AST, visit: &mut dyn FnMut(&[ASTNode<'_>])) {
    ast.walk(&mut |path| along(path, visit));
}

fn along(path: &[ASTNode<'_>], visit: &mut dyn FnMut(&[ASTNode<'_>])) -> bool {
    visit(path);
    if let Some(ASTNode::Stmt(Stmt::BreakLoop(Some(value), ..))) = path.last() {
        value.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| along(path, visit));
    }
    true
}

pub fn walk_all(ast: &AST, visit: &mut dyn FnMut(&ASTNode<'_>)) {
    walk_paths(ast, &mut |path| path.last().into_iter().for_each(&mut *visit));
}

pub fn walk(statements: &[Stmt], visit: &mut dyn FnMut(&ASTNode<'_>)) {
    let mut visit = |path: &[ASTNode<'_>]| path.last().into_iter().for_each(&mut *visit);
    for statement in statements {
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| along(path, &mut visit));
    }
}

pub fn blocks<'a>(node: &ASTNode<'a>) -> Vec<&'a StmtBlock> {
    match *node {
        ASTNode::Stmt(Stmt::Block(block)) => vec![block],
        ASTNode::Expr(Expr::Stmt(block)) => vec![block],
        ASTNode::Stmt(Stmt::If(x, _)) => vec![&x.body, &x.branch],
        ASTNode::Stmt(Stmt::While(x, _) | Stmt::Do(x, ..)) => vec![&x.body],
        ASTNode::Stmt(Stmt::For(x, _)) => vec![&x.2.body],
        ASTNode::Stmt(Stmt::TryCatch(x, _)) => vec![&x.body, &x.branch],
        _ => Vec::new(),
    }
}

#[derive(Clone, Copy)]
pub struct Start {
    /// Its line, from 0.
    pub line: usize,
    pub at: usize,
    /// The position by which its steps are known.
    pub node: Position,
}

impl Start {
    pub fn of(module: &Module, statement: &Stmt) -> Option<Start> {
        let at = before_brackets(&module.source.text, module.lines.offset(position(statement))?);
        let node = match statement {
            Stmt::Expr(expr) => expr.position(),
            other => other.position(),
        };
        Some(Start { line: module.lines.line(at) - 1, at, node })
    }
}

/// Returns the first statement of each line of a script.
pub fn starts(module: &Module) -> Vec<Start> {
    let mut found = Vec::new();
    for function in &module.functions {
        walk(function.statements(), &mut |node| {
            for block in blocks(node) {
                // The `if` after `else` is a block without braces.
                let at = module.lines.offset(block.position());
                if at.is_some_and(|at| module.source.text[at..].starts_with('{')) {
                    found.extend(block.statements().iter().filter_map(|it| Start::of(module, it)));
                }
            }
        });
    }
    found.sort_by_key(|start| start.at);
    found.dedup_by_key(|start| start.line);
    found
}

/// Returns where an expression starts; for an operator, Rhai has the position of its symbol.
pub fn start(expr: &Expr) -> Position {
    match expr {
        Expr::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => start(&call.args[0]),
        Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => {
            all.first().map_or(Position::NONE, start)
        }
        other => other.start_position(),
    }
}

/// Returns where a statement begins, ignoring brackets.
pub fn position(statement: &Stmt) -> Position {
    match statement {
        Stmt::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => start(&call.args[0]),
        Stmt::Expr(expr) => start(expr),
        Stmt::Assignment(x) => start(&x.1.lhs),
        other => other.position(),
    }
}

/// Returns the byte of the first of the brackets and signs before a position on its line.
fn before_brackets(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let kept = text[line..at].trim_end_matches(['(', '-', '!', '+', ' ', '\t']);
    let rest = &text[line + kept.len()..];
    line + kept.len() + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
}

pub struct Faults {
    lines: Rc<Lines>,
    /// In the order in which they were found.
    pub found: Vec<Diagnostic>,
}

pub trait Place {
    fn span(self, lines: &Lines) -> Range<usize>;
}

impl Place for Position {
    fn span(self, lines: &Lines) -> Range<usize> {
        lines.span(self)
    }
}

impl Place for &Range<usize> {
    fn span(self, _: &Lines) -> Range<usize> {
        self.clone()
    }
}

impl Faults {
    pub fn new(lines: &Rc<Lines>) -> Faults {
        Faults { lines: lines.clone(), found: Vec::new() }
    }

    pub fn error(&mut self, at: impl Place, message: impl Into<String>, help: impl Into<String>) {
        self.found.push(self.lines.fault(Severity::Error, at, message, help));
    }

    pub fn warning(&mut self, at: impl Place, message: impl Into<String>, help: impl Into<String>) {
        self.found.push(self.lines.fault(Severity::Warning, at, message, help));
    }

    pub fn extend(&mut self, faults: impl IntoIterator<Item = Diagnostic>) {
        self.found.extend(faults);
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.found.iter().filter(|fault| fault.severity == Severity::Error)
    }

    /// Returns whether an error mentions a word: conclusions about it may change once the error is fixed.
    pub fn names(&self, word: &str) -> bool {
        let word = format!("`{word}`");
        let texts = self.errors().flat_map(|fault| [Some(&fault.message), fault.help.as_ref()]);
        texts.flatten().any(|text| text.contains(&word))
    }

    pub fn fails(&self) -> bool {
        self.errors().next().is_some()
    }

    /// Returns all faults in the order of their positions; at one position an error hides other faults.
    pub fn sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|fault| (fault.span.start, fault.severity == Severity::Warning));
        self.found.dedup_by(|next, first| {
            next.span == first.span && (first.severity == Severity::Error || next.message == first.message)
        });
        self.found
    }
}

// Parameters are constants at the top of a script that can be set from outside. `const HOLD = param(4, 0..=13);` declares
// a whole number with its default and its allowed values, and `const BOLD = param(true);` a boolean. A script is set by
// replacing the default in its text, so whatever is played, reported and stored is always a complete script.

pub const PARAM: &str = "param";
pub const EXAMPLE: &str = "such as `const HOLD = param(4, 0..=13);` or `const BOLD = param(true);`";

/// The allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number in an inclusive range.
    Number(i64, i64),
    /// True or false.
    Truth,
}

/// A parameter of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of its constant.
    pub name: String,
    /// Its allowed values.
    pub kind: ParameterKind,
    /// Its default; 1 or 0 for a boolean.
    pub default: i64,
    /// Position of the default in the text.
    pub place: Range<usize>,
}

impl Parameter {
    /// Returns the smallest and the largest value; 0 and 1 for a boolean.
    pub fn bounds(&self) -> (i64, i64) {
        match self.kind {
            ParameterKind::Number(low, high) => (low, high),
            ParameterKind::Truth => (0, 1),
        }
    }

    /// Formats a value as in a script.
    pub fn write(&self, value: i64) -> String {
        match self.kind {
            ParameterKind::Number(..) => value.to_string(),
            ParameterKind::Truth => (value != 0).to_string(),
        }
    }

    /// Parses a value; `None` if the parameter may not have it.
    pub fn read(&self, text: &str) -> Option<i64> {
        let (low, high) = self.bounds();
        let value = match self.kind {
            ParameterKind::Number(..) => text.parse().ok()?,
            ParameterKind::Truth => i64::from(text.parse::<bool>().ok()?),
        };
        (low..=high).contains(&value).then_some(value)
    }

    /// Describes the allowed values.
    pub fn allowed(&self) -> String {
        match self.kind {
            ParameterKind::Number(low, high) => format!("a whole number from {low} to {high}"),
            ParameterKind::Truth => "`true` or `false`".into(),
        }
    }

    /// Returns whether a name means this parameter: case is ignored, and `-` may replace `_`.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(&name.replace('-', "_"))
    }
}

/// Error for a setting that is not possible for a strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SettingError {
    message: String,
    /// Whether the strategy has no parameter of that name.
    pub is_unknown: bool,
}

impl SettingError {
    /// Creates the error for a parameter that is set more than once.
    pub fn twice(name: &str) -> SettingError {
        SettingError { message: format!("`{name}` is set twice"), is_unknown: false }
    }

    /// Creates the error for a value other than those allowed, which are given in words.
    pub fn value(name: &str, value: &str, allowed: &str) -> SettingError {
        SettingError { message: format!("`{name}` cannot be `{value}`: it is {allowed}"), is_unknown: false }
    }
}

fn others(name: &str, parameters: &[Parameter]) -> String {
    let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    if known.is_empty() {
        return format!(": the script declares none, {EXAMPLE}");
    }
    let meant = did_you_mean(&name.to_uppercase(), known.iter().copied());
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    format!("; there are {}{meant}", known.join(", "))
}

/// Finds the intended parameter and value.
pub fn find_parameter<'p>(
    parameters: &'p [Parameter],
    name: &str,
    value: &str,
) -> Result<(&'p Parameter, i64), SettingError> {
    let Some(parameter) = parameters.iter().find(|parameter| parameter.is_called(name)) else {
        let message = format!("there is no parameter `{name}`{}", others(name, parameters));
        return Err(SettingError { message, is_unknown: true });
    };
    let wrong = || SettingError::value(&parameter.name, value, &parameter.allowed());
    parameter.read(value).map(|read| (parameter, read)).ok_or_else(wrong)
}

/// Returns the script's text with the defaults replaced by other values.
pub fn write_parameters(text: &str, values: &[(&Parameter, i64)]) -> String {
    let mut values = values.to_vec();
    values.sort_by_key(|(parameter, _)| parameter.place.start);
    let (mut out, mut at) = (String::new(), 0);
    for (parameter, value) in values {
        out.push_str(&text[at..parameter.place.start]);
        out.push_str(&parameter.write(value));
        at = parameter.place.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Registers the word, so that the constants of a script get their defaults.
pub fn register_parameters(engine: &mut Engine) {
    let number = |default: i64, _: std::ops::RangeInclusive<i64>| -> Result<i64, Fault> { Ok(default) };
    engine.register_fn(PARAM, number);
    engine.register_fn(PARAM, |default: bool| -> Result<bool, Fault> { Ok(default) });
}

type Declared = Result<Parameter, (Range<usize>, String)>;

/// Returns the parameters that a script declares at its top, in text order.
pub fn declarations(ast: &AST, lines: &Lines) -> Vec<Declared> {
    let each = ast.statements().iter().filter_map(|statement| match statement {
        Stmt::Var(x, flags, _) if flags.contains(ASTFlags::CONSTANT) => match &x.1 {
            Expr::FnCall(call, at) if call.name == PARAM => {
                Some(declaration(lines, x.0.name.as_str(), &call.args, *at))
            }
            _ => None,
        },
        _ => None,
    });
    each.collect()
}

/// Parses a declaration, or locates and explains its fault.
fn declaration(lines: &Lines, name: &str, arguments: &[Expr], at: Position) -> Declared {
    let (text, whole) = (&lines.source.text, lines.span(at));
    let kind = match arguments {
        [Expr::BoolConstant(..)] => ParameterKind::Truth,
        [Expr::IntegerConstant(..), range] => match range_of(range) {
            Some((low, high)) if low <= high => ParameterKind::Number(low, high),
            Some((low, high)) => return Err((whole, format!("no number is from {low} to {high}"))),
            None => {
                return Err((whole, "the values of a parameter are a range with both its ends".into()));
            }
        },
        _ => return Err((whole, "a parameter has a plain default, and a number a range".into())),
    };
    // The default is between the bracket and the comma, or the closing bracket.
    let open = text[whole.end..].find('(').map_or(whole.end, |i| whole.end + i + 1);
    let close = text[open..].find([',', ')']).map_or(open, |i| open + i);
    let written = &text[open..close];
    let start = open + (written.len() - written.trim_start().len());
    let place = start..start + written.trim().len();
    let default = match arguments[0] {
        Expr::IntegerConstant(n, _) => n,
        Expr::BoolConstant(b, _) => i64::from(b),
        _ => 0,
    };
    let parameter = Parameter { name: name.into(), kind, default, place };
    let plain = text[parameter.place.clone()].replace('_', "");
    if plain != parameter.write(default) {
        return Err((parameter.place, "the default of a parameter is a plain number or truth value".into()));
    }
    if parameter.read(&plain).is_none() {
        let message = format!("{default} is not {}", parameter.allowed());
        return Err((parameter.place, message));
    }
    Ok(parameter)
}

fn range_of(range: &Expr) -> Option<(i64, i64)> {
    match range {
        Expr::FnCall(call, _) if call.name == "..=" => match call.args[..] {
            [Expr::IntegerConstant(low, _), Expr::IntegerConstant(high, _)] => Some((low, high)),
            _ => None,
        },
        Expr::DynamicConstant(value, _) => {
            let range = value.read_lock::<std::ops::RangeInclusive<i64>>()?;
            Some((*range.start(), *range.end()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::script::Script;

    fn script(text: &str) -> Result<Vec<Parameter>, Vec<String>> {
        let source = Arc::new(SourceText { name: "mine.rhai".into(), text: text.into() });
        let faults = |faults: Vec<Diagnostic>| faults.iter().map(Diagnostic::to_string).collect::<Vec<_>>();
        Script::new("mine", &source).map(|script| script.parameters().to_vec()).map_err(faults)
    }

    const GOOD: &str = "const HOLD = param( 4 , 0..=13);\nconst BOLD=param(true);\nconst LOW = param(-3, -1_0..=10);\n\
                        fn score(view, m) { if BOLD { HOLD + LOW } else { -1 } }";

    #[test]
    fn declarations_are_read_and_written() {
        let found = script(GOOD).unwrap();
        let said: Vec<String> =
            found.iter().map(|p| format!("{} {} {:?}", p.name, p.write(p.default), p.bounds())).collect();
        assert_eq!(said, ["HOLD 4 (0, 13)", "BOLD true (0, 1)", "LOW -3 (-10, 10)"]);
        let written = write_parameters(GOOD, &[(&found[2], 7), (&found[0], 11), (&found[1], 0)]);
        assert!(written.starts_with(
            "const HOLD = param( 11 , 0..=13);\nconst BOLD=param(false);\nconst LOW = param(7, -1_0..=10);\n"
        ));
        assert_eq!(script(&written).unwrap()[0].default, 11);
    }

    #[test]
    fn a_person_may_write_names_in_any_case() {
        let found = script(GOOD).unwrap();
        assert_eq!(find_parameter(&found, "hold", "13").unwrap().1, 13);
        assert_eq!(find_parameter(&found, "bold", "false").unwrap().1, 0);
        let said = |name, value| find_parameter(&found, name, value).unwrap_err().to_string();
        assert_eq!(said("hold", "14"), "`HOLD` cannot be `14`: it is a whole number from 0 to 13");
        assert_eq!(said("bold", "2"), "`BOLD` cannot be `2`: it is `true` or `false`");
        assert_eq!(
            said("holt", "1"),
            "there is no parameter `holt`; there are HOLD, BOLD, LOW; did you mean `HOLD`?"
        );
    }

    #[test]
    fn what_is_no_declaration_is_told_with_its_place() {
        let body = "\nfn score(view, m) { A }";
        for (text, said) in [
            ("const A = param(4);", "mine.rhai:1:11: a parameter has a plain default"),
            ("const A = param(4, 1..9);", "mine.rhai:1:11: the values of a parameter are a range with both"),
            ("const A = param(4, 9..=1);", "mine.rhai:1:11: no number is from 9 to 1"),
            ("const A = param(4, 5..=9);", "mine.rhai:1:17: 4 is not a whole number from 5 to 9"),
            ("const A = param(0x4, 0..=9);", "mine.rhai:1:17: the default of a parameter is a plain"),
            ("const A = 1 + param(4, 0..=9);", "mine.rhai:1:15: `param` declares a parameter only"),
        ] {
            let faults = script(&format!("{text}{body}")).unwrap_err();
            assert!(faults[0].starts_with(said), "{text}: {faults:?}");
        }
        let inside = script("fn score(view, m) { param(4, 0..=9) }").unwrap_err();
        assert!(inside[0].starts_with("mine.rhai:1:21: `param` declares"), "{inside:?}");
    }
}
