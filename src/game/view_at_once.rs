//! What a view shows, many cards at once: for code that asks for them again and again.

use crate::cards::Card;

use super::view::View;

impl<'a> View<'a> {
    /// Views of the same number show the same reserves and piles; of 0 nothing is known.
    #[inline(always)]
    pub(crate) fn arrangement(&self) -> u64 {
        self.arrangement
    }

    /// The lowest card of a pile, if it is face up.
    #[inline(always)]
    pub(crate) fn lowest(&self, pile: usize) -> Option<Card> {
        self.pile(pile, self.pile_len(pile).saturating_sub(1))
    }

    /// The kinds that the foundations take next.
    #[inline(always)]
    pub(crate) fn wanted(&self) -> u64 {
        self.table.want
    }

    /// The waste, lowest card first, where it is fanned; nothing otherwise.
    #[inline(always)]
    pub(crate) fn fanned(&self) -> &'a [Card] {
        let fanned = self.rules.hot.fanned;
        if fanned { self.table.waste() } else { &[] }
    }

    /// The stock, next card first, where an earlier pass showed all of it; nothing otherwise.
    #[inline(always)]
    pub(crate) fn known_stock(&self) -> &'a [Card] {
        if self.knows_stock() { self.table.stock() } else { &[] }
    }
}
