//! Lowers loops over ranges with steps: `range(first, end, step)`.

use rhai::{Expr, FlowControl, FnCallExpr};

use super::super::hir::{Node, Range};
use super::super::operators::{Arith, Compare};
use super::builder::{Builder, Built};

/// The function that creates a range.
const RANGE: &str = "range";

fn arith(op: Arith, a: Node, b: Node) -> Node {
    Node::Arith(op, Box::new(a), Box::new(b))
}

fn when(op: Compare, a: Node, b: Node, yes: Node, no: Node) -> Node {
    Node::If(Box::new(Node::Compare(op, Box::new(a), Box::new(b))), Box::new(yes), Box::new(no))
}

impl Builder<'_> {
    /// Returns whether a call creates a range.
    pub(super) fn is_steps(&self, call: &FnCallExpr) -> bool {
        let arguments = call.args.len();
        call.name == RANGE
            && matches!(arguments, 2 | 3)
            && self.sources.module.function(RANGE, arguments).is_none()
    }

    /// Lowers a loop over a range with steps, or without.
    pub(super) fn steps_loop(&mut self, name: &str, counter: Option<&str>, x: &FlowControl) -> Built<Node> {
        let Expr::FnCall(call, _) = &x.expr else { return Ok(Node::Fault) };
        self.costs(12);
        let mut given = Vec::new();
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
        let mut all = Vec::new();
        let mut kept = |builder: &mut Self, value: Node| {
            if value.constant().is_some() {
                return value;
            }
            let slot = builder.new_slot();
            all.push(Node::Let(slot, Box::new(value)));
            Node::Read(slot)
        };
        let mut given = given.into_iter().map(|value| kept(self, value)).collect::<Vec<_>>().into_iter();
        let (Some(first), Some(last)) = (given.next(), given.next()) else { return Ok(Node::Fault) };
        let step = given.next().unwrap_or(Node::int(1));
        let rounds = kept(self, rounds(&first, &last, &step));
        let at = |round: Node| {
            let offset = arith(Arith::Mul, round, step.clone());
            arith(Arith::Add, first.clone(), offset)
        };
        // If the last step overflows there are fewer rounds: a fault, and the interpreter counts them.
        kept(self, at(rounds.clone()));
        let scope = self.scope_len();
        let counter = counter.map(|name| self.bind_loop(name, None));
        let round = self.new_slot();
        let variable = self.bind_loop(name, None);
        let (body, labels, cost) = self.loop_body(scope, x)?;
        let cost = cost.saturating_add(2);
        self.costs(cost);
        let body = Node::Seq(vec![Node::Let(variable, Box::new(at(Node::Read(round)))), body]);
        let (first, inclusive) = (Node::int(0), false);
        let range = Range { variable: round, counter, first, last: rounds, inclusive, body, cost };
        all.push(Node::Block(labels.leave, Box::new(Node::For(Box::new(range)))));
        Ok(Node::Seq(all))
    }
}

/// Computes the number of rounds.
fn rounds(first: &Node, last: &Node, step: &Node) -> Node {
    let (zero, one) = (|| Node::int(0), || Node::int(1));
    // The number of steps to a distance, rounded up.
    let steps = |from: &Node, to: &Node, step: Node| {
        let far = arith(Arith::Sub, to.clone(), from.clone());
        let more = arith(Arith::Sub, step.clone(), one());
        arith(Arith::Div, arith(Arith::Add, far, more), step)
    };
    let back = arith(Arith::Sub, zero(), step.clone());
    let up = when(Compare::Lt, first.clone(), last.clone(), steps(first, last, step.clone()), zero());
    let down = when(Compare::Gt, first.clone(), last.clone(), steps(last, first, back), zero());
    let not_up = when(Compare::Lt, step.clone(), zero(), down, Node::Fault);
    when(Compare::Gt, step.clone(), zero(), up, not_up)
}
