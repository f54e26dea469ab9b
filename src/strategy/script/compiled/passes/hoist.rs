//! Moves loop-invariant sums out of loops.

use super::super::super::intrinsics::ViewProperty;
use super::super::super::value::Types;
use super::super::hir::{Hir, Inference, Node};
use super::super::operators::Arith;

/// The pass.
pub fn hoist(hir: &mut Hir) {
    let Hir { trees, memos, types, .. } = hir;
    trees.iter_mut().map(|tree| &mut tree.node).chain(memos).for_each(|node| in_node(node, types));
}

/// Computes once, before a loop, what its rounds compute from properties of the view and small constants: such sums
/// have no faults, so it does no harm if no round ever reaches them.
fn in_node(node: &mut Node, types: &mut Inference) {
    if let Node::Loop(body, _) = node {
        let mut before = Vec::new();
        take_out(body, types, &mut before);
        if !before.is_empty() {
            before.push(std::mem::replace(node, Node::UNIT));
            *node = Node::Seq(before);
        }
    }
    node.children_mut(&mut |child| in_node(child, types));
}

fn take_out(node: &mut Node, types: &mut Inference, before: &mut Vec<Node>) {
    const SMALL: i64 = 1 << 32;
    let small = |node: &Node| match node {
        Node::Const(value) => value.is_int && (-SMALL..SMALL).contains(&value.bits),
        Node::ViewProperty(ViewProperty::Stake | ViewProperty::PaysPerCard | ViewProperty::RedealFee) => {
            false
        }
        Node::ViewProperty(property) => property.types() == Types::INT,
        _ => false,
    };
    if let Node::Arith(Arith::Add | Arith::Sub | Arith::Min | Arith::Max, a, b) = node
        && small(a)
        && small(b)
    {
        let slot = types.slots.len();
        types.slots.push(Types::INT);
        before.push(Node::Let(slot, Box::new(std::mem::replace(node, Node::Read(slot)))));
        return;
    }
    node.children_mut(&mut |child| take_out(child, types, before));
}
