//! Lints variables that nothing reads, and statements that are never reached.

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::super::names::NAMES;
use super::super::walk::walk;
use super::functions::REMOVE;
use super::types::start;

/// A useless part of a function's body: its position, what it is, and what to do.
pub struct Useless<'a> {
    pub at: Position,
    /// The variable, if it is one.
    pub variable: Option<&'a str>,
    pub message: String,
    pub help: &'static str,
}

/// Finds the variables of a function that nothing reads, and its statements that are never reached.
///
/// `own` returns whether the script has a function of a name.
pub fn useless<'a>(statements: &'a [Stmt], own: &dyn Fn(&str) -> bool) -> Vec<Useless<'a>> {
    let mut flow = Flow { variables: Vec::new(), found: Vec::new() };
    flow.block(statements);
    lost_values(statements, true, own, &mut flow.found);
    flow.found
}

struct Variable<'a> {
    name: &'a str,
    at: Position,
    is_read: bool,
    is_assigned: bool,
}

struct Flow<'a> {
    /// The visible ones, innermost last.
    variables: Vec<Variable<'a>>,
    found: Vec<Useless<'a>>,
}

impl<'a> Flow<'a> {
    fn block(&mut self, statements: &'a [Stmt]) {
        let outer = self.variables.len();
        let mut left: Option<&str> = None;
        for statement in statements {
            if let Some(by) = left.take().filter(|_| !matches!(statement, Stmt::Noop(_))) {
                let message = format!("this is never reached: {by} before it");
                let help = "remove it, or put a condition around what stands before it";
                self.found.push(Useless { at: first_place(statement), variable: None, message, help });
            }
            self.statement(statement);
            left = leaves(statement);
        }
        self.leave(outer);
    }

    /// Ends the scope of the variables after the first `outer`.
    fn leave(&mut self, outer: usize) {
        for variable in self.variables.drain(outer..) {
            if variable.is_read {
                continue;
            }
            let name = variable.name;
            let message = if variable.is_assigned {
                format!("the variable `{name}` is assigned to and never read")
            } else {
                format!("the variable `{name}` is never used")
            };
            self.found.push(Useless { at: variable.at, variable: Some(name), message, help: REMOVE });
        }
    }

    fn declare(&mut self, name: &'a str, at: Position, is_read: bool) {
        self.variables.push(Variable { name, at, is_read, is_assigned: false });
    }

    fn variable(&mut self, name: &str) -> Option<&mut Variable<'a>> {
        self.variables.iter_mut().rev().find(|variable| variable.name == name)
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::If(x, _) => {
                self.expr(&x.expr);
                self.block(x.body.statements());
                self.block(x.branch.statements());
            }
            Stmt::Switch(x, _) => {
                self.expr(&x.0);
                for arm in &x.1.expressions {
                    self.expr(&arm.lhs);
                    self.expr(&arm.rhs);
                }
            }
            Stmt::While(x, _) => {
                self.expr(&x.expr);
                self.block(x.body.statements());
            }
            Stmt::Do(x, ..) => {
                self.block(x.body.statements());
                self.expr(&x.expr);
            }
            // The counter of a loop need not be read.
            Stmt::For(x, _) => {
                self.expr(&x.2.expr);
                let outer = self.variables.len();
                for name in std::iter::once(&x.0).chain(&x.1) {
                    self.declare(&name.name, name.pos, true);
                }
                self.block(x.2.body.statements());
                self.leave(outer);
            }
            Stmt::Var(x, ..) => {
                self.expr(&x.1);
                self.declare(&x.0.name, x.0.pos, false);
            }
            Stmt::Assignment(x) => {
                self.expr(&x.1.rhs);
                match &x.1.lhs {
                    Expr::Variable(name, ..) => {
                        if let Some(variable) = self.variable(&name.1) {
                            variable.is_assigned = true;
                        }
                    }
                    target => self.expr(target),
                }
            }
            Stmt::FnCall(call, _) => self.call(call),
            Stmt::Block(block) => self.block(block.statements()),
            Stmt::TryCatch(x, _) => {
                self.block(x.body.statements());
                let outer = self.variables.len();
                if let Expr::Variable(name, _, at) = &x.expr {
                    self.declare(&name.1, *at, true);
                }
                self.block(x.branch.statements());
                self.leave(outer);
            }
            Stmt::Expr(value) => self.expr(value),
            Stmt::BreakLoop(value, ..) | Stmt::Return(value, ..) => {
                value.iter().for_each(|value| self.expr(value))
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &'a FnCallExpr) {
        // `f!(..)` and `is_def_var` see the variables around them.
        if call.capture_parent_scope || call.name == "is_def_var" {
            self.variables.iter_mut().for_each(|variable| variable.is_read = true);
        }
        self.all(&call.args);
    }

    fn all(&mut self, values: &'a [Expr]) {
        values.iter().for_each(|value| self.expr(value));
    }

    fn expr(&mut self, value: &'a Expr) {
        match value {
            Expr::Variable(name, ..) => {
                if let Some(variable) = self.variable(&name.1) {
                    variable.is_read = true;
                }
            }
            Expr::InterpolatedString(all, _) | Expr::Array(all, _) => self.all(all),
            Expr::Map(x, _) => x.0.iter().for_each(|(_, value)| self.expr(value)),
            Expr::MethodCall(call, _) | Expr::FnCall(call, _) => self.call(call),
            Expr::Stmt(block) => self.block(block.statements()),
            Expr::Dot(x, ..) | Expr::Index(x, ..) => {
                self.expr(&x.lhs);
                self.expr(&x.rhs);
            }
            Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => self.all(all),
            _ => {}
        }
    }
}

