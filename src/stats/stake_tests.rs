use proptest::prelude::*;

use super::*;
use crate::game::Instead;
use crate::rules::{Casino, Stage};
use crate::stats::testing::near;
use crate::stats::{House, Tally, summarize};

/// Canfield for $10 the hand, $20 the first draw and $5 a pass.
fn spec() -> Spec {
    let stage = |at, cost| Stage { at, cost, limit: 0 };
    let stages = vec![stage(StageAt::Deal, 1000), stage(StageAt::FirstDraw, 2000), stage(StageAt::Pass, 500)];
    let casino = Casino { stake: 0, stages, pays_for_win: 10_000, ..Spec::default().casino };
    Spec { casino, ..Spec::default() }
}

/// A game of this many passes and, if it was stopped, the stage and the cards it would have ended with.
fn game(end: End, cards: u16, passes: u32, stopped: Option<(StageAt, u16)>) -> Outcome {
    let at = stopped.map(|(at, _)| at);
    let bought = match at {
        Some(StageAt::Deal) => [0, 0, 0, 0, 0],
        Some(StageAt::FirstDraw) => [1, 0, 0, 0, 0],
        _ => [1, 0, 1, passes, 0],
    };
    let staked = 1000 * i64::from(bought[0]) + 2000 * i64::from(bought[2]) + 500 * i64::from(bought[3]);
    let mut asked = bought;
    at.iter().for_each(|&at| asked[at as usize] += 1);
    let instead = stopped.map(|(_, cards)| {
        let end = if cards == 52 { End::Won } else { End::Barren };
        Instead { end, cards, staked: 3000 + 500 * i64::from(passes + 2), whole: true }
    });
    let stake = Stake { staked, whole: bought[2] > 0, asked, bought, stopped: at, instead };
    Outcome { end, cards, moves: 60, redeals: passes, reserve_left: 4, complete_suits: 0, stake: Some(stake) }
}

fn any_game() -> impl Strategy<Value = Outcome> {
    let at = prop::sample::select(vec![StageAt::Deal, StageAt::FirstDraw, StageAt::Pass]);
    let end = prop::sample::select(vec![End::Barren, End::Won, End::Runaway]);
    (end, 0u16..52, 0u32..9, prop::option::of((at, 0u16..=52))).prop_map(|(end, cards, passes, stopped)| {
        match (end, stopped) {
            (_, Some(_)) => game(End::Resigned, cards, passes, stopped),
            (End::Won, _) => game(End::Won, 52, passes, None),
            _ => game(end, cards, passes, None),
        }
    })
}

fn tally(games: &[Outcome]) -> Tally {
    let mut tally = Tally::new(&spec());
    games.iter().for_each(|game| tally.add(game));
    tally
}

proptest! {
    #[test]
    fn merging_is_exact_in_any_order(
        a in prop::collection::vec(any_game(), 0..20),
        b in prop::collection::vec(any_game(), 0..20),
    ) {
        let together = tally(&[a.clone(), b.clone()].concat());
        let mut merged = tally(&b);
        merged.merge(&tally(&a));
        prop_assert_eq!(&merged, &together);
        prop_assert_eq!(together.check(&spec()), Ok(()));
        let text = serde_json::to_string(&together).unwrap();
        prop_assert_eq!(&serde_json::to_string(&merged).unwrap(), &text);
        prop_assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), together.clone());

        // Every figure is a number and within its limits.
        let summary = summarize(&together, &spec(), vec![]);
        let stakes = summary.stakes.clone().unwrap();
        let worths = stakes.stages.iter().filter_map(|stage| stage.worth_of_stopping);
        let all = [summary.net, summary.hit_frequency, summary.hold_per_100, stakes.staked, stakes.paid];
        for e in all.into_iter().chain(worths).chain(summary.house_edge).chain(stakes.worth_of_stopping) {
            prop_assert!(e.low.is_finite() && e.high.is_finite(), "{e:?}");
            prop_assert!(e.low <= e.value && e.value <= e.high, "{e:?}");
        }
        prop_assert!(!serde_json::to_string(&summary).unwrap().contains("inf"));
    }
}

