//! Memos that are not worth remembering.

use super::super::hir::{Hir, Node};

/// A memo that is as quickly computed as remembered is put where it is asked for.
pub fn inline_small_memos(hir: &mut Hir) {
    fn inline(node: &mut Node, memos: &[Node]) {
        if let Node::Memo(id) = node
            && memos[*id].size() <= 2
        {
            *node = memos[*id].clone();
        }
        node.children_mut(&mut |child| inline(child, memos));
    }
    let memos = hir.memos.clone();
    hir.nodes_mut().for_each(|node| inline(node, &memos));
}
