//! Strategies as the players of sampled deals.

use crate::game::{MoveList, Policy, View};

use super::{Strategy, StrategyError};

/// Adapts a strategy to the [`Policy`] that plays a sampled deal to its end.
pub struct AsPolicy<'a, S: ?Sized>(pub &'a mut S);

impl<S: Strategy + ?Sized> Policy for AsPolicy<'_, S> {
    type Error = StrategyError;

    // The answer is passed on unchanged: the strategy is asked for every move.
    #[inline(always)]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.0.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        self.0.repeats_draw()
    }
}

/// Like [`AsPolicy`], counting the moves that the strategy could choose from.
pub struct Counted<'a, S: ?Sized> {
    policy: AsPolicy<'a, S>,
    /// Number of these moves, over all decisions.
    pub choices: u64,
}

impl<'a, S: ?Sized> Counted<'a, S> {
    /// Wraps a strategy, with a count of zero.
    pub fn new(strategy: &'a mut S) -> Counted<'a, S> {
        Counted { policy: AsPolicy(strategy), choices: 0 }
    }
}

impl<S: Strategy + ?Sized> Policy for Counted<'_, S> {
    type Error = StrategyError;

    #[inline(always)]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.choices += legal.len() as u64;
        self.policy.decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        self.policy.repeats_draw()
    }
}
