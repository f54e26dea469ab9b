//! The answer to one deal as a line of JSON.

use serde::{Deserialize, Serialize};

use crate::lab::Solved;
use crate::solver::{Limit, Verdict};

/// One line of `solve --json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveLine {
    pub(super) id: String,
    pub(super) rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) face: Option<u8>,
    pub(super) verdict: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) limit: Option<String>,
    pub(super) cards: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cards_at_most: Option<u16>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) moves: String,
    pub(super) deck: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Word {
    Won,
    Lost,
    Unknown,
}

impl Word {
    pub(super) fn word(self) -> &'static str {
        match self {
            Word::Won => "won",
            Word::Lost => "lost",
            Word::Unknown => "unknown",
        }
    }
}

impl SolveLine {
    /// The line of an answer under rules of this name, or of a file at this path.
    pub fn new(solved: &Solved, rules: &str) -> SolveLine {
        let answer = &solved.answer;
        let (verdict, limit) = match answer.verdict {
            Verdict::Won => (Word::Won, None),
            Verdict::Lost => (Word::Lost, None),
            Verdict::Unknown(limit) => (Word::Unknown, Some(limit.to_string())),
        };
        SolveLine {
            id: solved.id.clone(),
            rules: rules.to_string(),
            face: solved.face,
            verdict,
            limit,
            cards: answer.cards as u16,
            cards_at_most: (answer.cards_at_most > answer.cards).then_some(answer.cards_at_most as u16),
            nodes: answer.nodes,
            seconds: (solved.seconds * 1e6).round() / 1e6,
            // Moves that did not do what they were to do show nothing.
            moves: match answer.verdict {
                Verdict::Unknown(Limit::Replay) => String::new(),
                _ => solved.moves.clone(),
            },
            deck: solved.deck.to_string(),
        }
    }
}
