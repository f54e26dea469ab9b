//! A script as a strategy.

use std::rc::Rc;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{MoveList, Snapshot, View};
use crate::rules::{Rules, Spec, StageAt};

use super::super::{Strategy, StrategyError};
use super::bridge::Bridge;
use super::compiled::{self, Bailout, CompiledScript, DecisionPosition, Vm};
use super::faults::Faults;
use super::interpreter::Interpreter;
use super::limits::max_operations;
use super::lint::lint;
use super::load::{Loaded, load, load_function};
use super::module::{Form, Function, Module};
use super::parameters::Parameter;
use super::report::{FunctionReport, report};
use super::stand::placed;
use crate::crash::guard;

/// How a script is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Compile what can be compiled.
    pub compile: bool,
    /// Keep to the limits; without them a script may run on for ever. For measuring what limits cost.
    pub limits: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { compile: true, limits: true }
    }
}

/// A stage of the compiler whose result can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The typed HIR, after all its passes.
    Hir,
    /// The ops, after all theirs.
    Ops,
}

/// A strategy written in Rhai. It belongs to one thread; each makes its own.
///
/// What can be compiled is compiled; the rest is interpreted. Both decide the same, and report the same faults.
pub struct Script {
    name: String,
    interpreter: Interpreter,
    compiler: Option<Compiler>,
    /// Operations that compiled code may take for a decision.
    compiled_limit: u64,
    /// It stays compiled, however often the interpreter decides: what a decision takes never hangs on those before.
    steady: bool,
}

/// What compiled decisions need.
struct Compiler {
    vm: Vm,
    /// What was made for the rules met so far; `Err` with their number where it was too large.
    made: Vec<Result<Rc<CompiledScript>, u64>>,
    /// What the vm is ready for.
    ready: Option<Rc<CompiledScript>>,
    /// Where the randomness stood at the start of a decision.
    before: Snapshot,
    bailouts: u64,
    /// The last decision ended with a bailout.
    by_interpreter: bool,
    /// Operations of the last decision that interpreted functions took, which compiled ones called.
    called: u64,
    in_vain: u32,
}

/// After so many bailouts that turned out to be no fault, a script is interpreted for good.
const MOST_IN_VAIN: u32 = 100;

/// Compiled code does not look whether to stop: a decision of more operations, some 50 ms, is the interpreter's, which does.
const MOST_COMPILED: u64 = 16_000_000;

