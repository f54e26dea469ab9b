//! The report of a tuning: which values were found, and what they are worth on deals they were not chosen on.

mod charts;
mod document;
mod json;

pub use document::tune_document;
pub use json::tune_json;

use super::compare::{CompareReport, said};
use super::provenance::Provenance;
use crate::figures::FormattedEstimate;
use crate::lab::tune::Raced;
use crate::rules::Casino;
use crate::stats::{Estimate, Measure, TAIL};
use crate::strategy::script::Parameter;

/// A tuning, and all that its report shows.
#[derive(Clone, Debug)]
pub struct TuneReport<'a> {
    /// The command line that makes it again.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// What was tuned for.
    pub measure: Measure,
    /// The parameters of the script.
    pub parameters: &'a [Parameter],
    /// The race.
    pub raced: &'a Raced,
    /// The first deal of the race; it has all from there on.
    pub first: u64,
    /// Where the script was written with the values found, if it was.
    pub written: Option<&'a str>,
    /// The script with the values found, then with its defaults, on deals that are not those of the race. Where
    /// the defaults won, they alone.
    pub fresh: CompareReport<'a>,
}

impl<'a> TuneReport<'a> {
    fn provenance(&self) -> Provenance<'a> {
        Provenance { command: self.command.into(), saratoga: self.version, ..self.fresh.provenance() }
    }

    /// Whether the race was won by other values than the defaults.
    pub(super) fn found(&self) -> bool {
        self.fresh.entries.len() > 1
    }

    /// Whether fresh deals were played: an interruption may have come before.
    pub(super) fn compared(&self) -> bool {
        self.fresh.compared.games > 0
    }

    /// What the values found are ahead of the defaults on fresh deals.
    pub(super) fn gain(&self) -> Option<Estimate> {
        let pair = self.fresh.compared.pairs.first().filter(|_| self.compared())?;
        Some(pair.tally.difference(self.measure, TAIL))
    }

    pub(super) fn casino(&self) -> Option<&Casino> {
        self.fresh.entries.first().map(|first| &first.entry.rules.casino)
    }

    /// A difference with its sign.
    pub(super) fn said(&self, e: Estimate) -> FormattedEstimate {
        match self.casino() {
            Some(casino) => said(self.measure, e, casino),
            None => FormattedEstimate::exact(String::new()),
        }
    }

    /// `HOLD = 4, BOLD = true`, with the names that are not at their defaults, or all of them.
    pub(super) fn values(&self, values: &[i64], all: bool) -> String {
        let changed = |(parameter, value): &(&Parameter, &i64)| all || parameter.default != **value;
        let each = self.parameters.iter().zip(values).filter(changed);
        let words: Vec<String> = each
            .map(|(parameter, value)| format!("{} = {}", parameter.name, parameter.write(*value)))
            .collect();
        if words.is_empty() { "the defaults".into() } else { words.join(", ") }
    }

    /// What the measure is called.
    pub(super) fn measured(&self) -> &'static str {
        match self.measure {
            Measure::Cards => "mean cards",
            Measure::Wins => "games won",
            Measure::Money => "mean net of the player",
        }
    }
}
