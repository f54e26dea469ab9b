//! Lowers loops.

use rhai::{Expr, FlowControl, FnCallExpr};
use strum::IntoEnumIterator;

use super::super::super::value::Value;
use super::super::facts::Class;
use super::super::hir::{Kind, Loop, Node, Over};
use super::super::operators::{Arith, Compare};
use super::builder::{Builder, Built, InLoop, unsupported};
use super::statements::MOST_VARIABLES;

/// Maximum number of rounds, known at load, of a loop that is unrolled.
const MOST_ROUNDS: i64 = 5;
/// Maximum size of an unrolled round.
const MOST_WRITTEN_OUT: usize = 60;
/// Maximum size of the body of a loop over the moves that is duplicated for each class of moves.
const MOST_BY_CLASS: usize = 2_000;

/// The function that creates a range with steps.
const RANGE: &str = "range";

fn arith(op: Arith, a: &Node, b: &Node) -> Node {
    Node::new(Kind::Arith(op), [a.clone(), b.clone()])
}

/// The names of the variables of a loop: that of the value, and that of a counter.
type Names<'n> = (&'n str, Option<&'n str>);

/// Computes the value of a loop's variable from the number of the round.
type Step<'s> = &'s dyn Fn(Node) -> Node;

impl Builder<'_> {
    /// Builds something within a loop; returns the labels of `break` and `continue`, and the cost of a round.
    fn in_loop<T>(&mut self, build: impl FnOnce(&mut Self, InLoop) -> Built<T>) -> Built<(T, InLoop, u32)> {
        let labels = InLoop { leave: self.new_label(), again: self.new_label() };
        let cost = std::mem::take(&mut self.cost);
        self.loops.push(labels);
        let built = build(self, labels);
        self.loops.pop();
        let own = std::mem::replace(&mut self.cost, cost);
        Ok((built?, labels, own.saturating_add(1)))
    }

    /// Builds the body of a loop, as a block that `continue` leaves.
    fn loop_body(&mut self, x: &FlowControl, labels: InLoop) -> Built<Node> {
        self.block(x.body.statements()).map(|body| Node::block(labels.again, body))
    }

    /// Lowers `while`, or a loop without a test.
    pub(super) fn while_loop(&mut self, x: &FlowControl) -> Built<Node> {
        let endless = matches!(x.expr, Expr::Unit(..) | Expr::BoolConstant(true, ..));
        self.endless(|builder, labels| {
            let test = if endless { Node::bool(true) } else { builder.expr(&x.expr)? };
            let body = builder.loop_body(x, labels)?;
            let leave = Node::leave(labels.leave, Node::UNIT);
            let before = if test.is(Value::bool(true)) {
                Vec::new()
            } else {
                vec![Node::when(test, Node::UNIT, leave)]
            };
            Ok(body.preceded(before))
        })
    }

    /// Lowers `do`, with `while` or `until`. `continue` starts the next round without the test.
    pub(super) fn do_loop(&mut self, x: &FlowControl, until: bool) -> Built<Node> {
        self.endless(|builder, labels| {
            let body = builder.block(x.body.statements())?;
            let test = builder.expr(&x.expr)?;
            let leave = Node::leave(labels.leave, Node::UNIT);
            let (yes, no) = if until { (leave, Node::UNIT) } else { (Node::UNIT, leave) };
            Ok(Node::block(labels.again, Node::when(test, yes, no).preceded(vec![body])))
        })
    }

    fn endless(&mut self, round: impl FnOnce(&mut Self, InLoop) -> Built<Node>) -> Built<Node> {
        let (round, labels, cost) = self.in_loop(round)?;
        self.costs(cost);
        Ok(Node::block(labels.leave, Node::new(Kind::Endless(cost), [round])))
    }

    pub(super) fn for_loop(&mut self, names: Names, x: &FlowControl) -> Built<Node> {
        if self.scope.len() + 2 >= MOST_VARIABLES {
            return unsupported(x.expr.position(), "there are too many variables");
        }
        match &x.expr {
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") && call.args.len() == 2 => {
                self.costs(5);
                let bounds = [self.expr(&call.args[0])?, self.expr(&call.args[1])?];
                let inclusive = call.name == "..=";
                match self.written_out(names, &bounds, inclusive, x)? {
                    Some(rounds) => Ok(rounds),
                    None => self.repeat(names, Over::Range { inclusive }, bounds.into(), None, x),
                }
            }
            Expr::FnCall(call, _)
                if call.name == RANGE
                    && matches!(call.args.len(), 2 | 3)
                    && self.sources.module.function(RANGE, call.args.len()).is_none() =>
            {
                self.steps_loop(names, call, x)
            }
            other => {
                let view = viewed_moves(other).map(|view| self.expr(view)).transpose()?;
                match view {
                    Some(view) if !self.is_view(&view) => Ok(Node::FAULT),
                    Some(_) => self.moves_loop(names, x),
                    None => {
                        let list = self.expr(other)?;
                        self.costs(6);
                        self.repeat(names, Over::List, vec![list], None, x)
                    }
                }
            }
        }
    }

    /// Lowers a loop over `of`. With `step`, its variable is computed in each round.
    fn repeat(
        &mut self,
        (name, counter): Names,
        over: Over,
        mut of: Vec<Node>,
        step: Option<Step>,
        x: &FlowControl,
    ) -> Built<Node> {
        let scope = self.scope.len();
        let counter = counter.map(|name| self.bind_loop(name));
        let mut variable = self.bind_loop(name);
        let built = self.in_loop(|builder, labels| builder.loop_body(x, labels));
        self.scope.truncate(scope);
        let (mut body, labels, mut cost) = built?;
        if let Some(step) = step {
            let round = self.new_slot();
            body = body.preceded(vec![Node::declare(variable, step(Node::read(round)))]);
            variable = round;
            cost = cost.saturating_add(2);
        }
        self.costs(cost);
        of.push(body);
        let each = Kind::Loop(Loop { over, variable, counter, cost });
        Ok(Node::block(labels.leave, Node::new(each, of)))
    }

    /// Unrolls a loop of a few rounds, known at load.
    fn written_out(
        &mut self,
        (variable, counter): Names,
        [first, last]: &[Node; 2],
        inclusive: bool,
        x: &FlowControl,
    ) -> Built<Option<Node>> {
        let (Some(first), Some(last)) = (first.value(), last.value()) else { return Ok(None) };
        let fixed = counter.is_none() && !self.is_generic() && !self.is_assigned(variable);
        let end = last.bits.checked_add(i64::from(inclusive));
        let Some(end) = end.filter(|_| fixed && first.is_int && last.is_int) else { return Ok(None) };
        if end.saturating_sub(first.bits) > MOST_ROUNDS {
            return Ok(None);
        }
        let (cost, size, memos) = (self.cost, self.size, self.memos.len());
        let leave = self.new_label();
        let mut rounds = Vec::new();
        for i in first.bits..end {
            let labels = InLoop { leave, again: self.new_label() };
            self.loops.push(labels);
            let scope = self.scope.len();
            self.bind(variable, Node::int(i));
            let round = self.loop_body(x, labels);
            self.scope.truncate(scope);
            self.loops.pop();
            let round = round?;
            self.costs(2);
            if round.size() > MOST_WRITTEN_OUT + 1 {
                (self.cost, self.size) = (cost, size);
                self.memos.truncate(memos);
                return Ok(None);
            }
            rounds.push(round);
        }
        Ok(Some(Node::block(leave, Node::UNIT.preceded(rounds))))
    }

    fn moves_loop(&mut self, (name, counter): Names, x: &FlowControl) -> Built<Node> {
        self.costs(6);
        let scope = self.scope.len();
        let counter = counter.map(|name| self.bind_loop(name));
        let size = self.size;
        let variable = self.bind_loop(name);
        let outermost = self.loops.is_empty();
        let built = self.in_loop(|builder, labels| {
            let plain = builder.loop_body(x, labels)?;
            let by_class = outermost && !builder.is_generic() && !builder.is_assigned(name);
            if !by_class || plain.size() > MOST_BY_CLASS {
                return Ok((vec![None], vec![plain]));
            }
            builder.size = size;
            let (mut bodies, mut costliest) = (Vec::new(), builder.cost);
            for class in Class::iter() {
                builder.cost = 0;
                builder.classes.insert(variable, class);
                bodies.push(builder.loop_body(x, labels)?);
                costliest = costliest.max(builder.cost);
            }
            builder.cost = costliest;
            Ok((Class::iter().map(Some).collect(), bodies))
        });
        self.scope.truncate(scope);
        let ((classes, bodies), labels, cost) = built?;
        // The list is charged by its length.
        let cost = cost.saturating_add(1);
        self.costs(cost);
        let each = Kind::Loop(Loop { over: Over::Moves(classes), variable, counter, cost });
        Ok(Node::block(labels.leave, Node::new(each, bodies)))
    }

    /// Lowers a loop over a range with steps, or without: `range(first, end, step)`.
    fn steps_loop(&mut self, names: Names, call: &FnCallExpr, x: &FlowControl) -> Built<Node> {
        self.costs(12);
        let (mut given, mut all) = (Vec::new(), Vec::new());
        for argument in &call.args {
            match argument {
                // A range passed instead of its bounds.
                Expr::FnCall(bounds, _)
                    if bounds.name == ".." && call.args.len() == 2 && given.is_empty() =>
                {
                    for bound in &bounds.args {
                        given.push(self.expr(bound)?);
                    }
                }
                other => given.push(self.expr(other)?),
            }
        }
        let mut given = given.into_iter().map(|value| self.saved(value, &mut all)).collect::<Vec<_>>();
        if given.len() < 3 {
            given.push(Node::int(1));
        }
        let [first, last, step, ..] = &given[..] else { return Ok(Node::FAULT) };
        let rounds = self.saved(rounds(first, last, step), &mut all);
        let at = |round: Node| arith(Arith::Add, first, &arith(Arith::Mul, &round, step));
        // If the last step overflows there are fewer rounds: a fault, and the interpreter counts them.
        self.saved(at(rounds.clone()), &mut all);
        let over = Over::Range { inclusive: false };
        let each = self.repeat(names, over, vec![Node::int(0), rounds], Some(&at), x)?;
        Ok(each.preceded(all))
    }

    fn saved(&mut self, value: Node, before: &mut Vec<Node>) -> Node {
        if value.value().is_some() { value } else { self.save(value, before) }
    }
}

