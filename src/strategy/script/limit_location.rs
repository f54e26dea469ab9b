//! Locates where a script was stopped by a limit.
//!
//! For such a fault Rhai gives the position of the call in the function that decides, however deep it happened. So the
//! decision is repeated, and followed step by step.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use rhai::{Position, Stmt};

use super::super::StrategyError;
use super::eval_context::EvalContext;
use super::follow::{Start, starts};
use super::interpreter::Interpreter;
use super::load::{Loaded, engine_of};
use super::places::word_at;

/// Returns a decision, or a fault with the position at which a limit stopped the script, if that can be found. `again`
/// repeats the decision.
pub fn placed<T>(
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
        && let Some((name, at)) = find(interpreter, again)
    {
        fault.span = at;
        fault.message = format!("{} (in `{name}`)", fault.message);
    }
    Err(StrategyError::Script(fault))
}

/// Finds the function, other than the one that decides, in which a decision is stopped, and the word there. `ask` makes
/// the decision.
fn find(
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
    let followed = Loaded::new(&engine, &context, module, (loaded.entry, loaded.form));
    ask(&mut Interpreter::new(followed, interpreter.limit)).err()?;
    let at = reached.get()?;
    let within = module.functions.iter().position(|function| function.body.contains(&at))?;
    let name = &module.functions[within].name;
    (within != loaded.entry).then(|| (name.clone(), word_at(&module.source.text, at)))
}
