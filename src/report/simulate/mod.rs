//! Report of a run: rulesets under strategies, individually and compared.

mod charts;
mod document;
mod json;
mod pace;
mod tables;

pub use charts::charts;
pub(super) use document::NOTES;
pub use document::simulate_document;
pub use json::{entries_json, summary_json};
pub use pace::Pace;

use crate::cards::Seed;
use crate::report::Entry;
use crate::report::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::stats::{Night, Tally};

/// One entry with everything its report shows.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// The figures.
    pub entry: Entry<'a>,
    /// Tally behind the figures.
    pub tally: &'a Tally,
    /// The house's profit over a night, if requested.
    pub night: Option<&'a Night>,
    /// The ruleset file, then the file it extends, and so on.
    pub rules: &'a [Source<'a>],
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
}

/// A complete report of one run.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Its heading.
    pub title: &'a str,
    /// The command line that reproduces it.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// The seed of all games.
    pub seed: Seed,
    /// Number of games of each entry.
    pub games: u64,
    /// A section for each entry, in the order of the tables.
    pub sections: Vec<Section<'a>>,
}

impl<'a> Report<'a> {
    fn provenance(&self) -> Provenance<'a> {
        let rules = self.sections.iter().map(Section::rules_source);
        let strategies = self.sections.iter().map(Section::script_source);
        let deals = self.sections.first().and_then(|first| first.entry.deals);
        Provenance { deals, ..Provenance::new((self.version, self.command), self.seed, rules, strategies) }
    }

    fn entries(&self) -> Vec<Entry<'a>> {
        self.sections.iter().map(|section| section.entry).collect()
    }
}

impl<'a> Section<'a> {
    fn rules_source(&self) -> RulesSource<'a> {
        RulesSource { id: self.entry.id, name: &self.entry.rules.name, files: self.rules.to_vec() }
    }

    fn script_source(&self) -> ScriptSource<'a> {
        ScriptSource { name: self.entry.strategy, text: self.script }
    }
}
