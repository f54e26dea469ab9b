//! A small part of the coverage study for every test run: the truth is that of the committed study.

use saratoga::stats::Precision;

use crate::statistics::coverage::{PROGRAM, STUDENT, Truth};
use crate::statistics::nights::Night;

fn truth(name: &str) -> Truth {
    let text = std::fs::read_to_string("reports/coverage/truth.tsv").unwrap();
    text.lines().filter_map(Truth::read).find(|it| it.name == name).unwrap()
}

/// 95% are promised; of 120 samples or more, always the same ones, 91% is within chance.
const LEAST: f64 = 0.91;

#[test]
fn intervals_hold_the_truth() {
    for (name, games, samples) in [
        ("canfield", 50, 120),
        ("canfield", 1_000, 120),
        ("canfield", 10_000, 120),
        ("single-pass", 50, 120),
        ("draw-one", 200, 120),
        ("jackpot", 10_000, 250),
        ("jackpot", 100_000, 250),
        ("jackpot", 1_000_000, 250),
    ] {
        let study = truth(name).fixed(games, samples);
        for it in study.0.iter().filter(|it| it.method == PROGRAM) {
            assert!(it.share() >= LEAST, "{name} {games}: {it:?}");
        }
        let [ours, theirs] = [PROGRAM, STUDENT].map(|method| study.of("house edge", method));
        match (name, games) {
            // They are hardly wider than Student's, which fail where a prize is rare.
            ("canfield", 10_000) => assert!(ours.width <= 1.05 * theirs.width, "{ours:?} {theirs:?}"),
            ("jackpot", 10_000) => assert!(theirs.share() < 0.3, "{theirs:?}"),
            _ => {}
        }
    }
}

#[test]
fn intervals_hold_the_truth_where_they_end_the_run() {
    for (name, width) in [("jackpot", 0.2), ("canfield", 0.015)] {
        let study = truth(name).until(Precision::Edge(width), 150);
        assert!(study.of("house edge", PROGRAM).share() >= LEAST, "{:?}", study.0);
    }
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
