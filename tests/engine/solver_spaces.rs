//! Initial spaces beside a reserve that fills spaces: a card that is put there and goes up draws one out of the
//! reserve.

use saratoga::cards::{Card, Rank};
use saratoga::game::{NoChance, Table};
use saratoga::rules::{Base, Draw, Filler, MoveUnit, Part, Rules, Spec, Start, Wrap};
use saratoga::solver::{Goal, Limits, Solver, Verdict};

/// Two cards of reserve, the queen or jack of spades under the king, and a space that the waste may fill.
fn spec(deal: Vec<u8>, redeals: Option<u32>) -> Spec {
    let mut spec = Spec { name: "spaces".into(), ..Spec::default() };
    spec.deal.order = vec![Part::Reserve, Part::Tableau];
    spec.reserve.size = 2;
    spec.tableau.deal = deal;
    spec.tableau.wrap = Wrap::None;
    spec.spaces.auto = vec![Filler::Reserve];
    spec.spaces.while_reserve = vec![Filler::Waste];
    spec.foundation.base = Base::Rank(Rank::ACE);
    spec.foundation.start = Start::None;
    spec.stock.draw = Draw::ByPass(vec![1]);
    spec.stock.redeals = redeals;
    spec
}

fn is_won(spec: Spec, first: &str, kinds: impl Iterator<Item = usize>, last: Option<&str>) {
    let rules = Rules::new(spec).unwrap();
    let card = |text: &str| text.parse::<Card>().unwrap();
    let last = last.map(card);
    let mut cards: Vec<Card> = first.split(' ').map(card).collect();
    for card in kinds.map(|kind| Card::of_pack(0, kind)) {
        if !cards.contains(&card) && Some(card) != last {
            cards.push(card);
        }
    }
    cards.extend(last);
    let table = Table::deal(&rules, &cards, &mut NoChance);
    for pruned in [true, false] {
        for goal in [Goal::Win, Goal::Cards] {
            let mut solver = Solver::new(&rules, 1 << 24).unwrap();
            if !pruned {
                solver = solver.unpruned();
            }
            let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
            let answer = solver.solve(&table, goal, &limits);
            assert_eq!(
                (answer.verdict, answer.cards, answer.cards_at_most),
                (Verdict::Won, 52, 52),
                "{goal:?}, {pruned}"
            );
        }
    }
}

#[test]
fn a_card_on_top_of_the_waste_may_be_needed_in_a_space() {
    let mut spec = spec(vec![0, 49], Some(0));
    spec.stock.opening_draw = true;
    is_won(spec, "JS KS QS", (0..52).rev(), Some("AH"));
}

#[test]
fn a_card_further_on_in_the_stock_may_be_needed_in_a_space() {
    for unit in [MoveUnit::SingleOrWhole, MoveUnit::Sequence] {
        let mut spec = spec(vec![0], None);
        spec.tableau.unit = unit;
        is_won(spec, "QS KS", 0..52, None);
    }
}
