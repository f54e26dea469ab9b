//! A script as a strategy.

use std::ops::Range;
use std::sync::Arc;

use rhai::{Caches, CallFnOptions, Dynamic, GlobalRuntimeState, Scope};

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{MoveList, View};
use crate::rules::StageAt;

use super::super::{Strategy, StrategyError};
use super::api::{MoveHandle, ViewHandle};
use super::check::{Form, Function};
use super::fault;
use super::load::{Compiled, compile, scope_of};
use super::stage::STAGE;

/// A strategy written in Rhai. It belongs to one thread; each makes its own.
pub struct Script {
    name: String,
    source: Arc<SourceText>,
    compiled: Compiled,
    scope: Scope<'static>,
    global: GlobalRuntimeState,
    caches: Caches,
}

impl Script {
    /// Compiles a script under the usual limits.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::with_limits(name, source, true)
    }

    /// The same; without `limits` a script may run on for ever. For measuring what limits cost.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn with_limits(
        name: &str,
        source: &Arc<SourceText>,
        limits: bool,
    ) -> Result<Script, Vec<Diagnostic>> {
        let compiled = compile(source, limits)?;
        let mut global = compiled.engine.new_global_runtime_state();
        global.lib.push(compiled.functions.shared_lib().clone());
        global.lib.push(compiled.body.shared_lib().clone());
        let scope = scope_of(&compiled.entry);
        Ok(Script {
            name: name.into(),
            source: source.clone(),
            compiled,
            scope,
            global,
            caches: Caches::new(),
        })
    }

    /// Runs the body once on what the scope holds. What the functions resolve to does not change
    /// between decisions, so the engine's caches live on.
    fn run(&mut self) -> Result<Dynamic, StrategyError> {
        let Script { compiled, scope, global, caches, .. } = self;
        #[allow(deprecated)]
        let result = compiled.engine.eval_statements_raw(global, caches, scope, compiled.body.statements());
        result.map_err(|error| {
            // An error may leave the state in the middle of a call.
            (self.global.level, self.global.scope_level) = (0, 0);
            self.global.always_search_scope = false;
            self.scope = scope_of(&self.compiled.entry);
            StrategyError::Script(Box::new(fault::of_run(
                &self.source,
                &error,
                Some(&self.compiled.entry.name),
            )))
        })
    }

    /// Makes the parameters what they are at the start of a call: a script may have changed them.
    fn set_parameters(&mut self, index: usize) {
        let entry = &self.compiled.entry;
        self.scope.rewind(entry.parameters.len());
        for (i, name) in entry.parameters.iter().enumerate() {
            let Some(value) = self.scope.get_mut(name) else { continue };
            if i == 0 {
                if value.is_shared() || !value.is::<ViewHandle>() {
                    *value = Dynamic::from(ViewHandle);
                }
            } else if value.is_shared() || !value.is::<MoveHandle>() {
                *value = Dynamic::from(MoveHandle(index as u16));
            } else if let Some(mut m) = value.write_lock::<MoveHandle>() {
                m.0 = index as u16;
            }
        }
    }

    fn score(&mut self, index: usize) -> Result<i64, StrategyError> {
        self.set_parameters(index);
        let value = self.run()?;
        value.as_int().map_err(|_| self.wrong_result(&value, "a whole number"))
    }

    fn choose(&mut self) -> Result<Option<usize>, StrategyError> {
        self.set_parameters(0);
        let value = self.run()?;
        if value.is_unit() {
            return Ok(None);
        }
        match value.read_lock::<MoveHandle>() {
            Some(m) => Ok(Some(m.0 as usize)),
            None => Err(self.wrong_result(&value, "one of `view.moves`, or `()` to resign")),
        }
    }

    fn wrong_result(&self, value: &Dynamic, wanted: &str) -> StrategyError {
        let entry = &self.compiled.entry;
        self.wrong(entry.form.name(), &entry.name, value, wanted)
    }

    /// The fault of a function that returned what it must not.
    fn wrong(&self, name: &str, place: &Range<usize>, value: &Dynamic, wanted: &str) -> StrategyError {
        let found = fault::describe(&self.compiled.engine, value);
        let message = format!("`{name}` returned {found}; it must return {wanted}");
        StrategyError::Script(Box::new(Diagnostic::error(&self.source, place.clone(), message)))
    }

    /// Asks the script's function for steps of a stake. It is called rarely, and so plainly.
    fn buys(&mut self, stage: &Function, at: StageAt, cost: i64) -> Result<bool, StrategyError> {
        let Compiled { engine, functions, .. } = &self.compiled;
        let options = CallFnOptions::new().eval_ast(false).rewind_scope(true);
        let arguments = (ViewHandle, at.word(), cost);
        let asked: Result<Dynamic, _> =
            engine.call_fn_with_options(options, &mut Scope::new(), functions, STAGE, arguments);
        let value = asked.map_err(|error| {
            let fault = fault::of_run(&self.source, &error, Some(&stage.place));
            StrategyError::Script(Box::new(fault))
        })?;
        let wanted = "true to buy or false not to";
        value.as_bool().map_err(|_| self.wrong(STAGE, &stage.place, &value, wanted))
    }

    /// Puts the position on the desk for `ask`. What it draws at random is drawn from a copy.
    fn with_desk<T>(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        ask: impl FnOnce(&mut Script) -> Result<T, StrategyError>,
    ) -> Result<T, StrategyError> {
        self.compiled.desk.borrow_mut().take(view, legal);
        self.global.num_operations = 0;
        ask(self)
    }
}

impl Strategy for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let chosen = self.with_desk(view, legal, |script| match script.compiled.entry.form {
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
        self.compiled.desk.borrow_mut().keep_luck(view);
        chosen
    }

    fn stage(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        let Some(stage) = self.compiled.stage.clone() else { return Ok(at.stops()) };
        let buys = self.with_desk(view, legal, |script| script.buys(&stage, at, cost));
        self.compiled.desk.borrow_mut().keep_luck(view);
        buys
    }

    fn scores(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<Vec<i64>>, StrategyError> {
        if self.compiled.entry.form == Form::Choose {
            return Ok(None);
        }
        self.with_desk(view, legal, |script| (0..legal.len()).map(|i| script.score(i)).collect()).map(Some)
    }

    fn printed(&mut self) -> String {
        std::mem::take(&mut self.compiled.printed.borrow_mut())
    }
}
