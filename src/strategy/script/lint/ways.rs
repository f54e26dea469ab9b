//! Types of variables along each way through a function, and of the values that it returns.
//!
//! A variable has the type that was assigned to it last; where two ways meet, it may have the type of either. The analysis
//! repeats until the types that loops assign are stable.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTFlags, ASTNode, Expr, Position, Stmt};

use super::super::module::Module;
use super::super::value::Types;
use super::super::walk::walk;
use super::types::{Scope, calculated, start};

/// Maximum number of repetitions; two or three are usual.
const MOST_ROUNDS: usize = 12;

/// Types of values, with the places where they stand.
pub type Places = Vec<(Types, Position)>;

/// Results and conditions of a function.
pub struct Ways {
    /// The values that it may return.
    pub results: Places,
    /// The conditions in it.
    pub conditions: Places,
}

/// Follows the ways through the statements of a function.
pub fn ways(module: &Module, parameters: &[String], kinds: &[Types], statements: &[Stmt]) -> Ways {
    let mut loops = Loops::new();
    let mut unknown = changed_by_methods(module, statements);
    for round in 0..=MOST_ROUNDS {
        let mut scope = Scope::new(module, &[], &[], &[]);
        scope.changing = unknown.iter().cloned().collect();
        for (i, name) in parameters.iter().enumerate() {
            scope.declare(name, kinds.get(i).copied().unwrap_or(Types::ANY));
        }
        let known = loops.clone();
        let mut way = Way {
            scope,
            loops,
            within: Vec::new(),
            met: BTreeMap::new(),
            returned: Vec::new(),
            conditions: Vec::new(),
        };
        let mut results = Vec::new();
        way.block(statements, Some(&mut results));
        results.append(&mut way.returned);
        let missed: BTreeSet<String> = assignments(statements)
            .into_iter()
            .filter(|(name, many)| way.met.get(name) != Some(many) && !unknown.contains(name))
            .map(|(name, _)| name)
            .collect();
        if missed.is_empty() && way.loops == known {
            return Ways { results, conditions: way.conditions };
        }
        unknown.extend(missed);
        if round + 1 >= MOST_ROUNDS {
            unknown.extend(assignments(statements).into_keys());
        }
        loops = way.loops;
    }
    Ways { results: Vec::new(), conditions: Vec::new() }
}

/// Counts the assignments to each variable.
fn assignments(statements: &[Stmt]) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    walk(statements, &mut |node| {
        if let ASTNode::Stmt(Stmt::Assignment(x)) = node
            && let Expr::Variable(name, ..) = &x.1.lhs
        {
            *found.entry(name.1.to_string()).or_default() += 1;
        }
    });
    found
}

/// Returns the variables that a function of the script may change, called as a method or with `!`.
fn changed_by_methods(module: &Module, statements: &[Stmt]) -> BTreeSet<String> {
    let (mut found, mut all) = (BTreeSet::new(), false);
    walk(statements, &mut |node| match node {
        ASTNode::Expr(Expr::Dot(dot, ..)) => {
            if let (Expr::Variable(name, ..), Expr::MethodCall(call, _)) = (&dot.lhs, &dot.rhs)
                && (module.has_method(&call.name, call.args.len()) || call.name == "call")
            {
                found.insert(name.1.to_string());
            }
        }
        ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _)) => {
            all |= call.capture_parent_scope;
        }
        _ => {}
    });
    if all {
        found.extend(assignments(statements).into_keys());
    }
    found
}

/// Types that each loop assigns to each variable, by its index in the scope.
type Loops = BTreeMap<(Position, usize), Types>;

struct Way<'a> {
    scope: Scope<'a>,
    loops: Loops,
    /// The loops around, with how many variables there are outside of each.
    within: Vec<(Position, usize)>,
    /// How many assignments to each variable were met.
    met: BTreeMap<String, usize>,
    returned: Places,
    conditions: Places,
}

