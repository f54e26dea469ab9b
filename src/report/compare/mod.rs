//! The report of a comparison: who is better, by how much, and how sure that is.

mod charts;
mod document;
mod json;
mod ranking;
mod tables;
mod words;

pub(super) use charts::{unit, unit_name};
pub use document::compare_document;
pub use json::compare_json;
pub use words::progress_figure;
pub(super) use words::said;

use super::PairingResult;
use super::labels::labels;
use super::provenance::{Provenance, RulesSource, ScriptSource, Source};
use crate::game::NamedDeal;
use crate::lab::Compared;
use crate::stats::{Measure, TAIL};

/// What was compared, and all that the report shows.
#[derive(Clone, Debug)]
pub struct CompareReport<'a> {
    /// The command line that makes it again.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// Deals at most.
    pub budget: u64,
    /// By what the entries are compared.
    pub measure: Measure,
    /// The entries: several strategies under one ruleset, or several rulesets under one strategy.
    pub entries: Vec<ComparedEntry<'a>>,
    /// What came of it.
    pub compared: &'a Compared,
    /// The deals, where they are those of a file.
    pub deals: Option<&'a [NamedDeal]>,
}

/// One of the entries.
#[derive(Clone, Debug)]
pub struct ComparedEntry<'a> {
    /// Its rules, its strategy and what its games say.
    pub entry: PairingResult<'a>,
    /// The ruleset file, then what it extends, then what that extends.
    pub rules: Vec<Source<'a>>,
    /// The script; `None` for a strategy that is part of the program.
    pub script: Option<&'a str>,
    /// The command that shows one of its games, without the number of the game at its end.
    pub replay: String,
}

impl<'a> ComparedEntry<'a> {
    pub(super) fn rules_source(&self) -> RulesSource<'a> {
        RulesSource { id: self.entry.id, name: &self.entry.rules.name, files: self.rules.clone() }
    }

    pub(super) fn script_source(&self) -> ScriptSource<'a> {
        ScriptSource { name: self.entry.strategy, text: self.script }
    }
}

impl<'a> CompareReport<'a> {
    pub(super) fn provenance(&self) -> Provenance<'a> {
        let first = self.entries.first().map(|it| it.entry);
        let (seed, deals) = (first.map_or(0, |it| it.seed), first.and_then(|it| it.deals));
        let rules = self.entries.iter().map(ComparedEntry::rules_source);
        let scripts = self.entries.iter().map(ComparedEntry::script_source);
        Provenance { deals, ..Provenance::new((self.version, self.command), seed, rules, scripts) }
    }

    /// Whether rulesets are compared, and not strategies.
    pub(super) fn of_rulesets(&self) -> bool {
        let mut entries = self.entries.iter().map(|it| it.entry);
        entries
            .next()
            .is_some_and(|first| entries.any(|other| other.id != first.id || other.rules != first.rules))
    }

    /// A short name for each entry: the strategy, or the ruleset where these are compared.
    pub(super) fn names(&self) -> Vec<String> {
        let entries: Vec<PairingResult<'_>> = self.entries.iter().map(|it| it.entry).collect();
        let rulesets = self.of_rulesets();
        labels(&entries).into_iter().map(|label| if rulesets { label.rules } else { label.player }).collect()
    }

    /// Whether amounts of money can be compared, and there are any.
    pub(super) fn has_money(&self) -> bool {
        let mut casinos = self.entries.iter().map(|it| &it.entry.rules.casino);
        let Some(first) = casinos.next() else { return false };
        let paid = |casino: &crate::rules::Casino| casino.is_for_money();
        let alike = casinos.clone().all(|casino| casino.currency == first.currency);
        alike && (paid(first) || casinos.any(paid))
    }

    /// The id of a deal in its file, if it has one.
    pub(super) fn deal_id(&self, game: u64) -> Option<&'a str> {
        self.deals?.get(usize::try_from(game).ok()?)?.id.as_deref()
    }

    /// The share that the interval of each pair leaves out at either end, so that all of them hold at once in 95% of
    /// runs (Bonferroni).
    pub(super) fn tail(&self) -> f64 {
        TAIL / self.compared.pairs.len().max(1) as f64
    }
}
