//! What a finished game came to.

use serde::{Deserialize, Serialize};

use super::end::End;
use super::stakes::Stake;

/// What is counted of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Cards on the foundations, those of the deal included.
    pub cards: u16,
    /// Moves made: plays, draws and redeals.
    pub moves: u32,
    /// Redeals made.
    pub redeals: u32,
    /// Cards left in the reserves.
    pub reserve_left: u16,
    /// Foundations that hold a whole suit.
    pub complete_suits: u16,
    /// What it was played for, where the stake is bought in stages and the player was asked for them.
    pub stake: Option<Stake>,
}
