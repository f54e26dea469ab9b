//! Tables of figures, for the terminal, pages and CSV files.

use std::borrow::Cow;

use crate::format::FormattedEstimate;

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
    /// Begins a table with a row for each value.
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

    /// Creates a table with a figure in each row.
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
    /// Adds a column of names.
    pub fn name<C: Into<FormattedEstimate>>(
        self,
        head: impl Into<Cow<'static, str>>,
        cell: impl Fn(&T) -> C,
    ) -> Self {
        self.column(head.into(), false, cell)
    }

    /// Adds a column of figures.
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

    /// Puts the last column below a group head shared with adjacent columns.
    pub fn below(mut self, group: &str) -> Self {
        if let Some(head) = self.table.heads.last_mut() {
            head.group = group.into();
        }
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
