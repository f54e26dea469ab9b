//! Loads a script from its text, or reports all its faults.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{
    AST, ASTFlags, ASTNode, Dynamic, Engine, Expr, FnCallExpr, ImmutableString, Position, Scope, Stmt,
};

use crate::crash::guard;
use crate::diagnostic::{Diagnostic, Severity, SourceText, did_you_mean};
use crate::rules::StageAt;

use super::api::{Context, EvalContext, Players};
use super::compiled::{self, Sources};
use super::engine::{self, Follow};
use super::fault;
use super::limits::{MAX_COMPUTED, MAX_CONSTANT, MAX_PARAMETERS, MAX_SCRIPT, Meter, max_operations};
use super::lint::lint;
use super::lookup::wrong_names;
use super::module::{
    EXAMPLE, Faults, Form, Function, Lines, Module, PARAM, STAGE, count, declarations, walk_all, walk_paths,
};
use super::names::{looks_ahead, plays_on};

pub struct Loaded {
    pub engine: Rc<Engine>,
    pub context: Context,
    pub module: Rc<Module>,
    pub sources: Sources,
    /// Names in it that are probably unintended.
    pub warnings: Vec<Diagnostic>,
    /// Whether games take long: it plays out sampled deals, or looks ahead interpreted.
    pub is_slow: bool,
}

impl Loaded {
    pub fn new(engine: &Rc<Engine>, context: &Context, module: &Rc<Module>, entry: (usize, Form)) -> Loaded {
        let sources = compiled::read(module, entry);
        let waits = sources.unsupported.iter().any(Option::is_some);
        let text = &module.source.text;
        Loaded {
            engine: engine.clone(),
            context: context.clone(),
            module: module.clone(),
            sources,
            warnings: Vec::new(),
            is_slow: plays_on(text) || waits && looks_ahead(text),
        }
    }

    pub fn entry(&self) -> &Function {
        &self.module.functions[self.sources.entry]
    }
}

