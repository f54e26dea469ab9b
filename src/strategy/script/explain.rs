//! Explains which line of a script gave each score, and what its variables hold at a line.
//!
//! As for a profile, the script is interpreted with calls inserted: one at the beginning of the function that decides,
//! one before the first statement of each line, and at the traced line one for each variable visible there.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{ASTNode, Dynamic, Engine, ImmutableString, NativeCallContext, Stmt};

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{MoveList, View};

use super::super::{Strategy, StrategyError};
use super::eval_context::Context;
use super::handles::{MoveHandle, SeatHandle, ViewHandle, show_char};
use super::limits::MAX_EXPRESSION_DEPTH;
use super::module::{Form, Module};
use super::notes::{NOTE_OPERATIONS, before_brackets, position, starts, written_into};
use super::strategy::Script;
use super::walk::blocks;

/// The inserted functions: a score begins, a line is reached; on the traced line, whether there is room for another
/// trace, its variables, and its end.
const BEGIN: &str = "score_is_begun";
const REACHED: &str = "line_is_reached";
const TRACES: &str = "line_is_traced";
const TRACED: &str = "variable_is_traced";
const ENDED: &str = "line_was_traced";
/// Operations that the engine counts for the beginning of a score, and for the check whether there is room.
const BEGIN_OPERATIONS: u64 = 3;
const TRACE_OPERATIONS: u64 = 3;
/// Maximum number of traces per score, and of characters per value.
const MOST_TRACED: usize = 200;
const LONGEST: usize = 200;

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
        // Faults are reported for the original text.
        let script = Script::interpreted(name, source)?;
        let (module, (entry, form)) = (script.module(), script.entry());
        let starts = starts(module);
        let mut put: Vec<(usize, String)> = vec![(entry.body.start + 1, format!("{BEGIN}(); "))];
        for (line, at) in starts.iter().filter(|(_, at)| entry.body.contains(at)) {
            put.push((*at, format!("{REACHED}({line}); ")));
        }
        if let Some(traced) = trace {
            let Some((_, at)) = starts.iter().find(|(line, _)| line + 1 == traced) else {
                return Err(vec![nothing_on(source, traced, &starts)]);
            };
            let mut shown: Vec<String> = Vec::new();
            for name in variables_at(module, *at) {
                shown.retain(|known| *known != name);
                shown.push(name);
            }
            let each = shown.iter().map(|name| format!("{TRACED}(\"{name}\", {name}); "));
            put.push((*at, format!("if {TRACES}() {{ {}{ENDED}(); }} ", each.collect::<String>())));
        }
        put.sort_by_key(|(at, _)| *at);
        let told = Rc::new(RefCell::new(Vec::<Explanation>::new()));
        let text = written_into(source, &put);
        let script = Script::extended(name, &text, |engine, context| {
            engine.set_max_expr_depths(MAX_EXPRESSION_DEPTH + 2, MAX_EXPRESSION_DEPTH + 2);
            register(engine, &told, context);
        })?;
        Ok(Explained { script, told, form })
    }

    /// Explains the score of each legal move, or the choice of a script that chooses.
    ///
    /// # Errors
    /// Returns the fault of the script, with columns in the text with inserted calls.
    pub fn explain(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Vec<Explanation>, StrategyError> {
        self.told.borrow_mut().clear();
        match self.form {
            Form::Score => self.script.scores(view, legal).map(drop),
            Form::Choose => self.script.decide(view, legal).map(drop),
        }?;
        self.script.printed();
        Ok(self.told.take())
    }
}

