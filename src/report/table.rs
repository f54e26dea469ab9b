//! Tables of figures, for the terminal, pages and CSV files alike.

use std::borrow::Cow;

use crate::format::FormattedEstimate;

/// A table.
#[derive(Clone, Debug)]
pub(super) struct DataTable {
    /// What the rows are.
    pub title: String,
    /// What is to be known of it; shown on pages.
    pub about: Cow<'static, str>,
    pub layout: Layout,
    pub heads: Vec<Head>,
    pub rows: Vec<Row>,
    /// What a workbook does with cells besides showing their figures: by row and name of the column.
    pub live: Vec<(usize, String, Live)>,
}

/// What a workbook does with a cell.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "workbooks alone read it"))]
pub(super) enum Live {
    /// It can be changed.
    Input,
    /// It is computed by a formula, from these in turn.
    Formula(Vec<Piece>),
}

/// A part of a formula.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "workbooks alone read it"))]
pub(super) enum Piece {
    Text(String),
    /// The cells of a table, by its title and the name of a column as it is in the CSV file, from a row to another.
    Cells(&'static str, String, (usize, usize)),
}

/// How a terminal shows a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Layout {
    /// In columns under its title.
    #[default]
    Columns,
    /// As lines: what a row is called, then its cells one after the other.
    Lines,
}

/// The head of a column.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub text: Cow<'static, str>,
    /// Its cells are figures.
    pub figures: bool,
    /// What it shares with the columns beside it; empty where it stands alone.
    pub group: String,
}

/// A row: its cells and, for pages, where links go.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub cells: Vec<FormattedEstimate>,
    /// What links to it name; empty where there are none.
    pub anchor: String,
    /// Where its first cell leads; empty where it leads nowhere.
    pub link: String,
    /// What is to be known of its first cell.
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
    /// The same below a head that it shares with the columns beside it.
    pub fn below(self, group: &str) -> Head {
        Head { group: group.into(), ..self }
    }
}

/// A column of names.
pub(super) fn name(text: impl Into<Cow<'static, str>>) -> Head {
    Head { text: text.into(), figures: false, group: String::new() }
}

/// A column of figures.
pub(super) fn figure(text: impl Into<Cow<'static, str>>) -> Head {
    Head { text: text.into(), figures: true, group: String::new() }
}

/// A cell without an interval.
pub(super) fn exact(text: impl Into<String>) -> FormattedEstimate {
    FormattedEstimate::exact(text.into())
}
