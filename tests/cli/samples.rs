//! The sample report in the repository equals the program's output.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::json_schema::valid;
use crate::run::{good, run};

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
    "simulate canfield bsd -s greedy -s patient -n 200",
    "compare canfield -s greedy -s patient -n 1000",
    "sweep canfield --vary stock.redeals=0..2 -n 200",
    "price canfield -n 500 --variant-games 100",
    "plan canfield --patrons greedy:100% --best patient -n 1000 --clairvoyant 0 --bootstrap 100",
    "bankroll canfield -n 1000 --bootstrap 100",
    "estimate night.csv --rules canfield --patrons greedy:50%,patient:50% -n 1000",
    "tune canfield tunable -n 100",
    "solve single-pass -n 3 -s greedy",
    "bracket single-pass -n 10 -s greedy",
    "contest racing-demon -s racer -s greedy -s greedy -s greedy -n 10",
];

#[test]
fn figures_of_every_experiment_follow_the_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let read = |path: &Path| serde_json::from_str::<Value>(&fs::read_to_string(path).unwrap()).unwrap();
    let schema = read(&root.join("summary.schema.json"));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("night.csv"), "cards\n5\n52\n11\n1\n7\n").unwrap();
    for (i, line) in EXPERIMENTS.iter().enumerate() {
        let out = i.to_string();
        let words: Vec<&str> = line.split(' ').chain(["--quiet", "--out", &out]).collect();
        good(&words, folder.path());
        let found = read(&folder.path().join(&out).join("summary.json"));
        valid(&schema, &found, line).unwrap();
    }
    // It refuses what is not of the convention.
    let mut sample = read(&root.join(SAMPLE).join("summary.json"));
    valid(&schema, &sample, "the sample").unwrap();
    sample["entries"][0]["houseEdge"] = 1.into();
    assert!(valid(&schema, &sample, "another key").is_err());
}
