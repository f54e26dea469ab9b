//! `saratoga sweep`

mod args;
mod run;
mod setup;
mod state;

pub(in crate::cli) use args::SweepArgs;
pub(in crate::cli) use run::run;
