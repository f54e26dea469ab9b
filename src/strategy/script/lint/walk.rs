//! The walk through a function, with the types of its variables along each way.
//!
//! A variable has the type that was assigned to it last; where two ways meet, it may have the type of either. The walk
//! repeats until the types that loops assign are stable.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};

use crate::diagnostic::Diagnostic;

use super::super::limits::MAX_VARIABLES;
use super::super::module::{Function, Module, position, start, walk};
use super::super::names::NAMES;
use super::super::value::Types;
use super::parts::{self, Scope, Variable, calculated};

const MOST_ROUNDS: usize = 12;

/// Types of values, with the places where they stand.
pub type Places = Vec<(Types, Position)>;

#[derive(Default)]
pub struct Walked<'a> {
    pub results: Places,
    /// What fails or has no effect: also statements that are never reached, and values that are lost.
    pub findings: Vec<Diagnostic>,
    /// Variables that nothing reads, with what to say of each.
    pub unread: Vec<(&'a str, Position, String)>,
}

/// Types that each loop assigns to each variable, by its index in the scope.
type Loops = BTreeMap<(Position, usize), Types>;

/// Walks through a function of a script, whose first parameters have these types. A failure may be caught somewhere in
/// the script, or in the function, if that `tries`.
pub fn walk_through<'a>(
    module: &'a Module,
    function: &'a Function,
    types: &[Types],
    tries: [bool; 2],
) -> Walked<'a> {
    let statements = function.statements();
    let assigned = assigned(function);
    let mut unknown = changed_by_methods(module, statements, &assigned);
    let mut loops = Loops::new();
    for round in 0.. {
        let mut way = Way {
            scope: Scope { module, variables: Vec::new() },
            unknown: unknown.clone(),
            loops: loops.clone(),
            within: Vec::new(),
            is_followed: true,
            tries,
            counted: function.parameters.len(),
            outside: 0,
            has_too_many: false,
            walked: Walked::default(),
        };
        for (i, name) in function.parameters.iter().enumerate() {
            let of = types.get(i).copied().unwrap_or(Types::ANY);
            way.declare(name, Position::NONE, of, true);
        }
        let mut results = Vec::new();
        way.block(statements, Some(&mut results), Some(true));
        if way.unknown == unknown && way.loops == loops {
            way.walked.results.splice(0..0, results);
            return way.walked;
        }
        (unknown, loops) = (way.unknown, way.loops);
        if round + 1 >= MOST_ROUNDS {
            unknown.extend(assigned.iter().cloned());
        }
    }
    Walked::default()
}

fn assigned(function: &Function) -> BTreeSet<String> {
    let mut assigned = BTreeSet::new();
    walk(function.statements(), &mut |node| {
        if let ASTNode::Stmt(Stmt::Assignment(x)) = node
            && let Expr::Variable(x, ..) = &x.1.lhs
        {
            assigned.insert(x.1.to_string());
        }
    });
    assigned
}

/// Returns the variables that a function of the script may change, called as a method or with `!`.
fn changed_by_methods(module: &Module, statements: &[Stmt], assigned: &BTreeSet<String>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    walk(statements, &mut |node| match node {
        ASTNode::Expr(Expr::Dot(dot, ..)) => {
            if let (Expr::Variable(name, ..), Expr::MethodCall(call, _)) = (&dot.lhs, &dot.rhs)
                && (module.has_method(&call.name, call.args.len()) || call.name == "call")
            {
                found.insert(name.1.to_string());
            }
        }
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))
            if call.capture_parent_scope =>
        {
            found.extend(assigned.iter().cloned());
        }
        _ => {}
    });
    found
}

struct Way<'a> {
    scope: Scope<'a>,
    /// Names whose types are not followed.
    unknown: BTreeSet<String>,
    loops: Loops,
    /// The loops around, with how many variables there are outside of each.
    within: Vec<(Position, usize)>,
    /// Whether types are followed here: not within expressions, and not where no way leads.
    is_followed: bool,
    /// Whether a failure may be caught somewhere in the script, and in the function.
    tries: [bool; 2],
    /// Number of variables at one time, and of those outside the innermost block.
    counted: usize,
    outside: usize,
    has_too_many: bool,
    walked: Walked<'a>,
}

impl<'a> Way<'a> {
    fn declare(&mut self, name: &'a str, at: Position, types: Types, is_read: bool) {
        let types = if self.unknown.contains(name) { Types::ANY } else { types };
        self.scope.variables.push(Variable { name, at, types, is_read, is_assigned: false });
    }

