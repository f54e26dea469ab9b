//! Lowers lists and `memory`: literals, elements, and changes.

use rhai::{ASTFlags, BinaryExpr, Expr, OpAssignment, Position};

use super::super::super::names::is_memory;
use super::super::hir::{Change, Kind, Node};
use super::builder::{Builder, Built, changed, unsupported};

/// Maximum length of a list literal: each element takes two registers.
const MOST_WRITTEN: usize = 32;

impl Builder<'_> {
    /// Lowers a list literal.
    pub(super) fn list(&mut self, all: &[Expr], at: Position) -> Built<Node> {
        if all.len() > MOST_WRITTEN {
            return unsupported(at, format!("a list written with more than {MOST_WRITTEN} elements"));
        }
        self.costs(1);
        let mut nodes = Vec::with_capacity(all.len());
        for expr in all {
            if matches!(expr, Expr::Array(..)) {
                return unsupported(expr.start_position(), "a list in a list");
            }
            nodes.push(self.expr(expr)?);
        }
        Ok(Node::new(Kind::List, nodes))
    }

    /// Returns whether an expression is the word `memory`, and not a variable of the script.
    fn is_memory(&self, expr: &Expr) -> bool {
        let Expr::Variable(x, ..) = expr else { return false };
        is_memory(&x.1) && !self.is_known(&x.1)
    }

    /// Lowers an element of a list or of `memory`.
    pub(super) fn element(&mut self, x: &BinaryExpr, options: ASTFlags) -> Built<Node> {
        let is_memory = self.is_memory(&x.lhs);
        // Otherwise the chain continues after the element.
        if !options.contains(ASTFlags::BREAK) {
            let what =
                if is_memory { "a method of an element" } else { "more is asked of an element of a list" };
            return unsupported(x.rhs.position(), what);
        }
        if is_memory {
            let place = self.expr(&x.rhs)?;
            self.costs(5);
            return Ok(Node::new(Kind::Memory, [place]));
        }
        let (list, mut place) = (self.expr(&x.lhs)?, self.expr(&x.rhs)?);
        self.costs(5);
        let mut before = Vec::new();
        // The index is evaluated before the list is read.
        if place.assigns() || !matches!(x.lhs, Expr::Variable(..)) {
            place = self.save(place, &mut before);
        }
        Ok(Node::new(Kind::Element, [list, place]).preceded(before))
    }

    /// Lowers an assignment to an element of a list or of `memory`. The value is evaluated before the index, as in the
    /// interpreter.
    pub(super) fn put(
        &mut self,
        op: &OpAssignment,
        (x, options): (&BinaryExpr, ASTFlags),
        value: &Expr,
    ) -> Built<Node> {
        let is_memory = self.is_memory(&x.lhs);
        let whole = options.contains(ASTFlags::BREAK);
        if !(is_memory || whole && matches!(x.lhs, Expr::Variable(..))) {
            return unsupported(x.lhs.position(), "a part of a value is assigned");
        }
        let value = self.expr(value)?;
        if !whole {
            return unsupported(x.rhs.position(), "a method of an element");
        }
        let place = self.expr(&x.rhs)?;
        self.costs(10);
        let slot = match &x.lhs {
            Expr::Variable(name, ..) if !is_memory => self.variable(&name.1),
            _ => None,
        };
        if slot.is_none() && !is_memory {
            return unsupported(x.lhs.position(), "an element of what is no variable is assigned");
        }
        let mut all = Vec::new();
        let mut value = self.save(value, &mut all);
        let place = self.save(place, &mut all);
        if let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() {
            let old = match slot {
                Some(slot) => Node::new(Kind::Element, [Node::read(slot), place.clone()]),
                None => Node::new(Kind::Memory, [place.clone()]),
            };
            value = self.binary(symbol, old, value, op.position())?;
        }
        Ok(Node::new(slot.map_or(Kind::SetMemory, |slot| Kind::Change(slot, Change::Put)), [place, value])
            .preceded(all))
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
            return unsupported(*at, format!("`{}` of what is no variable", call.name));
        };
        let mut before = Vec::new();
        let value = value.map(|value| if value.assigns() { self.save(value, &mut before) } else { value });
        let change = match call.name.as_str() {
            "push" => Change::Push,
            "pop" => Change::Pop,
            _ => Change::Clear,
        };
        Ok(Some(
            Node::new(Kind::Change(slot, change), value.into_iter().collect::<Vec<_>>()).preceded(before),
        ))
    }
}
