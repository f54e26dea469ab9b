//! Copies lists so that each belongs to one variable.
//!
//! A list in the machine may be changed, and what is assigned from a variable, passed on or returned must not change
//! with it. So a read of a list from a variable that stores it makes a copy; a read that only looks at it does not.

use super::super::super::value::Types;
use super::super::hir::{Each, Hir, Inference, Node, Slot};

/// The pass.
pub fn own_lists(hir: &mut Hir) {
    let mut lists = false;
    for node in hir.nodes() {
        node.walk(&mut |node| lists |= node.is_of_lists());
    }
    if !lists {
        return;
    }
    let Hir { trees, memos, types, .. } = hir;
    trees.iter_mut().map(|tree| &mut tree.node).chain(memos).for_each(|node| in_node(node, false, types));
}

/// `looks`: whether the value is only looked at.
fn in_node(node: &mut Node, looks: bool, types: &Inference) {
    match node {
        Node::Read(slot) if !looks && types.slots[*slot].has(Types::LIST) => own(node),
        Node::ConstList(_) if !looks => own(node),
        Node::Element(list, place) => {
            in_node(list, true, types);
            in_node(place, false, types);
        }
        Node::Len(list) => in_node(list, true, types),
        Node::Each(each) => {
            let Each { list, body, .. } = &mut **each;
            let changes = matches!(list, Node::Read(slot) if changes(body, *slot));
            in_node(list, !changes, types);
            in_node(body, true, types);
        }
        Node::Seq(all) => {
            let last = all.len().saturating_sub(1);
            all.iter_mut().enumerate().for_each(|(i, node)| in_node(node, looks || i < last, types));
        }
        Node::If(test, yes, no) => {
            in_node(test, false, types);
            [yes, no].into_iter().for_each(|node| in_node(node, looks, types));
        }
        Node::Interpret(_, all, _) => all.iter_mut().for_each(|node| in_node(node, true, types)),
        Node::Compare(_, a, b) => [a, b].into_iter().for_each(|node| in_node(node, true, types)),
        other => other.children_mut(&mut |child| in_node(child, false, types)),
    }
}

fn own(node: &mut Node) {
    *node = Node::Own(Box::new(std::mem::replace(node, Node::UNIT)));
}

/// Returns whether a body may change the list of a variable, or assign another one to it.
fn changes(body: &Node, slot: Slot) -> bool {
    let mut found = false;
    body.walk(&mut |node| {
        found |= matches!(node, Node::Set(of, _) | Node::Change(of, _) if *of == slot);
    });
    found
}
