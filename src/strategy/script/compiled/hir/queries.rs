//! Queries about trees: whether they are pure, draw random numbers, depend on the stock.

use std::collections::BTreeSet;

use super::super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, ViewProperty};
use super::super::facts::Class;
use super::node::Node;
use super::tree::{Hir, Role, Tree};

/// Returns the variables that are assigned after their declaration, or belong to loops.
pub fn assigned<'n>(nodes: impl Iterator<Item = &'n Node>, slots: usize) -> Vec<bool> {
    let mut assigned = vec![false; slots];
    for node in nodes {
        node.walk(&mut |node| {
            if let Node::Set(slot, _) | Node::Change(slot, _) = node {
                assigned[*slot] = true;
            }
        });
    }
    assigned
}

/// Facts about a memo, including the memos it uses.
#[derive(Clone, Copy, Debug)]
pub struct MemoFacts {
    /// Whether it depends only on reserves and piles, and so changes only with plays.
    pub of_arrangement: bool,
    /// Whether it contains a loop.
    pub loops: bool,
}

impl MemoFacts {
    /// Returns the facts about all memos. A memo uses only earlier ones, so each is analysed once.
    pub fn of_all(memos: &[Node]) -> Vec<MemoFacts> {
        let mut known: Vec<MemoFacts> = Vec::with_capacity(memos.len());
        for memo in memos {
            let of_arrangement = is_of_arrangement(memo, &known);
            known.push(MemoFacts { of_arrangement, loops: has_loops(memo, &known) });
        }
        known
    }
}

/// Returns whether a tree depends only on reserves and piles, and so changes only with plays.
fn is_of_arrangement(node: &Node, memos: &[MemoFacts]) -> bool {
    let mut only = true;
    node.walk(&mut |node| {
        only &= match node {
            Node::ViewProperty(property) => is_property_of_arrangement(*property),
            Node::Intrinsic(ask, _) => matches!(
                ask,
                Intrinsic::Reserve
                    | Intrinsic::ReservePile
                    | Intrinsic::ReserveLen
                    | Intrinsic::PileLen
                    | Intrinsic::PileTop
                    | Intrinsic::Pile
            ),
            Node::MoveProperty(..) | Node::SeatProperty(..) | Node::Moves(_) | Node::MoveCount => false,
            Node::Playout(..) => false,
            Node::CardProperty(of, _) => *of != CardProperty::Up,
            Node::Call(..) | Node::Interpret(..) | Node::Memory(_) | Node::SetMemory(..) => false,
            Node::Memo(id) => memos[*id].of_arrangement,
            _ => true,
        };
    });
    only
}

/// Returns whether only plays change a property of the view.
pub fn is_property_of_arrangement(property: ViewProperty) -> bool {
    matches!(
        property,
        ViewProperty::Reserves
            | ViewProperty::ReserveLeft
            | ViewProperty::ReserveTop
            | ViewProperty::Piles
            | ViewProperty::Spaces
    )
}

/// Returns whether there is a loop in a tree, or in a memo it uses.
fn has_loops(node: &Node, memos: &[MemoFacts]) -> bool {
    let mut found = false;
    node.walk(&mut |node| {
        found |= match node {
            Node::Memo(id) => memos[*id].loops,
            _ => node.is_of_length(),
        };
    });
    found
}

/// Returns whether a tree may draw numbers from the game's stream, store any in `memory`, or print.
pub fn draws_numbers(node: &Node) -> bool {
    let mut found = false;
    node.walk(&mut |node| {
        found |= matches!(node, Node::Intrinsic(Intrinsic::Random, _) | Node::SetMemory(..));
        found |= matches!(node, Node::Interpret(..) | Node::Call(..));
    });
    found
}

/// Returns the classes of moves for which the function that decides looks at what a draw changes, one bit each.
pub fn stock_dependent(hir: &Hir) -> u16 {
    let (mut found, mut seen) = (0, SeenMemos::new());
    for Tree { node, role, .. } in &hir.trees {
        if let Role::Entry(class) = role {
            look_for_stock(node, *class, &hir.memos, &mut seen, &mut found);
        }
    }
    found
}

/// Memos by number, with the class of moves for which they were analysed.
type SeenMemos = BTreeSet<(usize, Option<u16>)>;

/// Records the classes of moves for which a tree looks at what a draw changes; `class` is that of the tree, if it is
/// for one. `seen` holds the memos already analysed for a class.
fn look_for_stock(node: &Node, class: Option<Class>, memos: &[Node], seen: &mut SeenMemos, found: &mut u16) {
    let looks = match node {
        Node::ViewProperty(property) => {
            matches!(property, ViewProperty::StockLeft | ViewProperty::WasteLeft | ViewProperty::WasteTop)
        }
        Node::Intrinsic(ask, _) => !matches!(
            ask,
            Intrinsic::Foundation
                | Intrinsic::Wants
                | Intrinsic::Steps
                | Intrinsic::Reserve
                | Intrinsic::ReservePile
                | Intrinsic::ReserveLen
                | Intrinsic::PileLen
                | Intrinsic::PileTop
                | Intrinsic::Pile
        ),
        Node::MoveProperty(MoveProperty::Card, _) => !matches!(
            class,
            Some(Class::ReserveUp | Class::ReserveToPile | Class::PileUp | Class::PileToPile)
        ),
        Node::SeatProperty(..) | Node::Call(..) | Node::Interpret(..) | Node::Playout(..) => true,
        // A script that may count its decisions is asked for each.
        Node::Memory(_) | Node::SetMemory(..) => true,
        _ => false,
    };
    if looks {
        *found |= class.map_or(u16::MAX, |class| 1 << class as u16);
    }
    match node {
        Node::Memo(id) => {
            if seen.insert((*id, class.map(|class| class as u16))) {
                look_for_stock(&memos[*id], class, memos, seen, found);
            }
        }
        Node::Moves(moves) => {
            for (of, body) in &moves.bodies {
                look_for_stock(body, of.or(class), memos, seen, found);
            }
        }
        _ => node.children(&mut |child| look_for_stock(child, class, memos, seen, found)),
    }
}

/// Returns whether evaluating it again in the same decision gives the same value.
pub fn is_pure(node: &Node) -> bool {
    let mut pure = true;
    node.walk(&mut |node| {
        pure &= match node {
            Node::Intrinsic(ask, _) => ask.is_pure(),
            Node::Call(..) | Node::Interpret(..) | Node::Memory(_) | Node::SetMemory(..) => false,
            // Each playout is charged.
            Node::Playout(..) => false,
            _ => true,
        }
    });
    pure
}
