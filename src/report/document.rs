//! Results of an experiment: findings first, then figures, charts and tables. Each experiment builds one document;
//! the writers in `write` turn it into a text for the terminal, a page and files.

use std::borrow::Cow;
use std::fmt::Display;

use super::run::Run;
use crate::chart::Chart;
use crate::format::{FormattedEstimate, Side};

/// A finding: a sentence with an emphasized first part.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub side: Side,
    /// The emphasized part.
    pub finding: String,
    /// The rest of the sentence, with the space or the comma before it.
    pub rest: String,
}

impl Finding {
    /// Creates a finding about no side.
    pub fn open(finding: impl Into<String>, rest: impl Into<String>) -> Finding {
        Finding { side: Side::Open, finding: finding.into(), rest: rest.into() }
    }

    /// Creates a finding on the side of a figure, whose interval stands before the rest.
    pub fn of(said: &FormattedEstimate, finding: impl Into<String>, rest: impl Display) -> Finding {
        let rest = format!(" ({}){rest}", said.interval_in_words());
        Finding { side: said.side, finding: finding.into(), rest }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Card {
    pub what: String,
    pub said: FormattedEstimate,
}

impl Card {
    pub fn new(what: impl Into<String>, said: FormattedEstimate) -> Card {
        Card { what: what.into(), said }
    }
}

/// A part of a document, in reading order.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a document has few blocks")]
pub(super) enum Block {
    Heading(String),
    Text(String),
    Warning(String),
    List(Vec<String>),
    /// Verbatim text, such as a line to paste.
    Verbatim(String),
    Cards(Vec<Card>),
    Table(DataTable),
    /// A chart, shown on pages only.
    Chart(Chart),
    Section(Section),
    /// A text to expand, such as a ruleset as written; on pages only.
    Details(Details),
    /// An index of words with their anchors; on pages only.
    Index(Vec<(String, Vec<String>)>),
    /// Blocks for one medium only, if the other presents the same in another way.
    Only(Medium, Vec<Block>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Medium {
    Terminal,
    Page,
    /// The files of tables, CSV and XLSX.
    Files,
}

/// A section about one of several things.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub id: String,
    pub title: String,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
pub(super) struct Details {
    pub title: String,
    pub text: String,
}

/// Results of an experiment.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    pub(super) title: String,
    pub(super) run: &'a Run,
    /// More names in its charts, such as those of the players of a contest.
    pub(super) also_named: Vec<String>,
    /// Findings, at most five of at most three sentences each; the most important first.
    pub(super) findings: Vec<Finding>,
    /// A warning for every reader, below the findings.
    pub(super) warning: String,
    /// How much was played, and from which seed.
    pub(super) played: String,
    /// The figures to see first.
    pub(super) cards: Vec<Card>,
    /// Charts, tables and texts, in reading order.
    pub(super) blocks: Vec<Block>,
    /// Methods and meaning of the figures.
    pub(super) notes: Vec<String>,
    /// Whether rulesets and scripts are left out in print.
    pub(super) brief: bool,
}

impl<'a> Document<'a> {
    pub(super) fn of(run: &'a Run) -> Document<'a> {
        Document {
            title: String::new(),
            run,
            also_named: Vec::new(),
            findings: Vec::new(),
            warning: String::new(),
            played: String::new(),
            cards: Vec::new(),
            blocks: Vec::new(),
            notes: Vec::new(),
            brief: false,
        }
    }

    /// Sets the subtitle of its charts that have none.
    pub(super) fn under(mut self, subtitle: &str) -> Document<'a> {
        for block in &mut self.blocks {
            if let Block::Chart(chart) = block
                && chart.subtitle.is_empty()
            {
                chart.subtitle = subtitle.into();
            }
        }
        self
    }

    /// Returns its findings, after what they cover if the run was interrupted.
    pub(super) fn all_findings(&self) -> Vec<Finding> {
        let interrupted = self.run.interrupted.iter();
        let interrupted = interrupted.map(|of| Finding::open("This run was interrupted", format!(": {of}.")));
        interrupted.chain(self.findings.iter().cloned()).collect()
    }

    /// Returns its charts, in order.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        let mut charts = Vec::new();
        each(&self.blocks, "", &mut |_, block| {
            if let Block::Chart(chart) = block {
                charts.push(chart);
            }
        });
        charts.into_iter()
    }

    /// Returns the tables of its page, each with the id of its section.
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

/// Visits all blocks shown on pages and in files, with their sections.
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

#[derive(Clone, Debug)]
pub(super) struct DataTable {
    /// Title, which describes the rows.
    pub title: String,
    pub about: Cow<'static, str>,
    pub layout: Layout,
    pub heads: Vec<Head>,
    pub rows: Vec<Row>,
    /// Live cells of a workbook, by row and name of the column.
    pub live: Vec<(usize, String, Live)>,
}

/// Role of a live cell in a workbook.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "workbooks alone read it"))]
pub(super) enum Live {
    /// Input that can be changed.
    Input,
    /// Formula, in which [`cells`] stand for ranges.
    Formula(String),
}

/// Begins and ends a range in a formula.
pub(super) const RANGE: char = '\u{1}';

/// Returns a range of cells for a formula: the title of a table, the name of a column as in the CSV file, and the first
/// and last row.
pub(super) fn cells(table: &str, column: &str, (from, to): (usize, usize)) -> String {
    format!("{RANGE}{table}\n{column}\n{from}\n{to}{RANGE}")
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    /// In columns under its title.
    #[default]
    Columns,
    /// As lines: the name of a row, then its cells in sequence.
    Lines,
}

#[derive(Clone, Debug)]
pub(super) struct Head {
    pub text: Cow<'static, str>,
    /// Whether its cells are figures.
    pub figures: bool,
    /// Group shared with adjacent columns; empty if none.
    pub group: String,
}

/// A row: its cells and, for pages, links.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub cells: Vec<FormattedEstimate>,
    /// Anchor of the row; empty if none.
    pub anchor: String,
    /// Target of the link in its first cell; empty if none.
    pub link: String,
    /// Explanation of its first cell.
    pub about: String,
}

/// A table under construction, column by column, with a row for each value.
pub(super) struct Columns<T> {
    rows: Vec<T>,
    table: DataTable,
}

impl DataTable {
    pub fn of<T>(
        title: impl Into<String>,
        about: impl Into<Cow<'static, str>>,
        rows: impl IntoIterator<Item = T>,
    ) -> Columns<T> {
        let rows: Vec<T> = rows.into_iter().collect();
        let table = DataTable {
            title: title.into(),
            about: about.into(),
            layout: Layout::Columns,
            heads: Vec::new(),
            rows: rows.iter().map(|_| Row::default()).collect(),
            live: Vec::new(),
        };
        Columns { rows, table }
    }

    pub fn of_figures<N: Into<String>>(
        title: impl Into<String>,
        about: impl Into<Cow<'static, str>>,
        rows: impl IntoIterator<Item = (N, FormattedEstimate)>,
    ) -> DataTable {
        let rows = rows.into_iter().map(|(name, said)| (name.into(), said));
        DataTable::of(title, about, rows)
            .name("figure", |(name, _): &(String, _)| name.clone())
            .figure("value", |(_, said)| said.clone())
            .done()
    }
}

impl<T> Columns<T> {
    pub fn name<C: Into<FormattedEstimate>>(
        self,
        head: impl Into<Cow<'static, str>>,
        cell: impl Fn(&T) -> C,
    ) -> Self {
        self.column(head.into(), false, cell)
    }

    pub fn figure<C: Into<FormattedEstimate>>(
        self,
        head: impl Into<Cow<'static, str>>,
        cell: impl Fn(&T) -> C,
    ) -> Self {
        self.column(head.into(), true, cell)
    }

    fn column<C: Into<FormattedEstimate>>(
        mut self,
        text: Cow<'static, str>,
        figures: bool,
        cell: impl Fn(&T) -> C,
    ) -> Self {
        self.table.heads.push(Head { text, figures, group: String::new() });
        for (row, it) in self.table.rows.iter_mut().zip(&self.rows) {
            row.cells.push(cell(it).into());
        }
        self
    }

    /// Leaves the last column out unless a condition holds.
    pub fn when(mut self, shown: bool) -> Self {
        if !shown {
            self.table.heads.pop();
            self.table.rows.iter_mut().for_each(|row| drop(row.cells.pop()));
        }
        self
    }

    /// Puts the last columns below a group head.
    pub fn below(mut self, group: &str, columns: usize) -> Self {
        let others = self.table.heads.len().saturating_sub(columns);
        self.table.heads.iter_mut().skip(others).for_each(|head| head.group = group.into());
        self
    }

    /// Sets more of each row than its cells, such as its link.
    pub fn rows(mut self, set: impl Fn(&mut Row, &T)) -> Self {
        self.table.rows.iter_mut().zip(&self.rows).for_each(|(row, it)| set(row, it));
        self
    }

    pub fn done(self) -> DataTable {
        self.table
    }
}

pub(super) fn exact(text: impl Into<String>) -> FormattedEstimate {
    FormattedEstimate::exact(text.into())
}
