//! Every experiment, that is, every command with a report, is in the lists of the tests and in the guides.

use std::fs;
use std::path::Path;

use crate::cli::run::good;
use crate::cli::{long_runs, one_run, samples};

/// Experiments that keep no blocks, so that their runs are neither resumed nor shared.
const KEEP_NOTHING: [&str; 1] = ["estimate"];

/// Returns the commands with a report, from the help.
fn experiments() -> Vec<String> {
    let here = Path::new(".");
    let help = good(&["--help"], here);
    let (_, commands) = help.split_once("\nCommands:\n").expect("the help lists the commands");
    let names = commands.lines().map_while(|line| line.split_whitespace().next());
    let reports = |name: &&str| *name != "help" && good(&[name, "--help"], here).contains("--no-report");
    names.filter(reports).map(String::from).collect()
}

#[test]
fn every_experiment_is_in_every_list() {
    let read = |file: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let (readme, script) = (read("README.md"), read("reports/regenerate"));
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let gallery = script.split("GALLERY='\n").nth(1).and_then(|rest| rest.split("\n'").next()).unwrap();
    let gallery = gallery.lines().filter_map(|line| line.split_whitespace().nth(2));
    let lists: [(&str, Vec<&str>, &[&str]); 5] = [
        ("EXPERIMENTS of tests/cli/samples.rs", samples::EXPERIMENTS.to_vec(), &[]),
        ("LINES of tests/cli/long_runs.rs", long_runs::LINES.to_vec(), &KEEP_NOTHING),
        ("RUNS of tests/cli/one_run.rs", one_run::RUNS.map(|(line, ..)| line).to_vec(), &KEEP_NOTHING),
        ("GALLERY of reports/regenerate", gallery.collect(), &[]),
        ("the table of commands in README.md", rows.collect(), &[]),
    ];
    let experiments = experiments();
    assert!(experiments.len() > 10, "{experiments:?}");
    let mut missing = Vec::new();
    for (place, lines, without) in lists {
        for name in experiments.iter().filter(|name| !without.contains(&&***name)) {
            if lines.iter().all(|line| line.split_whitespace().next() != Some(name)) {
                missing.push(format!("{name} in {place}"));
            }
        }
    }
    assert!(missing.is_empty(), "add a line, as for the other experiments:\n{}", missing.join("\n"));
}
