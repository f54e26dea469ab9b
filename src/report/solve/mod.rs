//! What can be won, or earned, by a player who knows every card: answers deal by deal, and their summary.

mod charts;
mod claim;
mod csv;
mod effort;
mod json;
mod line;
mod tables;
mod words;

pub use csv::solve_csv;
pub(super) use effort::{Effort, efforts};
pub use json::{solve_players_json, solve_summary_json};
pub use line::SolveLine;
pub use words::solve_document;

use std::collections::BTreeMap;

use super::PairingResult;
use super::labels::{labels, name_in_full};
use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::lab::{GivenGame, Solved};
use crate::rules::Spec;
use crate::solver::{Goal, Limit, Verdict};
use crate::stats::{ClairvoyantBounds, MostCards, ShortfallSummary, Summary, Winnable};

/// Deals solved under one ruleset.
#[derive(Clone, Debug)]
pub struct SolveReport<'a> {
    /// The command line that asks the same again.
    pub command: String,
    /// Version of the program.
    pub version: &'a str,
    /// The ruleset's name on the shelf, or that of its file.
    pub id: &'a str,
    /// The ruleset.
    pub rules: &'a Spec,
    /// The ruleset file, then what it extends, then what that extends.
    pub sources: Vec<Source<'a>>,
    /// The seed of the deals, and of the chance that goes with those of a file.
    pub seed: u64,
    /// The file of the deals, where they are not those of the seed.
    pub file: Option<String>,
    /// What was asked.
    pub goal: Goal,
    /// When a deal was given up.
    pub limits: SolveLimits,
    /// The answers.
    pub answers: Vec<SolveFigures>,
    /// What the deals allow: the answers, and what the players below were seen to reach.
    pub bounds: ClairvoyantBounds,
    /// Strategies that played the same deals.
    pub players: Vec<SolvePlayer<'a>>,
}

/// When a deal is given up.
#[derive(Clone, Copy, Debug)]
pub struct SolveLimits {
    /// Most positions expanded.
    pub nodes: Option<u64>,
    /// Most seconds.
    pub seconds: Option<f64>,
    /// Bytes for the positions of each thread.
    pub memory: usize,
}

/// What the summary needs of an answer.
#[derive(Clone, Debug)]
pub struct SolveFigures {
    /// The deal's number.
    pub number: u64,
    /// The deal's id.
    pub id: String,
    /// The face of the die, where one is rolled for the game.
    pub face: Option<u8>,
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
    /// Bytes that the positions took.
    pub bytes: usize,
}

/// A strategy that played the same deals.
#[derive(Clone, Debug)]
pub struct SolvePlayer<'a> {
    /// The strategy: its shelf name or the path of its script.
    pub strategy: &'a str,
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
    /// Its games, in the order of the deals.
    pub games: Vec<GivenGame>,
    /// What they say alone.
    pub summary: Summary,
    /// And beside what the deals allow.
    pub left: ShortfallSummary,
}

impl SolveFigures {
    /// The figures of an answer.
    pub fn of(solved: &Solved) -> SolveFigures {
        let answer = &solved.answer;
        SolveFigures {
            number: solved.number,
            id: solved.id.clone(),
            face: solved.face,
            verdict: answer.verdict,
            cards: answer.cards,
            cards_at_most: answer.cards_at_most,
            nodes: answer.nodes,
            seconds: solved.seconds,
            bytes: answer.bytes,
        }
    }
}

impl<'a> SolvePlayer<'a> {
    fn source(&self) -> ScriptSource<'a> {
        ScriptSource { name: self.strategy, text: self.script }
    }
}

impl<'a> SolveReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let scripts = self.players.iter().map(SolvePlayer::source);
        Provenance::new((self.version, self.command.clone()), self.seed, [self.rules_source()], scripts)
    }

    fn rules_source(&self) -> RulesSource<'a> {
        RulesSource { id: self.id, name: &self.rules.name, files: self.sources.clone() }
    }

    /// How many deals can be won.
    pub(super) fn winnable(&self) -> Winnable {
        self.bounds.winnable()
    }

    /// What is known of the most cards, where that was asked.
    pub(super) fn most_cards(&self) -> Option<MostCards> {
        (self.goal == Goal::Cards).then(|| self.bounds.most_cards(self.rules))
    }

    /// Whether cards or wins are paid for at one price.
    pub(super) fn has_money(&self) -> bool {
        let casino = &self.rules.casino;
        !casino.is_staged() && casino.is_for_money()
    }

    /// Bytes that the positions of one deal took at most.
    pub(super) fn bytes(&self) -> usize {
        self.answers.iter().map(|answer| answer.bytes).max().unwrap_or(0)
    }

    /// How many answers a limit left open, by limit.
    pub(super) fn open_by_limit(&self) -> BTreeMap<Limit, u64> {
        let mut counts = BTreeMap::new();
        for answer in &self.answers {
            if let Verdict::Unknown(limit) = answer.verdict {
                *counts.entry(limit).or_insert(0) += 1;
            }
        }
        counts
    }

    /// A short name for each strategy.
    pub(super) fn names(&self) -> Vec<String> {
        let entries: Vec<PairingResult<'_>> = self
            .players
            .iter()
            .map(|player| {
                PairingResult::new((self.id, self.rules), player.strategy, self.seed, &player.summary)
            })
            .collect();
        labels(&entries).into_iter().map(|label| label.player).collect()
    }

    /// Which deals a chart is about.
    pub(super) fn subtitle(&self) -> String {
        let deals = crate::figures::plural(self.bounds.deals() as u64, "deal");
        let from = match &self.file {
            Some(file) => crate::figures::one_line(file),
            None => format!("seed {}", self.seed),
        };
        format!("{}, every card known: {deals}, {from}", name_in_full(&self.rules.name, self.id))
    }
}
