//! Lowers `memory[i]`, numbers kept from decision to decision.

use rhai::{ASTFlags, BinaryExpr, Expr, OpAssignment};

use super::super::super::names::{self, Meaning};
use super::super::hir::Node;
use super::builder::{Builder, Built, Obstacle};

impl Builder<'_> {
    /// Returns whether an expression is the word `memory`, and not a variable of the script.
    pub(super) fn is_memory(&self, expr: &Expr) -> bool {
        let Expr::Variable(x, ..) = expr else { return false };
        x.1.as_str() == names::name_of(Meaning::Memory) && !self.is_known(&x.1)
    }

    /// Lowers an element of `memory`.
    pub(super) fn memory(&mut self, x: &BinaryExpr, options: ASTFlags) -> Built<Node> {
        let place = self.place(x, options)?;
        self.costs(5);
        Ok(Node::Memory(Box::new(place)))
    }

    /// Lowers an assignment to an element. The value is evaluated before the index, as in the interpreter.
    pub(super) fn remember(
        &mut self,
        op: &OpAssignment,
        (x, options): (&BinaryExpr, ASTFlags),
        value: &Expr,
    ) -> Built<Node> {
        let value = self.expr(value)?;
        let place = self.place(x, options)?;
        self.costs(10);
        let (given, at) = (self.new_slot(), self.new_slot());
        let mut all = vec![Node::Let(given, Box::new(value)), Node::Let(at, Box::new(place))];
        let mut value = Node::Read(given);
        if let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() {
            let old = Node::Memory(Box::new(Node::Read(at)));
            value = self.binary(symbol, old, value, op.position())?;
        }
        all.push(Node::SetMemory(Box::new(Node::Read(at)), Box::new(value)));
        Ok(Node::Seq(all))
    }

    fn place(&mut self, x: &BinaryExpr, options: ASTFlags) -> Built<Node> {
        // Otherwise the chain continues after the element.
        if options.contains(ASTFlags::BREAK) {
            return self.expr(&x.rhs);
        }
        Err(Obstacle { at: x.rhs.position(), what: "a method of an element".into() })
    }
}
