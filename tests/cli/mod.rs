//! Tests of the command line program.

mod check_claims;
mod clairvoyance;
mod cluster;
mod compare;
mod contests;
mod deals;
mod documents;
mod experiments;
mod faults;
#[cfg(unix)]
mod hostile_files;
#[cfg(unix)]
mod hostile_folders;
mod hostile_text;
mod imports;
mod long_runs;
mod money;
mod plan;
mod play;
mod scripts;
mod shelf_page;
#[cfg(unix)]
mod signals;
mod sweep;
#[cfg(unix)]
mod transcripts;
