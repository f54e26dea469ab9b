//! A view that stands on its own, for strategies that cannot borrow one.

use crate::rules::Rules;

use super::company::Company;
use super::luck::Luck;
use super::moves::Move;
use super::stakes::Stakes;
use super::table::Table;
use super::view::View;

/// A copy of a position with the moves that are legal in it. What can be asked of it is what its
/// [`View`] shows, so it hides what a view hides.
pub struct Snapshot {
    table: Table,
    rules: Option<Rules>,
    luck: Luck,
    stakes: Stakes,
    moves: Vec<Move>,
    company: Company,
    in_company: bool,
}

impl Default for Snapshot {
    fn default() -> Snapshot {
        Snapshot {
            table: Table::BARE,
            rules: None,
            luck: Luck::new(0, 0),
            stakes: Stakes::NONE,
            moves: Vec::new(),
            company: Company::default(),
            in_company: false,
        }
    }
}

impl Snapshot {
    /// Copies a position, and the place where its randomness stands.
    #[inline]
    pub fn take(&mut self, view: &View<'_>, legal: &[Move]) {
        self.table = *view.table();
        if !self.rules.as_ref().is_some_and(|rules| view.shows_as(rules)) {
            self.rules = Some(view.compiled().clone());
        }
        self.luck.copy_from(view.luck());
        self.stakes = *view.stakes();
        self.in_company = view.company().is_some();
        if let Some(company) = view.company() {
            self.company.copy_from(company);
        }
        self.moves.clear();
        self.moves.extend_from_slice(legal);
    }

    /// Copies the place where the position's randomness stands, and nothing else.
    #[inline]
    pub fn take_luck(&mut self, view: &View<'_>) {
        self.luck.copy_from(view.luck());
    }

    /// Makes the view's randomness stand where the copy's does, so that numbers drawn since are drawn again.
    pub fn restore_luck(&self, view: &View<'_>) {
        view.luck().rewind_to(&self.luck);
    }

    /// Makes what was drawn from the copy's randomness drawn from the view's own.
    #[inline]
    pub fn keep_luck(&mut self, view: &View<'_>) {
        view.luck().follow(&mut self.luck);
    }

    /// The view of the copy; `None` before the first [`Snapshot::take`].
    #[inline]
    pub fn view(&self) -> Option<View<'_>> {
        self.rules.as_ref().map(|rules| {
            let view = View::new(&self.table, rules, &self.luck).with_stakes(&self.stakes);
            if self.in_company { view.in_company(&self.company) } else { view }
        })
    }

    /// The legal moves, in the engine's order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}
