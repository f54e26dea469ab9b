//! A ruleset under change: its text, what the text says, and what one change of the form makes of it. No page, no server.

mod edit;
mod judge;

pub(super) use judge::{Asked, Text, Told, clean, judge, path_of, read, told};
