//! A script as a strategy: compiled or interpreted, with what prevents its functions from being compiled.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use rhai::{ASTNode, Expr, Position, Stmt};

use crate::diagnostic::Diagnostic;
use crate::game::{MoveList, Snapshot, View};
use crate::rules::{Rules, Spec, Stage};

use super::super::{Strategy, StrategyError};
use super::api::EvalContext;
use super::compiled::{self, Asked, Bailout, CompiledScript, Sources, Vm};
use super::interpreter::{Bridge, Interpreter};
use super::limits::max_operations;
use super::lint::{lint, used};
use super::load::{Loaded, engine_of};
use super::module::{Faults, Form, Function, Module, Parameter, Start, starts, walk, word_at};
use super::names::asks_player;

/// A strategy written in Rhai. It belongs to one thread; each makes its own.
///
/// What can be compiled is compiled; the rest is interpreted. Both decide the same, and report the same faults.
pub struct Script {
    name: String,
    pub(super) interpreter: Interpreter,
    compiler: Option<Compiler>,
    compiled_limit: u64,
}

#[derive(Default)]
struct Compiler {
    vm: Vm,
    /// Programs for the rules met so far, by their ids; `None` if the program was too large.
    made: BTreeMap<u64, Option<Rc<CompiledScript>>>,
    /// The program that the vm is prepared for.
    ready: Option<Rc<CompiledScript>>,
    before: Snapshot,
    bailouts: u64,
    /// Whether the last decision ended with a bailout.
    by_interpreter: bool,
    /// Operations of the last decision used by interpreted functions called from compiled ones.
    called: u64,
}

/// Compiled code does not check for a stop: a decision of more operations, some 50 ms, is left to the interpreter,
/// which does.
const MOST_COMPILED: u64 = 16_000_000;

impl Script {
    pub(super) fn of(name: &str, loaded: Loaded, compile: bool) -> Script {
        let limit = max_operations();
        let interpreter = Interpreter::new(loaded, limit);
        let compiles = compile && interpreter.loaded.sources.compiles();
        let compiler = compiles.then(Compiler::default);
        Script { name: name.into(), interpreter, compiler, compiled_limit: limit.min(MOST_COMPILED) }
    }

    /// Returns whether compiled code decides under the rules of the last decision.
    pub fn is_compiled(&self) -> bool {
        self.compiler.as_ref().is_some_and(|compiler| compiler.ready.is_some())
    }

    pub(super) fn entry(&self) -> (&Function, Form) {
        (self.interpreter.loaded.entry(), self.interpreter.loaded.sources.form)
    }

    pub(super) fn module(&self) -> &Rc<Module> {
        &self.interpreter.loaded.module
    }

    /// Returns its parameters, in text order.
    pub fn parameters(&self) -> &[Parameter] {
        &self.interpreter.loaded.module.parameters
    }

    /// Reports which of its functions are compiled, in text order.
    pub fn report(&self) -> Vec<FunctionReport> {
        let Loaded { sources, module, .. } = &self.interpreter.loaded;
        let mut functions = report(sources);
        if sources.compiles()
            && let Err(why) = compiled::compile(sources, &Rules::compile(Spec::default()))
        {
            for function in functions.iter_mut().filter(|function| function.stops.is_none()) {
                let stops = Diagnostic::warning(&module.source, function.place.clone(), why.as_str());
                function.stops = Some(stops.help("shorter functions and fewer variables at one time help"));
            }
        }
        functions
    }

    /// Returns lint results in the order of positions: errors for code that always fails, and warnings.
    pub fn lint(&self) -> Vec<Diagnostic> {
        let loaded = &self.interpreter.loaded;
        let mut faults = Faults::new(&loaded.module.lines);
        faults.extend(loaded.warnings.iter().cloned());
        lint(&loaded.module, &mut faults);
        faults.sorted()
    }

    /// Prints the typed syntax tree that it is compiled from under the rules of Canfield; `None` if it is not compiled.
    pub fn emit(&self) -> Option<String> {
        let sources = &self.interpreter.loaded.sources;
        let (hir, _) = compiled::compile(sources, &Rules::compile(Spec::default()))
            .ok()
            .filter(|_| sources.compiles())?;
        Some(hir.to_string())
    }

    /// Compiles the script for these rules in advance, rather than at the first decision of a game. Returns whether
    /// that succeeded.
    pub fn compile_for(&mut self, rules: &Rules) -> bool {
        let interpreter = &self.interpreter;
        self.compiler.iter_mut().for_each(|compiler| compiler.prepare(rules, interpreter));
        self.is_compiled()
    }

    /// Returns how many decisions compiled code has left to the interpreter, for a fault or a possible one.
    pub fn bailouts(&self) -> u64 {
        self.compiler.as_ref().map_or(0, |compiler| compiler.bailouts)
    }

    fn decided_compiled(&self) -> Option<&Compiler> {
        self.compiler.as_ref().filter(|compiler| compiler.ready.is_some() && !compiler.by_interpreter)
    }