impl Script {
    /// Reads a script, to be run compiled and under the usual limits.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::with(name, source, Options::default())
    }

    /// Reads a script, to be run by Rhai's interpreter alone.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn interpreted(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::with(name, source, Options { compile: false, ..Options::default() })
    }

    /// Reads a script, to be run as the options say.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn with(name: &str, source: &Arc<SourceText>, options: Options) -> Result<Script, Vec<Diagnostic>> {
        Script::loaded(name, source, options, load)
    }

    /// A function of a script as a strategy, under the usual limits.
    pub(super) fn function(
        source: &Arc<SourceText>,
        name: &str,
        form: Form,
    ) -> Result<Script, Vec<Diagnostic>> {
        Script::loaded(name, source, Options::default(), |source, limits| {
            load_function(source, name, form, limits)
        })
    }

    fn loaded(
        name: &str,
        source: &Arc<SourceText>,
        options: Options,
        load: impl FnOnce(&Arc<SourceText>, bool) -> Result<Loaded, Vec<Diagnostic>>,
    ) -> Result<Script, Vec<Diagnostic>> {
        let limit = if options.limits { max_operations() } else { u64::MAX };
        let loaded = guard(|| load(source, options.limits)).unwrap_or_else(|panic| {
            let message = format!("the script library failed to load this: {panic}");
            Err(vec![Diagnostic::error(source, 0..0, message)])
        });
        let interpreter = Interpreter::new(source, loaded?, limit);
        let compiles = options.compile && interpreter.loaded.sources.compiles();
        let compiler = compiles.then(|| Compiler {
            vm: Vm::new(),
            made: Vec::new(),
            ready: None,
            before: Snapshot::default(),
            bailouts: 0,
            by_interpreter: false,
            called: 0,
            in_vain: 0,
        });
        let compiled_limit = if options.limits { limit.min(MOST_COMPILED) } else { limit };
        Ok(Script { name: name.into(), interpreter, compiler, compiled_limit, steady: false })
    }

    /// A script that is loaded, to be run by Rhai's interpreter alone; `limit` are the operations of a decision.
    pub(super) fn of(name: &str, source: &Arc<SourceText>, loaded: Loaded, limit: u64) -> Script {
        let interpreter = Interpreter::new(source, loaded, limit);
        Script { name: name.into(), interpreter, compiler: None, compiled_limit: 0, steady: false }
    }

    /// Operations of the last decision, where it is interpreted.
    #[cfg(test)]
    pub(super) fn spent(&self) -> u64 {
        self.interpreter.loaded.meter.spent()
    }

    /// Whether compiled code decides.
    pub fn is_compiled(&self) -> bool {
        self.compiler.is_some()
    }

    /// The function that decides, and its form.
    pub(super) fn entry(&self) -> (&Function, Form) {
        (self.interpreter.loaded.entry(), self.interpreter.loaded.form)
    }

    /// The script as it was read.
    pub(super) fn module(&self) -> &Rc<Module> {
        &self.interpreter.loaded.module
    }

    /// Its parameters, in the order in which they stand.
    pub fn parameters(&self) -> &[Parameter] {
        &self.interpreter.loaded.module.parameters
    }

    /// Which of its functions are compiled, in the order in which they stand.
    pub fn report(&self) -> Vec<FunctionReport> {
        let loaded = &self.interpreter.loaded;
        let mut functions = report(&loaded.sources);
        let usual = Rules::compile(Spec::default());
        if loaded.sources.compiles() && compiled::compile(&loaded.sources, &usual).is_err() {
            let why = compiled::obstacle(&loaded.sources, &usual);
            let message = why.unwrap_or_else(|| "the script is too large to be compiled".into());
            for function in functions.iter_mut().filter(|function| function.stops.is_none()) {
                let stops =
                    Diagnostic::warning(&loaded.module.source, function.place.clone(), message.as_str());
                function.stops = Some(stops.help("shorter functions and fewer variables at one time help"));
            }
        }
        functions
    }

    /// All that it shows before any game, in the order of the places: errors, where whatever runs that code fails, and
    /// warnings.
    pub fn lint(&self) -> Vec<Diagnostic> {
        let loaded = &self.interpreter.loaded;
        let mut faults = Faults::new(&loaded.module.source);
        faults.extend(loaded.warnings.iter().cloned());
        lint(&loaded.module, &mut faults);
        faults.sorted()
    }

    /// What a stage of the compiler makes of it under these rules; `None` if it is not compiled.
    pub fn emit(&self, stage: Stage, rules: &Rules) -> Option<String> {
        let sources = &self.interpreter.loaded.sources;
        let (hir, ops) = compiled::stages(sources, rules).ok().filter(|_| sources.compiles())?;
        Some(match stage {
            Stage::Hir => hir.to_string(),
            Stage::Ops => ops.to_string(),
        })
    }

    /// Compiles the script for these rules now, and not at the first decision of a game. Whether it is compiled
    /// for them.
    pub fn compile_for(&mut self, rules: &Rules) -> bool {
        let interpreter = &self.interpreter;
        self.compiler.as_mut().is_some_and(|compiler| {
            compiler.prepare(rules, interpreter);
            compiler.ready.is_some()
        })
    }

    /// How many decisions compiled code has left to the interpreter, for a fault or for what might be one.
    pub fn bailouts(&self) -> u64 {
        self.compiler.as_ref().map_or(0, |compiler| compiler.bailouts)
    }

    /// The same, compiled for good.
    pub(super) fn steady(self) -> Script {
        Script { steady: true, ..self }
    }

    /// The machine, if the last decision is its own.
    fn decided_compiled(&self) -> Option<&Compiler> {
        self.compiler.as_ref().filter(|compiler| compiler.ready.is_some() && !compiler.by_interpreter)
    }

    /// Operations of the last decision: those of the interpreter, and an upper bound of those of compiled code, by the time
    /// that they take.
    pub(super) fn took(&self) -> (u64, u64) {
        self.decided_compiled().map_or((self.interpreter.operations(), 0), |compiler| {
            (compiler.called, compiler.vm.work().saturating_sub(compiler.called))
        })
    }

    /// Operations of the last decision: as the interpreter counts them, or an upper bound where it was compiled.
    pub fn operations(&self) -> u64 {
        self.decided_compiled()
            .map_or_else(|| self.interpreter.operations(), |compiler| compiler.vm.operations())
    }

    /// Decides compiled, if the script is; `None` if it is not, or if the interpreter has to.
    #[inline(always)]
    fn compiled<T>(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        decide: impl FnOnce(
            &mut Vm,
            &CompiledScript,
            &DecisionPosition<'_>,
            &mut Bridge<'_>,
        ) -> Result<T, Bailout>,
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
            printed = self.interpreter.printed_len();
        }
        let position = DecisionPosition::new(view, legal, self.compiled_limit);
        let mut bridge = Bridge::new(&mut self.interpreter, view, legal);
        let decided = decide(&mut compiler.vm, made, &position, &mut bridge);
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
                    self.interpreter.unprint(printed);
                }
                compiler.by_interpreter = true;
                None
            }
        }
    }

    /// Puts the randomness back to where it stood before.
    fn rewind(&self, view: &View<'_>) {
        if let Some(Compiler { ready: Some(made), before, .. }) = &self.compiler
            && made.draws_numbers
        {
            before.restore_rng(view);
        }
    }

    /// Notes that the interpreter has decided, without a fault, what compiled code left to it.
    fn in_vain(&mut self) {
        if let Some(compiler) = self.compiler.as_mut().filter(|_| !self.steady) {
            compiler.in_vain += 1;
            if compiler.in_vain >= MOST_IN_VAIN {
                self.compiler = None;
            }
        }
    }
}

