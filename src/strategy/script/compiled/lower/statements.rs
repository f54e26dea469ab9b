//! Lowers statements of Rhai to [`Node`]s.

use rhai::{
    ASTFlags, BinaryExpr, Expr, FlowControl, OpAssignment, Position, RangeCase, Stmt, SwitchCasesCollection,
};

use super::super::super::limits::MAX_VARIABLES;
use super::super::super::value::{Types, Value};
use super::super::hir::{Kind, Node, Switch, Test};
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

    fn switch(&mut self, subject: &Expr, x: &SwitchCasesCollection) -> Built<Node> {
        let mut parts = vec![self.expr(subject)?];
        let mut cases = Vec::new();
        // Values first, whatever their order in the text; each has its blocks in order.
        for case in x.cases.values() {
            if case.value.type_name().contains("Range") {
                // A range is among the values too, where nothing ever equals it.
                continue;
            }
            let value = Value::of(&case.value)
                .filter(|v| v.types().within(Types::INT.with(Types::BOOL).with(Types::UNIT)));
            for &block in &case.blocks {
                let x = &x.expressions[block];
                let Some(value) = value else {
                    return unsupported(
                        x.rhs.start_position(),
                        "a case that is no number, truth value or ()",
                    );
                };
                cases.push((Test::Is(value), block));
                parts.push(self.expr(&x.lhs)?);
            }
        }
        for range in &x.ranges {
            let (first, last) = match range {
                RangeCase::ExclusiveInt(r, _) => (r.start, r.end - 1),
                RangeCase::InclusiveInt(r, _) => (*r.start(), *r.end()),
            };
            cases.push((Test::Within(first, last), range.index()));
            parts.push(self.expr(&x.expressions[range.index()].lhs)?);
        }
        let (before, mut longest) = (self.cost, self.cost);
        for arm in &x.expressions {
            self.cost = before;
            parts.push(self.expr(&arm.rhs)?);
            longest = longest.max(self.cost);
        }
        self.cost = longest;
        let otherwise = x.def_case.unwrap_or(x.expressions.len());
        if x.def_case.is_none() {
            parts.push(Node::UNIT);
        }
        Ok(Node::new(Kind::Switch(Switch { cases, otherwise }), parts))
    }
}
