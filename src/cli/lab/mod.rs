//! Commands that answer a question by many games, with a report.

pub(super) mod changed;
pub(super) mod sold;
