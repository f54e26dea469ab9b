//! Tests of the game's rules against a second implementation, and of the solver.

mod bsd;
mod character;
mod contest_plain;
mod contests;
mod files;
mod fine_print;
mod payments;
mod perft;
pub mod plain;
mod random_files;
mod repeats_draw;
mod second_opinion;
mod seeds;
mod session;
mod shelf;
mod solver_cases;
mod solver_plain;
mod solver_verdicts;
mod stages;
mod stages_summed;
mod support;
mod vary;
