//! Lowers statements of Rhai to [`Node`]s.

use rhai::{
    ASTFlags, BinaryExpr, Expr, FlowControl, OpAssignment, Position, RangeCase, Stmt, SwitchCasesCollection,
};

use super::super::super::limits::MAX_VARIABLES;
use super::super::super::value::{Types, Value};
use super::super::hir::{Kind, Node};
use super::super::operators::Compare;
use super::builder::{Builder, Built, InLoop, unsupported};

/// Maximum number of variables at one time; this leaves room for the parameters of callers before the limit is reached.
pub(super) const MOST_VARIABLES: usize = MAX_VARIABLES / 2;

impl Builder<'_> {
    /// Lowers statements in their own scope.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Built<Node> {
        let node = self.block_or_view(statements)?;
        self.no_view(node, statements.last().map_or(Position::NONE, Stmt::position))
    }

    /// Lowers statements of which the last may be a view after a move.
    pub(super) fn block_or_view(&mut self, statements: &[Stmt]) -> Built<Node> {
        let scope = self.scope.len();
        let mut nodes = Vec::with_capacity(statements.len());
        for statement in statements {
            let mut node = self.statement(statement)?;
            if statements.len() > 1 {
                node = self.no_view(node, statement.position())?;
            }
            let ends = node.leaves();
            // A constant is worth something only as the last node.
            nodes.pop_if(|before: &mut Node| before.value().is_some());
            nodes.push(node);
            // Unreachable code may still contain what is not compiled.
            if ends && !self.is_generic() {
                break;
            }
        }
        self.scope.truncate(scope);
        Ok(match nodes.len() {
            0 => Node::UNIT,
            1 if !matches!(nodes[0].kind, Kind::Let(_)) => nodes.remove(0),
            _ => Node::new(Kind::Seq, nodes),
        })
    }

    fn statement(&mut self, statement: &Stmt) -> Built<Node> {
        self.count_built(statement.position())?;
        match statement {
            Stmt::Noop(_) => Ok(Node::UNIT),
            Stmt::Expr(expr) => self.expr_or_view(expr),
            Stmt::Block(block) => self.block_or_view(block.statements()),
            Stmt::FnCall(call, at) => self.function_call(call, *at),
            Stmt::Assignment(x) => self.assignment(&x.0, &x.1),
            Stmt::Var(x, ..) => {
                if self.scope.len() >= MOST_VARIABLES {
                    return unsupported(x.0.pos, "there are too many variables");
                }
                match self.expr_or_view(&x.1)? {
                    Node { kind: Kind::After, mut parts } => {
                        self.bind_ahead(&x.0.name, parts.remove(0), x.1.start_position())
                    }
                    value => Ok(self.bind(&x.0.name, value)),
                }
            }
            Stmt::If(x, _) => self.condition(x),
            Stmt::Switch(x, _) => self.switch(&x.0, &x.1),
            Stmt::While(x, _) => self.while_loop(x),
            Stmt::Do(x, options, _) => self.do_loop(x, options.contains(ASTFlags::NEGATED)),
            Stmt::For(x, _) => {
                let (variable, counter, flow) = &**x;
                self.for_loop((&variable.name, counter.as_ref().map(|c| c.name.as_str())), flow)
            }
            Stmt::BreakLoop(value, options, at) => {
                let value = self.optional(value.as_deref())?;
                let Some(InLoop { leave, again }) = self.loops.last().copied() else {
                    return unsupported(*at, "`break` stands outside of a loop");
                };
                Ok(Node::leave(if options.contains(ASTFlags::BREAK) { leave } else { again }, value))
            }
            Stmt::Return(_, options, at) if options.contains(ASTFlags::BREAK) => unsupported(*at, "`throw`"),
            Stmt::Return(value, ..) => {
                let value = self.optional(value.as_deref())?;
                Ok(Node::leave(self.function, value))
            }
            Stmt::TryCatch(..) => unsupported(statement.position(), "`try`"),
            other => unsupported(other.position(), "a kind of statement"),
        }
    }

    fn optional(&mut self, value: Option<&Expr>) -> Built<Node> {
        value.map_or(Ok(Node::UNIT), |value| self.expr(value))
    }

    fn assignment(&mut self, op: &OpAssignment, x: &BinaryExpr) -> Built<Node> {
        let name = match &x.lhs {
            Expr::Index(place, options, _) => return self.put(op, (place, *options), &x.rhs),
            Expr::Variable(name, ..) => name,
            other => return unsupported(other.position(), "a part of a value is assigned"),
        };
        let mut value = self.expr(&x.rhs)?;
        self.costs(4);
        let mut before = Vec::new();
        let Some(slot) = self.variable(&name.1) else { return Ok(Node::FAULT.preceded(vec![value])) };
        if let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() {
            // The right side comes first: it may change the variable.
            if value.assigns() {
                value = self.save(value, &mut before);
            }
            value = self.binary(symbol, Node::read(slot), value, op.position())?;
        }
        Ok(Node::new(Kind::Set(slot), [value]).preceded(before))
    }

    fn condition(&mut self, x: &FlowControl) -> Built<Node> {
        let test = self.expr(&x.expr)?;
        if let Some(value) = test.value().filter(|_| !self.is_generic()) {
            return match value.as_bool() {
                Some(true) => self.block_or_view(x.body.statements()),
                Some(false) => self.block_or_view(x.branch.statements()),
                None => Ok(Node::FAULT),
            };
        }
        let before = self.cost;
        let yes = self.block_or_view(x.body.statements())?;
        let longer = std::mem::replace(&mut self.cost, before);
        let no = self.block_or_view(x.branch.statements())?;
        self.cost = self.cost.max(longer);
        self.either_view(test, yes, no, x.expr.start_position())
    }

    /// Lowers `switch` to tests in order, each of which leaves a block with the value of its arm.
    fn switch(&mut self, subject: &Expr, x: &SwitchCasesCollection) -> Built<Node> {
        let (subject, end, mut all) = (self.expr(subject)?, self.new_label(), Vec::new());
        // A condition may change the variable that the subject was read from.
        let subject = self.save(subject, &mut all);
        let compared = |op: Compare, value: Value| {
            Node::new(Kind::Compare(op), [subject.clone(), Node::constant(value)])
        };
        // Values first, whatever their order in the text; then ranges. A range is among the values too, where nothing ever
        // equals it.
        let mut arms: Vec<(usize, Vec<Node>)> = (0..x.expressions.len()).map(|arm| (arm, vec![])).collect();
        let mut again = Vec::new();
        for case in x.cases.values().filter(|case| !case.value.type_name().contains("Range")) {
            let plain = Types::INT.with(Types::BOOL).with(Types::UNIT);
            let value = Value::of(&case.value).filter(|value| value.types().within(plain));
            for (i, &arm) in case.blocks.iter().enumerate() {
                let Some(value) = value else {
                    let at = x.expressions[arm].rhs.start_position();
                    return unsupported(at, "a case that is no number, truth value or ()");
                };
                let test = compared(Compare::Eq, value);
                // The condition of a value that is written twice is tested twice.
                match case.blocks[..i].contains(&arm) {
                    true => again.push((arm, vec![test])),
                    false => arms[arm].1.push(test),
                }
            }
        }
        arms.extend(again);
        arms.sort_by_key(|(arm, _)| *arm);
        arms.extend(x.ranges.iter().map(|range| {
            let (first, last) = match range {
                RangeCase::ExclusiveInt(r, _) => (r.start, r.end - 1),
                RangeCase::InclusiveInt(r, _) => (*r.start(), *r.end()),
            };
            let ends = [compared(Compare::Ge, Value::int(first)), compared(Compare::Le, Value::int(last))];
            (range.index(), vec![Node::new(Kind::And, ends)])
        }));
        let mut longest = 0;
        for (arm, mut tests) in arms.into_iter().filter(|(_, tests)| !tests.is_empty()) {
            let test = if tests.len() == 1 { tests.remove(0) } else { Node::new(Kind::Or, tests) };
            let condition = self.expr(&x.expressions[arm].lhs)?;
            let before = self.cost;
            let value = self.expr(&x.expressions[arm].rhs)?;
            longest = longest.max(self.cost - before);
            self.cost = before;
            let test = Node::new(Kind::And, [test, condition]);
            all.push(Node::when(test, Node::leave(end, value), Node::UNIT));
        }
        let before = self.cost;
        all.push(match x.def_case {
            Some(arm) => self.expr(&x.expressions[arm].rhs)?,
            None => Node::UNIT,
        });
        longest = longest.max(self.cost - before);
        self.cost = before.saturating_add(longest);
        Ok(Node::block(end, Node::new(Kind::Seq, all)))
    }
}
