//! Inlines memos that are not worth caching.

use super::super::hir::{Hir, Node};

/// Inlines memos that are computed as quickly as they are looked up.
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
