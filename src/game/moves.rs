//! Moves, their notation, and move lists.

use std::fmt;

/// A place that cards leave or reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A reserve pile, from 0.
    Reserve(usize),
    /// The waste.
    Waste,
    /// The stock.
    Stock,
    /// A tableau pile, from 0.
    Pile(usize),
    /// One foundation, `suit + 4 * k` for the k-th of its suit; a source only.
    Foundation(usize),
    /// One of the dealt cards to choose the base from, from 0; a source only.
    Offered(usize),
    /// The foundations; a target only, since the card determines which one takes it.
    Foundations,
}

const RESERVE: u8 = 16;
const WASTE: u8 = 20;
const STOCK: u8 = 21;
const FOUNDATION: u8 = 32;
const FOUNDATIONS: u8 = 48;
const OFFERED: u8 = 64;

impl Place {
    #[inline(always)]
    const fn code(self) -> u8 {
        match self {
            Place::Pile(p) => p as u8,
            Place::Reserve(r) => RESERVE + r as u8,
            Place::Waste => WASTE,
            Place::Stock => STOCK,
            Place::Foundation(f) => FOUNDATION + f as u8,
            Place::Offered(i) => OFFERED + i as u8,
            Place::Foundations => FOUNDATIONS,
        }
    }

    #[inline(always)]
    const fn from_code(code: u8) -> Place {
        match code {
            0..RESERVE => Place::Pile(code as usize),
            RESERVE..WASTE => Place::Reserve((code - RESERVE) as usize),
            WASTE => Place::Waste,
            STOCK => Place::Stock,
            FOUNDATION..FOUNDATIONS => Place::Foundation((code - FOUNDATION) as usize),
            FOUNDATIONS..OFFERED => Place::Foundations,
            _ => Place::Offered((code - OFFERED) as usize),
        }
    }
}

/// A move: its source, its target and the number of cards. The table determines which cards they are.
///
/// Stored in one word: the source in the lowest byte, then the target, then the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(u32);

impl Move {
    /// One packet from the stock to the waste.
    pub const DRAW: Move = Move::new(Place::Stock, Place::Waste, 0);
    /// The waste becomes the stock again.
    pub const REDEAL: Move = Move::new(Place::Waste, Place::Stock, 0);

    /// Returns a move of the top `count` cards of `source` to `target`.
    #[inline(always)]
    pub(crate) const fn new(source: Place, target: Place, count: u8) -> Move {
        Move(source.code() as u32 | (target.code() as u32) << 8 | (count as u32) << 16)
    }

    /// Returns the move with `more` additional cards.
    #[inline(always)]
    pub(super) const fn and(self, more: u8) -> Move {
        Move(self.0 + ((more as u32) << 16))
    }