    /// Ends the scope of the variables after the first `outer`.
    fn leave(&mut self, outer: usize) {
        for Variable { name, at, is_read, is_assigned, .. } in self.scope.variables.drain(outer..) {
            let message = match (is_read, is_assigned) {
                (true, _) => continue,
                (_, true) => format!("the variable `{name}` is assigned to and never read"),
                _ => format!("the variable `{name}` is never used"),
            };
            self.walked.unread.push((name, at, message));
        }
    }

    fn types(&self) -> Vec<Types> {
        self.scope.variables.iter().map(|variable| variable.types).collect()
    }

    /// Adds the types of another way that leads to the same place.
    fn meet(&mut self, other: &[Types]) {
        for (variable, other) in self.scope.variables.iter_mut().zip(other) {
            variable.types = variable.types.with(*other);
        }
    }

    fn back(&mut self, types: &[Types]) {
        for (variable, then) in self.scope.variables.iter_mut().zip(types) {
            variable.types = *then;
        }
    }

    fn aside(&mut self, walk: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.is_followed, false);
        walk(self);
        self.is_followed = before;
    }

    /// Walks through a block. `values` takes what its last statement gives, if that is asked for; `taken` says whether
    /// that is used, if lost values are reported.
    fn block(&mut self, statements: &'a [Stmt], mut values: Option<&mut Places>, taken: Option<bool>) {
        let (outer, followed) = (self.scope.variables.len(), self.is_followed);
        let counted = (self.counted, std::mem::replace(&mut self.outside, outer));
        let (mut left, mut is_left): (Option<&str>, bool) = (None, false);
        for (i, statement) in statements.iter().enumerate() {
            let last = i + 1 == statements.len();
            if let Some(by) = left.take().filter(|_| !matches!(statement, Stmt::Noop(_))) {
                let at = position(statement);
                let message = format!("this is never reached: {by} before it");
                let help = "remove it, or put a condition around what stands before it";
                self.walked.findings.push(self.scope.warning(at, message, help));
            }
            let values = values.as_deref_mut().filter(|_| last && self.is_followed);
            let taken = taken.filter(|_| !is_left).map(|taken| taken && last);
            self.statement(statement, values, taken);
            if matches!(statement, Stmt::Return(..) | Stmt::BreakLoop(..)) {
                self.scope.variables.iter_mut().for_each(|variable| variable.types = Types::NONE);
                self.is_followed = false;
            }
            left = leaves(statement);
            is_left |= left.is_some();
        }
        self.is_followed = followed;
        (self.counted, self.outside) = counted;
        self.leave(outer);
    }

    fn statement(&mut self, statement: &'a Stmt, mut values: Option<&mut Places>, taken: Option<bool>) {
        let at = statement.position();
        let unit = |values: Option<&mut Places>| {
            values.into_iter().for_each(|values| values.push((Types::UNIT, at)));
        };
        match statement {
            Stmt::If(x, _) => {
                self.condition(&x.expr);
                let before = self.types();
                let mut ends = Vec::new();
                for block in [&x.body, &x.branch] {
                    self.back(&before);
                    self.block(block.statements(), values.as_deref_mut(), taken);
                    if block.statements().is_empty() {
                        unit(values.as_deref_mut());
                    }
                    ends.push(self.types());
                }
                self.meet(&ends[0]);
            }
            Stmt::Switch(x, _) => {
                self.walked.findings.extend(parts::cases(&self.scope, statement));
                let _ = self.value(&x.0);
                let before = self.types();
                let mut end = match x.1.def_case {
                    Some(_) => vec![Types::NONE; before.len()],
                    None => before.clone(),
                };
                for arm in &x.1.expressions {
                    self.back(&before);
                    self.aside(|way| way.inner(&arm.lhs));
                    self.expr(&arm.rhs, values.as_deref_mut(), taken);
                    self.meet(&end);
                    end = self.types();
                }
                self.back(&end);
            }
            Stmt::Block(block) => self.block(block.statements(), values, taken),
            Stmt::While(x, _) => self.repeat(at, |way| {
                // `loop` has no condition.
                if !matches!(x.expr, Expr::Unit(..)) {
                    way.condition(&x.expr);
                }
                way.block(x.body.statements(), None, taken.map(|_| false));
            }),
            Stmt::Do(x, ..) => self.repeat(at, |way| {
                way.block(x.body.statements(), None, taken.map(|_| false));
                way.aside(|way| way.inner(&x.expr));
            }),
            Stmt::For(x, _) => {
                let list = &x.2.expr;
                let types = self.scope.of_loop(list);
                self.aside(|way| way.inner(list));
                let outer = self.scope.variables.len();
                self.repeat(at, |way| {
                    // The counter of a loop need not be read.
                    way.declare(&x.0.name, x.0.pos, types, true);
                    if let Some(counter) = &x.1 {
                        way.declare(&counter.name, counter.pos, Types::INT, true);
                    }
                    way.counted += 1 + usize::from(x.1.is_some());
                    way.block(x.2.body.statements(), None, taken.map(|_| false));
                    way.counted -= 1 + usize::from(x.1.is_some());
                    way.scope.variables.truncate(outer);
                });
            }
            Stmt::Var(x, ..) => {
                let types = self.value(&x.1);
                let own = &self.scope.variables[self.outside..];
                self.counted += usize::from(own.iter().all(|known| known.name != x.0.name));
                if self.counted > MAX_VARIABLES && !std::mem::replace(&mut self.has_too_many, true) {
                    let message = format!("there are more than {MAX_VARIABLES} variables at one time");
                    let help = "those of a block `{ .. }` are gone after it; a list holds many values";
                    self.walked.findings.push(self.scope.error(x.0.pos, message, help));
                }
                self.declare(&x.0.name, x.0.pos, types, false);
                unit(values);
            }
            Stmt::Assignment(x) => {
                self.walked.findings.extend(parts::assigned(&self.scope, statement, self.tries[0]));
                let given = self.value(&x.1.rhs);
                match &x.1.lhs {
                    Expr::Variable(name, ..) => {
                        let of = match x.0.get_op_assignment_info() {
                            Some((.., operator)) => calculated(operator, self.scope.types(&x.1.lhs), given),
                            None => given,
                        };
                        self.assign(&name.1, of);
                    }
                    target => self.aside(|way| way.inner(target)),
                }
                unit(values);
            }
            Stmt::TryCatch(x, _) => self.aside(|way| {
                way.block(x.body.statements(), None, None);
                let outer = way.scope.variables.len();
                if let Expr::Variable(name, _, at) = &x.expr {
                    way.declare(&name.1, *at, Types::ANY, true);
                }
                way.block(x.branch.statements(), None, None);
                way.leave(outer);
            }),
            Stmt::Expr(value) => self.expr(value, values, taken),
            Stmt::FnCall(call, _) => {
                self.walked.findings.extend(parts::compared(&self.scope, call));
                let lost = taken == Some(false) && is_operator(call);
                if lost && call.args.iter().all(|it| only_value(it, self.scope.module)) {
                    let at = call.args.first().filter(|_| call.args.len() == 2).map_or(at, start);
                    self.lost(at);
                }
                self.aside(|way| way.call(call));
                let of = self.scope.of_call(call);
                values.into_iter().for_each(|values| values.push((of, at)));
            }
            Stmt::Return(value, options, _) => {
                let throws = options.contains(ASTFlags::BREAK);
                let mut given = Vec::new();
                match value {
                    Some(value) => self.expr(value, Some(&mut given), None),
                    None => given.push((Types::UNIT, at)),
                }
                if self.is_followed && !throws {
                    self.walked.results.append(&mut given);
                }
            }
            Stmt::BreakLoop(Some(value), ..) => self.aside(|way| way.inner(value)),
            _ => {}
        }
    }

    /// Walks through a block that stands as a value, or an expression.
    fn expr(&mut self, value: &'a Expr, values: Option<&mut Places>, taken: Option<bool>) {
        if let Expr::Stmt(block) = value {
            return self.block(block.statements(), values, taken);
        }
        if taken == Some(false) && !matches!(value, Expr::Unit(_)) && only_value(value, self.scope.module) {
            self.lost(start(value));
        }
        let of = self.scope.types(value);
        self.aside(|way| way.inner(value));
        values.into_iter().for_each(|values| values.push((of, start(value))));
    }

    fn value(&mut self, value: &'a Expr) -> Types {
        let mut values = Vec::new();
        self.expr(value, Some(&mut values), None);
        match &values[..] {
            [] => Types::ANY,
            all => all.iter().fold(Types::NONE, |all, (of, _)| all.with(*of)),
        }
    }

    fn condition(&mut self, condition: &'a Expr) {
        let of = self.value(condition);
        if self.is_followed && !self.tries[1] && of.is_never(Types::BOOL) {
            let message = format!("a condition must be true or false, and this is {}", of.words());
            self.walked.findings.push(self.scope.error(start(condition), message, ""));
        }
    }

    fn lost(&mut self, at: Position) {
        let help =
            "`return` leaves the function with it; only the last value of a block is that of the block";
        self.walked.findings.push(self.scope.warning(at, "this value is lost: nothing uses it", help));
    }

    fn inner(&mut self, expr: &'a Expr) {
        self.walked.findings.extend(parts::of_expression(&self.scope, expr, self.tries[0]));
        match expr {
            Expr::Variable(name, ..) => {
                if let Some(i) = self.scope.variable(&name.1) {
                    self.scope.variables[i].is_read = true;
                }
            }
            Expr::InterpolatedString(all, _) | Expr::Array(all, _) => self.all(all),
            Expr::And(all, _) | Expr::Or(all, _) | Expr::Coalesce(all, _) => self.all(all),
            Expr::Map(x, _) => x.0.iter().for_each(|(_, value)| self.inner(value)),
            Expr::MethodCall(call, _) | Expr::FnCall(call, _) => self.call(call),
            Expr::Stmt(block) => self.block(block.statements(), None, None),
            Expr::Dot(x, ..) | Expr::Index(x, ..) => {
                self.inner(&x.lhs);
                self.inner(&x.rhs);
            }
            _ => {}
        }
    }

    fn all(&mut self, values: &'a [Expr]) {
        values.iter().for_each(|value| self.inner(value));
    }

    fn call(&mut self, call: &'a FnCallExpr) {
        // `f!(..)` and `is_def_var` see the variables around them.
        if call.capture_parent_scope || call.name == "is_def_var" {
            self.scope.variables.iter_mut().for_each(|variable| variable.is_read = true);
        }
        self.all(&call.args);
    }

    fn assign(&mut self, name: &str, of: Types) {
        let of = if self.unknown.contains(name) { Types::ANY } else { of };
        if !self.is_followed {
            self.unknown.insert(name.into());
        }
        let Some(index) = self.scope.variable(name) else { return };
        self.scope.variables[index].types = of;
        self.scope.variables[index].is_assigned = true;
        for (at, _) in self.within.iter().filter(|(_, outer)| index < *outer) {
            let all = self.loops.entry((*at, index)).or_insert(Types::NONE);
            *all = all.with(of);
        }
    }

    /// Walks through the body of a loop, before which a variable may have any type that the loop assigns to it.
    fn repeat(&mut self, at: Position, body: impl FnOnce(&mut Self)) {
        let outer = self.scope.variables.len();
        self.assigned_in(at);
        let before = self.types();
        self.within.push((at, outer));
        body(self);
        self.within.pop();
        self.back(&before);
        self.assigned_in(at);
    }

    fn assigned_in(&mut self, at: Position) {
        for (index, variable) in self.scope.variables.iter_mut().enumerate() {
            if let Some(more) = self.loops.get(&(at, index)) {
                variable.types = variable.types.with(*more);
            }
        }
    }
}

