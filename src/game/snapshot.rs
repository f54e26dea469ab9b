//! A view that stands on its own, for strategies that cannot borrow one.

use crate::rules::Rules;

use super::moves::Move;
use super::opponents::Opponents;
use super::stakes::Stakes;
use super::strategy_rng::StrategyRng;
use super::table::Table;
use super::view::View;

/// A copy of a position with the moves that are legal in it. What can be asked of it is what its
/// [`View`] shows, so it hides what a view hides.
pub struct Snapshot {
    table: Table,
    rules: Option<Rules>,
    rng: StrategyRng,
    stakes: Stakes,
    moves: Vec<Move>,
    opponents: Opponents,
    with_opponents: bool,
}

impl Default for Snapshot {
    fn default() -> Snapshot {
        Snapshot {
            table: Table::BARE,
            rules: None,
            rng: StrategyRng::new(0, 0),
            stakes: Stakes::NONE,
            moves: Vec::new(),
            opponents: Opponents::default(),
            with_opponents: false,
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
        self.rng.copy_from(view.rng());
        self.stakes = *view.stakes();
        self.with_opponents = view.opponents().is_some();
        if let Some(opponents) = view.opponents() {
            self.opponents.copy_from(opponents);
        }
        self.moves.clear();
        self.moves.extend_from_slice(legal);
    }

    /// Copies the place where the position's randomness stands, and nothing else.
    #[inline]
    pub fn take_rng(&mut self, view: &View<'_>) {
        self.rng.copy_from(view.rng());
    }

    /// Makes the view's randomness stand where the copy's does, so that numbers drawn since are drawn again.
    pub fn restore_rng(&self, view: &View<'_>) {
        view.rng().rewind_to(&self.rng);
    }

    /// Makes what was drawn from the copy's randomness drawn from the view's own.
    #[inline]
    pub fn keep_rng(&mut self, view: &View<'_>) {
        view.rng().follow(&mut self.rng);
    }

    /// The view of the copy; `None` before the first [`Snapshot::take`].
    #[inline]
    pub fn view(&self) -> Option<View<'_>> {
        self.rules.as_ref().map(|rules| {
            let view = View::new(&self.table, rules, &self.rng).with_stakes(&self.stakes);
            if self.with_opponents { view.with_opponents(&self.opponents) } else { view }
        })
    }

    /// The legal moves, in the engine's order.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}
