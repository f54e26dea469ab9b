//! Contests for tests, and observers.

use saratoga::cards::Rank;
use saratoga::contest::{ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use saratoga::rules::*;

/// The Klondike layout that players of Racing Demon deal.
pub fn klondike() -> Spec {
    let mut spec = Spec { name: "klondike layout".into(), ..Spec::default() };
    spec.reserve.piles = 0;
    spec.tableau.deal = vec![1, 2, 3, 4, 5, 6, 7];
    spec.tableau.face = TableauFace::Top;
    spec.spaces.auto = vec![];
    spec.spaces.rank = SpaceRank::Rank(Rank::KING);
    aces_up(&mut spec);
    spec.scores =
        vec![Score { name: "points".into(), foundation_card: 1, out_first: 10, ..Score::default() }];
    spec
}

/// The Canfield layout with foundations from the ace.
pub fn nerts() -> Spec {
    let mut spec = Spec { name: "nerts layout".into(), ..Spec::default() };
    aces_up(&mut spec);
    spec.scores =
        vec![Score { name: "points".into(), foundation_card: 1, reserve_left: -2, ..Score::default() }];
    spec
}

fn aces_up(spec: &mut Spec) {
    spec.tableau.wrap = Wrap::None;
    spec.tableau.unit = MoveUnit::Sequence;
    (spec.foundation.base, spec.foundation.start) = (Base::Rank(Rank::ACE), Start::None);
}

/// Canfield with the score of Patient Exorcism.
pub fn exorcism() -> Spec {
    let mut spec = Spec { name: "exorcism".into(), ..Spec::default() };
    spec.scores = vec![Score {
        name: "points".into(),
        complete_suit: 50,
        won: 100,
        foundation_card: 1,
        reserve_left: -1,
        ..Score::default()
    }];
    spec
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
