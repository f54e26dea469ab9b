//! The answer to one deal as a line of JSON.

use serde::{Deserialize, Serialize};

use crate::game::{End, Record, RecordFault};
use crate::lab::Solved;
use crate::rules::Rules;
use crate::solver::Verdict;

/// One line of `solve --json`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveLine {
    id: String,
    rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    face: Option<u8>,
    verdict: Word,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
    cards: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cards_at_most: Option<u16>,
    nodes: u64,
    seconds: f64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    moves: String,
    deck: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Won,
    Lost,
    Unknown,
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
            moves: solved.moves.clone(),
            deck: solved.deck.to_string(),
        }
    }

    /// What it claims, as the record of a game.
    pub fn record(&self) -> Record {
        Record {
            rules: self.rules.clone(),
            seed: None,
            game: 0,
            deck: self.deck.clone(),
            strategy: "solver".into(),
            moves: self.moves.clone(),
            end: if self.verdict == Word::Won { End::Won } else { End::Resigned },
            cards: self.cards,
            staked: None,
            stopped: None,
        }
    }

    /// Replays its moves: they win, where it says so, and else reach as many cards as it says. Whether there were
    /// moves: without, nothing but the deck is checked, since no replay shows that a deal is lost.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self, rules: &Rules) -> Result<bool, RecordFault> {
        match (self.verdict, self.moves.is_empty()) {
            (Word::Won, _) => self.record().check(rules).map(|_| true),
            (_, false) => self.record().check_reached(rules).map(|()| true),
            (_, true) => Ok(false),
        }
    }
}
