//! What is asked of a solver, and what it answers.

use serde::{Deserialize, Serialize};

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::game::Move;

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    /// Whether all cards can be brought up.
    Win,
    /// How many can be brought up at most.
    Cards,
}

/// When to give up.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Most positions expanded.
    pub nodes: Option<u64>,
    /// Most time.
    pub time: Option<Duration>,
    /// Gives up soon after this is set.
    pub stop: Option<&'a AtomicBool>,
}

/// Why a question stayed open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Limit {
    /// So many positions were expanded.
    Nodes,
    /// The time was over.
    Time,
    /// It was stopped.
    Stopped,
    /// The memory did not hold the positions of one line of play.
    Memory,
    /// A line of play was longer than is followed.
    Depth,
    /// The moves found did not do what they were to do when replayed.
    Replay,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Nodes => "nodes",
            Limit::Time => "time",
            Limit::Stopped => "stopped",
            Limit::Memory => "memory",
            Limit::Depth => "depth",
            Limit::Replay => "replay",
        })
    }
}

/// Whether all cards can be brought up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// They can, by the moves of the answer.
    Won,
    /// They cannot, whatever is played.
    Lost,
    /// A limit left it open.
    Unknown(Limit),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Won => "won",
            Verdict::Lost => "lost",
            Verdict::Unknown(_) => "unknown",
        })
    }
}

/// The answer to a question about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether all cards can be brought up.
    pub verdict: Verdict,
    /// The most cards that were on the foundations in any position seen.
    pub cards: usize,
    /// No more can be there whatever is played. It equals `cards` where those are proven to be the most, which for
    /// a deal that cannot be won is only found out if [`Goal::Cards`] was asked.
    pub cards_at_most: usize,
    /// Legal moves, draws and redeals among them: that win, where the verdict is `Won`; that reach `cards`, where
    /// [`Goal::Cards`] was asked; else none.
    pub moves: Vec<Move>,
    /// Positions expanded.
    pub nodes: u64,
    /// Bytes that the positions seen took.
    pub bytes: usize,
}

/// Rules under which not all cards can be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A die is rolled for each draw.
    DieForDraw,
    /// A die is rolled for each pass.
    DieForPass,
    /// The waste is shuffled on redeal.
    Shuffle,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::DieForDraw => "a die is rolled for each draw, so not everything is known at the deal",
            Refused::DieForPass => "a die is rolled for each pass, so not everything is known at the deal",
            Refused::Shuffle => "the waste is shuffled on redeal, so not everything is known at the deal",
        })
    }
}

impl std::error::Error for Refused {}