    /// Returns the operations of the last decision: those of the interpreter, and an upper bound on those of compiled
    /// code, by the time that they take.
    pub(super) fn took(&self) -> (u64, u64) {
        self.decided_compiled().map_or((self.interpreter.operations(), 0), |compiler| {
            (compiler.called, compiler.vm.work().saturating_sub(compiler.called))
        })
    }

    /// Returns the operations of the last decision: as counted by the interpreter, or an upper bound if it was
    /// compiled.
    pub fn operations(&self) -> u64 {
        self.decided_compiled()
            .map_or_else(|| self.interpreter.operations(), |compiler| compiler.vm.operations())
    }

    /// Decides by compiled code, if the script is compiled; `None` if it is not, or if the interpreter has to decide.
    #[inline(always)]
    fn compiled<T>(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        decide: impl FnOnce(&mut Vm, Asked<'_, Bridge<'_>>) -> Result<T, Bailout>,
    ) -> Option<T> {
        let compiler = self.compiler.as_mut()?;
        let rules = view.compiled();
        if compiler.ready.as_ref().is_none_or(|made| made.rules != rules.id()) {
            compiler.prepare(rules, &self.interpreter);
        }
        let made = compiler.ready.as_deref()?;
        let mut printed = 0;
        if made.draws_numbers {
            compiler.before.take_rng(view);
            printed = self.interpreter.prints().len();
        }
        let mut bridge = Bridge::new(&mut self.interpreter, view, legal);
        let asked = Asked { made, view, legal, limit: self.compiled_limit, interpreter: &mut bridge };
        let decided = decide(&mut compiler.vm, asked);
        compiler.called = bridge.took;
        match decided {
            Ok(decided) => {
                compiler.by_interpreter = false;
                Some(decided)
            }
            Err(Bailout) => {
                compiler.bailouts += 1;
                if made.draws_numbers {
                    compiler.before.restore_rng(view);
                    self.interpreter.prints().cut(printed);
                }
                compiler.by_interpreter = true;
                None
            }
        }
    }

    fn rewind(&self, view: &View<'_>) {
        if let Some(Compiler { ready: Some(made), before, .. }) = &self.compiler
            && made.draws_numbers
        {
            before.restore_rng(view);
        }
    }
}

impl Compiler {
    /// Prepares for these rules, if the script can be compiled for them.
    #[cold]
    fn prepare(&mut self, rules: &Rules, interpreter: &Interpreter) {
        // Many rulesets may alternate; random ones never recur.
        if self.made.len() >= 64 {
            self.made.clear();
        }
        let made = self.made.entry(rules.id()).or_insert_with(|| {
            let compiled = compiled::compile(&interpreter.loaded.sources, rules);
            compiled.ok().map(|(_, made)| Rc::new(made))
        });
        self.ready = made.clone();
        if let Some(made) = &self.ready {
            self.vm.prepare(made);
        }
    }
}

impl Strategy for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_slow(&self) -> bool {
        self.interpreter.loaded.is_slow
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let decided = self.compiled(view, legal, |vm, asked| vm.decide(asked));
        if let Some(chosen) = decided {
            return Ok(chosen);
        }
        let chosen = self.interpreter.decide(view, legal);
        placed(&self.interpreter, chosen, |again| again.decide(view, legal).map(drop))
    }

    #[inline]
    fn repeats_draw(&self) -> bool {
        self.compiler
            .as_ref()
            .is_some_and(|compiler| compiler.vm.stock_independent && !compiler.by_interpreter)
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        let buys = self.interpreter.buys(view, legal, stage);
        placed(&self.interpreter, buys, |again| again.buys(view, legal, stage).map(drop))
    }

    fn scores(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<Vec<i64>>, StrategyError> {
        if self.interpreter.loaded.sources.form == Form::Choose {
            return Ok(None);
        }
        let scores = self.compiled(view, legal, |vm, asked| vm.scores(asked));
        if scores.is_some() {
            // Computing scores draws nothing from the game's stream.
            self.rewind(view);
            return Ok(scores);
        }
        let scores = self.interpreter.scores(view, legal, || ());
        placed(&self.interpreter, scores, |again| again.scores(view, legal, || ()).map(drop)).map(Some)
    }

    fn printed(&mut self) -> String {
        self.interpreter.prints().take()
    }
}

/// Returns a decision, or a fault with the position at which a limit stopped the script, if that can be found. For such a
/// fault Rhai gives the position of the call in the function that decides, however deep it happened: so `again` repeats
/// the decision, which is followed step by step.
fn placed<T>(
    interpreter: &Interpreter,
    decided: Result<T, StrategyError>,
    again: impl FnOnce(&mut Interpreter) -> Result<(), StrategyError>,
) -> Result<T, StrategyError> {
    let Err(StrategyError::Script(mut fault)) = decided else { return decided };
    let module = &interpreter.loaded.module;
    // Rhai's own position is right, unless it is the name of a function that was called.
    let word = &module.source.text[fault.span.clone()];
    if interpreter.stopped.get()
        && module.functions.iter().any(|function| function.name == word)
        && let Some((name, at)) = find_limit(interpreter, again)
    {
        fault.span = at;
        fault.message = format!("{} (in `{name}`)", fault.message);
    }
    Err(StrategyError::Script(fault))
}

