//! Loads a script from its text, or reports all its faults.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Engine, Scope};

use crate::crash::guard;
use crate::diagnostic::{Diagnostic, Severity, SourceText};

use super::checks::{self, CHECKS};
use super::compiled::{self, Sources};
use super::engine::{self, Follow};
use super::eval_context::{Context, EvalContext, Players};
use super::fault;
use super::faults::Faults;
use super::limits::{MAX_SCRIPT, max_operations};
use super::lint::lint;
use super::lookup::wrong_names;
use super::meter::Meter;
use super::module::{Form, Function, Module};
use super::places::Lines;
use super::players::{looks_ahead, plays_on};
use super::syntax;

/// A loaded script, owned by one thread.
pub struct Loaded {
    pub engine: Rc<Engine>,
    /// What the engine's names read and change.
    pub context: Context,
    pub module: Rc<Module>,
    pub entry: usize,
    pub form: Form,
    pub sources: Sources,
    /// Names in it that are probably unintended.
    pub warnings: Vec<Diagnostic>,
    /// Whether games take long: it plays out sampled deals, or looks ahead interpreted.
    pub is_slow: bool,
}

impl Loaded {
    /// Creates a script in which a function decides, from an engine that has its module.
    pub fn new(engine: &Rc<Engine>, context: &Context, module: &Rc<Module>, entry: (usize, Form)) -> Loaded {
        let sources = compiled::read(module, entry);
        let waits = sources.unsupported.iter().any(Option::is_some);
        let text = &module.source.text;
        Loaded {
            engine: engine.clone(),
            context: context.clone(),
            module: module.clone(),
            entry: entry.0,
            form: entry.1,
            sources,
            warnings: Vec::new(),
            is_slow: plays_on(text) || waits && looks_ahead(text),
        }
    }

    pub fn entry(&self) -> &Function {
        &self.module.functions[self.entry]
    }
}

/// Loads a script; `follow` is told of its steps.
///
/// # Errors
/// Returns all its faults, including warnings, in the order of their positions. A text that does not parse has one.
pub fn load(
    source: &Arc<SourceText>,
    limits: bool,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> Result<Loaded, Vec<Diagnostic>> {
    guard(|| read(source, limits, players, follow)).unwrap_or_else(|panic| {
        let message = format!("the script library failed to load this: {panic}");
        Err(vec![Diagnostic::error(source, 0..0, message)])
    })
}

fn read(
    source: &Arc<SourceText>,
    limits: bool,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> Result<Loaded, Vec<Diagnostic>> {
    check_text(source)?;
    let context = context_of(players, limits);
    let meter = &context.meter;
    if limits {
        meter.begin(max_operations());
    }
    let mut engine = engine::build(&context, limits);
    let mut module =
        Module::parse(source, &engine).map_err(|error| vec![syntax::fault(&Lines::of(source), &error)])?;
    // Whatever follows a comment that does not end is a part of it.
    if let Some(fault) = syntax::open_comment(source)
        && engine.compile(source.text.clone() + "\n)").is_ok()
    {
        return Err(vec![fault]);
    }
    engine::follow(&mut engine, &context, &module.ast, follow);
    let mut faults = Faults::new(&module.lines);
    CHECKS.iter().for_each(|check| check(&module, &mut faults));
    wrong_names(&engine, &*context.players, &module, &mut faults);
    compute_constants(&engine, &mut module, meter, &mut faults);
    let Some(entry) = module.entry.filter(|_| !faults.fails()) else {
        lint(&module, &mut faults);
        return Err(faults.sorted());
    };
    let module = Rc::new(module);
    register(&mut engine, &module, &context);
    Ok(Loaded { warnings: faults.sorted(), ..Loaded::new(&Rc::new(engine), &context, &module, entry) })
}

/// Builds another engine for a script that is loaded, under the usual limits; `follow` is told of its steps.
pub fn engine_of(
    module: &Rc<Module>,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> (Rc<Engine>, Context) {
    let context = context_of(players, true);
    let mut engine = engine::build(&context, true);
    engine::follow(&mut engine, &context, &module.ast, follow);
    register(&mut engine, module, &context);
    (Rc::new(engine), context)
}

fn context_of(players: Rc<dyn Players>, limits: bool) -> Context {
    Rc::new(EvalContext {
        position: RefCell::default(),
        meter: Meter::new(limits),
        printed: RefCell::default(),
        players,
        module: OnceCell::new(),
        constants: RefCell::default(),
    })
}

/// Registers a script with its engine, and its constants: functions do not see outer variables.
fn register(engine: &mut Engine, module: &Rc<Module>, context: &EvalContext) {
    let mut globals = rhai::Module::new();
    for constant in &module.constants {
        let Some(value) = &constant.value else { continue };
        globals.set_var(constant.name.as_str(), value.clone());
        let cost = context.meter.size(value).map_or(0, |size| size.operations());
        if cost > 0 {
            context.constants.borrow_mut().push((constant.name.clone(), cost));
        }
    }
    engine.register_global_module(globals.into());
    engine::limit_literals(engine, false);
    let _ = context.module.set(module.clone());
}

/// Checks that positions in a text agree with those that the engine counts.
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

/// Computes the values of the constants at the top of a script, unless they are known to be invalid.
fn compute_constants(engine: &Engine, module: &mut Module, meter: &Meter, faults: &mut Faults) {
    let at_top = |fault: &Diagnostic| {
        let at = fault.span.start;
        !fault.span.is_empty() && !module.functions.iter().any(|f| (f.place.start..f.body.end).contains(&at))
    };
    let unknown = |fault: &Diagnostic| fault.severity == Severity::Error && at_top(fault);
    if module.constants.is_empty() || faults.found.iter().any(unknown) {
        return;
    }
    let mut scope = Scope::new();
    if let Err(error) = engine.run_ast_with_scope(&mut scope, &module.ast) {
        return faults.extend([fault::of_load(&module.lines, &error)]);
    }
    for constant in &mut module.constants {
        constant.value = scope.get(&constant.name).cloned();
    }
    checks::constants(module, meter, faults);
}