#[test]
fn figures_by_hand() {
    let games = [
        game(End::Resigned, 1, 0, Some((StageAt::Deal, 3))),
        game(End::Resigned, 4, 0, Some((StageAt::FirstDraw, 4))),
        game(End::Resigned, 6, 2, Some((StageAt::Pass, 52))),
        game(End::Barren, 10, 3, None),
        game(End::Won, 52, 1, None),
    ];
    let tally = tally(&games);
    let stakes = tally.stakes().unwrap();
    // $0 + $10 + $40 + $45 + $35 staked; nothing, nothing, $30, $50 and $260 + $100 paid back.
    let nets: Vec<_> = stakes.nets().into_iter().collect();
    assert_eq!(nets, [(-1000, 2), (0, 1), (500, 1), (32_500, 1)]);
    // By continuing: 15 - 40, 20 - 40 and 360 - 50 dollars; by stopping: 0, -10 and -10.
    let told: Vec<_> =
        stakes.stages.iter().map(|it| (it.at, it.gain.sums().0, [it.asked, it.bought, it.stopped])).collect();
    let wanted = [
        (StageAt::Deal, 2500, [5, 4, 1]),
        (StageAt::FirstDraw, 1000, [4, 3, 1]),
        (StageAt::Pass, -32_000, [7, 6, 1]),
    ];
    assert_eq!(told, wanted);
    let summary = summarize(&tally, &spec(), vec![]);
    near(summary.net.value, 31_000.0 / 5.0);
    near(summary.house_edge.unwrap().value, -31.0 / 13.0);
    near(summary.hit_frequency.value, 0.4);
    near(summary.stakes.unwrap().worth_of_stopping.unwrap().value, -28_500.0 / 5.0);
}

/// An undecided game counts with its worst and best possible results, and so does the value of stopping.
#[test]
fn undecided_games_count_both_ways() {
    let with = |last: Outcome| {
        let some = [game(End::Barren, 10, 3, None), game(End::Barren, 4, 1, None)];
        let games: Vec<Outcome> = some.iter().cycle().take(60).copied().chain([last; 40]).collect();
        summarize(&tally(&games), &spec(), vec![])
    };
    let (open, worst, best) = (
        with(game(End::Runaway, 8, 2, None)),
        with(game(End::Barren, 8, 2, None)),
        with(game(End::Won, 52, 2, None)),
    );
    assert_eq!(
        (open.net.value, open.net.low, open.net.high),
        (worst.net.value, worst.net.low, best.net.high)
    );
    let edges = [open, worst, best].map(|summary| summary.house_edge.unwrap());
    assert_eq!((edges[0].value, edges[0].high, edges[0].low), (edges[1].value, edges[1].high, edges[2].low));

    let stopped = |cards, end| {
        let mut game = game(End::Resigned, 5, 2, Some((StageAt::Pass, cards)));
        game.stake.as_mut().unwrap().instead.as_mut().unwrap().end = end;
        with(game).stakes.unwrap().stages[2].worth_of_stopping.unwrap()
    };
    let open = stopped(8, End::Runaway);
    assert_eq!(open.value, stopped(8, End::Barren).value);
    // All of them might have been won.
    assert_eq!(open.low, stopped(52, End::Won).low);
}

#[test]
fn contradictions_are_named() {
    let good = tally(&[game(End::Barren, 10, 3, None), game(End::Resigned, 4, 0, Some((StageAt::Pass, 9)))]);
    let broken = |from: &str, to: &str| {
        let text = serde_json::to_string(&good).unwrap();
        assert!(text.contains(from), "{text}");
        serde_json::from_str::<Tally>(&text.replacen(from, to, 1)).unwrap().check(&spec()).unwrap_err()
    };
    assert!(broken("[4500,5000,5000,5000,1]", "[4500,5000,5000,5000,2]").contains("by stake and payment"));
    assert!(
        broken(r#""cost":1000,"limit":0,"asked":2"#, r#""cost":1000,"limit":0,"asked":1"#)
            .contains("more often")
    );
    assert!(broken(r#""cost":1000"#, r#""cost":1001"#).contains("not of this ruleset"));
    assert!(good.check(&Spec::default()).is_err());
}

/// With only one kind of game, the limits still allow for others.
#[test]
fn always_the_same_is_not_certain() {
    let summary = summarize(&tally(&[game(End::Barren, 6, 0, None); 50]), &spec(), vec![]);
    let edge = summary.house_edge.unwrap();
    assert_eq!(edge.value, 0.0);
    assert!(edge.low < -0.1 && edge.high > 0.1, "{edge:?}");
    let house = House::new(&tally(&[game(End::Barren, 6, 0, None); 50]), &spec().casino);
    assert_eq!(house.gains(), [(0, 50)]);
    // One game says little, and none nothing.
    let one = summarize(&tally(&[game(End::Barren, 6, 0, None)]), &spec(), vec![]).house_edge.unwrap();
    assert!(one.low < -10.0 && one.low >= 1.0 - 36_000.0 / 3000.0 && one.high > 0.99, "{one:?}");
    assert_eq!(summarize(&tally(&[]), &spec(), vec![]).house_edge, None);
}
