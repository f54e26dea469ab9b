//! Tests of the command line program.

mod bankroll;
mod bracket;
mod check_claims;
mod clairvoyant;
mod cluster;
mod commands;
mod compare;
mod contest;
mod contest_run;
mod deals;
mod documents;
mod estimate;
mod experiments;
mod faults;
#[cfg(unix)]
mod hostile_files;
#[cfg(unix)]
mod hostile_folders;
mod hostile_text;
mod imports;
mod long_runs;
mod one_run;
mod patrons;
mod payments;
mod plan;
mod play;
mod price;
mod run;
mod samples;
mod scripts;
mod shelf_page;
#[cfg(unix)]
mod signals;
mod solve;
mod stages;
mod sweep;
mod tune;
