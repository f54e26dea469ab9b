//! The terminal summary of a small seeded contest, word for word.

use saratoga::lab::Workers;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use saratoga::contest;
use saratoga::lab::{self, ContestBatch, MakeStrategy, at_speed};
use saratoga::report::{ContestReport, contest_document, document_terminal};
use saratoga::stats::ContestTally;
use saratoga::strategy::{self, Strategy};

/// Where a summary has changed for good reason, copy what the failure names over the golden file.
#[test]
fn the_summary_is_the_golden_one() {
    let mut loaded = contest::load("racing-demon").unwrap();
    loaded.spec.players[0].strategy = "random".into();
    let sources = ["random", "greedy", "greedy", "greedy"].map(|name| strategy::load(name).unwrap());
    let makers: Vec<_> =
        sources.iter().map(|source| || -> Box<dyn Strategy> { source.instantiate() }).collect();
    let strategies: Vec<MakeStrategy<'_>> = makers.iter().map(|make| make as MakeStrategy<'_>).collect();
    let rules = &loaded.rules.rules;
    let tally = |spec: &contest::ContestSpec| -> ContestTally {
        let batch = ContestBatch {
            spec,
            rules,
            strategies: &strategies,
            seed: 7,
            matches: 0..200,
            workers: Workers::new(2),
        };
        lab::contest(&batch, &AtomicBool::new(false), &mut |_, _| {}).unwrap().tally
    };
    let faster = at_speed(&loaded.spec, 0, 3000);
    let speeds = [tally(&faster).at_speed(&faster, 0, 3.0)];
    let summary = tally(&loaded.spec).summarize(&loaded.spec);
    let report = ContestReport {
        command: "",
        version: "",
        id: &loaded.id,
        spec: &loaded.spec,
        files: &[],
        rules_id: &loaded.rules.id,
        rules: rules.spec(),
        rules_files: &[],
        scripts: &[None; 4],
        seed: 7,
        summary: &summary,
        speeds: &speeds,
    };
    let text = document_terminal(&contest_document(&report, None), 100);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/contest-summary.txt");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contest-summary.txt");
    std::fs::write(&made, &text).unwrap();
    let wanted = std::fs::read_to_string(&golden).unwrap_or_default().replace("\r\n", "\n");
    assert!(text == wanted, "{} is not {}:\n{text}", made.display(), golden.display());
}
