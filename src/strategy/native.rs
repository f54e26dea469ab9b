//! Strategies in Rust: the baselines for scripts.

use crate::game::{Move, MoveList, View};
use crate::rules::TableauFace;

use super::{Strategy, StrategyError};

/// The strategies written in Rust, with descriptions.
pub const NATIVE: &[(&str, &str)] = &[
    ("greedy", "Greedy, the yardstick: plays whatever it can, best kind of move first."),
    ("random", "Random: plays any legal move, each equally likely."),
];

/// The baseline strategy. Plays the first legal of: any card to the foundations; a reserve card to the tableau; a whole
/// pile onto another while the reserve has cards; a pile's face-up run to the tableau if that turns up a hidden card; a
/// waste card to the tableau; draw; redeal.
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
        // Without hidden tableau cards, nothing turns up.
        match view.rules().tableau.face {
            TableauFace::All => Ok(first),
            _ => Ok(uncovering(view, legal, first)),
        }
    }

    /// Its choice depends only on the list of moves, the reserve and the tableau.
    fn repeats_draw(&self) -> bool {
        true
    }
}

/// Returns the first move between piles that turns up a hidden card, if `first` is a waste card to the tableau, a draw,
/// a redeal or nothing; otherwise `first`.
#[inline(never)]
fn uncovering(view: &View<'_>, legal: &MoveList, first: Option<usize>) -> Option<usize> {
    let comes_later = |m: Move| !m.is_play() || m.from_waste() && m.to_tableau();
    match first.and_then(|i| legal.nth(i)) {
        Some(m) if !comes_later(m) => first,
        _ => legal.iter().position(|&m| m.between_piles() && view.turns_up(m)).or(first),
    }
}

/// Plays a uniformly random legal move.
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
