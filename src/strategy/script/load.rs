//! From a script's text to something that can decide, or all that is wrong with it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{AST, Dynamic, Engine, Module, Scope, Stmt};

use crate::diagnostic::{Diagnostic, SourceText};

use super::check::{self, Checked};
use super::compiled::{self, ConstantList, Sources};
use super::desk::Desk;
use super::engine;
use super::fault;
use super::handles::{MoveHandle, ViewHandle};
use super::limits::{MAX_SCRIPT, max_operations};
use super::meter::{Meter, SharedMeter};
use super::outline::{DecidingFunction, Form, Function};
use super::parameters::{self, Parameter};
use super::plain_data;
use super::playout::{Players, looks_ahead, plays_on};
use super::this;
use super::value::Value;
use super::written::Printed;

/// A script ready to decide. One for each thread.
pub struct Loaded {
    /// The engine that runs it.
    pub engine: Engine,
    /// What the engine's names read.
    pub desk: Desk,
    /// What it has used up of its budget.
    pub meter: SharedMeter,
    /// What the script has printed.
    pub printed: Printed,
    /// Who plays sampled deals on for it.
    pub players: Rc<Players>,
    /// The body of its `score` or `choose`, which runs in a scope of the parameters.
    pub body: AST,
    /// Its other functions.
    pub functions: AST,
    /// The whole of it, as it was read first.
    pub parsed: AST,
    /// Which of the two forms it has.
    pub entry: DecidingFunction,
    /// The function that is asked at stages of the stake, if it has one.
    pub stage: Option<Function>,
    /// All its functions, in the order in which they stand.
    pub all: Vec<Function>,
    /// Its parameters, in the order in which they stand.
    pub parameters: Vec<Parameter>,
    /// What of it is compiled.
    pub sources: Sources,
    /// Names in it that are likely not meant.
    pub warnings: Vec<Diagnostic>,
    /// It takes its time over a game: it plays sampled deals on, or looks ahead interpreted.
    pub is_slow: bool,
}

/// Reads a script.
///
/// # Errors
/// Every fault found in it, in the order of their places. A text that does not parse has one.
pub fn load(source: &Arc<SourceText>, limits: bool) -> Result<Loaded, Vec<Diagnostic>> {
    let loaded = read(source, limits, None, |_| ())?;
    loaded.players.reads(source);
    Ok(loaded)
}

/// Reads a script in which a function of this name and form decides.
///
/// # Errors
/// As with [`load`].
pub fn load_function(
    source: &Arc<SourceText>,
    name: &str,
    form: Form,
    limits: bool,
) -> Result<Loaded, Vec<Diagnostic>> {
    read(source, limits, Some((name, form)), |_| ())
}

/// The same with an engine that has something more.
///
/// # Errors
/// As with [`load`].
pub fn load_with(
    source: &Arc<SourceText>,
    limits: bool,
    prepare: impl FnOnce(&mut Engine),
) -> Result<Loaded, Vec<Diagnostic>> {
    read(source, limits, None, prepare)
}

