//! A report of the laboratory: answers first, then figures, charts and tables, for the terminal and for a page.
//!
//! Each experiment says what it found as a [`Document`]; how that is set is the same for all of them.

use super::charts::{Chart, ChartError};
use super::figures::{FormattedEstimate, Side};
use super::html::document_html;
use super::table::DataTable;
use crate::cards::Seed;
use crate::text::visible;

/// An answer in a sentence, its first part set off.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub side: Side,
    /// What matters most.
    pub finding: String,
    /// What goes on from there, with the space or the comma before it.
    pub rest: String,
}

/// A figure to be seen at once.
#[derive(Clone, Debug)]
pub(super) struct Card {
    pub side: Side,
    pub what: String,
    pub said: FormattedEstimate,
}

/// A part of a document, in the order in which it is read.
#[derive(Clone, Debug)]
pub(super) enum Block<'a> {
    Heading(String),
    Text(String),
    /// Words of the terminal as they stand, such as a line to be pasted.
    Verbatim(String),
    Table(DataTable),
    /// Shown on pages only.
    Chart(Chart<'a>),
}

/// A text that belongs to the report, such as a ruleset as written.
#[derive(Clone, Debug)]
pub(super) struct Attached {
    pub title: String,
    pub text: String,
}

/// What an experiment found.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) title: String,
    /// The command line that makes it again.
    pub(super) command: String,
    /// Version of the program.
    pub(super) version: String,
    pub(super) seed: Seed,
    pub(super) findings: Vec<Finding>,
    /// What every reader must know, below the findings.
    pub(super) warning: String,
    /// How much was played.
    pub(super) played: String,
    pub(super) cards: Vec<Card>,
    pub(super) blocks: Vec<Block<'a>>,
    /// How figures were found and what they mean.
    pub(super) notes: Vec<String>,
    pub(super) attached: Vec<Attached>,
}

impl<'a> Document<'a> {
    /// Its charts, in order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart<'a>> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Chart(chart) => Some(chart),
            _ => None,
        })
    }
}

/// Every file of a report with its path inside the folder: `index.html`, `summary.json` (given) and the charts.
///
/// # Errors
/// Those of drawing.
pub fn document_files(
    document: &Document<'_>,
    summary_json: &str,
) -> Result<Vec<(String, Vec<u8>)>, ChartError> {
    let mut files = vec![("summary.json".to_string(), visible(summary_json).into_owned().into_bytes())];
    for chart in document.charts() {
        files.extend(chart.files()?.into_iter().map(|file| (format!("charts/{}", file.name), file.bytes)));
    }
    files.push(("index.html".to_string(), document_html(document)?.into_bytes()));
    Ok(files)
}
