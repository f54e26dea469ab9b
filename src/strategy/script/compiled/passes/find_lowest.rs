//! Replaces an indirect query for the lowest card of a pile by a direct one.

use super::super::super::intrinsics::Intrinsic;
use super::super::super::value::Value;
use super::super::hir::{Hir, Node};
use super::super::operators::Arith;

/// The pass.
pub fn find_lowest(hir: &mut Hir) {
    hir.nodes_mut().for_each(in_node);
}

/// Finds expressions for the lowest card of a pile, which scripts have no name for: the card at a distance below the
/// top of the number of cards, minus one.
fn in_node(node: &mut Node) {
    node.children_mut(&mut in_node);
    let Node::Intrinsic(Intrinsic::Pile, all) = node else { return };
    let [pile, below] = &all[..] else { return };
    let int = |node: &Node, n| node.constant() == Some(Value::int(n));
    let last = match below {
        Node::Arith(Arith::Max, a, b) if int(b, 0) => a,
        Node::Arith(Arith::Max, a, b) if int(a, 0) => b,
        _ => return,
    };
    if let Node::Arith(Arith::Sub, len, one) = &**last
        && let (Node::Intrinsic(Intrinsic::PileLen, of), true) = (&**len, int(one, 1))
        && same_leaf(&of[..], pile)
    {
        *node = Node::Intrinsic(Intrinsic::PileLowest, of.clone());
    }
}

fn same_leaf(of: &[Node], pile: &Node) -> bool {
    match (of, pile) {
        ([Node::Read(a)], Node::Read(b)) => a == b,
        ([Node::Const(a)], Node::Const(b)) => a == b,
        _ => false,
    }
}
