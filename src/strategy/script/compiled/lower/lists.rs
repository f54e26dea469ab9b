//! Lowers lists: literals, queries, and changes.

use rhai::{ASTFlags, BinaryExpr, Expr, FlowControl, OpAssignment, Position};

use super::super::super::names::{self, Meaning};
use super::super::hir::{Change, Each, Node};
use super::assigned::changed;
use super::builder::{Builder, Built, Obstacle};

/// Maximum length of a list literal: each element takes two registers.
const MOST_WRITTEN: usize = 32;
fn obstacle<T>(at: Position, what: impl Into<String>) -> Built<T> {
    Err(Obstacle { at, what: what.into() })
}

impl Builder<'_> {
    /// Lowers a list literal.
    pub(super) fn list(&mut self, all: &[Expr], at: Position) -> Built<Node> {
        if all.len() > MOST_WRITTEN {
            return obstacle(at, format!("a list written with more than {MOST_WRITTEN} elements"));
        }
        self.costs(1);
        let mut nodes = Vec::with_capacity(all.len());
        for expr in all {
            if matches!(expr, Expr::Array(..)) {
                return obstacle(expr.start_position(), "a list in a list");
            }
            nodes.push(self.expr(expr)?);
        }
        Ok(Node::List(nodes))
    }

    /// Lowers an element of a list.
    pub(super) fn element(&mut self, x: &BinaryExpr, options: ASTFlags) -> Built<Node> {
        // Otherwise the chain continues after the element.
        if !options.contains(ASTFlags::BREAK) {
            return obstacle(x.rhs.position(), "more is asked of an element of a list");
        }
        let list = self.expr(&x.lhs)?;
        let place = self.expr(&x.rhs)?;
        self.costs(5);
        // The index is evaluated before the list is read.
        if place.assigns() || !matches!(x.lhs, Expr::Variable(..)) {
            let at = self.new_slot();
            let element = Node::Element(Box::new(list), Box::new(Node::Read(at)));
            return Ok(Node::Seq(vec![Node::Let(at, Box::new(place)), element]));
        }
        Ok(Node::Element(Box::new(list), Box::new(place)))
    }

    /// Lowers an assignment to an element. The value is evaluated before the index, as in the interpreter.
    pub(super) fn put(
        &mut self,
        op: &OpAssignment,
        (x, options): (&BinaryExpr, ASTFlags),
        value: &Expr,
    ) -> Built<Node> {
        let (Expr::Variable(name, _, at), true) = (&x.lhs, options.contains(ASTFlags::BREAK)) else {
            return obstacle(x.lhs.position(), "a part of a value is assigned");
        };
        let value = self.expr(value)?;
        let place = self.expr(&x.rhs)?;
        self.costs(10);
        let Some(slot) = self.variable(&name.1) else {
            return obstacle(*at, "an element of what is no variable is assigned");
        };
        let (given, place_at) = (self.new_slot(), self.new_slot());
        let mut all = vec![Node::Let(given, Box::new(value)), Node::Let(place_at, Box::new(place))];
        let mut value = Node::Read(given);
        if let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() {
            let old = Node::Element(Box::new(Node::Read(slot)), Box::new(Node::Read(place_at)));
            value = self.binary(symbol, old, value, op.position())?;
        }
        all.push(Node::Change(slot, Box::new(Change::Put(Node::Read(place_at), value))));
        Ok(Node::Seq(all))
    }

    /// Lowers a method that changes the list of a variable; `None` for any other.
    pub(super) fn list_change(&mut self, root: &Expr, rest: &Expr) -> Built<Option<Node>> {
        let (Expr::Variable(x, _, at), Expr::MethodCall(call, _)) = (root, rest) else { return Ok(None) };
        if changed(root, rest).is_none() || self.sources.module.has_method(&call.name, call.args.len()) {
            return Ok(None);
        }
        self.costs(8);
        let value = call.args.first().map(|value| self.expr(value)).transpose()?;
        let Some(slot) = self.variable(&x.1) else {
            return obstacle(*at, format!("`{}` of what is no variable", call.name));
        };
        let (before, change) = match (call.name.as_str(), value) {
            ("push", Some(value)) if value.assigns() => {
                let kept = self.new_slot();
                (Some(Node::Let(kept, Box::new(value))), Change::Push(Node::Read(kept)))
            }
            ("push", Some(value)) => (None, Change::Push(value)),
            ("pop", _) => (None, Change::Pop),
            _ => (None, Change::Clear),
        };
        let change = Node::Change(slot, Box::new(change));
        Ok(Some(match before {
            Some(before) => Node::Seq(vec![before, change]),
            None => change,
        }))
    }

    /// Lowers a loop over the elements of a list.
    pub(super) fn each_loop(
        &mut self,
        variable: &str,
        counter: Option<&str>,
        x: &FlowControl,
    ) -> Built<Node> {
        let list = self.expr(&x.expr)?;
        self.costs(6);
        let scope = self.scope_len();
        let counter = counter.map(|name| self.bind_loop(name, None));
        let variable = self.bind_loop(variable, None);
        let (body, labels, cost) = self.loop_body(scope, x)?;
        self.costs(cost);
        let each = Each { variable, counter, list, body, cost };
        Ok(Node::Block(labels.leave, Box::new(Node::Each(Box::new(each)))))
    }

    /// Returns the view if an expression is `view.moves`.
    pub(super) fn is_moves(expr: &Expr) -> Option<&Expr> {
        let Expr::Dot(dot, options, _) = expr else { return None };
        let moves = matches!(&dot.rhs, Expr::Property(p, _) if p.2 == names::name_of(Meaning::Moves));
        (options.is_empty() && moves && matches!(dot.lhs, Expr::Variable(..))).then_some(&dot.lhs)
    }
}
