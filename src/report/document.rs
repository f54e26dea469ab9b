//! What an experiment found: findings first, then figures, charts and tables. Each experiment makes one; the writers in
//! `write` turn it into a text for the terminal, a page and files.

use super::provenance::Provenance;
use super::table::DataTable;
use crate::chart::Chart;
use crate::format::{FormattedEstimate, Side};

/// A sentence that answers the question, its first part set off.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub side: Side,
    /// What matters most.
    pub finding: String,
    /// What goes on from there, with the space or the comma before it.
    pub rest: String,
}

impl Finding {
    /// One that is about no side.
    pub fn open(finding: impl Into<String>, rest: impl Into<String>) -> Finding {
        Finding { side: Side::Open, finding: finding.into(), rest: rest.into() }
    }
}

/// A figure to be seen at once.
#[derive(Clone, Debug)]
pub(super) struct Card {
    pub side: Side,
    pub what: String,
    pub said: FormattedEstimate,
}

impl Card {
    /// A figure that is about no side, or of the side that it has itself.
    pub fn new(what: impl Into<String>, said: FormattedEstimate) -> Card {
        Card { side: said.side, what: what.into(), said }
    }
}

/// A part of a document, in the order in which it is read.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a document has few blocks")]
pub(super) enum Block {
    Heading(String),
    Text(String),
    /// What must not be overlooked.
    Warning(String),
    List(Vec<String>),
    /// Words as they stand, such as a line to be pasted.
    Verbatim(String),
    Findings(Vec<Finding>),
    Cards(Vec<Card>),
    Table(DataTable),
    /// Shown on pages only.
    Chart(Chart),
    Section(Section),
    /// A text to be opened, such as a ruleset as written; on pages only.
    Details(Details),
    /// Words with the anchors that each leads to; on pages only.
    Index(Vec<(String, Vec<String>)>),
    /// What only one medium shows, where the other says the same in other ways.
    Only(Medium, Vec<Block>),
}

/// Where a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Medium {
    Terminal,
    Page,
    /// The files of tables, CSV and XLSX.
    Files,
}

/// A part about one of several things.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// What links to it name.
    pub id: String,
    pub title: String,
    pub blocks: Vec<Block>,
}

/// A text that belongs to the report.
#[derive(Clone, Debug)]
pub(super) struct Details {
    pub title: String,
    pub text: String,
}

/// What an experiment found.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) title: String,
    pub(super) provenance: Provenance<'a>,
    pub(super) findings: Vec<Finding>,
    /// What every reader must know, below the findings.
    pub(super) warning: String,
    /// How much was played.
    pub(super) played: String,
    pub(super) cards: Vec<Card>,
    pub(super) blocks: Vec<Block>,
    /// How figures were found and what they mean.
    pub(super) notes: Vec<String>,
    /// Rulesets and scripts are left out on paper.
    pub(super) brief: bool,
}

impl Document<'_> {
    /// The same, which says first that the run was interrupted, and what its figures are of.
    pub fn of_an_interrupted_run(mut self, of: &str) -> Self {
        let (finding, rest) = ("This run was interrupted".into(), format!(": {of}."));
        self.findings.insert(0, Finding { side: Side::Open, finding, rest });
        self
    }

    /// Its charts, in order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        let mut charts = Vec::new();
        each(&self.blocks, "", &mut |_, block| {
            if let Block::Chart(chart) = block {
                charts.push(chart);
            }
        });
        charts.into_iter()
    }

    /// The tables of its page, each with the id of the section that it is in.
    pub(super) fn tables(&self) -> Vec<(&str, &DataTable)> {
        let mut tables = Vec::new();
        each(&self.blocks, "", &mut |section, block| {
            if let Block::Table(table) = block {
                tables.push((section, table));
            }
        });
        tables
    }
}

/// Visits all blocks that pages and files show, with the sections they are in.
fn each<'d>(blocks: &'d [Block], section: &'d str, visit: &mut impl FnMut(&'d str, &'d Block)) {
    for block in blocks {
        match block {
            Block::Section(inner) => each(&inner.blocks, &inner.id, visit),
            Block::Only(Medium::Page | Medium::Files, inner) => each(inner, section, visit),
            Block::Only(Medium::Terminal, _) => {}
            block => visit(section, block),
        }
    }
}
