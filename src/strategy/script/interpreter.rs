//! Runs a script in Rhai's interpreter.

use std::cell::{Cell, RefMut};
use std::ops::Range;
use std::rc::Rc;

use rhai::{AST, Caches, CallFnOptions, Dynamic, EvalAltResult, GlobalRuntimeState, Scope};

use crate::crash::guard;
use crate::diagnostic::Diagnostic;
use crate::game::{Lookahead, Move, MoveList, View};
use crate::interrupt;
use crate::rules::Stage;

use super::super::StrategyError;
use super::api::{Prints, Task};
use super::compiled::{Bailout, Interpret};
use super::fault;
use super::limits::Stop;
use super::load::Loaded;
use super::module::{Form, Function, STAGE, Wanted};
use super::value::{MoveHandle, ViewHandle};

pub struct Interpreter {
    pub loaded: Loaded,
    pub limit: u64,
    scope: Scope<'static>,
    global: GlobalRuntimeState,
    caches: Caches,
    /// A call of each function that is not compiled, as a separate script.
    calls: Vec<Option<AST>>,
    /// Whether a limit stopped the last decision.
    pub stopped: Cell<bool>,
    /// The last lookahead position of compiled code in its decision, and the move before it.
    after: Option<(Move, Rc<Lookahead>)>,
}

impl Interpreter {
    pub fn new(loaded: Loaded, limit: u64) -> Interpreter {
        let mut global = loaded.engine.new_global_runtime_state();
        global.lib.push(loaded.module.ast.shared_lib().clone());
        global.lib.extend(loaded.entry().code.iter().map(|body| body.shared_lib().clone()));
        let calls =
            loaded.module.functions.iter().zip(&loaded.sources.unsupported).map(|(function, unsupported)| {
                unsupported.as_ref()?;
                let names: Vec<String> = (0..function.parameters.len()).map(|i| format!("a{i}")).collect();
                loaded.engine.compile(format!("{}({})", function.name, names.join(", "))).ok()
            });
        let calls = calls.collect();
        Interpreter {
            loaded,
            limit,
            scope: Scope::new(),
            global,
            caches: Caches::new(),
            calls,
            stopped: Cell::new(false),
            after: None,
        }
    }

    pub fn operations(&self) -> u64 {
        self.loaded.context.meter.spent()
    }

    /// Restores a consistent state after an error, which may have interrupted a call.
    fn recover(&mut self) {
        (self.global.level, self.global.scope_level) = (0, 0);
        self.global.always_search_scope = false;
    }

    /// Runs the body once on the contents of the scope. Function resolution does not change between decisions, so the
    /// engine's caches are kept.
    fn run(&mut self) -> Result<Dynamic, StrategyError> {
        let Interpreter { loaded, scope, global, caches, .. } = self;
        #[allow(deprecated)]
        let result = loaded.engine.eval_statements_raw(global, caches, scope, loaded.entry().statements());
        result.map_err(|error| {
            self.recover();
            self.fault(&error, &self.loaded.entry().place)
        })
    }

    fn fault(&self, error: &EvalAltResult, called: &Range<usize>) -> StrategyError {
        self.stopped.set(fault::is_of_a_limit(error));
        match fault::stop_of(error) {
            Some(Stop::Interrupted) => StrategyError::Interrupted,
            _ => {
                StrategyError::Script(Box::new(fault::of_run(&self.loaded.module.lines, error, Some(called))))
            }
        }
    }

    fn set_parameters(&mut self, index: usize) {
        self.scope.clear();
        let values =
            [Dynamic::from(ViewHandle(None)), Dynamic::from(MoveHandle { index: index as u16, of: None })];
        for (name, value) in self.loaded.entry().parameters.iter().zip(values) {
            self.scope.push_dynamic(name.as_str(), value);
        }
    }

    fn score(&mut self, index: usize) -> Result<i64, StrategyError> {
        self.set_parameters(index);
        let value = self.run()?;
        value.as_int().map_err(|_| self.wrong(self.loaded.entry(), &value, &Form::Score.wanted()))
    }

