use proptest::prelude::*;

use super::*;
use crate::rules::Score;
use crate::stats::{points, testing};

fn spec() -> Spec {
    let exorcism = Score {
        name: "exorcism".into(),
        foundation_card: 1,
        complete_suit: 50,
        won: 100,
        reserve_left: -1,
        ..Score::default()
    };
    let wide =
        Score { name: "wide".into(), constant: -7, foundation_card: 10_000, redeal: -3, ..Score::default() };
    Spec { scores: vec![exorcism, wide], ..Spec::default() }
}

fn game(end: End, cards: u16) -> Outcome {
    Outcome {
        moves: 60,
        redeals: 2,
        reserve_left: 4,
        complete_suits: cards / 20,
        ..testing::game(end, cards)
    }
}

fn any_game() -> impl Strategy<Value = Outcome> {
    (0usize..6, 0u16..52, 0u32..=10_000, 0u32..200, 0u16..14).prop_map(
        |(end, cards, moves, redeals, reserve_left)| match End::ALL[end] {
            End::Won => Outcome { moves, redeals, ..testing::game(End::Won, 52) },
            end => Outcome { moves, redeals, reserve_left, ..testing::game(end, cards) },
        },
    )
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
        c in prop::collection::vec(any_game(), 0..20),
    ) {
        let merged = |parts: &[&[Outcome]]| {
            let mut sum = Tally::new(&spec());
            parts.iter().for_each(|part| sum.merge(&tally(part)));
            sum
        };
        let together = tally(&[a.clone(), b.clone(), c.clone()].concat());
        prop_assert_eq!(&merged(&[&a, &b, &c]), &together);
        prop_assert_eq!(&merged(&[&c, &a, &b]), &together);
        let mut right = tally(&b);
        right.merge(&tally(&c));
        let mut left = tally(&a);
        left.merge(&right);
        prop_assert_eq!(&left, &together);
        prop_assert_eq!(together.check(&spec()), Ok(()));

        // Through JSON and back it is the same tally, continues to count, and prints the same bytes.
        let text = serde_json::to_string(&together).unwrap();
        prop_assert_eq!(&serde_json::to_string(&left).unwrap(), &text);
        let mut back: Tally = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&back, &together);
        a.iter().for_each(|game| back.add(game));
        let mut again = together.clone();
        again.merge(&tally(&a));
        prop_assert_eq!(back, again);
    }
}

#[test]
fn counts_are_what_was_added() {
    let games = [game(End::Blocked, 5), game(End::Blocked, 5), game(End::Runaway, 30), game(End::Won, 52)];
    let tally = tally(&games);
    assert_eq!((tally.games(), tally.wins(), tally.ends(End::Blocked)), (4, 1, 2));
    assert_eq!((tally.histogram()[5], tally.histogram()[30], tally.histogram()[52]), (2, 1, 1));
    assert_eq!((tally.undecided()[30], tally.undecided().iter().sum::<u64>()), (1, 1));
    assert_eq!((tally.moves(), tally.moves_squared(), tally.redeals()), (240, 14_400, 8));
    // 5 - 4; 30 + 50 - 4; 52 + 100 + 100 - 4
    assert_eq!(tally.scores()[0].points, [(1, 2), (76, 1), (248, 1)].into());
}

#[test]
fn a_score_is_linear_in_the_outcome() {
    let score = Score {
        name: String::new(),
        constant: 1_000_000,
        foundation_card: 1,
        complete_suit: 100,
        won: 10_000,
        reserve_left: -10,
        redeal: 7,
        out_first: 99,
    };
    let won = Outcome { redeals: 3, ..testing::game(End::Won, 52) };
    assert_eq!(points(&score, &won), 1_000_000 + 52 + 400 + 10_000 + 21);
    assert_eq!(points(&score, &game(End::Blocked, 20)), 1_000_000 + 20 + 100 - 40 + 14);
}

#[test]
fn contradictions_in_a_read_tally_are_named() {
    let good = tally(&[game(End::Blocked, 5), game(End::Won, 52)]);
    let broken = |from: &str, to: &str| {
        let text = serde_json::to_string(&good).unwrap();
        assert!(text.contains(from), "{text}");
        serde_json::from_str::<Tally>(&text.replacen(from, to, 1)).unwrap().check(&spec()).unwrap_err()
    };
    assert!(broken(r#""games":2"#, r#""games":3"#).contains("by cards"));
    assert!(broken(r#""blocked":1"#, r#""blocked":2"#).contains("by end"));
    assert!(broken(r#""wins":1"#, r#""wins":0"#).contains("won"));
    assert!(broken(r#""runaway":0"#, r#""runaway":18446744073709551615"#).contains("by end"));
    assert!(broken(r#""points":{"1":1"#, r#""points":{"1":2"#).contains("`exorcism`"));
    assert!(broken(r#""name":"wide""#, r#""name":"narrow""#).contains("not of this ruleset"));
    let plain = Spec::default();
    assert!(good.check(&plain).is_err() && !good.fits(&Tally::new(&plain)));
}

#[test]
fn a_tally_is_read_as_it_was_written() {
    let mut sum = tally(&[game(End::Blocked, 5), game(End::Won, 52)]);
    sum.moves_squared = u128::from(u64::MAX) * 3;
    let bytes = postcard::to_stdvec(&sum).unwrap();
    assert_eq!(postcard::from_bytes::<Tally>(&bytes), Ok(sum));
    // Most counts of a block of games are 0 or small.
    assert!(bytes.len() < 400, "{}", bytes.len());
}
