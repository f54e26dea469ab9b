//! Questions to a solver, and its answers.

use serde::{Deserialize, Serialize};

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::Move;

/// The question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Whether all cards can reach the foundations.
    Win,
    /// The maximum number of cards that can.
    Cards,
}

/// Limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Maximum number of expanded positions.
    pub nodes: Option<u64>,
    /// Maximum time.
    pub time: Option<Duration>,
    /// Cooperative cancellation flag.
    pub stop: Option<&'a AtomicBool>,
}

/// Reason why a question stayed open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Limit {
    /// The limit on expanded positions was reached.
    Nodes,
    /// The time was up.
    Time,
    /// It was stopped.
    Stopped,
    /// The memory could not hold the positions of one line of play.
    Memory,
    /// A line of play exceeded the maximum depth.
    Depth,
    /// The moves found did not achieve their result when replayed.
    Replay,
}

/// Whether all cards can reach the foundations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Verdict {
    /// They can, by the moves of the answer.
    Won,
    /// They cannot, whatever is played.
    Lost,
    /// A limit left it open.
    Unknown(Limit),
}

impl Verdict {
    /// Returns whether they can, if known.
    pub fn known(self) -> Option<bool> {
        (!matches!(self, Verdict::Unknown(_))).then_some(self == Verdict::Won)
    }
}

/// The answer to a question about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether all cards can reach the foundations.
    pub verdict: Verdict,
    /// The most cards on the foundations in any position seen.
    pub cards: usize,
    /// Upper bound on that number over all lines of play. It equals `cards` if those are proven to be the maximum; for
    /// a deal that cannot be won, this is only determined if the question is [`Goal::Cards`].
    pub cards_at_most: usize,
    /// Legal moves, including draws and redeals: those that win, if the verdict is `Won`; those that reach `cards`, if
    /// the question is [`Goal::Cards`]; otherwise empty.
    pub moves: Vec<Move>,
    /// Number of positions expanded.
    pub nodes: u64,
    /// Memory used for the positions seen, in bytes.
    pub bytes: usize,
}

/// Rules under which not all cards can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// A die is rolled for each draw.
    #[error("a die is rolled for each draw, so not everything is known at the deal")]
    DieForDraw,
    /// A die is rolled for each pass.
    #[error("a die is rolled for each pass, so not everything is known at the deal")]
    DieForPass,
    /// The waste is shuffled on redeal.
    #[error("the waste is shuffled on redeal, so not everything is known at the deal")]
    Shuffle,
}
