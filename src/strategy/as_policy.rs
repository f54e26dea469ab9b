//! Strategies as the players of sampled deals.

use crate::game::{MoveList, Policy, View};

use super::{Strategy, StrategyError};

/// Adapts a strategy to the [`Policy`] that plays a sampled deal to its end, and counts the moves that it could choose from.
pub struct Counted<'a, S: ?Sized> {
    strategy: &'a mut S,
    /// Number of these moves, over all decisions.
    pub choices: u64,
}

impl<'a, S: ?Sized> Counted<'a, S> {
    pub fn new(strategy: &'a mut S) -> Counted<'a, S> {
        Counted { strategy, choices: 0 }
    }
}

impl<S: Strategy + ?Sized> Policy for Counted<'_, S> {
    type Error = StrategyError;

    // The answer is passed on unchanged: the strategy is asked for every move.
    #[inline(always)]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.choices += legal.len() as u64;
        self.strategy.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        self.strategy.repeats_draw()
    }
}
