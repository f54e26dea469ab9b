//! The sample report in the repository equals the program's output.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::run::{files, good, run, words};
use crate::json_schema::valid;

const SAMPLE: &str = "compare-canfield-patient+greedy-1";

#[test]
fn the_sample_is_current_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports").join(SAMPLE);
    let stamp = fs::read_to_string(sample.join("stamp")).unwrap();
    let command = stamp.lines().find_map(|line| line.strip_prefix("saratoga ")).unwrap();
    let words: Vec<&str> = command.split(' ').chain(["--quiet", "--out", SAMPLE]).collect();
    let ran = run(&words, folder.path());
    assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{command}");
    // Its charts are embedded in its page.
    for file in ["index.html", "summary.json"] {
        let [fresh, kept] =
            [folder.path().join(SAMPLE), sample.clone()].map(|path| fs::read(path.join(file)).unwrap());
        assert!(fresh == kept, "{file} has changed: run `reports/regenerate --only {SAMPLE}` and look at it");
    }
}

/// A run of each experiment.
pub const EXPERIMENTS: [&str; 11] = [
    "simulate canfield bsd -s greedy -s patient -n 200 --csv",
    "compare canfield -s greedy -s patient -n 1000",
    "sweep canfield --vary stock.redeals=0..2 -n 200",
    "price canfield -n 500 --variant-games 100",
    "plan canfield --patrons greedy:100% --best patient -n 1000 --clairvoyant 0 --bootstrap 100",
    "bankroll canfield -s tunable --set late=3 -n 1000 --bootstrap 100",
    "estimate night.csv --rules canfield --patrons greedy:50%,patient:50% -n 1000",
    "tune canfield tunable -n 100",
    "solve single-pass -n 3 -s greedy",
    "bracket single-pass -n 10 -s greedy -s search:level=1 --vary stock.redeals=0,1 --nodes 2000",
    "contest racing-demon -s racer -s greedy -s greedy -s greedy -n 10",
];

/// Every report follows the schema, and its own command makes the same files again on any number of threads.
#[test]
fn every_report_is_made_again_by_its_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let read = |path: &Path| serde_json::from_str::<Value>(&fs::read_to_string(path).unwrap()).unwrap();
    let schema = read(&root.join("summary.schema.json"));
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path();
    fs::write(folder.join("night.csv"), "cards\n5\n52\n11\n1\n7\n").unwrap();
    for (i, line) in EXPERIMENTS.iter().enumerate() {
        let [first, second] = ["a", "b"].map(|name| format!("{name}{i}"));
        good(&words(&format!("{line} --quiet --threads 1 --out {first}")), folder);
        let found = read(&folder.join(&first).join("summary.json"));
        valid(&schema, &found, line).unwrap();
        let again = found["command"].as_str().unwrap().strip_prefix("saratoga ").unwrap();
        good(&words(&format!("{again} --quiet --threads 3 --out {second}")), folder);
        let [a, b] = [first, second].map(|name| files(&folder.join(name)));
        assert!(a.keys().eq(b.keys()) && a.len() > 6, "{line}: {:?} {:?}", a.keys(), b.keys());
        for (name, bytes) in a.iter().filter(|(name, _)| !name.ends_with("run.blocks")) {
            // Only the seconds of a search depend on the machine.
            assert!(line.starts_with("solve") || b[name] == *bytes, "{line}: {}", name.display());
        }
    }
    // The schema refuses what is not of the convention.
    let mut sample = read(&root.join(SAMPLE).join("summary.json"));
    valid(&schema, &sample, "the sample").unwrap();
    sample["entries"][0]["houseEdge"] = 1.into();
    assert!(valid(&schema, &sample, "another key").is_err());
}
