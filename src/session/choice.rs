//! What a player decides.

use std::sync::Arc;

use crate::game::Move;

/// Something that a player decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A legal move.
    Move(Move),
    /// The stage of the stake that is asked for is bought.
    Buy,
    /// It is declined.
    Decline,
    /// The player gives up.
    Resign,
}

impl Choice {
    /// A move in notation, or `buy`, `decline`, `resign`.
    pub fn word(self, reserves: usize) -> String {
        match self {
            Choice::Move(m) => m.notation(reserves),
            Choice::Buy => "buy".into(),
            Choice::Decline => "decline".into(),
            Choice::Resign => "resign".into(),
        }
    }
}

/// A choice, and the strategy that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Act {
    pub choice: Choice,
    pub by: Option<Arc<str>>,
}
