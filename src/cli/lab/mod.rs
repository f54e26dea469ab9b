//! The commands that put a question to many games, with a report as their answer.

pub(super) mod changed;
pub(super) mod sold;
