//! Strategies that play sampled deals on.

use crate::game::{MoveList, Policy, View};

use super::{Strategy, StrategyError};

/// A strategy as the [`Policy`] that a sampled deal is played on with.
pub struct AsPolicy<'a, S: ?Sized>(pub &'a mut S);

impl<S: Strategy + ?Sized> Policy for AsPolicy<'_, S> {
    type Error = StrategyError;

    // What it answers is handed on as it is: it is asked for every move.
    #[inline(always)]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.0.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        self.0.repeats_draw()
    }
}
