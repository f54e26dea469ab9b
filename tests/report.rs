//! Reports of made-up figures: charts are well formed and drawn, pages stand alone, nothing panics.

mod samples;

use std::path::Path;

use samples::{Sample, report, sample};
use saratoga::report::{charts, html};

/// Sets of entries as runs make them: one, a few, and many with long names.
fn sets() -> Vec<(&'static str, Vec<Sample>)> {
    let few = vec![
        sample("canfield", "greedy", 7.0, 0.04, 1_000_000),
        sample("canfield", "patient", 8.6, 0.071, 1_000_000),
        sample("demon-casino", "greedy", 6.4, 0.03, 1_000_000),
        sample("superior", "patient", 11.0, 0.25, 1_000_000),
    ];
    let many = (0..15)
        .map(|i| {
            let name = format!("the-house-variant-with-a-rather-long-name-<&\"{i}\">");
            let strategy = if i % 2 == 0 { "greedy" } else { "scripts/my-own-very-patient-player-v2" };
            sample(&name, strategy, 6.0 + f64::from(i) * 0.5, 0.01 * f64::from(i), 3000)
        })
        .collect();
    vec![("one", vec![sample("canfield", "greedy", 7.0, 0.04, 1_000_000)]), ("few", few), ("many", many)]
}

/// Writes every kind of report to the target folder for people to look at:
/// `cargo test --test report -- --ignored`.
#[test]
#[ignore = "writes pictures to look at"]
fn write_samples() {
    for (name, samples) in sets() {
        let report = report(&samples);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(folder.join("charts")).unwrap();
        std::fs::write(folder.join("index.html"), html(&report).unwrap()).unwrap();
        let keep = if name == "many" { 3 } else { usize::MAX };
        for file in charts(&report).iter().take(keep).flat_map(|c| c.files().unwrap()) {
            std::fs::write(folder.join("charts").join(&file.name), &file.bytes).unwrap();
        }
    }
}
