//! A script as a strategy.

use std::rc::Rc;

use crate::diagnostic::Diagnostic;
use crate::game::{MoveList, Snapshot, View};
use crate::rules::{Rules, Spec, StageAt};

use super::super::{Strategy, StrategyError};
use super::compiled::{self, Asked, Bailout, CompiledScript, Vm};
use super::faults::Faults;
use super::interpreter::{Bridge, Interpreter};
use super::limit_location::placed;
use super::limits::max_operations;
use super::lint::lint;
use super::load::Loaded;
use super::module::{Form, Function, Module};
use super::parameters::Parameter;
use super::report::{FunctionReport, report};

/// Options for running a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether to compile what can be compiled.
    pub compile: bool,
    /// Whether limits apply; without them a script may run forever. Used to measure the cost of limits.
    pub limits: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { compile: true, limits: true }
    }
}

/// A strategy written in Rhai. It belongs to one thread; each makes its own.
///
/// What can be compiled is compiled; the rest is interpreted. Both decide the same, and report the same faults.
pub struct Script {
    name: String,
    pub(super) interpreter: Interpreter,
    compiler: Option<Compiler>,
    compiled_limit: u64,
    /// Whether it stays compiled, however often the interpreter decides: the cost of a decision must not depend on
    /// earlier ones.
    steady: bool,
}

struct Compiler {
    vm: Vm,
    /// Programs for the rules met so far; `Err` with the rules' id if the program was too large.
    made: Vec<Result<Rc<CompiledScript>, u64>>,
    /// The program that the vm is prepared for.
    ready: Option<Rc<CompiledScript>>,
    before: Snapshot,
    bailouts: u64,
    /// Whether the last decision ended with a bailout.
    by_interpreter: bool,
    /// Operations of the last decision used by interpreted functions called from compiled ones.
    called: u64,
    in_vain: u32,
}

/// Number of needless bailouts after which a script is permanently interpreted.
const MOST_IN_VAIN: u32 = 100;

/// Compiled code does not check for a stop: a decision of more operations, some 50 ms, is left to the interpreter,
/// which does.
const MOST_COMPILED: u64 = 16_000_000;

impl Script {
    pub(super) fn of(name: &str, loaded: Loaded, options: Options) -> Script {
        let limit = if options.limits { max_operations() } else { u64::MAX };
        let interpreter = Interpreter::new(loaded, limit);
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
        Script { name: name.into(), interpreter, compiler, compiled_limit, steady: false }
    }

    /// Returns whether compiled code decides.
    pub fn is_compiled(&self) -> bool {
        self.compiler.is_some()
    }

    pub(super) fn entry(&self) -> (&Function, Form) {
        (self.interpreter.loaded.entry(), self.interpreter.loaded.form)
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
        let loaded = &self.interpreter.loaded;
        let mut functions = report(&loaded.sources);
        let usual = Rules::compile(Spec::default());
        if loaded.sources.compiles() && compiled::compile(&loaded.sources, &usual).is_err() {
            let why = compiled::unsupported(&loaded.sources, &usual);
            let message = why.unwrap_or_else(|| "the script is too large to be compiled".into());
            for function in functions.iter_mut().filter(|function| function.stops.is_none()) {
                let stops =
                    Diagnostic::warning(&loaded.module.source, function.place.clone(), message.as_str());
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

    /// Prints the typed syntax tree that it is compiled from under these rules; `None` if it is not compiled.
    pub fn emit(&self, rules: &Rules) -> Option<String> {
        let sources = &self.interpreter.loaded.sources;
        let (hir, _) = compiled::compile(sources, rules).ok().filter(|_| sources.compiles())?;
        Some(hir.to_string())
    }

    /// Compiles the script for these rules in advance, rather than at the first decision of a game. Returns whether
    /// that succeeded.
    pub fn compile_for(&mut self, rules: &Rules) -> bool {
        let interpreter = &self.interpreter;
        self.compiler.as_mut().is_some_and(|compiler| {
            compiler.prepare(rules, interpreter);
            compiler.ready.is_some()
        })
    }

    /// Returns how many decisions compiled code has left to the interpreter, for a fault or a possible one.
    pub fn bailouts(&self) -> u64 {
        self.compiler.as_ref().map_or(0, |compiler| compiler.bailouts)
    }

    pub(super) fn steady(self) -> Script {
        Script { steady: true, ..self }
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
            printed = self.interpreter.printed_len();
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
                    self.interpreter.unprint(printed);
                }
                compiler.by_interpreter = true;
                None
            }
        }
    }

    /// Restores the random numbers to their state before the decision.
    fn rewind(&self, view: &View<'_>) {
        if let Some(Compiler { ready: Some(made), before, .. }) = &self.compiler
            && made.draws_numbers
        {
            before.restore_rng(view);
        }
    }

    /// Records that the interpreter decided without a fault what compiled code left to it.
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
    /// Prepares for these rules, if the script can be compiled for them.
    #[cold]
    fn prepare(&mut self, rules: &Rules, interpreter: &Interpreter) {
        let is_for = |made: &&Result<Rc<CompiledScript>, u64>| match made {
            Ok(made) => made.rules == rules.id(),
            Err(id) => *id == rules.id(),
        };
        let known = self.made.iter().find(is_for).cloned();
        let made = known.unwrap_or_else(|| {
            // Many rulesets may alternate; random ones never recur.
            if self.made.len() >= 64 {
                self.made.clear();
            }
            let compiled = compiled::compile(&interpreter.loaded.sources, rules);
            let made = compiled.map(|(_, made)| Rc::new(made)).map_err(|_| rules.id());
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
        let decided = self.compiled(view, legal, |vm, asked| vm.decide(asked));
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
        let scores = self.compiled(view, legal, |vm, asked| vm.scores(asked));
        if scores.is_some() {
            // Computing scores draws nothing from the game's stream.
            self.rewind(view);
            return Ok(scores);
        }
        let scores = self.interpreter.scores(view, legal, || ());
        let scores = placed(&self.interpreter, scores, |again| again.scores(view, legal, || ()).map(drop))?;
        self.in_vain();
        Ok(Some(scores))
    }

    fn printed(&mut self) -> String {
        self.interpreter.printed()
    }
}