impl Compiler {
    /// Gets ready for these rules, if the script can be compiled for them.
    #[cold]
    fn prepare(&mut self, rules: &Rules, interpreter: &Interpreter) {
        let is_for = |made: &&Result<Rc<CompiledScript>, u64>| match made {
            Ok(made) => made.rules == rules.id(),
            Err(id) => *id == rules.id(),
        };
        let known = self.made.iter().find(is_for).cloned();
        let made = known.unwrap_or_else(|| {
            // Many rulesets may be asked about in turn; random ones never come back.
            if self.made.len() >= 64 {
                self.made.clear();
            }
            let compiled = compiled::compile(&interpreter.loaded.sources, rules);
            let made = compiled.map(Rc::new).map_err(|_| rules.id());
            self.made.push(made.clone());
            made
        });
        self.ready = made.ok();
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
        let decided =
            self.compiled(view, legal, |vm, made, position, bridge| vm.decide(made, position, bridge));
        if let Some(chosen) = decided {
            return Ok(chosen);
        }
        let chosen = self.interpreter.decide(view, legal);
        let chosen = placed(&self.interpreter, chosen, |again| again.decide(view, legal).map(drop))?;
        self.in_vain();
        Ok(chosen)
    }

    #[inline]
    fn repeats_draw(&self) -> bool {
        self.compiler
            .as_ref()
            .is_some_and(|compiler| compiler.vm.stock_independent && !compiler.by_interpreter)
    }

    fn stage(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        let buys = self.interpreter.stage(view, legal, at, cost);
        placed(&self.interpreter, buys, |again| again.stage(view, legal, at, cost).map(drop))
    }

    fn scores(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<Vec<i64>>, StrategyError> {
        if self.interpreter.loaded.form == Form::Choose {
            return Ok(None);
        }
        let scores =
            self.compiled(view, legal, |vm, made, position, bridge| vm.scores(made, position, bridge));
        if scores.is_some() {
            // Looking at scores draws nothing from the game's stream.
            self.rewind(view);
            return Ok(scores);
        }
        let scores = self.interpreter.scores(view, legal);
        let scores = placed(&self.interpreter, scores, |again| again.scores(view, legal).map(drop))?;
        self.in_vain();
        Ok(Some(scores))
    }

    fn printed(&mut self) -> String {
        self.interpreter.printed()
    }
}
