//! What can be won, or earned, by a player who knows every card: answers deal by deal, and their summary.

mod words;

pub use words::solve_document;

use serde_json::{Map, Value, json};

use crate::lab::Solved;
use crate::rules::Spec;
use crate::solver::{Goal, Limit, Verdict};

/// Deals solved under one ruleset.
#[derive(Clone, Debug)]
pub struct SolveReport<'a> {
    /// The command line that asks the same again.
    pub command: String,
    /// Version of the program.
    pub version: &'a str,
    /// What the ruleset is called.
    pub name: &'a str,
    /// The ruleset.
    pub rules: &'a Spec,
    /// The seed of the deals; of no meaning where they come from a file.
    pub seed: u64,
    /// What was asked.
    pub goal: Goal,
    /// Cards that are up in a won game.
    pub all: usize,
    /// The answers.
    pub answers: Vec<SolveFigures>,
    /// Bytes that the positions of one deal took at most.
    pub bytes: usize,
}

/// What the summary needs of an answer.
#[derive(Clone, Copy, Debug)]
pub struct SolveFigures {
    /// The verdict.
    pub verdict: Verdict,
    /// The most cards seen on the foundations.
    pub cards: usize,
    /// No more can be there.
    pub cards_at_most: usize,
    /// Positions expanded.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
}

impl SolveFigures {
    /// The figures of an answer.
    pub fn of(solved: &Solved) -> SolveFigures {
        let answer = &solved.answer;
        SolveFigures {
            verdict: answer.verdict,
            cards: answer.cards,
            cards_at_most: answer.cards_at_most,
            nodes: answer.nodes,
            seconds: solved.seconds,
        }
    }
}

/// One line of JSON for a deal, without its end of line.
pub fn solve_json(solved: &Solved) -> String {
    let answer = &solved.answer;
    let mut line = Map::new();
    line.insert("id".into(), json!(solved.id));
    if let Some(face) = solved.face {
        line.insert("face".into(), json!(face));
    }
    line.insert("verdict".into(), json!(answer.verdict.to_string()));
    if let Verdict::Unknown(limit) = answer.verdict {
        line.insert("limit".into(), json!(limit.to_string()));
    }
    line.insert("cards".into(), json!(answer.cards));
    if answer.cards_at_most > answer.cards {
        line.insert("cards_at_most".into(), json!(answer.cards_at_most));
    }
    line.insert("nodes".into(), json!(answer.nodes));
    line.insert("seconds".into(), json!((solved.seconds * 1e6).round() / 1e6));
    if !solved.moves.is_empty() {
        line.insert("moves".into(), json!(solved.moves));
    }
    line.insert("deck".into(), json!(solved.deck.to_string()));
    Value::Object(line).to_string()
}

/// How many answers a limit left open, by limit.
fn open_by_limit(answers: &[SolveFigures]) -> Vec<(Limit, u64)> {
    let mut counts = std::collections::BTreeMap::new();
    for answer in answers {
        if let Verdict::Unknown(limit) = answer.verdict {
            *counts.entry(limit).or_insert(0) += 1;
        }
    }
    counts.into_iter().collect()
}
