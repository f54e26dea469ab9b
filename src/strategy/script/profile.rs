//! How often each line of a script runs, and how long that takes.
//!
//! The script is interpreted with a call put before the first statement of each line. So what is measured is the
//! interpreter's time, in which every operation is dear; compiled code spends it elsewhere.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rhai::{AST, ASTNode, Engine, Expr, Stmt};

use crate::diagnostic::{Diagnostic, SourceText};

use super::desk::Desk;
use super::engine::{self, Printed};
use super::fault;
use super::limits::max_operations;
use super::load::load_with;
use super::meter::Meter;
use super::outline::functions;
use super::places::Lines;
use super::strategy::Script;
use super::walk::walk;

/// The function that notes a line.
const NOTE: &str = "line_is_reached";
/// Calls put in take operations too, at most so many times those of the script.
const ROOM: u64 = 4;

/// What a line came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineProfile {
    /// How often it ran.
    pub runs: u64,
    /// How long it took, what it calls apart.
    pub time: Duration,
}

/// What the lines of a script came to so far.
#[derive(Debug)]
pub struct Profile {
    lines: RefCell<Vec<Option<LineProfile>>>,
    last: Cell<Option<(usize, Instant)>>,
}

impl Profile {
    /// The lines in their order, from the first; `None` for one on which no statement begins.
    pub fn lines(&self) -> Vec<Option<LineProfile>> {
        self.lines.borrow().clone()
    }

    /// Begins to measure anew: what passes between two decisions is no line's.
    fn pause(&self) {
        self.note(None);
    }

    fn note(&self, line: Option<usize>) {
        let now = Instant::now();
        let mut lines = self.lines.borrow_mut();
        let before = self.last.replace(line.map(|line| (line, now)));
        if let Some((line, since)) = before
            && let Some(Some(line)) = lines.get_mut(line)
        {
            line.time += now - since;
        }
        if let Some(Some(line)) = line.and_then(|line| lines.get_mut(line)) {
            line.runs += 1;
        }
    }
}

/// A script that notes which of its lines run.
pub struct Profiled {
    script: Script,
    profile: Rc<Profile>,
}

impl Profiled {
    /// Reads a script, and what its lines come to.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<(Profiled, Rc<Profile>), Vec<Diagnostic>> {
        // Whatever is wrong with it is told of the text as it stands.
        Script::interpreted(name, source)?;
        let (desk, printed) = (Desk::default(), Printed::default());
        let (engine, _) = engine::build(&desk, &printed, &Meter::new(false), false);
        let parsed = engine.compile(&source.text).map_err(|error| vec![fault::of_parse(source, &error)])?;
        let starts = starts(source, &engine, &parsed);
        let mut lines = vec![None; source.text.lines().count()];
        starts.iter().for_each(|(line, _)| lines[*line] = Some(LineProfile::default()));
        let profile = Rc::new(Profile { lines: RefCell::new(lines), last: Cell::new(None) });
        let text = Arc::new(SourceText { name: source.name.clone(), text: noted(&source.text, &starts) });
        let to = profile.clone();
        let loaded = load_with(&text, true, |engine: &mut Engine| {
            engine.register_fn(NOTE, move |line: i64| to.note(usize::try_from(line).ok()));
        })?;
        let script = Script::of(name, &text, loaded, max_operations().saturating_mul(ROOM));
        Ok((Profiled { script, profile: profile.clone() }, profile))
    }
}

/// The first statement of each line: the line, from 0, and its byte.
fn starts(source: &Arc<SourceText>, engine: &Engine, ast: &AST) -> Vec<(usize, usize)> {
    let text = &source.text;
    let mut found: Vec<usize> = Vec::new();
    for function in functions(source, ast) {
        // The bodies of functions are closed to other crates, so each is read as a script of its own.
        let (body, first) = (&text[function.body.clone()], function.body.start);
        let Ok(read) = engine.compile(body) else { continue };
        found.extend(starts_of(body, read.statements()).into_iter().map(|at| first + at));
    }
    let mut found: Vec<(usize, usize)> =
        found.into_iter().map(|at| (text[..at].matches('\n').count(), at)).collect();
    found.sort_unstable();
    found.dedup_by_key(|(line, _)| *line);
    found
}

/// Where the statements of a body begin, and those within them.
fn starts_of(body: &str, statements: &[Stmt]) -> Vec<usize> {
    let (lines, mut found) = (Lines::of(body), Vec::new());
    let mut add = |statements: &[Stmt], at: Option<usize>| {
        // The `if` after `else` is a block without braces, in which nothing else may stand.
        if at.is_some_and(|at| body[at..].starts_with('{')) {
            let places = statements.iter().filter_map(|statement| lines.offset(position(statement)));
            found.extend(places.map(|at| before_brackets(body, at)));
        }
    };
    walk(statements, &mut |node| {
        let blocks = match node {
            ASTNode::Stmt(Stmt::Block(block)) => vec![&**block],
            ASTNode::Expr(Expr::Stmt(block)) => vec![&**block],
            ASTNode::Stmt(Stmt::If(x, _)) => vec![&x.body, &x.branch],
            ASTNode::Stmt(Stmt::While(x, _) | Stmt::Do(x, ..)) => vec![&x.body],
            ASTNode::Stmt(Stmt::For(x, _)) => vec![&x.2.body],
            ASTNode::Stmt(Stmt::TryCatch(x, _)) => vec![&x.body, &x.branch],
            _ => Vec::new(),
        };
        for block in blocks {
            add(block.statements(), lines.offset(block.position()));
        }
    });
    found
}

/// Where a statement begins, brackets apart; Rhai has the place of the operator for a calculation.
fn position(statement: &Stmt) -> rhai::Position {
    fn first(expr: &Expr) -> rhai::Position {
        match expr {
            Expr::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => first(&call.args[0]),
            Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => {
                all.first().map_or(rhai::Position::NONE, first)
            }
            other => other.start_position(),
        }
    }
    match statement {
        Stmt::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => first(&call.args[0]),
        Stmt::Expr(expr) => first(expr),
        Stmt::Assignment(x) => first(&x.1.lhs),
        other => other.position(),
    }
}

/// The byte of the first of the brackets and signs that stand before a place on its line.
fn before_brackets(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let kept = text[line..at].trim_end_matches(['(', '-', '!', '+', ' ', '\t']);
    let rest = &text[line + kept.len()..];
    line + kept.len() + (rest.len() - rest.trim_start_matches([' ', '\t']).len())
}

/// The text with a call before each of these places. The lines stay what they are.
fn noted(text: &str, starts: &[(usize, usize)]) -> String {
    let mut out = String::with_capacity(text.len() + 32 * starts.len());
    let mut last = 0;
    for (line, at) in starts {
        out.push_str(&text[last..*at]);
        out.push_str(&format!("{NOTE}({line}); "));
        last = *at;
    }
    out + &text[last..]
}

impl super::super::Strategy for Profiled {
    fn name(&self) -> &str {
        self.script.name()
    }

    fn decide(
        &mut self,
        view: &crate::game::View<'_>,
        legal: &crate::game::MoveList,
    ) -> Result<Option<usize>, super::super::StrategyError> {
        let decided = self.script.decide(view, legal);
        self.profile.pause();
        decided
    }

    fn stage(
        &mut self,
        view: &crate::game::View<'_>,
        legal: &crate::game::MoveList,
        at: crate::rules::StageAt,
        cost: i64,
    ) -> Result<bool, super::super::StrategyError> {
        let buys = self.script.stage(view, legal, at, cost);
        self.profile.pause();
        buys
    }
}
