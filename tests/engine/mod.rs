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
mod second_opinion;
mod seeds;
mod session;
mod shelf;
mod solver_known;
mod solver_plain;
mod stages;
mod support;
mod vary;