/// Finds values that are computed and not used. The value of the last statement is the block's; `taken` says whether
/// that is used.
fn lost_values<'a>(
    statements: &'a [Stmt],
    taken: bool,
    own: &dyn Fn(&str) -> bool,
    found: &mut Vec<Useless<'a>>,
) {
    for (i, statement) in statements.iter().enumerate() {
        let taken = taken && i + 1 == statements.len();
        match statement {
            Stmt::If(x, _) => {
                lost_values(x.body.statements(), taken, own, found);
                lost_values(x.branch.statements(), taken, own, found);
            }
            Stmt::Switch(x, _) => {
                x.1.expressions.iter().for_each(|arm| lost_value(&arm.rhs, taken, own, found))
            }
            Stmt::While(x, _) | Stmt::Do(x, ..) => lost_values(x.body.statements(), false, own, found),
            Stmt::For(x, _) => lost_values(x.2.body.statements(), false, own, found),
            Stmt::Block(block) => lost_values(block.statements(), taken, own, found),
            Stmt::Expr(value) => lost_value(value, taken, own, found),
            Stmt::FnCall(call, at)
                if !taken && is_operator(call) && call.args.iter().all(|it| only_value(it, own)) =>
            {
                let at = call.args.first().filter(|_| call.args.len() == 2).map_or(*at, start);
                found.push(lost(at));
            }
            _ => {}
        }
        // Statements after it are never reached.
        if leaves(statement).is_some() {
            break;
        }
    }
}

fn lost_value<'a>(value: &'a Expr, taken: bool, own: &dyn Fn(&str) -> bool, found: &mut Vec<Useless<'a>>) {
    match value {
        Expr::Stmt(block) => lost_values(block.statements(), taken, own, found),
        Expr::Unit(_) => {}
        value if !taken && only_value(value, own) => found.push(lost(start(value))),
        _ => {}
    }
}

fn lost<'a>(at: Position) -> Useless<'a> {
    let message = "this value is lost: nothing uses it".into();
    let help = "`return` leaves the function with it; only the last value of a block is that of the block";
    Useless { at, variable: None, message, help }
}

/// Returns whether an expression only has a value: the methods of the game change nothing.
fn only_value(value: &Expr, own: &dyn Fn(&str) -> bool) -> bool {
    let all = |values: &[Expr]| values.iter().all(|it| only_value(it, own));
    match value {
        Expr::Variable(..) | Expr::Property(..) => true,
        Expr::FnCall(call, _) => is_operator(call) && all(&call.args),
        Expr::MethodCall(call, _) => !own(&call.name) && is_of_the_game(&call.name) && all(&call.args),
        Expr::Dot(x, ..) | Expr::Index(x, ..) => only_value(&x.lhs, own) && only_value(&x.rhs, own),
        Expr::And(values, _) | Expr::Or(values, _) | Expr::Coalesce(values, _) => all(values),
        other => other.is_constant(),
    }
}

/// Returns whether a method is one of the view, of a seat or of numbers without side effects; drawing a random number
/// has one.
fn is_of_the_game(name: &str) -> bool {
    if ["random", "playout"].contains(&name) {
        return false;
    }
    NAMES.iter().any(|it| it.name == name && it.parameters.is_some())
}

fn is_operator(call: &FnCallExpr) -> bool {
    call.op_token.is_some() && !call.name.starts_with(char::is_alphabetic)
}

/// Returns what always leaves, if a statement does: nothing after it is reached.
fn leaves(statement: &Stmt) -> Option<&'static str> {
    match statement {
        Stmt::Return(_, options, _) if options.contains(ASTFlags::BREAK) => Some("`throw` stands"),
        Stmt::Return(..) => Some("`return` stands"),
        Stmt::BreakLoop(_, options, _) if options.contains(ASTFlags::BREAK) => Some("`break` stands"),
        Stmt::BreakLoop(..) => Some("`continue` stands"),
        Stmt::Block(block) => block.statements().iter().find_map(leaves),
        Stmt::Expr(value) => match &**value {
            Expr::Stmt(block) => block.statements().iter().find_map(leaves),
            _ => None,
        },
        Stmt::If(x, _) => {
            let both = [&x.body, &x.branch];
            let all = both.iter().all(|block| block.statements().iter().any(|it| leaves(it).is_some()));
            all.then_some("every way leaves the `if` that stands")
        }
        Stmt::While(x, _) if matches!(x.expr, Expr::Unit(..)) => {
            (!breaks(x.body.statements())).then_some("nothing leaves the `loop` that stands")
        }
        _ => None,
    }
}

/// Returns whether statements contain a `break`, even that of a loop in them.
fn breaks(statements: &[Stmt]) -> bool {
    let mut found = false;
    walk(statements, &mut |node| {
        found |= matches!(node, ASTNode::Stmt(Stmt::BreakLoop(_, options, _)) if options.contains(ASTFlags::BREAK));
    });
    found
}

/// Returns where a statement begins.
fn first_place(statement: &Stmt) -> Position {
    match statement {
        Stmt::Expr(value) => start(value),
        Stmt::Assignment(x) => start(&x.1.lhs),
        other => other.position(),
    }
}
