//! Views after a move, as far as what is asked of them follows from the move alone.
//!
//! `view.after(m).cards` needs no position: a move brings one card up, takes one back, or does neither. Whatever else is asked
//! of such a view makes a position, which is the interpreter's.

use rhai::Position;

use super::super::super::intrinsics::{Intrinsic, MoveProperty, ViewProperty};
use super::super::super::names::{Meaning, NAMES, Thought};
use super::super::super::think::POSITION;
use super::super::super::value::Value;
use super::super::hir::Node;
use super::super::operators::Arith;
use super::builder::{Builder, Built, Obstacle};

impl Builder<'_> {
    /// What is asked of a view after a move, or such a view itself; `None` for anything else.
    pub(super) fn ahead(
        &mut self,
        of: &Node,
        name: &str,
        arguments: Option<&[Node]>,
        at: Position,
    ) -> Built<Option<Node>> {
        if let Node::After(m) = of {
            return match (name, arguments) {
                ("cards", None) => Ok(Some(self.cards_after(m))),
                ("pay", Some([n])) => Ok(Some(Node::Intrinsic(Intrinsic::Pay, vec![n.clone()]))),
                _ => self.asked_ahead(name, at),
            };
        }
        let after = NAMES.iter().find(|name| matches!(name.meaning, Meaning::Think(Thought::After, _)));
        let (Some(after), Some([m])) = (after, arguments) else { return Ok(None) };
        if after.name != name {
            return Ok(None);
        }
        self.costs(POSITION as u32 + 4);
        let of_view = of.constant() == Some(Value::VIEW) || self.is_generic();
        Ok(Some(if of_view { Node::After(Box::new(m.clone())) } else { Node::Fault }))
    }

    /// That a view after a move is asked for what only a position tells.
    pub(super) fn asked_ahead<T>(&self, name: &str, at: Position) -> Built<T> {
        let what = format!("`{name}` of a view after a move, of which only `cards` and `pay` are compiled");
        Err(Obstacle { at, what })
    }

    /// Binds a variable to the view after a move, and says what is to be done for it.
    pub(super) fn bind_ahead(&mut self, name: &str, m: Node, at: Position) -> Built<Node> {
        if self.is_assigned(name) {
            return Err(Obstacle { at, what: "a variable that holds one view after the other".into() });
        }
        let mut all = Vec::new();
        let lasts = matches!(&m, Node::Read(slot) if self.is_lasting(*slot));
        let m = if lasts {
            m
        } else {
            let slot = self.new_slot();
            all.push(Node::Let(slot, Box::new(m)));
            Node::Read(slot)
        };
        // It is a fault to ask for it where a die is rolled, whatever it is asked for.
        all.push(self.unless_rolled(&m, Node::UNIT));
        self.bind_fixed(name, Node::After(Box::new(m)));
        all.push(Node::UNIT);
        Ok(Node::Seq(all))
    }

    /// How many cards are up after a move.
    fn cards_after(&mut self, m: &Node) -> Node {
        let cards = self.view_property(ViewProperty::Cards);
        let change = match (
            self.of_move(MoveProperty::ToFoundation, m.clone()),
            self.of_move(MoveProperty::FromFoundation, m.clone()),
        ) {
            (Node::Const(up), _) if up == Value::bool(true) => Node::int(1),
            (Node::Const(_), Node::Const(back)) => Node::int(-i64::from(back == Value::bool(true))),
            (up, back) => {
                let back = Node::If(Box::new(back), Box::new(Node::int(-1)), Box::new(Node::int(0)));
                Node::If(Box::new(up), Box::new(Node::int(1)), Box::new(back))
            }
        };
        let cards = match change.constant() {
            Some(none) if none == Value::int(0) => cards,
            _ => Node::Arith(Arith::Add, Box::new(cards), Box::new(change)),
        };
        self.unless_rolled(m, cards)
    }

    /// A value, or a fault where a die is rolled with a move.
    fn unless_rolled(&mut self, m: &Node, value: Node) -> Node {
        match self.of_move(MoveProperty::Rolls, m.clone()) {
            Node::Const(rolls) if rolls == Value::bool(false) => value,
            Node::Const(_) => Node::Fault,
            rolls => Node::If(Box::new(rolls), Box::new(Node::Fault), Box::new(value)),
        }
    }
}
