//! Strategies in Rust: the yardsticks that scripts are measured against.

use crate::game::{MoveList, View};

use super::{Strategy, StrategyError};

/// The yardstick. Plays the first legal of: any card to the foundations; a reserve card to the
/// tableau; a whole pile onto another while the reserve has cards; a waste card to the tableau;
/// draw; redeal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Strategy for Greedy {
    fn name(&self) -> &str {
        "greedy"
    }

    #[inline]
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let first = legal.iter().position(|&m| {
            if m.between_piles() {
                view.reserve_left() > 0 && view.empties_pile(m) && !view.to_space(m)
            } else {
                !m.from_foundation() && !m.from_stock()
            }
        });
        Ok(first)
    }

    /// What it chooses hangs on the list of moves, the reserve and the tableau alone.
    fn repeats_draw(&self) -> bool {
        true
    }
}

/// Plays any legal move, each equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Strategy for Random {
    fn name(&self) -> &str {
        "random"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        Ok(Some(view.random(legal.len() as u32) as usize))
    }
}
