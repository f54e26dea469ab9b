//! A stored list of moves that does not allocate if it is short.

use super::moves::{Move, MoveList};

/// Number of moves stored inline: enough for most positions.
const FEW: usize = 8;

/// The moves of a position: seldom more than a few.
#[derive(Clone)]
pub(super) struct SmallMoveList {
    len: usize,
    /// The moves, if they fit inline.
    few: [Move; FEW],
    /// The moves, if there are more.
    more: Vec<Move>,
}

impl SmallMoveList {
    /// Copies moves.
    pub fn of(moves: &[Move]) -> SmallMoveList {
        let mut few = SmallMoveList { len: 0, few: [Move::DRAW; FEW], more: Vec::new() };
        moves.iter().for_each(|&m| few.push(m));
        few
    }

    /// Copies the first `len` moves of another list, and optionally one more move, without allocating if possible.
    #[inline(always)]
    pub fn copy_first(&mut self, other: &SmallMoveList, len: usize, last: Option<Move>) {
        if len < FEW {
            self.few = other.few;
            self.few[len] = last.unwrap_or(Move::DRAW);
            self.len = len + usize::from(last.is_some());
        } else {
            self.copy_many(other, len, last);
        }
    }

    #[cold]
    fn copy_many(&mut self, other: &SmallMoveList, len: usize, last: Option<Move>) {
        *self = SmallMoveList::of(&other.as_slice()[..len]);
        last.into_iter().for_each(|m| self.push(m));
    }

    /// Copies the moves of a list.
    #[inline(always)]
    pub fn take(&mut self, legal: &MoveList) {
        self.len = legal.len();
        self.few = *legal.first();
        if self.len > FEW {
            self.more.clear();
            self.more.extend_from_slice(legal);
        }
    }

    /// Removes all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a move.
    #[inline(always)]
    pub fn push(&mut self, m: Move) {
        if self.len < FEW {
            self.few[self.len] = m;
        } else {
            if self.len == FEW {
                self.more.clear();
                self.more.extend_from_slice(&self.few);
            }
            self.more.push(m);
        }
        self.len += 1;
    }

    /// Returns whether there are no moves.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns all moves.
    #[inline(always)]
    pub fn as_slice(&self) -> &[Move] {
        if self.len <= FEW { &self.few[..self.len] } else { &self.more }
    }
}
