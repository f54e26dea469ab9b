//! The terminal summaries of a small seeded run and of a contest, word for word.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use saratoga::contest;
use saratoga::lab::{
    Batch, Contesting, MakeStrategy, Matchup, Simulated, Workers, at_speed, contest_at_speeds, simulate,
};
use saratoga::report::{Document, Run, RunRules, contest_document, document_terminal, simulate_document};
use saratoga::rules;
use saratoga::strategy::{self, Greedy, Random, Strategy};

/// If a summary has changed for good reason, copy the file named in the failure over the golden file.
fn is_golden(name: &str, document: &Document<'_>) {
    let text = document_terminal(document, 100);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&made, &text).unwrap();
    let wanted = std::fs::read_to_string(&golden).unwrap_or_default().replace("\r\n", "\n");
    assert!(text == wanted, "{} is not {}:\n{text}", made.display(), golden.display());
}

#[test]
fn the_summary_of_a_simulation_is_the_golden_one() {
    type Maker = dyn Fn() -> Box<dyn Strategy> + Sync;
    let loaded = ["canfield", "exorcism", "single-pass"].map(|name| rules::load(name).unwrap());
    let greedy = || Box::new(Greedy) as Box<dyn Strategy>;
    let random = || Box::new(Random) as Box<dyn Strategy>;
    let strategies: [(&str, &Maker); 2] = [("greedy", &greedy), ("random", &random)];
    let pairs: Vec<_> =
        loaded.iter().flat_map(|loaded| strategies.map(|strategy| (loaded, strategy))).collect();
    let entries = pairs.iter().map(|(loaded, (_, strategy))| Matchup {
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
    let run = Run { seed: 7, ..Run::default() };
    is_golden("terminal-summary.txt", &simulate_document(&run, &Simulated::new(named, finished), None));
}

#[test]
fn the_summary_of_a_contest_is_the_golden_one() {
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
    let run = Run { seed: 7, rules: vec![RunRules::new(&loaded.rules)], ..Run::default() };
    is_golden("contest-summary.txt", &contest_document(&run, &found, None));
}
