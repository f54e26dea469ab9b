//! A small part of the coverage study for every test run: the truth is that of the committed study.

use saratoga::stats::Precision;

use crate::statistics::coverage::{PROGRAM, STUDENT, Truth};
use crate::statistics::nights::Night;

fn truth(name: &str) -> Truth {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/reports/coverage/truth.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter_map(Truth::read).find(|it| it.name == name).unwrap()
}

/// 95% are promised; of 120 samples or more, always the same ones, 91% is within chance.
const LEAST: f64 = 0.91;

#[test]
fn intervals_hold_the_truth_of_ordinary_games() {
    for (name, games) in
        [("canfield", 50), ("canfield", 1_000), ("canfield", 10_000), ("single-pass", 50), ("draw-one", 200)]
    {
        let study = truth(name).fixed(games, 120);
        for it in study.0.iter().filter(|it| it.method == PROGRAM) {
            assert!(it.share() >= LEAST, "{name} {games}: {it:?}");
        }
        if games == 10_000 {
            // They are hardly wider than Student's.
            let [ours, theirs] = [PROGRAM, STUDENT].map(|method| study.of("house edge", method).width);
            assert!(ours <= 1.05 * theirs, "{ours} {theirs}");
        }
    }
}

#[test]
fn intervals_hold_the_truth_of_a_rare_prize() {
    let jackpot = truth("jackpot");
    for games in [10_000, 100_000, 1_000_000] {
        let study = jackpot.fixed(games, 250);
        for it in study.0.iter().filter(|it| it.method == PROGRAM) {
            assert!(it.share() >= LEAST, "{games}: {it:?}");
        }
    }
    // This test would detect Student's interval.
    assert!(jackpot.fixed(10_000, 150).of("house edge", STUDENT).share() < 0.3);
}

#[test]
fn intervals_hold_the_truth_where_they_end_the_run() {
    let study = truth("jackpot").until(Precision::Edge(0.2), 150);
    assert!(study.of("house edge", PROGRAM).share() >= LEAST, "{:?}", study.0);
    let study = truth("canfield").until(Precision::Edge(0.015), 150);
    assert!(study.of("house edge", PROGRAM).share() >= LEAST, "{:?}", study.0);
}

/// Of 60 samples, 88% is within chance.
#[test]
fn figures_of_a_night_hold_the_truth() {
    let night = Night { stake: 5_500, bank: 60_000, decks: 20 };
    let study = night.study(&truth("canfield"), 1_000, 60, 60);
    assert!(study.0.iter().all(|it| it.samples == 60 && it.share() >= 0.88), "{study:#?}");
    // They are also informative.
    let width = study.of("losing night", PROGRAM).width / 60.0;
    assert!((0.01..0.3).contains(&width), "{width}");
}