fn read(
    source: &Arc<SourceText>,
    limits: bool,
    decides: Option<(&str, Form)>,
    prepare: impl FnOnce(&mut Engine),
) -> Result<Loaded, Vec<Diagnostic>> {
    check_text(source)?;
    let desk: Desk = Rc::default();
    let printed: Printed = Rc::new(RefCell::default());
    let meter = Meter::new(limits);
    if limits {
        meter.begin(max_operations());
    }
    let (mut engine, long, players) = engine::build(&desk, &printed, &meter, limits);
    prepare(&mut engine);
    let parsed = engine.compile(&source.text).map_err(|e| vec![fault::of_parse(source, &e)])?;
    if limits {
        this::count(&mut engine, &meter, &parsed);
    }
    let checked = check::check(source, &engine, &parsed, decides);
    let (Checked { entry, stage, functions: all, warnings }, parameters) =
        match (checked, parameters::declared(source, &parsed)) {
            (Ok(checked), Ok(parameters)) => (checked, parameters),
            (checked, declared) => {
                let mut faults = checked.err().unwrap_or_default();
                faults.extend(declared.err().unwrap_or_default());
                faults.sort_by_key(|fault| fault.span.start);
                return Err(faults);
            }
        };
    let constants = constants(source, &engine, &parsed, &meter)?;

    // Functions do not see what stands outside of them, so constants are known to the engine.
    let mut module = Module::new();
    for (name, value) in &constants {
        module.set_var(name.as_str(), value.clone());
    }
    engine.register_global_module(module.into());
    for (name, value) in &constants {
        let cost = meter.size(value).map_or(0, |size| size.operations());
        if cost > 0 {
            long.borrow_mut().push((name.clone(), cost));
        }
    }
    let values = constants.iter().map(|(name, value)| (name.clone(), Value::of(value))).collect();
    let lists = constants.iter().filter_map(|(name, value)| ConstantList::of(name, value)).collect();
    let sources = compiled::read(&source.text, &engine, &all, values, lists, &entry);
    let waits = sources.functions.iter().any(|function| function.obstacle.is_some());
    let one = |e: rhai::ParseError| vec![fault::of_parse(source, &e)];
    let mut scope = Scope::new();
    for (name, value) in constants {
        scope.push_constant_dynamic(name, value);
    }
    let functions = engine.compile_with_scope(&scope, &source.text).map_err(one)?.clone_functions_only();
    let body = engine.compile_with_scope(&scope, only(&source.text, &entry)).map_err(one)?;
    engine::limit_literals(&mut engine, false);
    Ok(Loaded {
        engine,
        desk,
        meter,
        printed,
        players,
        body,
        functions,
        parsed,
        entry,
        stage,
        all,
        parameters,
        sources,
        warnings,
        is_slow: plays_on(&source.text) || waits && looks_ahead(&source.text),
    })
}

/// Whether the places in a text are those that the engine counts.
fn check_text(source: &Arc<SourceText>) -> Result<(), Vec<Diagnostic>> {
    let text = &source.text;
    let fault = |at: usize, message: String, help: &str| {
        Err(vec![Diagnostic::error(source, at..at, message).help(help)])
    };
    if text.len() > MAX_SCRIPT {
        let message = format!("the script has {} bytes, and at most {MAX_SCRIPT} are allowed", text.len());
        return fault(0, message, "a strategy is some hundred lines");
    }
    let bytes = text.as_bytes();
    let alone = (0..bytes.len()).find(|&i| bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
    match alone {
        Some(at) => fault(
            at,
            "a carriage return without a line feed, which editors do not show".into(),
            "end lines with a line feed, or with both",
        ),
        None => Ok(()),
    }
}

/// The scope that the body of an entry runs in.
pub fn scope_of(entry: &DecidingFunction) -> Scope<'static> {
    let mut scope = Scope::new();
    for (i, parameter) in entry.parameters.iter().enumerate() {
        let value = if i == 0 { Dynamic::from(ViewHandle(None)) } else { Dynamic::from(MoveHandle::new(0)) };
        scope.push_dynamic(parameter.as_str(), value);
    }
    scope
}

/// The values of the constants at the top of a script.
fn constants(
    source: &Arc<SourceText>,
    engine: &Engine,
    ast: &AST,
    meter: &Meter,
) -> Result<Vec<(String, Dynamic)>, Vec<Diagnostic>> {
    if !ast.statements().iter().any(|s| matches!(s, Stmt::Var(..))) {
        return Ok(Vec::new());
    }
    let mut scope = Scope::new();
    engine.run_ast_with_scope(&mut scope, ast).map_err(|e| vec![fault::of_load(source, &e)])?;
    let found: Vec<(String, Dynamic)> =
        scope.iter().map(|(name, _, value)| (name.to_string(), value)).collect();
    let mut faults = plain_data::faults(source, ast, &found);
    faults.extend(plain_data::too_large(source, ast, &found, meter));
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

/// The text with all but the body of the entry blanked out. Run as a script of its own, a body
/// costs no call and no copies of its parameters, and its places are those of the whole text.
fn only(text: &str, entry: &DecidingFunction) -> String {
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    let mut out: String = text[..entry.body.start].chars().map(blank).collect();
    out.push_str(&text[entry.body.clone()]);
    out
}
