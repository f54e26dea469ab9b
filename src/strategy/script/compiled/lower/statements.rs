//! Lowers statements of Rhai to [`Node`]s.

use rhai::{
    ASTFlags, BinaryExpr, Expr, FlowControl, Position, RangeCase, Stmt, StmtBlock, SwitchCasesCollection,
};

use super::super::super::intrinsics::ViewProperty;
use super::super::super::value::{Types, Value};
use super::super::hir::{Case, Moves, Node, Range, Switch, Test};
use super::builder::{Builder, Built, InLoop, Obstacle};

/// Maximum number of rounds, known at load, of a loop that is unrolled.
const MOST_ROUNDS: i64 = 5;
/// Maximum size of an unrolled round.
const MOST_WRITTEN_OUT: usize = 60;
/// Maximum size of the body of a loop over the moves that is duplicated for each class of moves.
const MOST_BY_CLASS: usize = 2_000;
/// Maximum number of variables at one time; this leaves room for the parameters of callers before the limit is reached.
const MOST_VARIABLES: usize = super::super::super::limits::MAX_VARIABLES / 2;

fn obstacle<T>(at: Position, what: &str) -> Built<T> {
    Err(Obstacle { at, what: what.into() })
}

impl Builder<'_> {
    /// Lowers statements in their own scope.
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Built<Node> {
        let node = self.block_or_view(statements)?;
        self.no_view(node, statements.last().map_or(Position::NONE, Stmt::position))
    }

    /// Lowers statements of which the last may be a view after a move.
    pub(super) fn block_or_view(&mut self, statements: &[Stmt]) -> Built<Node> {
        let scope = self.scope_len();
        let mut nodes = Vec::with_capacity(statements.len());
        for (i, statement) in statements.iter().enumerate() {
            let node = self.statement(statement)?;
            let node = if i == 0 && statements.len() == 1 {
                node
            } else {
                self.no_view(node, statement.position())?
            };
            let ends = node.leaves();
            nodes.push(node);
            // Unreachable code may still contain what is not compiled.
            if ends && !self.is_generic() {
                break;
            }
        }
        self.end_scope(scope);
        let last = nodes.len().saturating_sub(1);
        let mut i = 0;
        nodes.retain(|node| {
            i += 1;
            i > last || !matches!(node, Node::Const(_))
        });
        Ok(match nodes.len() {
            0 => Node::UNIT,
            1 if !matches!(nodes[0], Node::Let(..)) => nodes.remove(0),
            _ => Node::Seq(nodes),
        })
    }

    fn boxed(&mut self, statements: &StmtBlock) -> Built<Box<Node>> {
        self.block(statements.statements()).map(Box::new)
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
                if self.scope_len() >= MOST_VARIABLES {
                    return obstacle(x.0.pos, "there are too many variables");
                }
                match self.expr_or_view(&x.1)? {
                    Node::After(m) => self.bind_ahead(&x.0.name, *m, x.1.start_position()),
                    value => Ok(self.bind(&x.0.name, value)),
                }
            }
            Stmt::If(x, _) => self.condition(x),
            Stmt::Switch(x, _) => self.switch(&x.0, &x.1),
            Stmt::While(x, _) => self.while_loop(x),
            Stmt::Do(x, options, _) => self.do_loop(x, options.contains(ASTFlags::NEGATED)),
            Stmt::For(x, _) => {
                let (variable, counter, flow) = &**x;
                self.for_loop(&variable.name, counter.as_ref().map(|c| c.name.as_str()), flow)
            }
            Stmt::BreakLoop(value, options, at) => {
                let value = self.optional(value.as_deref())?;
                let Some(InLoop { leave, again }) = self.loops.last().copied() else {
                    return obstacle(*at, "`break` stands outside of a loop");
                };
                let label = if options.contains(ASTFlags::BREAK) { leave } else { again };
                Ok(Node::Leave(label, Box::new(value)))
            }
            Stmt::Return(_, options, at) if options.contains(ASTFlags::BREAK) => obstacle(*at, "`throw`"),
            Stmt::Return(value, ..) => {
                let value = self.optional(value.as_deref())?;
                Ok(Node::Leave(self.function, Box::new(value)))
            }
            Stmt::TryCatch(..) => obstacle(statement.position(), "`try`"),
            other => obstacle(other.position(), "a kind of statement"),
        }
    }

    fn optional(&mut self, value: Option<&Expr>) -> Built<Node> {
        value.map_or(Ok(Node::UNIT), |value| self.expr(value))
    }

    fn assignment(&mut self, op: &rhai::OpAssignment, x: &BinaryExpr) -> Built<Node> {
        if let Expr::Index(place, options, _) = &x.lhs
            && self.is_memory(&place.lhs)
        {
            return self.remember(op, (place, *options), &x.rhs);
        }
        if let Expr::Index(place, options, _) = &x.lhs {
            return self.put(op, (place, *options), &x.rhs);
        }
        let Expr::Variable(name, ..) = &x.lhs else {
            return obstacle(x.lhs.position(), "a part of a value is assigned");
        };
        let value = self.expr(&x.rhs)?;
        self.costs(4);
        let Some(slot) = self.variable(&name.1) else {
            return Ok(Node::Seq(vec![value, Node::Fault]));
        };
        let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() else {
            return Ok(Node::Set(slot, Box::new(value)));
        };
        // The right side comes first: it may change the variable.
        let (before, value) = if value.assigns() {
            let kept = self.new_slot();
            (Some(Node::Let(kept, Box::new(value))), Node::Read(kept))
        } else {
            (None, value)
        };
        let result = self.binary(symbol, Node::Read(slot), value, op.position())?;
        let set = Node::Set(slot, Box::new(result));
        Ok(match before {
            Some(before) => Node::Seq(vec![before, set]),
            None => set,
        })
    }

    fn condition(&mut self, x: &FlowControl) -> Built<Node> {
        let test = self.expr(&x.expr)?;
        if let Node::Const(value) = test
            && !self.is_generic()
        {
            return match value.as_bool() {
                Some(true) => self.block_or_view(x.body.statements()),
                Some(false) => self.block_or_view(x.branch.statements()),
                None => Ok(Node::Fault),
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
        let subject = self.expr(subject)?;
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
                    return obstacle(x.rhs.start_position(), "a case that is no number, truth value or ()");
                };
                cases.push(Case { test: Test::Is(value), condition: self.expr(&x.lhs)?, arm: block });
            }
        }
        for range in &x.ranges {
            let (first, last) = match range {
                RangeCase::ExclusiveInt(r, _) => (r.start, r.end - 1),
                RangeCase::InclusiveInt(r, _) => (*r.start(), *r.end()),
            };
            let condition = self.expr(&x.expressions[range.index()].lhs)?;
            cases.push(Case { test: Test::Within(first, last), condition, arm: range.index() });
        }
        let (before, mut longest) = (self.cost, self.cost);
        let mut arms = Vec::new();
        for arm in &x.expressions {
            self.cost = before;
            arms.push(self.expr(&arm.rhs)?);
            longest = longest.max(self.cost);
        }
        self.cost = longest;
        let otherwise = x.def_case.unwrap_or(arms.len());
        if x.def_case.is_none() {
            arms.push(Node::UNIT);
        }
        Ok(Node::Switch(Box::new(Switch { subject, cases, arms, otherwise })))
    }

    /// Builds the body of a loop; returns the labels of `break` and `continue`, and the cost of a round.
    fn in_loop<T>(&mut self, build: impl FnOnce(&mut Self, InLoop) -> Built<T>) -> Built<(T, InLoop, u32)> {
        let labels = InLoop { leave: self.new_label(), again: self.new_label() };
        let cost = std::mem::take(&mut self.cost);
        self.loops.push(labels);
        let built = build(self, labels);
        self.loops.pop();
        let own = std::mem::replace(&mut self.cost, cost);
        Ok((built?, labels, own.saturating_add(1)))
    }

    fn while_loop(&mut self, x: &FlowControl) -> Built<Node> {
        let endless = matches!(x.expr, Expr::Unit(..) | Expr::BoolConstant(true, ..));
        let (round, labels, cost) = self.in_loop(|builder, labels| {
            let test = if endless { Node::bool(true) } else { builder.expr(&x.expr)? };
            let body = Node::Block(labels.again, builder.boxed(&x.body)?);
            Ok(match test.constant().and_then(Value::as_bool) {
                Some(true) => body,
                _ => {
                    let leave = Node::Leave(labels.leave, Box::new(Node::UNIT));
                    let go_on = Node::If(Box::new(test), Box::new(Node::UNIT), Box::new(leave));
                    Node::Seq(vec![go_on, body])
                }
            })
        })?;
        self.costs(cost);
        Ok(Node::Block(labels.leave, Box::new(Node::Loop(Box::new(round), cost))))
    }

    fn do_loop(&mut self, x: &FlowControl, until: bool) -> Built<Node> {
        // `continue` starts the next round without the test.
        let (round, labels, cost) = self.in_loop(|builder, labels| {
            let body = builder.block(x.body.statements())?;
            let test = builder.expr(&x.expr)?;
            let leave = Box::new(Node::Leave(labels.leave, Box::new(Node::UNIT)));
            let (yes, no) = if until { (leave, Box::new(Node::UNIT)) } else { (Box::new(Node::UNIT), leave) };
            let test = Node::If(Box::new(test), yes, no);
            Ok(Node::Block(labels.again, Box::new(Node::Seq(vec![body, test]))))
        })?;
        self.costs(cost);
        Ok(Node::Block(labels.leave, Box::new(Node::Loop(Box::new(round), cost))))
    }

    fn for_loop(&mut self, variable: &str, counter: Option<&str>, x: &FlowControl) -> Built<Node> {
        if self.scope_len() + 2 >= MOST_VARIABLES {
            return obstacle(x.expr.position(), "there are too many variables");
        }
        match &x.expr {
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") && call.args.len() == 2 => {
                self.costs(5);
                let first = self.expr(&call.args[0])?;
                let last = self.expr(&call.args[1])?;
                let inclusive = call.name == "..=";
                if counter.is_none()
                    && let Some(rounds) = self.written_out(variable, &first, &last, inclusive, x)?
                {
                    return Ok(rounds);
                }
                self.range_loop(variable, counter, (first, last, inclusive), x)
            }
            Expr::FnCall(call, _) if self.is_steps(call) => self.steps_loop(variable, counter, x),
            other => {
                let Some(of) = Self::is_moves(other) else { return self.each_loop(variable, counter, x) };
                self.costs(6);
                match self.expr(of)? {
                    node if node.constant() == Some(Value::VIEW) || self.is_generic() => {
                        self.moves_loop(variable, counter, x)
                    }
                    _ => Ok(Node::Fault),
                }
            }
        }
    }

    /// Unrolls a loop of a few rounds, known at load.
    fn written_out(
        &mut self,
        variable: &str,
        first: &Node,
        last: &Node,
        inclusive: bool,
        x: &FlowControl,
    ) -> Built<Option<Node>> {
        let (Some(first), Some(last)) = (first.constant(), last.constant()) else { return Ok(None) };
        if !first.is_int || !last.is_int || self.is_generic() || self.is_assigned(variable) {
            return Ok(None);
        }
        let Some(end) = last.bits.checked_add(i64::from(inclusive)) else { return Ok(None) };
        if end.saturating_sub(first.bits) > MOST_ROUNDS {
            return Ok(None);
        }
        let (cost, size, memos) = (self.cost, self.size, self.memos.len());
        let leave = self.new_label();
        let mut rounds = Vec::new();
        for i in first.bits..end {
            let again = self.new_label();
            self.loops.push(InLoop { leave, again });
            let scope = self.scope_len();
            self.bind(variable, Node::int(i));
            let body = self.boxed(&x.body);
            self.end_scope(scope);
            self.loops.pop();
            let body = body?;
            self.costs(2);
            if body.size() > MOST_WRITTEN_OUT {
                (self.cost, self.size) = (cost, size);
                self.memos.truncate(memos);
                return Ok(None);
            }
            rounds.push(Node::Block(again, body));
        }
        rounds.push(Node::UNIT);
        Ok(Some(Node::Block(leave, Box::new(Node::Seq(rounds)))))
    }

    fn range_loop(
        &mut self,
        name: &str,
        counter: Option<&str>,
        (first, last, inclusive): (Node, Node, bool),
        x: &FlowControl,
    ) -> Built<Node> {
        let scope = self.scope_len();
        let counter = counter.map(|name| self.bind_loop(name, None));
        let variable = self.bind_loop(name, None);
        let (body, labels, cost) = self.loop_body(scope, x)?;
        self.costs(cost);
        let range = Range { variable, counter, first, last, inclusive, body, cost };
        Ok(Node::Block(labels.leave, Box::new(Node::For(Box::new(range)))))
    }

    /// Builds the body of a loop whose variables are bound, and ends its scope.
    pub(super) fn loop_body(&mut self, scope: usize, x: &FlowControl) -> Built<(Node, InLoop, u32)> {
        let built = self
            .in_loop(|builder, labels| builder.boxed(&x.body).map(|body| Node::Block(labels.again, body)));
        self.end_scope(scope);
        built
    }

    fn moves_loop(&mut self, name: &str, counter: Option<&str>, x: &FlowControl) -> Built<Node> {
        let scope = self.scope_len();
        let counter = counter.map(|name| self.bind_loop(name, None));
        let size = self.size;
        let variable = self.bind_loop(name, None);
        let outermost = self.loops.is_empty();
        let built = self.in_loop(|builder, labels| {
            let plain = builder.boxed(&x.body).map(|body| Node::Block(labels.again, body))?;
            let Some(facts) = builder.facts else { return Ok(vec![(None, plain)]) };
            if !outermost || builder.is_assigned(name) || plain.size() > MOST_BY_CLASS {
                return Ok(vec![(None, plain)]);
            }
            builder.size = size;
            let (mut bodies, mut costliest) = (Vec::new(), builder.cost);
            for &class in facts.classes() {
                builder.cost = 0;
                builder.end_scope(scope + usize::from(counter.is_some()));
                builder.bind_loop(name, Some((variable, class)));
                let body = builder.boxed(&x.body)?;
                bodies.push((Some(class), Node::Block(labels.again, body)));
                costliest = costliest.max(builder.cost);
            }
            builder.cost = costliest;
            Ok(bodies)
        });
        self.end_scope(scope);
        let (bodies, labels, cost) = built?;
        // The list is charged by its length.
        let cost = cost.saturating_add(1);
        self.costs(cost);
        let moves = Moves { variable, counter, bodies, cost };
        Ok(Node::Block(labels.leave, Box::new(Node::Moves(Box::new(moves)))))
    }

    /// Lowers a property of the view, unless the rules determine it.
    pub(super) fn view_property(&self, property: ViewProperty) -> Node {
        match self.facts.and_then(|facts| facts.view_property(property)) {
            Some(value) => Node::Const(value),
            None => Node::ViewProperty(property),
        }
    }
}
