//! What the unit tests of statistics share: closeness, games, tallies, and plain sums of decks.

use std::collections::BTreeMap;

use crate::game::{End, Outcome};
use crate::rules::{Casino, Spec};
use crate::stats::{Amount, Estimate, Patron, Tally};

/// Asserts that two numbers differ by at most `tolerance`.
#[track_caller]
pub fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Asserts that two numbers are equal but for rounding errors.
#[track_caller]
pub fn near(a: f64, b: f64) {
    close(a, b, 1e-9 * b.abs().max(1.0));
}

/// Asserts that an estimate has this value and these limits.
#[track_caller]
pub fn close_to(estimate: Estimate, [value, low, high]: [f64; 3], tolerance: f64) {
    close(estimate.value, value, tolerance);
    close(estimate.low, low, tolerance);
    close(estimate.high, high, tolerance);
}

/// A player with this share of the decks, and how often the house gained what.
pub fn patron(share: f64, outcomes: &[(i64, u64)]) -> Patron {
    let of = |&(gain, games): &(i64, u64)| (Amount::settled(gain), games);
    let gains = || outcomes.iter().map(|it| it.0);
    let reach = (gains().min().unwrap_or(0), gains().max().unwrap_or(0));
    Patron { share, reach, outcomes: outcomes.iter().map(of).collect(), decks_each: 1 }
}

/// The distribution of the sum of this many decks, convolved one at a time.
pub fn convolved(gains: &[(i64, f64)], decks: u64) -> BTreeMap<i64, f64> {
    let mut sums = BTreeMap::from([(0, 1.0)]);
    for _ in 0..decks {
        let mut next = BTreeMap::new();
        for (sum, p) in &sums {
            for (gain, q) in gains {
                *next.entry(sum + gain).or_insert(0.0) += p * q;
            }
        }
        sums = next;
    }
    sums
}

/// The least sum that is not exceeded with this probability.
pub fn quantile(sums: &BTreeMap<i64, f64>, level: f64) -> f64 {
    let mut below = 0.0;
    let reached = sums.iter().find(|(_, p)| {
        below += **p;
        below >= level - 1e-11
    });
    *reached.unwrap().0 as f64
}

/// A game that ends with these cards.
pub fn game(end: End, cards: u16) -> Outcome {
    Outcome { end, cards, moves: 9, redeals: 1, reserve_left: 0, complete_suits: cards / 13, stake: None }
}

/// A tally of these games.
pub fn tally_of(spec: &Spec, games: &[Outcome]) -> Tally {
    let mut tally = Tally::new(spec);
    games.iter().for_each(|game| tally.add(game));
    tally
}

/// Asserts that a tally read with a text replaced is refused with these words: the text, its replacement, and
/// the words.
#[track_caller]
pub fn refuses(spec: &Spec, good: &Tally, changes: &[[&str; 3]]) {
    let text = serde_json::to_string(good).unwrap();
    for [from, to, words] in changes {
        assert!(text.contains(from), "{text}");
        let broken: Tally = serde_json::from_str(&text.replacen(from, to, 1)).unwrap();
        assert!(broken.check(spec).unwrap_err().contains(words), "{from}");
    }
}

/// A tally of games with these ends and cards, and how often.
pub fn tally(spec: &Spec, games: &[(End, u16, u64)]) -> Tally {
    let mut tally = Tally::new(spec);
    games.iter().for_each(|&(end, cards, times)| tally.add_many(&game(end, cards), times));
    tally
}

/// A tally of decided games with these cards, and how often.
pub fn by_cards(spec: &Spec, games: &[(u16, u64)]) -> Tally {
    let end = |cards| if cards == 52 { End::Won } else { End::Blocked };
    let games: Vec<_> = games.iter().map(|&(cards, times)| (end(cards), cards, times)).collect();
    tally(spec, &games)
}

/// The terms of a deck without anything besides.
pub fn casino(stake: i64, pays_per_card: i64, pays_for_win: i64) -> Casino {
    Casino { stake, stages: Vec::new(), pays_per_card, pays_for_win, ..Spec::default().casino }
}