fn nothing_on(source: &Arc<SourceText>, line: usize, starts: &[(usize, usize)]) -> Diagnostic {
    let mut near: Vec<usize> = starts.iter().map(|(line, _)| line + 1).collect();
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

/// Registers the inserted functions. The script's budget excludes them, so that it takes no more memory.
fn register(engine: &mut Engine, told: &Rc<RefCell<Vec<Explanation>>>, context: &Context) {
    let (to, counted) = (told.clone(), context.clone());
    engine.register_fn(BEGIN, move || {
        to.borrow_mut().push(Explanation::default());
        counted.meter.refund(BEGIN_OPERATIONS);
    });
    let (to, counted) = (told.clone(), context.clone());
    engine.register_fn(REACHED, move |line: i64| {
        if let (Some(last), Ok(line)) = (to.borrow_mut().last_mut(), usize::try_from(line)) {
            last.line = Some(line + 1);
        }
        counted.meter.refund(NOTE_OPERATIONS);
    });
    // Operations that the script had spent when the line was reached.
    let before = Rc::new(Cell::new(0));
    let (to, counted, spent) = (told.clone(), context.clone(), before.clone());
    engine.register_fn(TRACES, move || -> bool {
        let mut told = to.borrow_mut();
        let Some(last) = told.last_mut() else { return false };
        counted.meter.refund(TRACE_OPERATIONS);
        if last.traced.len() >= MOST_TRACED {
            return false;
        }
        last.traced.push(String::new());
        spent.set(counted.meter.spent());
        counted.meter.set(0);
        true
    });
    let to = told.clone();
    engine.register_fn(TRACED, move |call: NativeCallContext, name: ImmutableString, value: Dynamic| {
        let mut told = to.borrow_mut();
        if let Some(line) = told.last_mut().and_then(|last| last.traced.last_mut())
            && line.len() < 8 * LONGEST
        {
            let between = if line.is_empty() { "" } else { ", " };
            line.push_str(&format!("{between}{name} = {}", shown(&call, &value)));
        }
    });
    let counted = context.clone();
    engine.register_fn(ENDED, move || counted.meter.set(before.get()));
}

fn shown(call: &NativeCallContext<'_>, value: &Dynamic) -> String {
    if let Ok(all) = value.as_array_ref() {
        let each: Vec<String> = all.iter().take(20).map(|value| shown(call, value)).collect();
        let more = if all.len() > 20 { ", .." } else { "" };
        return format!("[{}{more}]", each.join(", ")).chars().take(8 * LONGEST).collect();
    }
    let text = if let Ok(c) = value.as_char() {
        show_char(c)
    } else if let Some(view) = value.read_lock::<ViewHandle>() {
        view.0.as_ref().map_or("the view".into(), |ahead| ahead.in_words())
    } else if let Some(seat) = value.read_lock::<SeatHandle>() {
        format!("seat {}", seat.seat + 1)
    } else if value.is::<MoveHandle>() {
        let named = call.call_native_fn::<ImmutableString>("to_string", (value.clone(),));
        named.map_or_else(|_| "a move".into(), |named| named.to_string())
    } else if value.is_unit() {
        "()".into()
    } else if value.is_string() {
        format!("{value:?}")
    } else {
        value.to_string()
    };
    text.chars().take(LONGEST).collect()
}

/// Returns the variables visible to a statement that begins at a byte of the text, outer ones first.
fn variables_at(module: &Module, at: usize) -> Vec<String> {
    let (text, lines, mut found) = (&module.source.text, &module.lines, Vec::new());
    for function in module.functions.iter().filter(|function| function.body.contains(&at)) {
        statements_of(function.statements(), &mut function.parameters.clone(), &mut |statement, seen| {
            let here = lines.offset(position(statement)).map(|at| before_brackets(text, at));
            if here == Some(at) && found.is_empty() {
                found = seen.to_vec();
            }
        });
    }
    found
}

/// Visits statements and those within them, each with its visible variables.
fn statements_of(statements: &[Stmt], scope: &mut Vec<String>, visit: &mut dyn FnMut(&Stmt, &[String])) {
    let outer = scope.len();
    for statement in statements {
        visit(statement, scope);
        let mut within: Vec<(Vec<Stmt>, Vec<String>)> = Vec::new();
        statement.walk(&mut Vec::new(), &mut |path: &[ASTNode<'_>]| {
            let Some((node, above)) = path.split_last() else { return true };
            if above.iter().all(|node| blocks(node).is_empty()) {
                let variables: Vec<String> = match node {
                    ASTNode::Stmt(Stmt::For(x, _)) => {
                        std::iter::once(&x.0).chain(&x.1).map(|it| it.name.to_string()).collect()
                    }
                    _ => Vec::new(),
                };
                let each = blocks(node).into_iter().map(|block| block.statements().to_vec());
                within.extend(each.map(|block| (block, variables.clone())));
            }
            true
        });
        for (block, variables) in within {
            let before = scope.len();
            scope.extend(variables);
            statements_of(&block, scope, visit);
            scope.truncate(before);
        }
        if let Stmt::Var(x, ..) = statement {
            scope.push(x.0.name.to_string());
        }
    }
    scope.truncate(outer);
}
