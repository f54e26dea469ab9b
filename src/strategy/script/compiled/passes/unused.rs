//! Removes variables that nothing reads.

use super::super::super::value::Types;
use super::super::hir::{Hir, Inference, Node};

/// Removes variables that are never read, if their values have no faults.
pub fn drop_unused(hir: &mut Hir) {
    let mut read = vec![false; hir.types.slots.len()];
    for node in hir.nodes() {
        node.walk(&mut |node| {
            if let Node::Read(slot) | Node::Set(slot, _) | Node::Change(slot, _) = node {
                read[*slot] = true;
            }
        });
    }
    fn drop(node: &mut Node, read: &[bool], types: &Inference) {
        if let Node::Let(slot, value) = node
            && !read[*slot]
            && is_faultless(value, types)
        {
            *node = Node::UNIT;
        }
        node.children_mut(&mut |child| drop(child, read, types));
    }
    let types = hir.types.clone();
    hir.nodes_mut().for_each(|node| drop(node, &read, &types));
}

fn is_faultless(value: &Node, types: &Inference) -> bool {
    match value {
        Node::Const(_) | Node::Read(_) | Node::ViewProperty(_) => true,
        Node::MoveProperty(_, of) => matches!(**of, Node::Read(slot) if types.slots[slot] == Types::MOVE),
        _ => false,
    }
}
