//! The program from outside, as a person runs it.

mod bankroll;
mod bracket;
mod check_claims;
mod clairvoyant;
mod cluster;
mod commands;
mod compare;
mod contest;
mod contest_run;
mod damaged_blocks;
mod deals;
mod documents;
mod estimate;
#[cfg(unix)]
mod hostile_files;
#[cfg(unix)]
mod hostile_folders;
mod hostile_text;
mod imports;
mod kept_blocks;
mod one_run;
mod patrons;
mod payments;
mod plan;
mod play;
mod price;
mod run;
mod samples;
mod scripts;
mod shard_folders;
mod shards;
mod shelf_page;
#[cfg(unix)]
mod signals;
mod solve;
mod stages;
mod sweep;
mod tune;
