//! The terminal summary of a small seeded contest, word for word.

use saratoga::lab::Workers;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use saratoga::contest;
use saratoga::lab::{Contesting, MakeStrategy, at_speed, contest_at_speeds};
use saratoga::report::{Run, RunRules, contest_document, document_terminal};
use saratoga::strategy::{self, Strategy};

/// If a summary has changed for good reason, copy the file named in the failure over the golden file.
#[test]
fn the_summary_is_the_golden_one() {
    let mut loaded = contest::load("racing-demon").unwrap();
    loaded.spec.players[0].strategy = "random".into();
    let sources = ["random", "greedy", "greedy", "greedy"].map(|name| strategy::load(name).unwrap());
    let makers: Vec<_> =
        sources.iter().map(|source| || -> Box<dyn Strategy> { source.instantiate() }).collect();
    let strategies: Vec<MakeStrategy<'_>> = makers.iter().map(|make| make as MakeStrategy<'_>).collect();
    let others = [at_speed(&loaded.spec, 0, 3000)];
    let asked = Contesting {
        loaded: &loaded,
        others: &others,
        strategies: &strategies,
        seed: 7,
        matches: 200,
        workers: Workers::new(2),
    };
    let found = contest_at_speeds(&asked, &AtomicBool::new(false), &mut |_, _, _| {});
    let found = found.unwrap_or_else(|(_, error)| panic!("{error}"));
    let run = Run {
        version: "",
        command: String::new(),
        seed: 7,
        deals: None,
        rules: vec![RunRules::new(&loaded.rules)],
        strategies: Vec::new(),
        interrupted: None,
    };
    let text = document_terminal(&contest_document(&run, &found, None), 100);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/contest-summary.txt");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contest-summary.txt");
    std::fs::write(&made, &text).unwrap();
    let wanted = std::fs::read_to_string(&golden).unwrap_or_default().replace("\r\n", "\n");
    assert!(text == wanted, "{} is not {}:\n{text}", made.display(), golden.display());
}
