//! `saratoga sweep`

mod run;
mod setup;
mod state;

pub(in crate::cli) use run::run;
