//! The committed reports are what the program writes today.

use std::fs;
use std::path::Path;

use crate::run::run;

/// Samples that take the program under a second.
const QUICK: [&str; 4] = [
    "compare-canfield-patient+greedy-1",
    "compare-demon-casino-greedy+3-more-1",
    "compare-exorcism-die-pass-hoarder+greedy-1",
    "contest-racing-demon",
];

/// What a report's folder holds but its charts, which its page holds too.
const FILES: [&str; 2] = ["index.html", "summary.json"];

#[test]
fn quick_samples_are_current_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    for name in QUICK {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports").join(name);
        let stamp = fs::read_to_string(sample.join("stamp")).unwrap();
        let command = stamp.lines().find_map(|line| line.strip_prefix("saratoga ")).unwrap();
        let words: Vec<&str> = command.split(' ').chain(["--quiet", "--out", name]).collect();
        let ran = run(&words, folder.path());
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{command}");
        for file in FILES {
            let [fresh, committed] =
                [folder.path().join(name), sample.clone()].map(|path| fs::read(path.join(file)).unwrap());
            let same = fresh == committed;
            assert!(same, "{name}/{file} has changed: run `reports/regenerate --only {name}` and look at it");
        }
    }
}
