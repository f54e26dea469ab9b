//! Floor 7: a summary in, bytes out. Nothing here simulates or prints.

mod csv;
mod entry;
mod format;
mod json;
mod terminal;

pub use csv::GamesCsv;
pub use entry::{Entry, entry_ids};
pub use json::{EntryJson, Source, entries_json, summary_json};
pub use terminal::terminal_summary;
