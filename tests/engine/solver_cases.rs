//! Deals that can be won only by a play that is easily overlooked.

use saratoga::cards::{Card, Rank};
use saratoga::game::{NoChance, Table};
use saratoga::rules::{Base, Build, Direction, Draw, Filler, MoveUnit, Part, Rules, Spec, Start, Wrap};
use saratoga::solver::{Goal, Limits, Solver, Verdict};

/// Asserts that the deal of these cards, and then of the others by kind, is won: with `last` at the end, and the
/// others downwards if so.
fn is_won(spec: Spec, first: &str, last: Option<&str>) {
    let rules = Rules::new(spec).unwrap();
    let card = |text: &str| text.parse::<Card>().unwrap();
    let last = last.map(card);
    let mut cards: Vec<Card> = first.split(' ').map(card).collect();
    let mut others: Vec<Card> = (0..52).map(|kind| Card::of_pack(0, kind)).collect();
    others.retain(|card| !cards.contains(card) && Some(*card) != last);
    if last.is_some() {
        others.reverse();
    }
    cards.extend(others.into_iter().chain(last));
    let table = Table::deal(&rules, &cards, &mut NoChance);
    for pruned in [true, false] {
        for goal in [Goal::Win, Goal::Cards] {
            let mut solver = Solver::new(&rules, 1 << 26).unwrap();
            if !pruned {
                solver = solver.unpruned();
            }
            let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
            let answer = solver.solve(&table, goal, &limits);
            let told = (answer.verdict, answer.cards, answer.cards_at_most);
            assert_eq!(told, (Verdict::Won, 52, 52), "{goal:?}, {pruned}");
        }
    }
}

/// Returns Canfield with foundations from the ace, single draws, and these piles.
fn aces_up(deal: Vec<u8>) -> Spec {
    let mut spec = Spec { name: "a case".into(), ..Spec::default() };
    spec.tableau.deal = deal;
    (spec.foundation.base, spec.foundation.start) = (Base::Rank(Rank::ACE), Start::None);
    spec.stock.draw = Draw::ByPass(vec![1]);
    spec
}

/// Any part of a run moves, and no reserve fills spaces.
fn runs(deal: Vec<u8>) -> Spec {
    let mut spec = aces_up(deal);
    (spec.reserve.piles, spec.reserve.size) = (0, 0);
    spec.tableau.unit = MoveUnit::Sequence;
    (spec.spaces.auto, spec.spaces.after_reserve) = (vec![], vec![]);
    spec
}

/// Runs are put on parts of runs, which is why those move from one card to another that takes the same cards.
#[test]
fn a_run_of_equal_ranks_is_put_on_the_end_of_another() {
    let mut spec = runs(vec![7, 1]);
    spec.tableau.direction = Direction::Same;
    spec.spaces.after_reserve = vec![Filler::Waste];
    is_won(spec, "2C 2D 2S 8H 7H 7S 7D 7C", None);
}

#[test]
fn a_run_round_the_ring_is_put_on_its_mate() {
    let mut spec = runs(vec![16, 1]);
    spec.tableau.build = Build::Any;
    is_won(spec, "AH AD AS 3S 2C AC KS QS JS TS 9S 8S 7S 6S 5S 4S 3H", None);
}

/// Two cards of reserve, the queen or jack of spades under the king, and a space that the waste may fill: a card that
/// is put there and goes up draws one out of the reserve.
fn space(deal: Vec<u8>, redeals: Option<u32>) -> Spec {
    let mut spec = aces_up(deal);
    spec.deal.order = vec![Part::Reserve, Part::Tableau];
    spec.reserve.size = 2;
    spec.tableau.wrap = Wrap::None;
    spec.spaces.while_reserve = vec![Filler::Waste];
    spec.stock.redeals = redeals;
    spec
}

#[test]
fn a_card_on_top_of_the_waste_may_be_needed_in_a_space() {
    let mut spec = space(vec![0, 49], Some(0));
    spec.stock.opening_draw = true;
    is_won(spec, "JS KS QS", Some("AH"));
}

#[test]
fn a_card_further_on_in_the_stock_may_be_needed_in_a_space() {
    for unit in [MoveUnit::SingleOrWhole, MoveUnit::Sequence] {
        let mut spec = space(vec![0], None);
        spec.tableau.unit = unit;
        is_won(spec, "QS KS", None);
    }
}
