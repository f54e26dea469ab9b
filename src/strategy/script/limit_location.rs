//! Locates where a script was stopped by a limit.
//!
//! For such a fault Rhai gives the position of the call in the function that decides, however deep it happened. So the
//! decision is repeated, with inserted calls that record each line reached without using operations.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use rhai::Engine;

use super::super::StrategyError;
use super::interpreter::Interpreter;
use super::load::load;
use super::meter::Meter;
use super::notes::{starts, written_into};
use super::places::word_at;

const NOTE: &str = "place_is_reached";

#[derive(Default)]
struct Noted {
    at: Cell<Option<usize>>,
    /// Operations spent when it was recorded.
    spent: Cell<u64>,
    cost: Cell<u64>,
}

impl Noted {
    fn note(&self, at: i64, meter: &Meter) {
        self.at.set(usize::try_from(at).ok());
        self.spent.set(meter.spent());
        meter.set(meter.spent().saturating_sub(self.cost.get()));
    }

    /// Measures the operations of a call: the difference between two in a row.
    fn weigh(&self, engine: &Engine) -> Option<()> {
        engine.run(&format!("{NOTE}(100); {NOTE}(100);")).ok()?;
        let one = self.spent.get();
        engine.run(&format!("{NOTE}(100); {NOTE}(100); {NOTE}(100);")).ok()?;
        self.cost.set(self.spent.get().saturating_sub(one).saturating_sub(one));
        Some(())
    }
}

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
    if interpreter.stopped.take()
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
    let module = &interpreter.loaded.module;
    let source = &module.source;
    let bodies = module.functions.iter().map(|function| function.body.start + 1);
    let mut places: Vec<usize> = bodies.chain(starts(module).into_iter().map(|(_, at)| at)).collect();
    places.sort_unstable();
    places.dedup();
    let put: Vec<_> = places.into_iter().map(|at| (at, format!("{NOTE}({at}); "))).collect();
    let text = written_into(source, &put);
    let noted = Rc::new(Noted::default());
    let (to, players) = (noted.clone(), interpreter.loaded.context.players.fresh());
    let loaded = load(&text, true, None, players, |engine, context| {
        let context = context.clone();
        engine.register_fn(NOTE, move |at: i64| to.note(at, &context.meter));
    });
    let loaded = loaded.ok()?;
    noted.weigh(&loaded.engine)?;
    ask(&mut Interpreter::new(loaded, interpreter.limit)).err()?;
    let at = noted.at.get()?;
    let within = module.functions.iter().position(|function| function.body.contains(&at))?;
    if within == interpreter.loaded.entry {
        return None;
    }
    // The first statement of a body is recorded as the beginning of the body.
    let text = &source.text;
    let at = at + text[at..].len() - text[at..].trim_start().len();
    Some((module.functions[within].name.clone(), word_at(text, at)))
}
