//! Floor 7: a summary in, bytes out. Nothing is simulated here and nothing is printed.

mod charts;
mod html;
mod wording;

pub use charts::{Chart, ChartError, ChartFile, Theme, charts};
pub use html::html;

use crate::rules::Spec;
use crate::stats::{Evening, Summary};

/// One ruleset under one strategy, as every kind of report takes it.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The ruleset.
    pub rules: &'a Spec,
    /// What the strategy is called.
    pub strategy: &'a str,
    /// Seed of the run.
    pub seed: u64,
    /// What its games say.
    pub summary: &'a Summary,
    /// Speed of the run, where it was measured.
    pub games_per_second: Option<f64>,
}

/// One entry with what the HTML report shows beside its figures.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// The figures.
    pub entry: Entry<'a>,
    /// The house's profit over an evening, where it was asked for.
    pub evening: Option<&'a Evening>,
    /// The ruleset file as written.
    pub rules_text: &'a str,
    /// The script as written; `None` for a native strategy.
    pub script_text: Option<&'a str>,
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
    /// One section an entry, in the order of the tables.
    pub sections: Vec<Section<'a>>,
}
