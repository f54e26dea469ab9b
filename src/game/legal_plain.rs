//! The legal moves of the commonest rules, while there is no space: the same list, found another way.
//!
//! Every move that could be legal is one bit of a word, in the engine's order. The bits are found without a
//! branch, as which moves are legal is hard to foresee; then the moves of the bits are written down.

use crate::cards::Card;
use crate::rules::Rules;

use super::moves::{Move, MoveList, Place};
use super::table::{Table, UP};

// Where the bits of each line of moves begin: what pile `p` may do is 8 * p higher.
const RESERVE_UP: u32 = 0;
const WASTE_UP: u32 = 1;
const PILES_UP: u32 = 2;
const FROM_RESERVE: u32 = 28;
const FROM_PILES: u32 = 32;
const FROM_WASTE: u32 = 60;
/// The four piles, and no pile onto itself.
const PILES: u32 = 0x0f0f_0f0f & !0x0804_0201;
/// The foundations in a byte for each pile.
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

impl Table {
    /// Lists every legal move in the engine's order, where the rules are plain and there is no space. False,
    /// and no list, where a card and the run it tops may go to the same place.
    pub(super) fn list_plain(&self, rules: &Rules, out: &mut MoveList) -> bool {
        let takes = |card: Card| u64::from(self.takes[card.kind()]);
        let (mut tops, mut runs) = (0, 0);
        for (p, pile) in self.piles[..4].iter().enumerate() {
            tops |= (takes(pile.top) as u32) << (8 * p);
            runs |= (takes(pile.whole) as u32) << (8 * p);
        }
        let waste = self.waste_bits();
        let reserve = takes(self.reserves[0].top);
        let up = u64::from(UP);
        let ups = u64::from(tops & UPS) << PILES_UP >> up.trailing_zeros();
        let from_reserve = (reserve & up) >> up.trailing_zeros() | (reserve & 15) << FROM_RESERVE;
        let singles = u64::from(tops & PILES) << FROM_PILES | ups | from_reserve | waste;
        let runs = u64::from(runs & PILES) << FROM_PILES;
        if singles & runs != 0 {
            return false;
        }
        out.clear();
        if runs == 0 {
            push_all(singles, out);
        } else {
            self.push_with_runs(singles | runs, runs, out);
        }
        out.end_of_plays(if waste != 0 { u64::MAX } else { 0 });
        self.list_turning(rules, out);
        true
    }

    /// Writes down the moves of the bits, of which some are of runs.
    #[inline(never)]
    fn push_with_runs(&self, mut bits: u64, runs: u64, out: &mut MoveList) {
        while bits != 0 {
            let i = bits.trailing_zeros();
            // The pile of a run is where the move comes from.
            let run = self.piles[(i / 8) as usize & 3].run;
            out.push(MOVES[i as usize & 63].and(if runs >> i & 1 == 0 { 0 } else { run - 1 }));
            bits &= bits - 1;
        }
    }

    /// The same where no other card than the top of the waste has a play.
    pub(super) fn list_plain_from_waste(&self, rules: &Rules, out: &mut MoveList) {
        out.clear();
        push_all(self.waste_bits(), out);
        out.end_of_plays(u64::MAX);
        self.list_turning(rules, out);
    }

    #[inline(always)]
    fn waste_bits(&self) -> u64 {
        let takes = u64::from(self.takes[self.waste_top().kind()]);
        let up = u64::from(UP);
        (takes & up) >> up.trailing_zeros() << WASTE_UP | (takes & 15) << FROM_WASTE
    }
}

/// Writes down the moves of the bits: the first two without a branch, as there are seldom more.
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
