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

/// The same with a count of the moves that it could choose from.
pub struct Counted<'a, S: ?Sized> {
    policy: AsPolicy<'a, S>,
    /// How many they were, in all decisions together.
    pub choices: u64,
}

impl<'a, S: ?Sized> Counted<'a, S> {
    /// A strategy, nothing counted yet.
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
