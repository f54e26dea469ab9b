//! The terminal summary of a small seeded run, word for word.

use saratoga::lab::Workers;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use saratoga::lab::{self, Batch, Simulated, simulate};
use saratoga::report::{Run, document_terminal, simulate_document};
use saratoga::rules;
use saratoga::strategy::{Greedy, Random, Strategy};

type Maker = dyn Fn() -> Box<dyn Strategy> + Sync;

/// If a summary has changed for good reason, copy the file named in the failure over the golden file.
#[test]
fn the_summary_is_the_golden_one() {
    let loaded = ["canfield", "exorcism", "single-pass"].map(|name| rules::load(name).unwrap());
    let greedy = || Box::new(Greedy) as Box<dyn Strategy>;
    let random = || Box::new(Random) as Box<dyn Strategy>;
    let strategies: [(&str, &Maker); 2] = [("greedy", &greedy), ("random", &random)];
    let pairs: Vec<_> =
        loaded.iter().flat_map(|loaded| strategies.map(|strategy| (loaded, strategy))).collect();
    let entries = pairs.iter().map(|(loaded, (_, strategy))| lab::Matchup {
        id: &loaded.id,
        rules: &loaded.rules,
        strategy: *strategy,
    });
    let batch = Batch {
        entries: entries.collect(),
        seed: 7,
        games: 0..2000,
        precision: None,
        workers: Workers::new(2),
        each_game: false,
    };
    let finished = simulate(&batch, &AtomicBool::new(false), &mut ()).unwrap();
    let named = pairs.iter().map(|(loaded, (strategy, _))| (&*loaded.id, *strategy, loaded.rules.spec()));
    let found = Simulated::new(named, finished);
    let run = Run { seed: 7, ..Run::default() };
    let text = document_terminal(&simulate_document(&run, &found, None), 100);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/terminal-summary.txt");
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("terminal-summary.txt");
    std::fs::write(&made, &text).unwrap();
    let wanted = std::fs::read_to_string(&golden).unwrap_or_default().replace("\r\n", "\n");
    assert!(text == wanted, "{} is not {}:\n{text}", made.display(), golden.display());
}