impl Way<'_> {
    fn types(&self) -> Vec<Types> {
        self.scope.variables.iter().map(|(_, of)| *of).collect()
    }

    /// Adds the types of another way that leads to the same place.
    fn meet(&mut self, other: &[Types]) {
        for ((_, of), other) in self.scope.variables.iter_mut().zip(other) {
            *of = of.with(*other);
        }
    }

    /// Sets the types of all variables.
    fn back(&mut self, types: &[Types]) {
        for ((_, of), then) in self.scope.variables.iter_mut().zip(types) {
            *of = *then;
        }
    }

    /// Marks that no way leads on from here.
    fn end(&mut self) {
        self.scope.variables.iter_mut().for_each(|(_, of)| *of = Types::NONE);
    }

    /// Follows the statements of a block; `values` takes what its last statement gives, if that is asked for.
    fn block(&mut self, statements: &[Stmt], mut values: Option<&mut Places>) {
        let outer = self.scope.variables.len();
        for (i, statement) in statements.iter().enumerate() {
            let last = i + 1 == statements.len();
            self.statement(statement, values.as_deref_mut().filter(|_| last));
            if matches!(statement, Stmt::Return(..) | Stmt::BreakLoop(..)) {
                self.end();
                break;
            }
        }
        self.scope.variables.truncate(outer);
    }

    fn statement(&mut self, statement: &Stmt, mut values: Option<&mut Places>) {
        let at = statement.position();
        match statement {
            // A `throw` gives nothing.
            Stmt::Return(Some(value), options, _) if options.contains(ASTFlags::BREAK) => {
                let _ = self.value(value);
            }
            Stmt::Return(value, options, _) if !options.contains(ASTFlags::BREAK) => match value.as_deref() {
                Some(value) => {
                    let mut given = Vec::new();
                    self.expr(value, Some(&mut given));
                    self.returned.append(&mut given);
                }
                None => self.returned.push((Types::UNIT, at)),
            },
            Stmt::If(x, _) => {
                self.condition(&x.expr);
                let before = self.types();
                let mut ends = Vec::new();
                for block in [&x.body, &x.branch] {
                    self.back(&before);
                    self.block(block.statements(), values.as_deref_mut());
                    if let (Some(values), []) = (values.as_deref_mut(), block.statements()) {
                        values.push((Types::UNIT, at));
                    }
                    ends.push(self.types());
                }
                self.meet(&ends[0]);
            }
            Stmt::Switch(x, _) => {
                let _ = self.value(&x.0);
                let before = self.types();
                let mut end = match x.1.def_case {
                    Some(_) => vec![Types::NONE; before.len()],
                    None => before.clone(),
                };
                for arm in &x.1.expressions {
                    self.back(&before);
                    self.expr(&arm.rhs, values.as_deref_mut());
                    self.meet(&end);
                    end = self.types();
                }
                self.back(&end);
            }
            Stmt::Block(block) => self.block(block.statements(), values),
            Stmt::While(x, _) => self.repeat(at, |way| {
                // `loop` has no condition.
                if !matches!(x.expr, Expr::Unit(..)) {
                    way.condition(&x.expr);
                }
                way.block(x.body.statements(), None);
            }),
            Stmt::Do(x, ..) => self.repeat(at, |way| way.block(x.body.statements(), None)),
            Stmt::For(x, _) => {
                let (of, outer) = (self.scope.of_loop(&x.2.expr), self.scope.variables.len());
                self.repeat(at, |way| {
                    way.scope.declare(&x.0.name, of);
                    if let Some(counter) = &x.1 {
                        way.scope.declare(&counter.name, Types::INT);
                    }
                    way.block(x.2.body.statements(), None);
                    way.scope.variables.truncate(outer);
                });
            }
            Stmt::Var(x, ..) => {
                let of = self.value(&x.1);
                self.scope.declare(&x.0.name, of);
                values.into_iter().for_each(|values| values.push((Types::UNIT, at)));
            }
            Stmt::Assignment(x) => {
                let given = self.value(&x.1.rhs);
                if let Expr::Variable(name, ..) = &x.1.lhs {
                    let of = match x.0.get_op_assignment_info() {
                        Some((_, _, _, _, _, operator)) => {
                            calculated(operator, self.scope.type_of(&x.1.lhs), given)
                        }
                        None => given,
                    };
                    self.assign(&name.1, of);
                }
                values.into_iter().for_each(|values| values.push((Types::UNIT, at)));
            }
            Stmt::Expr(value) => self.expr(value, values),
            Stmt::FnCall(call, _) => {
                let of = self.scope.call(call);
                values.into_iter().for_each(|values| values.push((of, at)));
            }
            _ => {}
        }
    }

    /// Follows a block that stands as a value, or takes the type of another value.
    fn expr(&mut self, value: &Expr, values: Option<&mut Places>) {
        match value {
            Expr::Stmt(block) => self.block(block.statements(), values),
            value => {
                let of = self.scope.type_of(value);
                values.into_iter().for_each(|values| values.push((of, start(value))));
            }
        }
    }

    /// The type of a value.
    fn value(&mut self, value: &Expr) -> Types {
        let mut values = Vec::new();
        self.expr(value, Some(&mut values));
        if values.is_empty() {
            Types::ANY
        } else {
            values.iter().fold(Types::NONE, |all, (of, _)| all.with(*of))
        }
    }

    fn condition(&mut self, condition: &Expr) {
        let of = self.value(condition);
        self.conditions.push((of, start(condition)));
    }

    fn assign(&mut self, name: &str, of: Types) {
        *self.met.entry(name.to_string()).or_default() += 1;
        let of = if self.scope.changing.iter().any(|known| known == name) { Types::ANY } else { of };
        let Some(index) = self.scope.variables.iter().rposition(|(known, _)| known == name) else { return };
        self.scope.variables[index].1 = of;
        for (at, _) in self.within.iter().filter(|(_, outer)| index < *outer) {
            let all = self.loops.entry((*at, index)).or_insert(Types::NONE);
            *all = all.with(of);
        }
    }

    /// Follows the body of a loop, before which a variable may have any type that the loop assigns to it.
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
        for (index, (_, of)) in self.scope.variables.iter_mut().enumerate() {
            if let Some(more) = self.loops.get(&(at, index)) {
                *of = of.with(*more);
            }
        }
    }
}
