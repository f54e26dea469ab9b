//! Reports: figures in, bytes out. Nothing here simulates or prints.
//!
//! Each experiment has a function, such as [`bankroll_document`], that makes a [`Document`] of its result and the
//! [`Run`]: findings, tables and charts. [`document_html`], [`document_terminal`] and [`document_files`] write it.

mod bankroll;
mod bracket;
mod character;
mod compare;
mod contest;
mod coverage;
mod csv;
mod design;
mod document;
mod estimate;
mod labels;
mod patrons;
mod plan;
mod position_text;
mod price;
mod quantity;
mod rare_events;
mod rules_in_words;
mod run;
mod shelf;
mod simulate;
mod solve;
mod sweep;
mod tune;
mod write;

pub use bankroll::bankroll_document;
pub use bracket::bracket_document;
pub use character::character_document;
pub use compare::{compare_document, progress_figure};
pub use contest::contest_document;
pub use coverage::{CoveragePoint, coverage_chart};
pub use csv::GamesCsv;
pub use design::design_document;
pub use document::Document;
pub use estimate::estimate_document;
pub use patrons::unfit_patrons;
pub use plan::{changed_name, plan_document};
pub use position_text::board;
pub use price::price_document;
#[cfg(feature = "native")]
pub(crate) use run::whole_text;
pub use run::{DealsSource, Run, RunRules, RunStrategy, running_figure, running_wins};
pub use shelf::shelf_document;
pub use simulate::simulate_document;
pub use solve::{solve_csv, solve_document};
pub use sweep::sweep_document;
pub use tune::tune_document;
#[cfg(feature = "native")]
pub use write::document_xlsx;
#[cfg(feature = "studio")]
pub(crate) use write::page_style;
pub use write::{document_files, document_html, document_terminal};

pub(crate) use crate::format::cents;
#[cfg(feature = "native")]
pub(crate) use crate::format::count;