/// Returns the view if an expression is `view.moves`.
fn viewed_moves(expr: &Expr) -> Option<&Expr> {
    let Expr::Dot(dot, options, _) = expr else { return None };
    let moves = matches!(&dot.rhs, Expr::Property(p, _) if p.2 == "moves");
    (options.is_empty() && moves && matches!(dot.lhs, Expr::Variable(..))).then_some(&dot.lhs)
}

/// Computes the number of rounds.
fn rounds(first: &Node, last: &Node, step: &Node) -> Node {
    let (zero, one) = (&Node::int(0), &Node::int(1));
    // The number of steps to a distance, rounded up.
    let steps = |from: &Node, to: &Node, step: &Node| {
        let (far, more) = (arith(Arith::Sub, to, from), arith(Arith::Sub, step, one));
        arith(Arith::Div, &arith(Arith::Add, &far, &more), step)
    };
    let when = |op: Compare, a: &Node, b: &Node, yes: Node, no: Node| {
        Node::when(Node::new(Kind::Compare(op), [a.clone(), b.clone()]), yes, no)
    };
    let back = arith(Arith::Sub, zero, step);
    let up = when(Compare::Lt, first, last, steps(first, last, step), zero.clone());
    let down = when(Compare::Gt, first, last, steps(last, first, &back), zero.clone());
    let not_up = when(Compare::Lt, step, zero, down, Node::FAULT);
    when(Compare::Gt, step, zero, up, not_up)
}
