//! Layer 7: a summary in, bytes out. Nothing here simulates or prints.

mod answer;
mod bankroll;
mod board;
mod bounds;
mod chart;
mod charts;
mod clairvoyant;
mod compare;
mod contest;
mod csv;
mod document;
mod entry;
mod figures;
mod folder;
mod html;
mod json;
mod labels;
mod price;
mod shelf;
mod simulate;
mod solve;
mod stakes;
mod sweep;
mod table;
mod terminal;
mod tune;

pub use bankroll::{BankrollPatron, BankrollReport, bankroll_document, bankroll_json};
pub use board::board;
pub use charts::{Chart, ChartError, ChartFile, Theme, charts, contest_charts};
pub use compare::{CompareReport, ComparedEntry, compare_document, compare_json, progress_figure};
pub use contest::{ContestReport, contest_array, contest_files, contest_json};
pub use csv::GamesCsv;
pub use document::{Document, document_files};
pub use entry::{Clairvoyant, Entry, Report, Section, entry_ids};
pub(crate) use figures::{cents, count};
pub use folder::report_files;
pub use html::{contest_html, document_html, html};
pub(crate) use json::whole_text;
pub use json::{EntryJson, Source, entries_json, summary_json};
pub use price::{PricePlayer, PriceReport, price_document, price_json};
pub use shelf::{
    ShelfContest, ShelfPage, ShelfRuleset, shelf_contests_csv, shelf_csv, shelf_files, shelf_html,
    shelf_json, shelf_table,
};
pub use solve::{
    SolveFigures, SolveLimits, SolveLine, SolvePlayer, SolveReport, solve_csv, solve_document,
    solve_players_json, solve_summary_json,
};
pub use sweep::{SweepReport, sweep_csv, sweep_document, sweep_json, sweep_summaries};
pub use terminal::{contest_terminal, document_terminal, running_figure, running_wins, terminal_summary};
pub use tune::{TuneReport, tune_document, tune_json};
