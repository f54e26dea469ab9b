//! What a view shows, many cards at once: for code that asks for them again and again.

use crate::cards::Card;

use super::view::View;

impl<'a> View<'a> {
    /// Views of the same number show the same reserves and piles.
    #[inline(always)]
    pub(crate) fn arrangement(&self) -> u64 {
        self.table.arrangement
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
