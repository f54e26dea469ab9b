//! Tests of the game's rules against a second implementation, and of the solver.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod bsd;
#[path = "../common/mod.rs"]
mod common;
mod conservation;
mod contest_files;
mod contest_plain;
mod contests;
mod diagnostics;
mod ends_random;
mod family;
mod family_special;
mod fine_print;
#[path = "../common/json_schema.rs"]
mod json_schema;
mod payments;
mod perft;
mod plain;
mod random_files;
mod records;
mod repeats_draw;
mod rules_files;
mod schemas;
mod second_opinion;
mod seeds;
mod session;
mod solver_cases;
mod solver_plain;
mod solver_verdicts;
mod stages;
mod stages_summed;
mod support;
mod vary;
