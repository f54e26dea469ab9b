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
    pub engine: Engine,
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
    pub fn entry(&self) -> &Function {
        &self.module.functions[self.entry]
    }
}

/// Loads a script in which `decides`, or the usual function, decides; `follow` is told of its steps.
///
/// # Errors
/// Returns all its faults, including warnings, in the order of their positions. A text that does not parse has one.
pub fn load(
    source: &Arc<SourceText>,
    limits: bool,
    decides: Option<(&str, Form)>,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> Result<Loaded, Vec<Diagnostic>> {
    guard(|| read(source, limits, decides, players, follow)).unwrap_or_else(|panic| {
        let message = format!("the script library failed to load this: {panic}");
        Err(vec![Diagnostic::error(source, 0..0, message)])
    })
}

fn read(
    source: &Arc<SourceText>,
    limits: bool,
    decides: Option<(&str, Form)>,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> Result<Loaded, Vec<Diagnostic>> {
    check_text(source)?;
    let context = Rc::new(EvalContext {
        position: RefCell::default(),
        meter: Meter::new(limits),
        printed: RefCell::default(),
        players,
        module: OnceCell::new(),
        constants: RefCell::default(),
    });
    let meter = &context.meter;
    if limits {
        meter.begin(max_operations());
    }
    let mut engine = engine::build(&context, limits);
    let mut module = Module::parse(source, &engine, decides)
        .map_err(|error| vec![syntax::fault(&Lines::of(source), &error)])?;
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
    let Some((entry, form)) = module.entry.filter(|_| !faults.fails()) else {
        lint(&module, &mut faults);
        return Err(faults.sorted());
    };
    register_constants(&mut engine, &module, &context);
    engine::limit_literals(&mut engine, false);
    let module = Rc::new(module);
    let _ = context.module.set(module.clone());
    let sources = compiled::read(&module, (entry, form));
    let waits = sources.unsupported.iter().any(Option::is_some);
    let is_slow = plays_on(&source.text) || waits && looks_ahead(&source.text);
    Ok(Loaded { engine, context, module, entry, form, sources, warnings: faults.sorted(), is_slow })
}

/// Registers the constants with the engine: functions do not see outer variables.
fn register_constants(engine: &mut Engine, module: &Module, context: &EvalContext) {
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
