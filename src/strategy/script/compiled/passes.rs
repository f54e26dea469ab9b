//! What is done to trees before they are emitted, and what is asked of them.

use std::collections::BTreeSet;

use super::ask::{Ask, Look, OfCard, OfMove};
use super::facts::Class;
use super::program::Tree;
use super::tree::{Arith, Node};
use super::types::Inference;
use super::value::{Types, Value};

/// A memo that is as quickly computed as remembered is put where it is asked for.
pub fn inline_small_memos(trees: &mut [Tree], memos: &mut [Node]) {
    fn inline(node: &mut Node, memos: &[Node]) {
        if let Node::Memo(id) = node
            && memos[*id].size() <= 2
        {
            *node = memos[*id].clone();
        }
        node.children_mut(&mut |child| inline(child, memos));
    }
    let small = memos.to_vec();
    trees.iter_mut().for_each(|tree| inline(&mut tree.node, &small));
    memos.iter_mut().for_each(|memo| inline(memo, &small));
}

/// Finds the ways to ask for the lowest card of a pile, which scripts have no name for: the card as many places
/// below the top as there are cards, less one.
pub fn find_lowest(node: &mut Node) {
    node.children_mut(&mut find_lowest);
    let Node::Ask(Ask::Pile, all) = node else { return };
    let [pile, below] = &all[..] else { return };
    let int = |node: &Node, n| node.constant() == Some(Value::int(n));
    let last = match below {
        Node::Arith(Arith::Max, a, b) if int(b, 0) => a,
        Node::Arith(Arith::Max, a, b) if int(a, 0) => b,
        _ => return,
    };
    if let Node::Arith(Arith::Sub, len, one) = &**last
        && let (Node::Ask(Ask::PileLen, of), true) = (&**len, int(one, 1))
        && same_leaf(&of[..], pile)
    {
        *node = Node::Ask(Ask::PileLowest, of.clone());
    }
}

fn same_leaf(of: &[Node], pile: &Node) -> bool {
    match (of, pile) {
        ([Node::Read(a)], Node::Read(b)) => a == b,
        ([Node::Const(a)], Node::Const(b)) => a == b,
        _ => false,
    }
}

