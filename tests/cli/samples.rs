//! The sample report in the repository equals the program's output.

use std::fs;
use std::path::Path;

use crate::run::run;

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
