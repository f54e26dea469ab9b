//! An upper bound on the cards that can still go up from a class of positions: the relaxed game of
//! [`super::super::relaxed_bound`], in counts and bits.

use crate::rules::{Filler, filler_bit};

use super::super::key::each;
use super::position::{ClassPosition, Classes, NONE, returns};

/// What is possible in the relaxed game.
#[derive(Clone, Copy, PartialEq)]
struct Facts {
    up: u64,
    want: u64,
    /// Cards that lie in the tableau, or can.
    tableau: u64,
    /// Those of them that are the first face-up cards of their piles.
    low: u64,
    home: u64,
    /// Representatives of kinds that can be uncovered.
    open: u64,
    /// Kinds that fit on those.
    onto: u64,
    /// The mates of those representatives.
    bare: u64,
    /// Number of piles whose lowest card leaves.
    left: u32,
    /// Whether there are spaces that take more than the cards of the reserve.
    spaces: bool,
    /// Accessible cards of the reserve.
    reserve: u64,
}

impl Classes<'_> {
    /// Returns an upper bound on the number of cards up after a position.
    #[inline(never)]
    pub(super) fn most(&self, at: &ClassPosition) -> usize {
        let layout = &at.layout;
        let fillers = self.while_reserve | self.after_reserve;
        let takes = |filler| fillers & filler_bit(filler) != 0;
        let only_reserve = self.while_reserve & !filler_bit(Filler::Reserve) == 0;
        let feeds = self.rules.hot.reserves > 0 && only_reserve && !self.rules.auto.is_empty();
        let mut stock = self.stock & !(layout.up | layout.tableau());
        // If no redeal is left, turned cards are accessible from the top of the waste down.
        let mut buried = if self.turning.redeals(&at.stock).is_none() { at.stock.waste } else { 0 };
        (1..=buried).for_each(|waste| stock &= !(1 << at.stock.top(waste)));
        let mut now = Facts {
            up: layout.up,
            want: self.wanted(layout.up),
            tableau: layout.tableau(),
            low: layout.low,
            home: layout.home,
            open: 0,
            onto: 0,
            bare: 0,
            left: 0,
            spaces: false,
            reserve: 0,
        };
        let mut open = layout.open();
        loop {
            let (before, had) = (now, stock);
            let to_space = |filler| if now.spaces && takes(filler) { self.starts } else { 0 };
            while buried > 0 {
                let bit = 1 << at.stock.top(buried);
                stock |= bit;
                if bit & (now.onto | now.up | to_space(Filler::Waste)) == 0 {
                    break;
                }
                buried -= 1;
            }
            // A covered card becomes free if one of the cards on it goes up or to a space.
            each(layout.on & (now.up | to_space(Filler::Tableau)), |kind| open |= 1 << self.taker[kind]);
            // So does a card that was not there before.
            let mut placed = stock & (now.onto | to_space(Filler::Waste) | to_space(Filler::Stock));
            if returns(self.rules).is_some() {
                placed |= now.up & (now.onto | to_space(Filler::Foundation));
            }
            each(placed & !now.tableau, |kind| open |= 1 << self.mate[kind]);
            now.tableau |= placed;
            let leaving = now.home & (now.up | now.onto | to_space(Filler::Tableau));
            each(leaving, |kind| {
                let bed = self.bed[kind] as usize & 63;
                now.tableau |= 1 << bed;
                open |= 1 << self.mate[bed];
                if self.bed[bed] == NONE { now.low |= 1 << bed } else { now.home |= 1 << bed }
            });
            now.home &= !leaving;
            now.left = (now.low & (now.up | now.onto)).count_ones();
            let room = u32::from(layout.spaces) + now.left;
            let mut needed = 0;
            let mut gone = true;
            let fills_from = feeds || takes(Filler::Reserve) || !self.rules.auto.is_empty();
            // Each of several reserves may have all the spaces.
            for (kinds, &cards) in self.reserve.iter().zip(&layout.reserve_left) {
                let mut left = room;
                for i in (0..cards as usize).rev() {
                    let kind = kinds[i & 63] as usize & 63;
                    let bit = 1 << kind;
                    now.reserve |= bit;
                    let goes_on = bit & now.onto != 0;
                    let fills = left > 0 && fills_from;
                    if goes_on || fills {
                        now.tableau |= bit;
                        open |= 1 << self.mate[kind];
                    }
                    if goes_on || bit & now.up != 0 {
                        continue;
                    }
                    if !fills {
                        gone = false;
                        break;
                    }
                    left -= u32::from(feeds);
                    needed += u32::from(feeds);
                }
            }
            now.spaces = (!feeds || gone) && room > needed;
            each(open & !now.open, |mate| {
                now.onto |= self.fits[mate];
                now.bare |= self.mates[mate];
            });
            now.open = open;
            let free = now.tableau & now.bare | stock | now.reserve;
            let mut goes = free & now.want & !now.up;
            while goes != 0 {
                now.up |= goes;
                now.want |= self.rules.hot.ring.up(goes);
                goes = free & now.want & !now.up;
            }
            if now.up == self.rules.hot.ring.all || before == now && stock == had {
                return now.up.count_ones() as usize;
            }
        }
    }
}
