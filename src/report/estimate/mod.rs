//! The report on who came to a night, and whether it was luck.

mod charts;
mod document;
mod json;
mod words;

pub use document::estimate_document;
pub use json::estimate_json;

use super::labels::short_names;
use super::patrons::Guest;
use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::cards::Seed;
use crate::rules::Spec;
use crate::stats::{Estimated, NightRow, Tally};

/// What a night says, and all that its report shows.
#[derive(Clone, Debug)]
pub struct EstimateReport<'a> {
    /// The command line that makes it again.
    pub command: String,
    /// Version of the program.
    pub version: &'a str,
    /// The ruleset's name on the shelf, or that of its file.
    pub id: &'a str,
    /// What the ruleset is called.
    pub name: &'a str,
    /// The ruleset at the price at which the deck was sold.
    pub rules: &'a Spec,
    /// The ruleset's file as written, then those that it extends.
    pub files: &'a [Source<'a>],
    /// The file of the night.
    pub night: String,
    /// What it says.
    pub results: &'a [NightRow],
    /// Who may have come.
    pub guests: Vec<Guest<'a>>,
    /// Their games, in the same order.
    pub tallies: &'a [Tally],
    /// Decks that the expected shares weigh as much as.
    pub weight: u64,
    /// The error rate of the test.
    pub alpha: f64,
    /// The seed of games and draws.
    pub seed: Seed,
    /// What came of it.
    pub found: &'a Estimated,
}

impl<'a> EstimateReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let run = (self.version, self.command.clone());
        let scripts = self.guests.iter().map(|it| ScriptSource { name: it.strategy, text: it.script });
        Provenance::new(run, self.seed, [self.rules_source()], scripts)
    }

    fn rules_source(&self) -> RulesSource<'a> {
        RulesSource { id: self.id, name: self.name, files: self.files.to_vec() }
    }

    /// What the players are called, no two alike.
    fn names(&self) -> Vec<String> {
        short_names(&self.guests.iter().map(|it| it.name).collect::<Vec<_>>())
    }
}
