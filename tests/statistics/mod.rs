//! Tests of the laboratory's results and of the reports that show them.

mod checkpoint;
mod compare;
mod compare_honesty;
#[path = "../common/coverage.rs"]
mod coverage;
#[path = "coverage.rs"]
mod coverage_study;
mod design;
#[path = "../common/nights.rs"]
mod nights;
mod reports;
mod runs;
mod samples;
mod sweep;
mod tune;
