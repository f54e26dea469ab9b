//! Tables of figures, for the terminal, pages and CSV files.

use std::borrow::Cow;

use crate::format::FormattedEstimate;

/// A table.
#[derive(Clone, Debug)]
pub(super) struct DataTable {
    /// Title, which describes the rows.
    pub title: String,
    /// Explanation, shown on pages.
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
    /// Formula, the concatenation of these pieces.
    Formula(Vec<Piece>),
}

/// A part of a formula.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "workbooks alone read it"))]
pub(super) enum Piece {
    Text(String),
    /// A range of cells: the title of a table, the name of a column as in the CSV file, and the first and last row.
    Cells(&'static str, String, (usize, usize)),
}

/// Layout of a table in a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    /// In columns under its title.
    #[default]
    Columns,
    /// As lines: the name of a row, then its cells in sequence.
    Lines,
}

/// Head of a column.
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

impl From<Vec<FormattedEstimate>> for Row {
    fn from(cells: Vec<FormattedEstimate>) -> Row {
        Row { cells, ..Row::default() }
    }
}

impl DataTable {
    pub fn new<R: Into<Row>>(
        title: impl Into<String>,
        about: impl Into<Cow<'static, str>>,
        heads: Vec<Head>,
        rows: impl IntoIterator<Item = R>,
    ) -> DataTable {
        let rows = rows.into_iter().map(Into::into).collect();
        DataTable {
            title: title.into(),
            about: about.into(),
            layout: Layout::Columns,
            heads,
            rows,
            live: Vec::new(),
        }
    }
}

impl Head {
    /// Puts the column below a group head shared with adjacent columns.
    pub fn below(self, group: &str) -> Head {
        Head { group: group.into(), ..self }
    }
}

/// Creates a column of names.
pub(super) fn name(text: impl Into<Cow<'static, str>>) -> Head {
    Head { text: text.into(), figures: false, group: String::new() }
}

/// Creates a column of figures.
pub(super) fn figure(text: impl Into<Cow<'static, str>>) -> Head {
    Head { text: text.into(), figures: true, group: String::new() }
}

/// Creates a cell without an interval.
pub(super) fn exact(text: impl Into<String>) -> FormattedEstimate {
    FormattedEstimate::exact(text.into())
}
