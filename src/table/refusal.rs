//! Why a choice was not made.

use std::fmt;

use crate::game::End;
use crate::rules::{Spec, StageAt};

/// Why a choice was not made. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game is over.
    Over(End),
    /// The word is none of the legal moves, which these are.
    Illegal {
        /// What was asked for.
        word: String,
        /// The legal moves.
        legal: Vec<String>,
    },
    /// The move would end the game; [`Sitting::play_to_the_end`](super::Sitting::play_to_the_end) makes it.
    WouldEnd {
        /// The move.
        word: String,
        /// How it would end, in a sentence.
        why: String,
    },
    /// A stage of the stake is to be bought or declined first.
    Stage(StageAt),
    /// No stage of the stake is asked for.
    NoStage,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Over(end) => write!(f, "the game is over ({end}); undo goes back"),
            Refusal::Illegal { word, legal } => {
                write!(f, "`{word}` is not legal here; legal: {}", legal.join(" "))
            }
            Refusal::WouldEnd { why, .. } => f.write_str(why),
            Refusal::Stage(at) => write!(f, "the stage `{at}` is asked for: buy it or decline it first"),
            Refusal::NoStage => f.write_str("no stage of the stake is asked for here"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Why a move would end the game, in a sentence.
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
