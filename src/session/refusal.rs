//! Reasons for refusing a choice.

use crate::game::End;
use crate::rules::{Spec, StageAt};

/// Reason for refusing a choice; the game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over ({0}); undo goes back")]
    Over(End),
    /// The word is not a legal move.
    #[error("`{word}` is not legal here; legal: {}", legal.join(" "))]
    Illegal {
        /// The requested move.
        word: String,
        /// The legal moves.
        legal: Vec<String>,
    },
    /// The move would end the game; [`Session::play_to_the_end`](super::Session::play_to_the_end) makes it anyway.
    #[error("{why}")]
    WouldEnd {
        /// The move.
        word: String,
        /// How it would end, in a sentence.
        why: String,
    },
    /// A stage of the stake is to be bought or declined first.
    #[error("the stage `{0}` is asked for: buy it or decline it first")]
    Stage(StageAt),
    /// No stage of the stake is asked for.
    #[error("no stage of the stake is asked for here")]
    NoStage,
}

/// Explains in a sentence why a move would end the game.
pub(super) fn would_end(rules: &Spec, word: &str, end: End) -> String {
    match end {
        End::Barren => {
            format!("`{word}` {}: the game would end there, barren", rules.why_barren())
        }
        End::Repeated => format!(
            "after `{word}` the same position would stand for the third time without progress: the game would end, \
             repeated"
        ),
        other => format!("after `{word}` the game would end, {other}"),
    }
}
