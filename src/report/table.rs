//! Tables of figures, for the terminal and the page alike.

use std::borrow::Cow;

use super::figures::FormattedEstimate;

/// A table: one line an entry.
#[derive(Clone, Debug)]
pub(super) struct DataTable {
    /// What the lines are.
    pub title: String,
    /// What is to be known of it; shown on pages.
    pub about: Cow<'static, str>,
    pub heads: Vec<Head>,
    pub rows: Vec<Vec<FormattedEstimate>>,
}

/// The head of a column.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub text: Cow<'static, str>,
    /// Its cells are figures.
    pub figures: bool,
}

/// A column of names.
pub(super) fn name(text: impl Into<Cow<'static, str>>) -> Head {
    Head { text: text.into(), figures: false }
}

/// A column of figures.
pub(super) fn figure(text: impl Into<Cow<'static, str>>) -> Head {
    Head { text: text.into(), figures: true }
}

/// A cell without an interval.
pub(super) fn exact(text: impl Into<String>) -> FormattedEstimate {
    FormattedEstimate::exact(text.into())
}
