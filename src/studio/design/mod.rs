//! A ruleset being edited: its text, its evaluation, and changes from the form. Independent of pages and the server.

mod edit;
mod judge;

pub(super) use judge::{Asked, Text, Told, clean, judge, path_of, read, told};
