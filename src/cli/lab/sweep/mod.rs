//! `saratoga sweep`

mod run;
mod setup;

pub(in crate::cli) use run::run;
