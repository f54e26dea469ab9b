//! Queries about what trees depend on: reserves and piles alone, or stock and waste.

use std::collections::BTreeSet;

use super::super::super::intrinsics::{CardProperty, ChangedBy, Intrinsic, MoveProperty};
use super::super::facts::Class;
use super::{Hir, Kind, Loop, Node, Over, Role, Tree};

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
            let of_arrangement = !memo.any(&mut |kind| match kind {
                Kind::Memo(id) => !known[*id].of_arrangement,
                kind => depends_on_more(kind),
            });
            let loops = memo.any(&mut |kind| match kind {
                Kind::Memo(id) => known[*id].loops,
                kind => kind.is_of_length(),
            });
            known.push(MemoFacts { of_arrangement, loops });
        }
        known
    }
}

fn is_of_arrangement(ask: Intrinsic) -> bool {
    use Intrinsic::{Pile, PileLen, PileTop, Reserve, ReserveLen, ReservePile};
    matches!(ask, Reserve | ReservePile | ReserveLen | PileLen | PileTop | Pile)
}

/// Returns whether a kind depends on more than reserves and piles.
fn depends_on_more(kind: &Kind) -> bool {
    match kind {
        Kind::ViewProperty(property) => property.changed_by() != ChangedBy::Plays,
        Kind::Intrinsic(ask) => !is_of_arrangement(*ask),
        Kind::CardProperty(of) => *of == CardProperty::Up,
        Kind::MoveProperty(_) | Kind::SeatProperty(_) | Kind::MoveCount => true,
        Kind::Loop(Loop { over: Over::Moves(_), .. }) => true,
        kind => !kind.is_pure(),
    }
}

/// Returns the classes of moves for which the function that decides looks at what a draw changes, one bit each.
pub fn stock_dependent(hir: &Hir) -> u16 {
    let mut search = StockSearch { memos: &hir.memos, seen: BTreeSet::new(), found: 0 };
    for Tree { node, role, .. } in &hir.trees {
        if let Role::Entry(class) = role {
            search.visit(node, *class);
        }
    }
    search.found
}

struct StockSearch<'h> {
    memos: &'h [Node],
    /// Memos already analysed, with the class of moves.
    seen: BTreeSet<(usize, Option<Class>)>,
    found: u16,
}

impl StockSearch<'_> {
    /// Records the classes for which a tree looks at what a draw changes; `class` is that of the tree, if it is for one.
    fn visit(&mut self, node: &Node, class: Option<Class>) {
        if looks_at_stock(&node.kind, class) {
            self.found |= class.map_or(u16::MAX, |class| 1 << class as u16);
        }
        match &node.kind {
            Kind::Memo(id) if self.seen.insert((*id, class)) => self.visit(&self.memos[*id], class),
            Kind::Loop(Loop { over: Over::Moves(classes), .. }) => {
                classes.iter().zip(&node.parts).for_each(|(of, body)| self.visit(body, of.or(class)));
            }
            _ => node.parts.iter().for_each(|part| self.visit(part, class)),
        }
    }
}

fn looks_at_stock(kind: &Kind, class: Option<Class>) -> bool {
    match kind {
        Kind::ViewProperty(property) => property.changed_by() == ChangedBy::Draws,
        Kind::Intrinsic(Intrinsic::Foundation | Intrinsic::Wants | Intrinsic::Steps) => false,
        Kind::Intrinsic(ask) => !is_of_arrangement(*ask),
        Kind::MoveProperty(MoveProperty::Card) => {
            use Class::{PileToPile, PileUp, ReserveToPile, ReserveUp};
            !matches!(class, Some(ReserveUp | ReserveToPile | PileUp | PileToPile))
        }
        Kind::SeatProperty(_) => true,
        // A script that may count its decisions is asked for each.
        kind => !kind.is_pure(),
    }
}
