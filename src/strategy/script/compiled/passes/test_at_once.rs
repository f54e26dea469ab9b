//! Inlines named conditions.

use super::super::super::value::Types;
use super::super::hir::{Hir, Inference, Node};

/// Replaces a variable that is tested immediately and never again by its boolean value: the branches of that then lead
/// directly to the targets of the test.
pub fn test_at_once(hir: &mut Hir) {
    let (mut reads, mut changes) = (vec![0; hir.types.slots.len()], vec![false; hir.types.slots.len()]);
    for node in hir.nodes() {
        node.walk(&mut |node| match node {
            Node::Read(slot) => reads[*slot] += 1,
            Node::Set(slot, _) | Node::Change(slot, _) => changes[*slot] = true,
            _ => {}
        });
    }
    let types = hir.types.clone();
    let once = |slot: usize, types: &Inference| {
        reads[slot] == 1 && !changes[slot] && types.slots[slot] == Types::BOOL
    };
    hir.nodes_mut().for_each(|node| put(node, &|slot| once(slot, &types)));
}

fn put(node: &mut Node, once: &impl Fn(usize) -> bool) {
    if let Node::Seq(all) = node {
        for at in 1..all.len() {
            let (before, after) = all.split_at_mut(at);
            if let (Some(Node::Let(slot, value)), Some(Node::If(test, _, _))) =
                (before.last_mut(), after.first_mut())
                && once(*slot)
                && let Some(read) = tested(test, *slot)
            {
                *read = std::mem::replace(&mut **value, Node::UNIT);
                before[at - 1] = Node::UNIT;
            }
        }
    }
    node.children_mut(&mut |child| put(child, once));
}

/// Returns the variable, if nothing else is tested.
fn tested(test: &mut Node, slot: usize) -> Option<&mut Node> {
    match test {
        Node::Read(of) if *of == slot => Some(test),
        Node::Not(inner) => tested(inner, slot),
        _ => None,
    }
}
