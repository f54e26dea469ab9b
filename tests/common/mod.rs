//! Shared code of the tests.

pub mod blocks;
pub mod play;
pub mod program;
pub mod specs;
pub mod walk;

use saratoga::game::{MoveList, View};
use saratoga::strategy::{Greedy, Strategy, StrategyError};

pub use walk::{Whim, shelf, walk};

/// Plays like `greedy` after a look at each position, which may be an error.
pub struct Looking<F>(pub F);

impl<F: FnMut(&View<'_>) -> Result<(), StrategyError>> Strategy for Looking<F> {
    fn name(&self) -> &str {
        "looking"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        (self.0)(view)?;
        Greedy.decide(view, legal)
    }
}

/// Returns the factor for the size of a randomized comparison: `SARATOGA_SCALE`, or 1.
pub fn scale() -> u64 {
    std::env::var("SARATOGA_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1).max(1)
}