/// Returns whether an expression only has a value: the methods of the game change nothing, but for drawing random numbers.
fn only_value(value: &Expr, module: &Module) -> bool {
    let all = |values: &[Expr]| values.iter().all(|it| only_value(it, module));
    match value {
        Expr::Variable(..) | Expr::Property(..) => true,
        Expr::FnCall(call, _) => is_operator(call) && all(&call.args),
        Expr::MethodCall(call, _) => {
            let name = call.name.as_str();
            let of_the_game = NAMES.iter().any(|it| it.name == name && it.parameters.is_some());
            let own = module.functions.iter().any(|it| it.name == name);
            !own && of_the_game && !["random", "playout"].contains(&name) && all(&call.args)
        }
        Expr::Dot(x, ..) | Expr::Index(x, ..) => only_value(&x.lhs, module) && only_value(&x.rhs, module),
        Expr::And(values, _) | Expr::Or(values, _) | Expr::Coalesce(values, _) => all(values),
        other => other.is_constant(),
    }
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
            // Even the `break` of a loop within counts.
            let mut breaks = false;
            walk(x.body.statements(), &mut |node| {
                let is_break = |options: &ASTFlags| options.contains(ASTFlags::BREAK);
                breaks |= matches!(node, ASTNode::Stmt(Stmt::BreakLoop(_, options, _)) if is_break(options));
            });
            (!breaks).then_some("nothing leaves the `loop` that stands")
        }
        _ => None,
    }
}
