//! Outcome of a finished game.

use serde::{Deserialize, Serialize};

use super::end::End;
use super::stakes::Stake;

/// Counts of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Number of cards on the foundations, including those of the deal.
    pub cards: u16,
    /// Number of moves made: plays, draws and redeals.
    pub moves: u32,
    /// Number of redeals made.
    pub redeals: u32,
    /// Number of cards left in the reserves.
    pub reserve_left: u16,
    /// Number of foundations that hold a whole suit.
    pub complete_suits: u16,
    /// The stake, if it is bought in stages and the player was asked for them.
    pub stake: Option<Stake>,
}
