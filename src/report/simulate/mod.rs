//! The report of a run: rulesets under strategies, each for itself and beside the others.

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

/// One entry with all that its report shows.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// The figures.
    pub entry: Entry<'a>,
    /// The counts behind them.
    pub tally: &'a Tally,
    /// The house's profit over a night, where it was asked for.
    pub night: Option<&'a Night>,
    /// The ruleset file, then what it extends, then what that extends.
    pub rules: &'a [Source<'a>],
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
}

/// A whole report: what one run of the program found.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// Its heading.
    pub title: &'a str,
    /// The command line that makes it again.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// The seed of all games.
    pub seed: Seed,
    /// Games of each entry.
    pub games: u64,
    /// One section an entry, in the order of the tables.
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
