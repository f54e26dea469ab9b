//! Games and comparisons for unit tests.

use super::Tally;
use crate::game::{End, Outcome};
use crate::rules::{Casino, Spec};

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

/// A game that ends with these cards.
pub fn game(end: End, cards: u16) -> Outcome {
    Outcome { end, cards, moves: 9, redeals: 1, reserve_left: 0, complete_suits: cards / 13, stake: None }
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
