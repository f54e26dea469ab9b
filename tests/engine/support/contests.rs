//! Contests for tests, and observers.

use saratoga::contest::{ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use saratoga::rules::{self, Spec};

fn spec(name: &str) -> Spec {
    rules::load(name).unwrap_or_else(|e| panic!("{e}")).rules.spec().clone()
}

/// The Klondike layout that players of Racing Demon deal.
pub fn klondike() -> Spec {
    spec("racing-demon")
}

/// The Canfield layout with foundations from the ace.
pub fn nerts() -> Spec {
    spec("nerts")
}

/// Canfield with the score of Patient Exorcism.
pub fn exorcism() -> Spec {
    Spec { scores: spec("exorcism").scores, ..Spec::default() }
}

/// Returns a contest of greedy players with these speeds, in thousandths of an action per second.
pub fn contest(foundations: Foundations, deal_ends: DealEnd, goal: Goal, speeds: &[u32]) -> ContestSpec {
    let player = |(i, &speed): (usize, &u32)| PlayerSpec {
        name: format!("Player {}", i + 1),
        strategy: "greedy".into(),
        speed,
        jitter: 250,
        team: None,
    };
    ContestSpec {
        name: "a contest".into(),
        also: vec![],
        about: String::new(),
        source: String::new(),
        rules: "unnamed".into(),
        foundations,
        score: "points".into(),
        deal_ends,
        goal,
        gather: 30_000,
        players: speeds.iter().enumerate().map(player).collect(),
    }
}
