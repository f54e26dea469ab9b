//! Runs to be put on parts of runs, which is why those move from one card to another that takes the same cards.

use saratoga::cards::{Card, Rank};
use saratoga::game::{NoChance, Table};
use saratoga::rules::{Base, Build, Direction, Draw, Filler, MoveUnit, Rules, Spec, Start};
use saratoga::solver::{Goal, Limits, Solver, Verdict};

/// Any part of a run moves, and no reserve fills spaces.
fn spec(deal: Vec<u8>) -> Spec {
    let mut spec = Spec { name: "runs".into(), ..Spec::default() };
    (spec.reserve.piles, spec.reserve.size) = (0, 0);
    spec.tableau.deal = deal;
    spec.tableau.unit = MoveUnit::Sequence;
    spec.spaces.auto = Vec::new();
    spec.spaces.while_reserve = Vec::new();
    spec.spaces.after_reserve = Vec::new();
    spec.foundation.base = Base::Rank(Rank::ACE);
    spec.foundation.start = Start::None;
    spec.stock.draw = Draw::ByPass(vec![1]);
    spec
}

fn is_won(spec: Spec, first: &str) {
    let rules = Rules::new(spec).unwrap();
    let mut cards: Vec<Card> = first.split(' ').map(|card| card.parse().unwrap()).collect();
    for card in (0..52).map(|kind| Card::of_pack(0, kind)) {
        if !cards.contains(&card) {
            cards.push(card);
        }
    }
    let table = Table::deal(&rules, &cards, &mut NoChance);
    for goal in [Goal::Win, Goal::Cards] {
        let mut solver = Solver::new(&rules, 1 << 26).unwrap();
        let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
        assert_eq!(solver.solve(&table, goal, &limits).verdict, Verdict::Won, "{goal:?}");
    }
}

#[test]
fn a_run_of_equal_ranks_is_put_on_the_end_of_another() {
    let mut spec = spec(vec![7, 1]);
    spec.tableau.direction = Direction::Same;
    spec.spaces.after_reserve = vec![Filler::Waste];
    is_won(spec, "2C 2D 2S 8H 7H 7S 7D 7C");
}

#[test]
fn a_run_round_the_ring_is_put_on_its_mate() {
    let mut spec = spec(vec![16, 1]);
    spec.tableau.build = Build::Any;
    is_won(spec, "AH AD AS 3S 2C AC KS QS JS TS 9S 8S 7S 6S 5S 4S 3H");
}