/// Takes out variables that are never read, where their values have no faults.
pub fn drop_unused(trees: &mut [Tree], memos: &mut [Node], types: &Inference) {
    let mut read = vec![false; types.slots.len()];
    for node in trees.iter().map(|tree| &tree.node).chain(memos.iter()) {
        node.walk(&mut |node| {
            if let Node::Read(slot) | Node::Set(slot, _) = node {
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
    for node in trees.iter_mut().map(|tree| &mut tree.node).chain(memos.iter_mut()) {
        drop(node, &read, types);
    }
}

fn is_faultless(value: &Node, types: &Inference) -> bool {
    match value {
        Node::Const(_) | Node::Read(_) | Node::Look(_) => true,
        Node::OfMove(_, of) => matches!(**of, Node::Read(slot) if types.slots[slot] == Types::MOVE),
        _ => false,
    }
}

/// The variables that are assigned after their declaration, or are those of loops.
pub fn assigned<'n>(nodes: impl Iterator<Item = &'n Node>, slots: usize) -> Vec<bool> {
    let mut assigned = vec![false; slots];
    for node in nodes {
        node.walk(&mut |node| {
            if let Node::Set(slot, _) = node {
                assigned[*slot] = true;
            }
        });
    }
    assigned
}

/// Computes once, before a loop, what its rounds compute from properties of the view and small constants: such
/// sums have no faults, so that it does no harm if no round ever comes to them.
pub fn hoist(node: &mut Node, types: &mut Inference) {
    if let Node::Loop(body, _) = node {
        let mut before = Vec::new();
        take_out(body, types, &mut before);
        if !before.is_empty() {
            before.push(std::mem::replace(node, Node::UNIT));
            *node = Node::Seq(before);
        }
    }
    node.children_mut(&mut |child| hoist(child, types));
}

fn take_out(node: &mut Node, types: &mut Inference, before: &mut Vec<Node>) {
    const SMALL: i64 = 1 << 32;
    let small = |node: &Node| match node {
        Node::Const(value) => value.is_int && (-SMALL..SMALL).contains(&value.bits),
        Node::Look(Look::Stake | Look::PaysPerCard) => false,
        Node::Look(look) => look.types() == Types::INT,
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

/// What is known of a memo and of those it asks for.
#[derive(Clone, Copy, Debug)]
pub struct MemoFacts {
    /// It asks for nothing but reserves and piles, as only plays change them.
    pub of_arrangement: bool,
    /// There is a loop in it.
    pub loops: bool,
}

impl MemoFacts {
    /// The facts of all memos. A memo asks only for those before it, so each is looked through once.
    pub fn of_all(memos: &[Node]) -> Vec<MemoFacts> {
        let mut known: Vec<MemoFacts> = Vec::with_capacity(memos.len());
        for memo in memos {
            let of_arrangement = is_of_arrangement(memo, &known);
            known.push(MemoFacts { of_arrangement, loops: has_loops(memo, &known) });
        }
        known
    }
}

/// Whether a tree asks for nothing but reserves and piles, as only plays change them.
fn is_of_arrangement(node: &Node, memos: &[MemoFacts]) -> bool {
    let mut only = true;
    node.walk(&mut |node| {
        only &= match node {
            Node::Look(look) => is_look_of_arrangement(*look),
            Node::Ask(ask, _) => matches!(
                ask,
                Ask::Reserve
                    | Ask::ReservePile
                    | Ask::ReserveLen
                    | Ask::PileLen
                    | Ask::PileTop
                    | Ask::Pile
                    | Ask::PileLowest
            ),
            Node::OfMove(..) | Node::OfSeat(..) | Node::Moves(_) => false,
            Node::OfCard(of, _) => *of != OfCard::Up,
            Node::Call(..) | Node::Interpret(..) => false,
            Node::Memo(id) => memos[*id].of_arrangement,
            _ => true,
        };
    });
    only
}

/// Whether only plays change a property of the view.
pub fn is_look_of_arrangement(look: Look) -> bool {
    matches!(look, Look::Reserves | Look::ReserveLeft | Look::ReserveTop | Look::Piles | Look::Spaces)
}

/// Whether there is a loop in a tree, or in a memo it asks for.
fn has_loops(node: &Node, memos: &[MemoFacts]) -> bool {
    let mut found = false;
    node.walk(&mut |node| {
        found |= match node {
            Node::Loop(..) | Node::For(_) | Node::Moves(_) => true,
            Node::Memo(id) => memos[*id].loops,
            _ => false,
        };
    });
    found
}

/// Whether a tree may draw numbers from the game's stream, or print.
pub fn draws_numbers(node: &Node) -> bool {
    let mut found = false;
    node.walk(&mut |node| {
        found |= matches!(node, Node::Ask(Ask::Random, _) | Node::Interpret(..) | Node::Call(..));
    });
    found
}

/// Memos by number, and the class of moves that they were looked through for.
pub type SeenMemos = BTreeSet<(usize, Option<u16>)>;

/// Notes the classes of moves for which a tree looks at what a draw changes: `class` is the one that the tree is
/// for, if it is for one. `seen` are the memos that were looked through already for a class.
pub fn unsettled(node: &Node, class: Option<Class>, memos: &[Node], seen: &mut SeenMemos, found: &mut u16) {
    let looks = match node {
        Node::Look(look) => matches!(look, Look::StockLeft | Look::WasteLeft | Look::WasteTop),
        Node::Ask(ask, _) => !matches!(
            ask,
            Ask::Foundation
                | Ask::Wants
                | Ask::Steps
                | Ask::Reserve
                | Ask::ReservePile
                | Ask::ReserveLen
                | Ask::PileLen
                | Ask::PileTop
                | Ask::Pile
                | Ask::PileLowest
        ),
        Node::OfMove(OfMove::Card, _) => !matches!(
            class,
            Some(Class::ReserveUp | Class::ReserveToPile | Class::PileUp | Class::PileToPile)
        ),
        Node::OfSeat(..) | Node::Call(..) | Node::Interpret(..) => true,
        _ => false,
    };
    if looks {
        *found |= class.map_or(u16::MAX, |class| 1 << class as u16);
    }
    match node {
        Node::Memo(id) => {
            if seen.insert((*id, class.map(|class| class as u16))) {
                unsettled(&memos[*id], class, memos, seen, found);
            }
        }
        Node::Moves(moves) => {
            for (of, body) in &moves.bodies {
                unsettled(body, of.or(class), memos, seen, found);
            }
        }
        _ => node.children(&mut |child| unsettled(child, class, memos, seen, found)),
    }
}

/// Asked again in the same decision it gives the same.
pub fn is_pure(node: &Node) -> bool {
    let mut pure = true;
    node.walk(&mut |node| {
        pure &= match node {
            Node::Ask(ask, _) => ask.is_pure(),
            Node::Call(..) | Node::Interpret(..) => false,
            _ => true,
        }
    });
    pure
}