    fn choose(&mut self) -> Result<Option<usize>, StrategyError> {
        self.set_parameters(0);
        let value = self.run()?;
        if value.is_unit() {
            return Ok(None);
        }
        match value.read_lock::<MoveHandle>() {
            Some(m) if m.of.is_none() => Ok(Some(m.index.into())),
            _ => Err(self.wrong(self.loaded.entry(), &value, &Form::Choose.wanted())),
        }
    }

    fn wrong(&self, function: &Function, value: &Dynamic, wanted: &Wanted) -> StrategyError {
        let (found, must) = (fault::describe(&self.loaded.engine, value), wanted.words);
        self.failed(function, format!("`{}` returned {found}; it must return {must}", function.name))
    }

    fn failed(&self, function: &Function, message: String) -> StrategyError {
        let source = &self.loaded.module.source;
        StrategyError::Script(Box::new(Diagnostic::error(source, function.place.clone(), message)))
    }

    /// Calls the script's function for stages of a stake. It is called rarely, so this is not optimized.
    fn stage(&mut self, function: usize, stage: &Stage) -> Result<bool, StrategyError> {
        let Loaded { engine, module, .. } = &self.loaded;
        let function = &module.functions[function];
        let options = CallFnOptions::new().eval_ast(false).rewind_scope(true);
        let arguments = (ViewHandle(None), stage.at.word(), stage.cost);
        let asked: Result<Dynamic, _> =
            engine.call_fn_with_options(options, &mut Scope::new(), &module.ast, STAGE, arguments);
        let value = asked.map_err(|error| self.fault(&error, &function.place))?;
        value.as_bool().map_err(|_| self.wrong(function, &value, &Wanted::STAGE))
    }

    /// Sets the position while `ask` runs, with a copy of the random numbers. A panic in the script library
    /// is a fault of the script, and leaves no state behind.
    fn at_position<T>(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        ask: impl FnOnce(&mut Interpreter) -> Result<T, StrategyError>,
    ) -> Result<T, StrategyError> {
        self.loaded.context.position.borrow_mut().take(view, legal);
        self.loaded.context.meter.begin(self.limit);
        self.stopped.set(false);
        guard(|| ask(self)).unwrap_or_else(|panic| {
            self.begin_again();
            let entry = self.loaded.entry();
            Err(self.failed(entry, format!("`{}` failed inside the script library: {panic}", entry.name)))
        })
    }

    fn begin_again(&mut self) {
        self.recover();
        self.caches = Caches::new();
    }

    pub fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let chosen = self.at_position(view, legal, |script| match script.loaded.sources.form {
            Form::Choose => script.choose(),
            Form::Score => {
                let (mut best, mut highest) = (None, -1);
                for index in 0..legal.len() {
                    let score = script.score(index)?;
                    if score > highest {
                        (best, highest) = (Some(index), score);
                    }
                }
                Ok(best)
            }
        });
        // After a fault, the decision may be repeated to find its position.
        if chosen.is_ok() {
            self.loaded.context.position.borrow_mut().keep_rng(view);
        }
        chosen
    }

    /// Returns the score of every move, without advancing the view's random numbers. Calls `begin` before each.
    pub fn scores(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        begin: impl Fn(),
    ) -> Result<Vec<i64>, StrategyError> {
        self.at_position(view, legal, |script| {
            let each = (0..legal.len()).inspect(|_| begin());
            each.map(|i| script.score(i)).collect()
        })
    }

    pub fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        let Some(function) = self.loaded.module.stage else { return Ok(stage.at.stops()) };
        let buys = self.at_position(view, legal, |script| script.stage(function, stage));
        if buys.is_ok() {
            self.loaded.context.position.borrow_mut().keep_rng(view);
        }
        buys
    }

    pub fn prints(&self) -> RefMut<'_, Prints> {
        self.loaded.context.printed.borrow_mut()
    }
}

