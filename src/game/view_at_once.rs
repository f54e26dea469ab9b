//! Bulk access to a view, for code that asks for many cards repeatedly.

use crate::cards::Card;

use super::view::View;

impl<'a> View<'a> {
    /// Returns a number that is equal only for views of the same reserves and piles; 0 if unknown.
    #[inline(always)]
    pub(crate) fn arrangement(&self) -> u64 {
        self.arrangement
    }

    /// Returns the kinds that the foundations take next.
    #[inline(always)]
    pub(crate) fn wanted(&self) -> u64 {
        self.table.want
    }

    /// Returns the waste, lowest card first, if it is fanned; empty otherwise.
    #[inline(always)]
    pub(crate) fn fanned(&self) -> &'a [Card] {
        let fanned = self.rules.hot.fanned;
        if fanned { self.table.waste() } else { &[] }
    }

    /// Returns the stock, next card first, if an earlier pass showed all of it; empty otherwise.
    #[inline(always)]
    pub(crate) fn known_stock(&self) -> &'a [Card] {
        if self.knows_stock() { self.table.stock() } else { &[] }
    }
}
