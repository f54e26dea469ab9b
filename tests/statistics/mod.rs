//! Tests of the laboratory's results and of the reports that show them.

mod checkpoint;
mod compare_honesty;
mod compare_report;
mod compare_run;
mod contest_report;
#[path = "../common/coverage.rs"]
mod coverage;
#[path = "coverage.rs"]
mod coverage_study;
mod crashes;
mod looks;
#[path = "../common/nights.rs"]
mod nights;
mod report;
mod samples;
mod solve_report;
mod sweep;
mod terminal;
mod threads;
mod tune;