/// Calls from compiled code to what is not compiled, in the position of a decision.
pub struct Bridge<'a> {
    interpreter: &'a mut Interpreter,
    view: &'a View<'a>,
    legal: &'a MoveList,
    pub took: u64,
    /// Whether the meter is counting for this decision.
    begun: bool,
}

impl<'a> Bridge<'a> {
    pub fn new(interpreter: &'a mut Interpreter, view: &'a View<'a>, legal: &'a MoveList) -> Bridge<'a> {
        Bridge { interpreter, view, legal, took: 0, begun: false }
    }

    /// Continues a decision that has used `operations` so far; `moves_on` says whether its random numbers may have changed.
    fn continue_from(&mut self, operations: u64, moves_on: bool) -> Result<(), Bailout> {
        // Calls from compiled code may be too short to check for a stop by themselves.
        if interrupt::requested() {
            return Err(Bailout);
        }
        let context = &self.interpreter.loaded.context;
        if moves_on || !self.begun {
            context.position.borrow_mut().take(self.view, self.legal);
        }
        if !self.begun {
            context.meter.begin(self.interpreter.limit);
            self.interpreter.after = None;
            self.begun = true;
        }
        context.meter.set(operations);
        Ok(())
    }

    /// Returns the operations used after some, and counts them.
    fn count(&mut self, operations: u64) -> u64 {
        let after = self.interpreter.operations();
        self.took += after.saturating_sub(operations);
        after
    }

    /// Returns the position from which compiled code plays out deals: that of the decision, or the one after a move.
    fn position(&mut self, m: Option<Move>) -> Result<Rc<Lookahead>, Bailout> {
        let Interpreter { loaded, after, .. } = &mut *self.interpreter;
        let position = loaded.context.position.borrow();
        let origin = position.origin().ok_or(Bailout)?;
        let Some(m) = m else { return Ok(origin) };
        if let Some((_, known)) = after.as_ref().filter(|(of, _)| *of == m) {
            return Ok(known.clone());
        }
        // Compiled code never asks for positions after a roll of the die.
        let next = position.after(&origin, m, 0);
        *after = Some((m, next.clone()));
        Ok(next)
    }
}

impl Interpret for Bridge<'_> {
    fn call(
        &mut self,
        function: usize,
        depth: usize,
        arguments: Vec<Dynamic>,
        operations: u64,
    ) -> Result<(Dynamic, u64), Bailout> {
        self.continue_from(operations, true)?;
        let Interpreter { loaded, global, caches, calls, .. } = &mut *self.interpreter;
        let Some(Some(call)) = calls.get(function) else { return Err(Bailout) };
        let mut scope = Scope::new();
        for (i, argument) in arguments.into_iter().enumerate() {
            scope.push_dynamic(format!("a{i}"), argument);
        }
        global.level = depth;
        #[allow(deprecated)]
        let result =
            guard(|| loaded.engine.eval_statements_raw(global, caches, &mut scope, call.statements()));
        let after = self.count(operations);
        self.interpreter.recover();
        let Ok(result) = result else {
            self.interpreter.begin_again();
            return Err(Bailout);
        };
        self.interpreter.loaded.context.position.borrow_mut().keep_rng(self.view);
        Ok((result.map_err(|_| Bailout)?, after))
    }

    #[inline(never)]
    fn play_on(
        &mut self,
        player: &str,
        m: Option<i64>,
        k: i64,
        operations: u64,
    ) -> Result<(i64, u64), Bailout> {
        let k = u64::try_from(k).map_err(|_| Bailout)?;
        let m = m.map(|m| usize::try_from(m).ok().and_then(|m| self.legal.get(m).copied()).ok_or(Bailout));
        self.continue_from(operations, false)?;
        let from = self.position(m.transpose()?)?;
        let context = &self.interpreter.loaded.context;
        let played = guard(|| context.players.ask(context, Task::Playout(&from, k), player));
        let after = self.count(operations);
        match played {
            Ok(answer) => Ok((answer.map_err(|_| Bailout)?.cards, after)),
            Err(_) => {
                self.interpreter.begin_again();
                Err(Bailout)
            }
        }
    }
}
