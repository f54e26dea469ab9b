//! Positions combined with their player's knowledge, for one pack: which cards are known, and a key of the position as
//! the player sees it.
//!
//! A player with perfect recall knows the cards it has seen. They form a set of kinds that only ever grows; the place
//! of each follows from the moves. All orders of the other cards are equally likely, whatever was played, because what
//! was seen never depends on unseen cards.

use crate::cards::Card;
use crate::rules::{OnRedeal, ReserveFace, Rules};

use super::table::Table;

/// Marks in keys: an unknown card, and the end of a place.
const UNKNOWN: u8 = 254;
const END: u8 = 255;

impl Table {
    /// Returns the kinds of the cards that lie open, as bits.
    pub(crate) fn open_kinds(&self, rules: &Rules) -> u64 {
        let mut open = 0;
        for reserve in 0..rules.hot.reserves {
            let len = self.reserves[reserve].len;
            match rules.hot.reserve_face {
                ReserveFace::All => self.reserve(reserve).for_each(|card| open |= card.bit()),
                ReserveFace::Top if len > 0 => open |= self.reserves[reserve].top.bit(),
                ReserveFace::Last if len == 1 => open |= self.reserves[reserve].top.bit(),
                ReserveFace::Top | ReserveFace::Last => {}
            }
        }
        for pile in 0..rules.hot.piles {
            self.pile(pile).filter(|(_, up)| *up).for_each(|(card, _)| open |= card.bit());
        }
        let fanned = rules.hot.fanned;
        match self.waste() {
            [.., top] if !fanned => open |= top.bit(),
            waste => waste.iter().for_each(|card| open |= card.bit()),
        }
        if fanned && self.redeals > 0 && rules.hot.on_redeal == OnRedeal::Turn {
            self.stock().iter().for_each(|card| open |= card.bit());
        }
        self.offered().iter().for_each(|card| open |= card.bit());
        for foundation in 0..4 {
            self.foundation(foundation).for_each(|card| open |= card.bit());
        }
        open
    }

    /// Returns the kinds of all cards in play or on the foundations, as bits.
    pub(crate) fn all_kinds(&self, rules: &Rules) -> u64 {
        let mut all = 0;
        let reserves = (0..rules.hot.reserves).flat_map(|reserve| self.reserve(reserve));
        let piles = (0..rules.hot.piles).flat_map(|pile| self.pile(pile).map(|(card, _)| card));
        let up = (0..4).flat_map(|foundation| self.foundation(foundation));
        reserves.chain(piles).chain(up).for_each(|card| all |= card.bit());
        self.waste().iter().chain(self.stock()).chain(self.offered()).for_each(|card| all |= card.bit());
        all
    }

    /// Returns a key of what matters to a player who knows these kinds: equal keys imply equal values of all that can
    /// follow. The order of the piles does not count.
    pub(crate) fn told_key(&self, known: u64, rules: &Rules, redeals: u32) -> Box<[u8]> {
        let told = |card: Card| if known & card.bit() != 0 { card.0 } else { UNKNOWN };
        let mut key: Vec<u8> = Vec::with_capacity(72);
        let mut piles: Vec<Vec<u8>> = (0..rules.hot.piles)
            .map(|pile| self.pile(pile).flat_map(|(card, up)| [told(card), u8::from(up)]).collect())
            .collect();
        piles.sort_unstable();
        for pile in piles {
            key.extend(pile);
            key.push(END);
        }
        for reserve in 0..rules.hot.reserves {
            key.extend(self.reserve(reserve).map(told));
            key.push(END);
        }
        for cards in [self.waste(), self.stock(), self.offered()] {
            key.extend(cards.iter().map(|&card| told(card)));
            key.push(END);
        }
        key.extend(self.foundations[..4].iter().map(|foundation| foundation.len));
        key.push(if self.choosing { 13 } else { self.base.index() as u8 });
        key.push(self.packet);
        key.extend(self.redeals.min(redeals).to_le_bytes());
        key.into()
    }
}
