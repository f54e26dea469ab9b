//! Lists the legal moves of the most common rules: the same list by a faster method. Without it a game of native `greedy`
//! takes 1.4 times as long.
//!
//! Every possible move is one bit of a word, in the engine's order. The bits are computed without branches, because
//! which moves are legal is hard to predict; then the bits are converted to moves.

use crate::cards::Card;
use crate::rules::{Filler, Rules, SPACE, filler_bit};

use super::moves::{Move, MoveList, Place};
use super::table::{Table, UP};

// Positions of the first bit of each group of moves; those of pile `p` are 8 * p higher.
const RESERVE_UP: u32 = 0;
const WASTE_UP: u32 = 1;
const PILES_UP: u32 = 2;
const FROM_RESERVE: u32 = 28;
const FROM_PILES: u32 = 32;
const FROM_WASTE: u32 = 60;
/// The four piles, without a pile onto itself.
const PILES: u32 = 0x0f0f_0f0f & !0x0804_0201;
/// The foundations, one byte for each pile.
const UPS: u32 = 0x0101_0101 * UP as u32;

/// The moves of the bits, of one card each.
const MOVES: [Move; 64] = {
    let mut moves = [Move::DRAW; 64];
    moves[RESERVE_UP as usize] = Move::new(Place::Reserve(0), Place::Foundations, 1);
    moves[WASTE_UP as usize] = Move::new(Place::Waste, Place::Foundations, 1);
    let mut p = 0;
    while p < 4 {
        moves[PILES_UP as usize + 8 * p] = Move::new(Place::Pile(p), Place::Foundations, 1);
        moves[FROM_RESERVE as usize + p] = Move::new(Place::Reserve(0), Place::Pile(p), 1);
        moves[FROM_WASTE as usize + p] = Move::new(Place::Waste, Place::Pile(p), 1);
        let mut q = 0;
        while q < 4 {
            moves[FROM_PILES as usize + 8 * p + q] = Move::new(Place::Pile(p), Place::Pile(q), 1);
            q += 1;
        }
        p += 1;
    }
    moves
};

/// The spaces of a position.
struct Spaces {
    /// The piles that are spaces.
    spaces: u64,
    /// Kinds from each source that may start a space.
    reserve: u64,
    tableau: u64,
    waste: u64,
}

impl Table {
    /// Lists every legal move in the engine's order under plain rules. Returns false, without a list, if a card and the
    /// run it tops may go to the same place, or the unseen top of the stock to a space.
    #[inline(always)]
    pub(super) fn list_plain(&self, rules: &Rules, out: &mut MoveList) -> bool {
        match self.takes[SPACE as usize] {
            0 => self.list_plain_with(None, rules, out),
            spaces => self.list_plain_to_spaces(spaces, rules, out),
        }
    }

    #[inline(never)]
    fn list_plain_to_spaces(&self, spaces: u8, rules: &Rules, out: &mut MoveList) -> bool {
        let hot = &rules.hot;
        let fillers = if self.reserve_left > 0 { hot.while_reserve } else { hot.after_reserve };
        if fillers & filler_bit(Filler::Stock) != 0 {
            return false;
        }
        let starts = rules.starts(self.base);
        let from = |filler| if fillers & filler_bit(filler) != 0 { starts } else { 0 };
        let spaces = Spaces {
            spaces: u64::from(spaces),
            reserve: from(Filler::Reserve),
            tableau: from(Filler::Tableau),
            waste: from(Filler::Waste),
        };
        self.list_plain_with(Some(spaces), rules, out)
    }

    #[inline(always)]
    fn list_plain_with(&self, spaces: Option<Spaces>, rules: &Rules, out: &mut MoveList) -> bool {
        let takes = |card: Card| u64::from(self.takes[card.0 as usize]);
        let (mut tops, mut runs) = (0, 0);
        for (p, pile) in self.piles[..4].iter().enumerate() {
            tops |= (takes(pile.top) as u32) << (8 * p);
            runs |= (takes(pile.whole) as u32) << (8 * p);
        }
        let mut waste = self.waste_bits();
        let mut reserve = takes(self.reserves[0].top);
        let mut waste_adds = 0;
        if let Some(spaces) = spaces {
            let into = |allowed: bool| if allowed { spaces.spaces } else { 0 };
            for (p, pile) in self.piles[..4].iter().enumerate() {
                // Moving a whole pile into a space is not a move.
                let (single, run) = (pile.len > 1, pile.len > pile.run);
                tops |= (into(single && pile.top.bit() & spaces.tableau != 0) as u32) << (8 * p);
                runs |= (into(run && pile.whole.bit() & spaces.tableau != 0) as u32) << (8 * p);
            }
            waste |= into(self.waste_top().bit() & spaces.waste != 0) << FROM_WASTE;
            reserve |= into(self.reserves[0].top.bit() & spaces.reserve != 0);
            waste_adds = spaces.waste;
        }
        let up = u64::from(UP);
        let ups = u64::from(tops & UPS) << PILES_UP >> up.trailing_zeros();
        let from_reserve = (reserve & up) >> up.trailing_zeros() | (reserve & 15) << FROM_RESERVE;
        let singles = u64::from(tops & PILES) << FROM_PILES | ups | from_reserve | waste;
        let runs = u64::from(runs & PILES) << FROM_PILES;
        if singles & runs != 0 {
            return false;
        }
        let waste_adds = if waste != 0 { u64::MAX } else { waste_adds };
        if runs != 0 {
            self.list_runs(singles | runs, runs, waste_adds, rules, out);
            return true;
        }
        out.clear();
        push_all(singles, out);
        out.end_of_plays(waste_adds);
        self.list_turning(rules, out);
        true
    }

    /// Lists the moves of the bits, some of which move runs.
    #[inline(never)]
    fn list_runs(&self, mut bits: u64, runs: u64, waste_adds: u64, rules: &Rules, out: &mut MoveList) {
        out.clear();
        while bits != 0 {
            let i = bits.trailing_zeros();
            // A run moves from its own pile.
            let run = self.piles[(i / 8) as usize & 3].run;
            out.push(MOVES[i as usize & 63].and(if runs >> i & 1 == 0 { 0 } else { run - 1 }));
            bits &= bits - 1;
        }
        out.end_of_plays(waste_adds);
        self.list_turning(rules, out);
    }

    /// Like [`Table::list_plain`] if only the top of the waste has plays.
    pub(super) fn list_plain_from_waste(&self, rules: &Rules, out: &mut MoveList) {
        out.clear();
        push_all(self.waste_bits(), out);
        out.end_of_plays(u64::MAX);
        self.list_turning(rules, out);
    }

    #[inline(always)]
    fn waste_bits(&self) -> u64 {
        let takes = u64::from(self.takes[self.waste_top().0 as usize]);
        let up = u64::from(UP);
        (takes & up) >> up.trailing_zeros() << WASTE_UP | (takes & 15) << FROM_WASTE
    }
}

/// Converts the bits to moves: the first two without a branch, as there are seldom more.
#[inline(always)]
fn push_all(mut bits: u64, out: &mut MoveList) {
    for _ in 0..2 {
        out.push_if(bits != 0, MOVES[bits.trailing_zeros() as usize & 63]);
        bits &= bits.wrapping_sub(1);
    }
    while bits != 0 {
        out.push(MOVES[bits.trailing_zeros() as usize & 63]);
        bits &= bits - 1;
    }
}