    #[inline(always)]
    const fn source_code(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    const fn target_code(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// Returns a number below 512 that is the same for all moves of the same source and kind of target: it omits the
    /// target pile and the number of cards.
    #[inline(always)]
    pub(crate) const fn key(self) -> usize {
        // The two high bits of the target distinguish a pile, waste or stock, and the foundations.
        (self.0 & 127 | self.0 >> 5 & 0x180) as usize
    }

    /// Returns where the cards come from.
    #[inline(always)]
    pub const fn source(self) -> Place {
        Place::from_code(self.source_code())
    }

    /// Returns where the cards go.
    #[inline(always)]
    pub const fn target(self) -> Place {
        Place::from_code(self.target_code())
    }

    /// Returns the number of the pile the cards come from, if they come from one.
    #[inline(always)]
    pub(super) const fn source_pile(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Returns the number of the pile the cards go to, if they go to one.
    #[inline(always)]
    pub(super) const fn target_pile(self) -> usize {
        (self.0 >> 8 & 15) as usize
    }

    /// Returns how many cards move; 0 for a draw and a redeal.
    #[inline(always)]
    pub const fn count(self) -> usize {
        (self.0 >> 16) as usize
    }

    /// Returns whether the move is a draw.
    #[inline(always)]
    pub const fn is_draw(self) -> bool {
        self.0 == Move::DRAW.0
    }

    /// Returns whether the move is a redeal.
    #[inline(always)]
    pub const fn is_redeal(self) -> bool {
        self.0 == Move::REDEAL.0
    }

    /// Returns whether the move is a play: any move but a draw and a redeal.
    #[inline(always)]
    pub const fn is_play(self) -> bool {
        self.0 >> 16 != 0
    }

    /// Returns whether the cards go to a foundation.
    #[inline(always)]
    pub const fn to_foundation(self) -> bool {
        self.target_code() == FOUNDATIONS
    }

    /// Returns whether the cards go to a tableau pile.
    #[inline(always)]
    pub const fn to_tableau(self) -> bool {
        self.target_code() < RESERVE
    }

    /// Returns whether the cards come from a reserve.
    #[inline(always)]
    pub const fn from_reserve(self) -> bool {
        self.source_code() >= RESERVE && self.source_code() < WASTE
    }

    /// Returns whether the card goes from the waste to the foundations or the tableau.
    #[inline(always)]
    pub const fn from_waste(self) -> bool {
        self.source_code() == WASTE && self.target_code() != STOCK
    }

    /// Returns whether the unseen top of the stock goes into a space; a draw does not count.
    #[inline(always)]
    pub const fn from_stock(self) -> bool {
        self.0 & 0xf0ff == STOCK as u32
    }

    /// Returns whether the cards go from one tableau pile to another.
    #[inline(always)]
    pub const fn between_piles(self) -> bool {
        self.0 & 0xf0f0 == 0
    }

    /// Returns whether the cards come from a tableau pile.
    #[inline(always)]
    pub const fn from_tableau(self) -> bool {
        self.source_code() < RESERVE
    }

    /// Returns whether the card goes from a foundation back to the tableau.
    #[inline(always)]
    pub const fn from_foundation(self) -> bool {
        self.source_code() >= FOUNDATION && self.source_code() < FOUNDATIONS
    }

    /// Returns the move in notation. A single reserve pile is `R`, several are `R1`, `R2` ...
    pub fn notation(self, reserves: usize) -> String {
        if self.is_draw() {
            return "draw".into();
        }
        if self.is_redeal() {
            return "redeal".into();
        }
        let source = match self.source() {
            Place::Reserve(_) if reserves == 1 => "R".to_string(),
            Place::Reserve(r) => format!("R{}", r + 1),
            Place::Waste => "W".into(),
            Place::Stock => "S".into(),
            Place::Pile(p) => format!("T{}", p + 1),
            Place::Offered(i) => format!("C{}", i + 1),
            Place::Foundation(f) if f < 4 => format!("F{}", crate::cards::Suit::from_index(f)),
            Place::Foundation(f) => format!("F{}{}", crate::cards::Suit::from_index(f & 3), f / 4 + 1),
            Place::Foundations => "F".into(),
        };
        match self.target() {
            Place::Pile(p) if self.from_tableau() => format!("{source}>T{}x{}", p + 1, self.count()),
            Place::Pile(p) => format!("{source}>T{}", p + 1),
            _ => format!("{source}>F"),
        }
    }
}

impl fmt::Display for Move {
    /// Writes the notation for a game of one reserve pile.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.notation(1))
    }
}

/// More than any table has: 208 cards to 15 spaces, and every single card besides.
const CAPACITY: usize = 4096;

/// The legal moves of a position in the engine's order, in a reusable buffer.
#[derive(Clone)]
pub struct MoveList {
    moves: Box<[Move; CAPACITY]>,
    len: usize,
    plays: usize,
    /// Kinds for which a new top of the waste would add moves; all kinds if the list already depends on the waste or
    /// the stock.
    waste_adds: u64,
}

impl MoveList {
    /// Creates an empty list.
    pub fn new() -> MoveList {
        MoveList { moves: Box::new([Move::DRAW; CAPACITY]), len: 0, plays: 0, waste_adds: u64::MAX }
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, m: Move) {
        // The mask avoids the bounds check; the capacity is never reached.
        self.moves[self.len & (CAPACITY - 1)] = m;
        self.len += 1;
    }

    /// Adds a move if it is legal, without a branch, because legality is hard to predict.
    #[inline(always)]
    pub(crate) fn push_if(&mut self, legal: bool, m: Move) {
        self.moves[self.len & (CAPACITY - 1)] = m;
        self.len += usize::from(legal);
    }

    /// Marks the moves listed so far as the plays, and stores which tops of the waste would add to them; a draw or a
    /// redeal may follow.
    #[inline(always)]
    pub(crate) fn end_of_plays(&mut self, waste_adds: u64) {
        self.plays = self.len;
        self.waste_adds = waste_adds;
    }

    /// Returns the kinds for which a new top of the waste would add moves.
    #[inline(always)]
    pub(crate) fn waste_adds(&self) -> u64 {
        self.waste_adds
    }

    /// Drops the draw or redeal, and keeps the plays.
    #[inline(always)]
    pub(crate) fn keep_plays(&mut self) {
        self.len = self.plays;
    }

    /// Returns the first `N` entries of the buffer; those past the end of the list are arbitrary moves.
    #[inline(always)]
    pub(super) fn first<const N: usize>(&self) -> &[Move; N] {
        const { assert!(N <= CAPACITY) };
        self.moves.first_chunk().unwrap_or(&[Move::DRAW; N])
    }

    /// Returns a move by its index.
    #[inline(always)]
    pub fn nth(&self, index: usize) -> Option<Move> {
        if index < self.len { Some(self.moves[index & (CAPACITY - 1)]) } else { None }
    }

    /// Returns whether there is no legal move.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of plays among the moves; they come first.
    #[inline(always)]
    pub fn plays(&self) -> usize {
        self.plays
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];
    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|m| m.to_string())).finish()
    }
}

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