/// Finds the function, other than the one that decides, in which a decision is stopped, and the word there. `ask` makes
/// the decision.
fn find_limit(
    interpreter: &Interpreter,
    ask: impl FnOnce(&mut Interpreter) -> Result<(), StrategyError>,
) -> Option<(String, Range<usize>)> {
    let loaded = &interpreter.loaded;
    let module = &loaded.module;
    let bodies = module.functions.iter().filter_map(|function| match function.statements() {
        [Stmt::Block(block)] => Start::of(module, block.statements().first()?),
        _ => None,
    });
    let places: BTreeMap<Position, usize> =
        bodies.chain(starts(module)).map(|start| (start.node, start.at)).collect();
    let reached = Rc::new(Cell::new(None));
    let to = reached.clone();
    let follow =
        Rc::new(move |_: &EvalContext, _: &rhai::EvalContext<'_, '_, '_, '_, '_, '_>, node: Position| {
            to.set(places.get(&node).copied().or(to.get()));
        });
    let (engine, context) = engine_of(module, loaded.context.players.fresh(), Some(follow));
    let Sources { entry, form, .. } = loaded.sources;
    let followed = Loaded::new(&engine, &context, module, (entry, form));
    ask(&mut Interpreter::new(followed, interpreter.limit)).err()?;
    let at = reached.get()?;
    let within = module.functions.iter().position(|function| function.body.contains(&at))?;
    let name = &module.functions[within].name;
    (within != entry).then(|| (name.clone(), word_at(&module.source.text, at)))
}

/// How a function of a script is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionReport {
    /// Its name.
    pub name: String,
    /// Position of its name in the script.
    pub place: Range<usize>,
    /// What prevents it from being compiled, with its position; `None` for a compiled function.
    pub stops: Option<Diagnostic>,
    /// Whether it asks for a position after a roll, so that everything is interpreted under rules with a die.
    pub dice: bool,
}

fn report(sources: &Sources) -> Vec<FunctionReport> {
    let (reached, source) = (reached(sources), &sources.module.source);
    let functions = &sources.module.functions;
    let dice = reached.iter().any(|&index| asks_for_rolls(functions[index].statements()));
    let used = used(&sources.module);
    let why = |index: usize| match &used {
        _ if sources.module.stage == Some(index) => "the game asks it rarely",
        Some(used) if !used.contains(&functions[index].name) => "it is never used",
        Some(_) => "only interpreted functions call it",
        None => "only interpreted functions call it, by a name that is computed, or it is never used",
    };
    let each = functions.iter().zip(&sources.unsupported).enumerate();
    each.map(|(index, (function, unsupported))| {
        let stops = match unsupported {
            Some((at, what)) => Some(Diagnostic::warning(source, *at..*at, what.clone())),
            None if reached.contains(&index) => None,
            None => Some(Diagnostic::warning(source, function.place.clone(), why(index))),
        };
        FunctionReport { name: function.name.clone(), place: function.place.clone(), stops, dice }
    })
    .collect()
}

fn asks_for_rolls(statements: &[Stmt]) -> bool {
    let mut found = false;
    walk(statements, &mut |node| {
        if let ASTNode::Expr(Expr::MethodCall(call, _)) = node {
            found |= call.name == "after_roll";
        }
    });
    found
}

/// Returns the functions that play out sampled deals or are asked for a choice: each is compiled as a separate
/// strategy.
fn playing(sources: &Sources) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for function in &sources.module.functions {
        walk(function.statements(), &mut |node| {
            if let ASTNode::Expr(Expr::MethodCall(call, _)) = node
                && asks_player(&call.name, call.args.len())
                && let Some(Expr::StringConstant(name, _)) = call.args.last()
            {
                let forms = [Form::Choose, Form::Score];
                found.extend(forms.iter().find_map(|form| sources.module.function(name, form.parameters())));
            }
        });
    }
    found
}

/// Returns the functions that compiled code reaches from the one that decides, and from those that play out sampled
/// deals.
fn reached(sources: &Sources) -> BTreeSet<usize> {
    let (mut found, mut next) = (BTreeSet::new(), vec![sources.entry]);
    next.extend(playing(sources));
    while let Some(index) = next.pop() {
        if sources.unsupported[index].is_some() || !found.insert(index) {
            continue;
        }
        walk(sources.module.functions[index].statements(), &mut |node| {
            if let ASTNode::Stmt(Stmt::FnCall(call, _)) | ASTNode::Expr(Expr::FnCall(call, _)) = node {
                next.extend(sources.module.function(&call.name, call.args.len()));
            }
        });
    }
    found
}
