//! Explains which line of a script gave each score, and what its variables hold at a line.
//!
//! As for a profile, the script is interpreted, and followed step by step.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, Position, Scope};

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{MoveList, View};

use super::super::{Strategy, StrategyError};
use super::eval_context::EvalContext;
use super::follow::{Start, starts};
use super::handles::{MoveHandle, SeatHandle, ViewHandle, show_char};
use super::module::Form;
use super::strategy::Script;

/// Maximum number of traces per score, of characters per value, and of elements of a list.
const MOST_TRACED: usize = 200;
const LONGEST: usize = 200;
const MOST_ELEMENTS: usize = 20;

/// Explanation of a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The last line of the deciding function that ran, from 1: it gave the value.
    pub line: Option<usize>,
    /// The variables and their values each time the traced line was reached.
    pub traced: Vec<String>,
}

/// A script that explains its scores.
pub struct Explained {
    pub(super) script: Script,
    told: Rc<RefCell<Vec<Explanation>>>,
    form: Form,
}

impl Explained {
    /// Loads a script; `trace` is the line, from 1, whose variables are shown.
    ///
    /// # Errors
    /// Returns every fault of the script, or that no statement begins on that line.
    pub fn new(
        name: &str,
        source: &Arc<SourceText>,
        trace: Option<usize>,
    ) -> Result<Explained, Vec<Diagnostic>> {
        let script = Script::interpreted(name, source)?;
        let (entry, form) = script.entry();
        let (body, starts) = (entry.body.clone(), starts(script.module()));
        if let Some(traced) = trace.filter(|traced| starts.iter().all(|start| start.line + 1 != *traced)) {
            return Err(vec![nothing_on(source, traced, &starts)]);
        }
        let told = Rc::new(RefCell::new(Vec::<Explanation>::new()));
        let to = told.clone();
        let starts: BTreeMap<Position, Start> = starts.into_iter().map(|it| (it.node, it)).collect();
        let script = Script::followed(
            name,
            source,
            Rc::new(move |context, step, node| {
                let mut told = to.borrow_mut();
                let (Some(Start { line, at, .. }), Some(last)) = (starts.get(&node), told.last_mut()) else {
                    return;
                };
                if body.contains(at) {
                    last.line = Some(line + 1);
                }
                if trace == Some(line + 1) && last.traced.len() < MOST_TRACED {
                    last.traced.push(variables(context, step.scope()));
                }
            }),
        )?;
        Ok(Explained { script, told, form })
    }

    /// Explains the score of each legal move, or the choice of a script that chooses.
    ///
    /// # Errors
    /// Returns the fault of the script.
    pub fn explain(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Vec<Explanation>, StrategyError> {
        self.told.borrow_mut().clear();
        let begin = || self.told.borrow_mut().push(Explanation::default());
        match self.form {
            Form::Score => self.script.interpreter.scores(view, legal, begin).map(drop),
            Form::Choose => {
                begin();
                self.script.decide(view, legal).map(drop)
            }
        }?;
        self.script.printed();
        Ok(self.told.take())
    }
}

fn nothing_on(source: &Arc<SourceText>, line: usize, starts: &[Start]) -> Diagnostic {
    let mut near: Vec<usize> = starts.iter().map(|start| start.line + 1).collect();
    near.sort_by_key(|other| other.abs_diff(line));
    near.truncate(3);
    near.sort_unstable();
    let near: Vec<String> = near.iter().map(ToString::to_string).collect();
    let at = source.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let message = format!("no statement begins on line {line}");
    let help =
        format!("a line that is traced is one on which a statement begins, such as {}", near.join(", "));
    Diagnostic::error(source, at..at, message).help(help)
}

/// Writes the variables in sight with their values, outer ones first.
fn variables(context: &EvalContext, scope: &Scope<'_>) -> String {
    let mut all: Vec<(&str, &Dynamic)> = Vec::new();
    // The innermost come first here.
    for (name, _, value) in scope.iter_raw() {
        if all.iter().all(|(known, _)| *known != name) {
            all.push((name, value));
        }
    }
    let mut line = String::new();
    for (name, value) in all.into_iter().rev() {
        if line.len() < 8 * LONGEST {
            let between = if line.is_empty() { "" } else { ", " };
            line.push_str(&format!("{between}{name} = {}", shown(context, value)));
        }
    }
    line
}

fn shown(context: &EvalContext, value: &Dynamic) -> String {
    if let Ok(all) = value.as_array_ref() {
        let each: Vec<String> = all.iter().take(MOST_ELEMENTS).map(|value| shown(context, value)).collect();
        let more = if all.len() > MOST_ELEMENTS { ", .." } else { "" };
        return format!("[{}{more}]", each.join(", ")).chars().take(8 * LONGEST).collect();
    }
    let text = if let Ok(c) = value.as_char() {
        show_char(c)
    } else if let Some(view) = value.read_lock::<ViewHandle>() {
        view.0.as_ref().map_or("the view".into(), |ahead| ahead.in_words())
    } else if let Some(seat) = value.read_lock::<SeatHandle>() {
        format!("seat {}", seat.seat + 1)
    } else if let Some(m) = value.read_lock::<MoveHandle>() {
        context.notation(&m).unwrap_or_else(|_| "a move".into())
    } else if value.is_unit() {
        "()".into()
    } else if value.is_string() {
        format!("{value:?}")
    } else {
        value.to_string()
    };
    text.chars().take(LONGEST).collect()
}
