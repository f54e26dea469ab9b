//! Figures of a few made-up answers, calculated by hand.

use super::*;
use crate::game::End;
use crate::rules::Spec;
use crate::stats::testing::{self, near};
use crate::stats::{GameWorth, Sample, clopper_pearson};

fn bound(least: u16, most: u16) -> ClairvoyantBound {
    let winnable = if least == 52 { Some(true) } else { (most < 52).then_some(false) };
    ClairvoyantBound { least, most, winnable }
}

fn bounds(faces: usize, list: &[(u16, u16)]) -> ClairvoyantBounds {
    let mut bounds = ClairvoyantBounds::new(52, faces);
    list.iter().for_each(|&(least, most)| bounds.push(bound(least, most)));
    bounds
}

/// Two winnable deals, one lost with 10 cards, and one with 20 for certain and perhaps all.
const FOUR: [(u16, u16); 4] = [(52, 52), (10, 10), (20, 52), (52, 52)];

#[test]
fn unknown_deals_count_both_ways() {
    let winnable = bounds(1, &FOUR).winnable();
    assert_eq!((winnable.answers, winnable.won, winnable.lost, winnable.unknown), (4, 2, 1, 1));
    let share = winnable.share;
    near(share.least, 0.5);
    near(share.most, 0.75);
    near(share.low, clopper_pearson(2, 4).0);
    near(share.high, clopper_pearson(3, 4).1);
    let none = bounds(1, &[]).winnable().share;
    assert_eq!((none.least, none.most, none.low, none.high), (0.0, 1.0, 0.0, 1.0));
}

#[test]
fn most_cards_and_the_edge_by_hand() {
    // Many copies, so that the limits are not those of the range.
    let many: Vec<_> = FOUR.into_iter().cycle().take(400).collect();
    let most = bounds(1, &many).most_cards(&Spec::default());
    near(most.cards.least, 33.5);
    near(most.cards.most, 41.5);
    let limits = |values: [f64; 4]| Sample::of(values.map(|value| (value, 100))).limits(0.0, 52.0);
    near(most.cards.low, limits([52.0, 10.0, 20.0, 52.0]).0);
    near(most.cards.high, limits([52.0, 10.0, 52.0, 52.0]).1);
    assert_eq!(most.proven, 300);
    assert_eq!((most.histogram_least[52], most.histogram_most[52]), (200, 300));
    assert_eq!((most.histogram_least[20], most.histogram_proven[20], most.histogram_most[20]), (100, 0, 0));
    // $5 a card for $52; more cards mean a lower edge.
    let (net, edge) = (most.net.unwrap(), most.house_edge.unwrap());
    near(net.least, 33.5 * 500.0 - 5200.0);
    near(edge.most, 1.0 - 33.5 * 5.0 / 52.0);
    near(edge.least, 1.0 - 41.5 * 5.0 / 52.0);
    near(edge.low, 1.0 - most.cards.high * 5.0 / 52.0);
    near(edge.high, 1.0 - most.cards.low * 5.0 / 52.0);
}

#[test]
fn a_win_pays_besides() {
    let mut spec = Spec::default();
    spec.casino.pays_for_win = 10_000;
    let most = bounds(1, &FOUR).most_cards(&spec);
    near(most.net.unwrap().least, (134.0 * 500.0 + 2.0 * 10_000.0) / 4.0 - 5200.0);
    near(most.net.unwrap().most, (166.0 * 500.0 + 3.0 * 10_000.0) / 4.0 - 5200.0);
    spec.casino.stake = 0;
    let free = bounds(1, &FOUR).most_cards(&spec);
    assert!(free.house_edge.is_none() && free.net.is_some());
}

#[test]
fn faces_of_a_deal_are_one_case() {
    // 200 deals with two faces: the mean is as precise as from 200 cases, not 400.
    let list: Vec<_> = [(52, 52), (2, 2), (10, 10), (10, 10)].into_iter().cycle().take(400).collect();
    let (two, one) = (bounds(2, &list), bounds(1, &list));
    assert_eq!((two.deals(), one.deals(), two.of_deal(1)), (200, 400, &[bound(10, 10); 2][..]));
    let cards = two.most_cards(&Spec::default()).cards;
    near(cards.least, 18.5);
    // Deals with means of 27 and 10.
    near(cards.high, Sample::of([(27.0, 100), (10.0, 100)]).limits(0.0, 52.0).1);
    let (two, one) = (two.winnable().share, one.winnable().share);
    assert_eq!((two.least, one.least), (0.25, 0.25));
    near(two.low, clopper_pearson(50, 200).0);
    assert!(two.low < one.low && two.high > one.high);
}

#[test]
fn a_player_raises_a_bound_or_contradicts_it() {
    let open = bound(20, 52);
    assert_eq!(open.raised(18, 52), Ok(open));
    assert_eq!(open.raised(30, 52).unwrap(), ClairvoyantBound { least: 30, ..open });
    assert_eq!(open.raised(52, 52).unwrap(), bound(52, 52));
    let wrong = bound(10, 10).raised(11, 52).unwrap_err();
    assert_eq!(wrong.to_string(), "the solver allows 10 cards and no win, and 11 were brought up");
    // An unwinnable deal contradicts a win, whatever the bounds of its cards.
    assert!(ClairvoyantBound { least: 20, most: 52, winnable: Some(false) }.raised(52, 52).is_err());
}

fn game(end: End, cards: u16) -> GameWorth {
    GameWorth::of(&Spec::default(), &testing::game(end, cards))
}

#[test]
fn what_is_left_is_the_paired_difference() {
    let spec = Spec::default();
    let mut tally = ShortfallTally::new(&spec);
    let games = [(End::Won, 52), (End::Barren, 10), (End::Barren, 25), (End::Blocked, 12)];
    for ((least, most), (end, cards)) in FOUR.into_iter().zip(games).cycle().take(400) {
        let bound = bound(least, most).raised(cards, 52).unwrap();
        tally.add(bound, &game(end, cards));
    }
    let left = tally.summary();
    // 0, 0, 0 to 27, 40.
    near(left.cards.least, 10.0);
    near(left.cards.most, 16.75);
    near(left.cards.low, Sample::of([(0.0, 300), (40.0, 100)]).limits(0.0, 52.0).0);
    near(left.money.unwrap().least, 5_000.0);
    near(left.money.unwrap().most, 8_375.0);
    near(left.ceiling.least, (52.0 + 10.0 + 25.0 + 52.0) / 4.0);
    near(left.nothing_left.least, 0.5);
    near(left.nothing_left.most, 0.75);
    // One win of two winnable deals, or of three.
    let won = left.of_winnable.unwrap();
    assert_eq!((left.games, left.won), (400, 100));
    near(won.least, 1.0 / 3.0);
    near(won.most, 0.5);
    near(won.low, clopper_pearson(100, 300).0);
    near(won.high, clopper_pearson(100, 200).1);
}

#[test]
fn undecided_games_leave_anything() {
    let spec = Spec::default();
    let mut tally = ShortfallTally::new(&spec);
    tally.add(bound(40, 40), &game(End::Runaway, 30));
    let left = tally.summary();
    // The game could have ended with all of the 40, and had 30.
    assert_eq!((left.cards.least, left.cards.most), (0.0, 10.0));
    assert_eq!(left.of_winnable, None);
    assert_eq!((left.nothing_left.least, left.nothing_left.most), (0.0, 1.0));
}