/// Loads a script; `follow` is told of its steps.
///
/// # Errors
/// Returns all its faults, including warnings, in the order of their positions. A text that does not parse has one.
pub fn load(
    source: &Arc<SourceText>,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> Result<Loaded, Vec<Diagnostic>> {
    guard(|| read(source, players, follow)).unwrap_or_else(|panic| {
        let message = format!("the script library failed to load this: {panic}");
        Err(vec![Diagnostic::error(source, 0..0, message)])
    })
}

fn read(
    source: &Arc<SourceText>,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> Result<Loaded, Vec<Diagnostic>> {
    check_text(source)?;
    let context = context_of(players);
    let meter = &context.meter;
    meter.begin(max_operations());
    let mut engine = engine::build(&context);
    let mut module =
        Module::parse(source, &engine).map_err(|error| vec![fault::of_parse(&Lines::of(source), &error)])?;
    // Whatever follows a comment that does not end is a part of it.
    if let Some(fault) = fault::open_comment(source)
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

/// Builds another engine for a script that is loaded; `follow` is told of its steps.
pub fn engine_of(
    module: &Rc<Module>,
    players: Rc<dyn Players>,
    follow: Option<Follow>,
) -> (Rc<Engine>, Context) {
    let context = context_of(players);
    let mut engine = engine::build(&context);
    engine::follow(&mut engine, &context, &module.ast, follow);
    register(&mut engine, module, &context);
    (Rc::new(engine), context)
}

fn context_of(players: Rc<dyn Players>) -> Context {
    Rc::new(EvalContext {
        position: RefCell::default(),
        meter: Meter::default(),
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
    engine::lift_limits_of_literals(engine);
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
    check_constants(module, meter, faults);
}

/// The checks, in the order of what they report for one position.
const CHECKS: [fn(&Module, &mut Faults); 6] =
    [top_level, too_many_parameters, too_many_computed, entry, stage, parameters];

/// Checks that only constants and functions are at the top level: a script is not run from top to bottom.
fn top_level(module: &Module, faults: &mut Faults) {
    for stmt in module.ast.statements() {
        let (at, message, help) = match stmt {
            Stmt::Noop(_) => continue,
            Stmt::Var(_, flags, _) if flags.contains(ASTFlags::CONSTANT) => continue,
            Stmt::Var(x, _, _) => (
                x.0.pos,
                format!("functions cannot see `{}`, a variable outside of them", x.0.name),
                "write `const` for a value that does not change; `memory[i]` keeps numbers from one decision to the next",
            ),
            other => (
                other.position(),
                "a statement outside of a function is never run".to_string(),
                "only constants and functions are allowed at the top level of a strategy",
            ),
        };
        faults.error(at, message, help);
    }
}

fn too_many_parameters(module: &Module, faults: &mut Faults) {
    for function in module.functions.iter().filter(|it| it.parameters.len() > MAX_PARAMETERS) {
        let (name, n) = (&function.name, function.parameters.len());
        let message = format!("`{name}` has {n} parameters, and at most {MAX_PARAMETERS} are allowed");
        faults.error(&function.place, message, "give it a list of values");
    }
}

/// Reports lists and calls with more computed values than are allowed at one time.
fn too_many_computed(module: &Module, faults: &mut Faults) {
    // The number within each node of a path.
    let mut within: Vec<usize> = Vec::new();
    walk_paths(&module.ast, &mut |path| {
        within.truncate(path.len() - 1);
        let around = within.last().copied().unwrap_or(0);
        let computed = path.last().map_or(0, computed);
        within.push(around + computed);
        if around <= MAX_COMPUTED && around + computed > MAX_COMPUTED {
            let at = path.last().map_or(Position::NONE, ASTNode::position);
            let message = format!("more than {MAX_COMPUTED} values are computed at one time here");
            faults.error(at, message, "fill the list in a loop, or write a function for a part of it");
        }
    });
}

fn computed(node: &ASTNode<'_>) -> usize {
    let computed = |values: &[Expr]| values.iter().filter(|value| !value.is_constant()).count();
    match node {
        ASTNode::Expr(Expr::Array(all, _)) => computed(all),
        ASTNode::Expr(Expr::Map(x, _)) => x.0.iter().filter(|(_, value)| !value.is_constant()).count(),
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
        | ASTNode::Stmt(Stmt::FnCall(call, _)) => computed(&call.args),
        _ => 0,
    }
}

fn entry(module: &Module, faults: &mut Faults) {
    let functions = &module.functions;
    if let Some((index, _)) = module.entry {
        if let Err(error) = &functions[index].code {
            faults.extend([fault::of_parse(&module.lines, error)]);
        }
        return;
    }
    match module.entries()[..] {
        [] => {
            let meant = |f: &Function| did_you_mean(&f.name, [Form::Score, Form::Choose].map(Into::into));
            let message = "the script defines neither `fn score(view, m)` nor `fn choose(view)`";
            match functions.iter().find_map(|f| Some((f, meant(f)?))) {
                Some((f, meant)) => {
                    faults.error(&f.place, message, format!("`{}`: did you mean `{meant}`?", f.name));
                }
                None => faults.error(&(0..0), message, ""),
            }
        }
        [(index, form)] => {
            let f = &functions[index];
            let takes = if form == Form::Score { "`fn score(view, m)`" } else { "`fn choose(view)`" };
            let message = format!("`{}` has {}", f.name, count(f.parameters.len(), "parameter"));
            faults.error(&f.place, message, format!("it must be {takes}"));
        }
        [_, (second, _), ..] => {
            let message = "the script defines more than one of `score` and `choose`";
            let help = "a strategy either scores each move or chooses one";
            faults.error(&functions[second].place, message, help);
        }
    }
}

/// Reports faults of the function for stages of a stake, or one that is probably meant to be it.
fn stage(module: &Module, faults: &mut Faults) {
    const FORM: &str = "`fn stage(view, at, cost)`";
    for f in &module.functions {
        if f.name == STAGE && f.parameters.len() != 3 {
            let message = format!("`{STAGE}` has {}", count(f.parameters.len(), "parameter"));
            faults.error(&f.place, message, format!("it must be {FORM}"));
        }
        let is_near = || did_you_mean(&f.name, [STAGE]).is_some();
        if module.stage.is_none() && f.parameters.len() == 3 && is_near() {
            let mut called = false;
            calls(&module.ast, |call, _| called |= call.name == f.name);
            if !called {
                let help =
                    format!("did you mean `{STAGE}`? {FORM} is asked where a stake is bought in stages");
                faults.error(&f.place, format!("nothing calls `{}`", f.name), help);
            }
        }
    }
    // Comparisons of `at` that never hold.
    let Some(stage) = module.stage.map(|i| &module.functions[i]).filter(|f| f.parameters.len() == 3) else {
        return;
    };
    let (at, words) = (stage.parameters[1].as_str(), StageAt::ALL.map(StageAt::word));
    calls(&module.ast, |call, place| {
        let inside = module.lines.offset(place).is_some_and(|place| stage.body.contains(&place));
        if !inside || !matches!(call.name.as_str(), "==" | "!=") {
            return;
        }
        let Some((text, place)) = compared(call, at).filter(|(text, _)| !words.contains(&text.as_str()))
        else {
            return;
        };
        let known = words.map(|word| format!("\"{word}\"")).join(", ");
        let guess =
            did_you_mean(text, words).map_or(String::new(), |word| format!("did you mean \"{word}\"? "));
        faults.error(place, format!("`{at}` is never \"{text}\""), format!("{guess}it is one of {known}"));
    });
}

fn compared<'c>(call: &'c FnCallExpr, variable: &str) -> Option<(&'c ImmutableString, Position)> {
    let of = |a: &Expr| matches!(a, Expr::Variable(x, _, _) if x.1.as_str() == variable);
    match &call.args[..] {
        [a, Expr::StringConstant(text, at)] | [Expr::StringConstant(text, at), a] if of(a) => {
            Some((text, *at))
        }
        _ => None,
    }
}

fn calls(ast: &AST, mut visit: impl FnMut(&FnCallExpr, Position)) {
    walk_all(ast, &mut |node| {
        if let ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) = node {
            visit(call, *at);
        }
    });
}

/// Reports invalid declarations of parameters, and those in other places than at the top.
fn parameters(module: &Module, faults: &mut Faults) {
    for declared in declarations(&module.ast, &module.lines) {
        if let Err((place, message)) = declared {
            faults.error(&place, message, EXAMPLE);
        }
    }
    let mut rightly = Vec::new();
    for statement in module.ast.statements() {
        if let Stmt::Var(x, flags, _) = statement
            && let Expr::FnCall(_, at) = &x.1
            && flags.contains(ASTFlags::CONSTANT)
        {
            rightly.push(*at);
        }
    }
    calls(&module.ast, |call, at| {
        if call.name == PARAM && !rightly.contains(&at) {
            let message = "`param` declares a parameter only where a constant at the top gets its value";
            faults.error(at, message, EXAMPLE);
        }
    });
}

/// Reports constants that hold anything other than data, and those that exceed the size of a value. A constant lives as
/// long as the script: a function in it could carry what it has seen from one decision to the next.
fn check_constants(module: &Module, meter: &Meter, faults: &mut Faults) {
    let mut all = 0;
    for constant in &module.constants {
        let (name, Some(value)) = (&constant.name, &constant.value) else { continue };
        if let Some(found) = other_than_data(value) {
            let help = "a constant holds numbers, truth values, cards, text, and arrays and maps of these; \
                        write a function `fn` for what is to be computed";
            faults.error(constant.at, format!("the constant `{name}` holds {found}"), help);
        }
        match meter.size(value) {
            Ok(size) => {
                let before = all;
                all += size.parts();
                if before <= MAX_CONSTANT && all > MAX_CONSTANT {
                    let message = format!("the constants have more than {MAX_CONSTANT} elements together");
                    faults.error(constant.at, message, "each thread keeps all of them");
                }
            }
            Err(mut error) => {
                error.set_position(constant.at);
                faults.extend([fault::of_load(&module.lines, &error)]);
            }
        }
    }
}

fn other_than_data(value: &Dynamic) -> Option<&'static str> {
    if let Ok(array) = value.as_array_ref() {
        return array.iter().find_map(other_than_data);
    }
    if let Ok(map) = value.as_map_ref() {
        return map.values().find_map(other_than_data);
    }
    let plain = value.is_int() || value.is_bool() || value.is_float() || value.is_char();
    let range = value.is::<std::ops::Range<i64>>() || value.is::<std::ops::RangeInclusive<i64>>();
    match () {
        () if plain || range || value.is_unit() || value.is_string() => None,
        () if value.is_fnptr() => Some("a function"),
        () => Some("a value that is no data"),
    }
}
