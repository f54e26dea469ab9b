//! Choices of a player.

use std::sync::Arc;

use crate::game::Move;

/// A choice made by a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A legal move.
    Move(Move),
    /// Buys the stage of the stake on offer.
    Buy,
    /// Declines it.
    Decline,
    /// Gives up.
    Resign,
}

impl Choice {
    /// Returns the move in notation, or `buy`, `decline`, `resign`.
    pub fn word(self, reserves: usize) -> String {
        match self {
            Choice::Move(m) => m.notation(reserves),
            Choice::Buy => "buy".into(),
            Choice::Decline => "decline".into(),
            Choice::Resign => "resign".into(),
        }
    }
}

/// A choice, and the strategy that made it, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Act {
    pub choice: Choice,
    pub by: Option<Arc<str>>,
}
