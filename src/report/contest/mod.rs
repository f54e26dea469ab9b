//! The report of a contest: what its matches came to, as a table, a page, JSON and CSV.

mod charts;
mod csv;
mod json;
mod sheets;
mod words;

pub(super) use charts::contest_charts;
pub use json::{contest_array, contest_json};
pub(super) use sheets::{factor, sheets};
pub(super) use words::{
    WARNING, answer, contest_in_words, fair_share, heading, matches, mean_of, player_of_speeds, remarks,
    subtitle, time_in_words,
};

use crate::cards::Seed;
use crate::contest::ContestSpec;
use crate::rules::Spec;
use crate::stats::{ContestSummary, SpeedPoint};

use super::{ChartError, Source, contest_html};

/// Matches of a contest, and all that their report shows.
#[derive(Clone, Copy, Debug)]
pub struct ContestReport<'a> {
    /// The command line that makes it again.
    pub command: &'a str,
    /// Version of the program.
    pub version: &'a str,
    /// The contest's name on the shelf, or that of its file.
    pub id: &'a str,
    /// The contest as it was played.
    pub spec: &'a ContestSpec,
    /// The contest's file as written, then those that it extends.
    pub files: &'a [Source<'a>],
    /// The ruleset's name on the shelf, or that of its file.
    pub rules_id: &'a str,
    /// The ruleset that each player dealt.
    pub rules: &'a Spec,
    /// The ruleset's file as written, then those that it extends.
    pub rules_files: &'a [Source<'a>],
    /// The script of each player; `None` for a strategy that is part of the program.
    pub scripts: &'a [Option<&'a str>],
    /// The seed of the matches.
    pub seed: Seed,
    /// What the matches say.
    pub summary: &'a ContestSummary,
    /// What they say where the first player is slower or faster, by speed; empty if that was not asked.
    pub speeds: &'a [SpeedPoint],
}

/// Every file of a report with its path inside the folder: `index.html`, `summary.json` (given), the tables as
/// CSV and the charts.
///
/// # Errors
/// Those of drawing.
pub fn contest_files(
    report: &ContestReport<'_>,
    summary_json: &str,
) -> Result<Vec<(String, Vec<u8>)>, ChartError> {
    let mut files =
        vec![("summary.json".to_string(), crate::text::visible(summary_json).into_owned().into_bytes())];
    files.extend(csv::tables(report).into_iter().map(|(name, text)| (name.to_string(), text.into_bytes())));
    for chart in contest_charts(report) {
        files.extend(chart.files()?.into_iter().map(|file| (format!("charts/{}", file.name), file.bytes)));
    }
    files.push(("index.html".to_string(), contest_html(report)?.into_bytes()));
    Ok(files)
}
