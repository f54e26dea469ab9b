//! A position as text, as its player sees it.

use std::fmt::Write;

use crate::cards::Card;
use crate::format::plural;
use crate::game::View;

/// Maximum number of cards of a reserve or a waste that are shown, so that a line fits in 80 columns.
const SHOWN: usize = 20;

/// Draws a position as its player sees it: face-down cards as `##`, an empty place as `--`. With several packs, the
/// foundations of a suit are together: `3D/AD`.
///
/// ```text
///   base A   foundations  -C 3D -H AS   4 cards up
///   reserve  ## ## ## 2H
///   stock    28
///   waste    3H 7H TS 2S KC 5H
///   T1       KS QD JC
///   T2       --
/// ```
pub fn board(view: &View<'_>) -> String {
    let mut out = String::new();
    let base = view.base().map_or("?".into(), |base| base.to_string());
    let _ = write!(out, "  base {base}   foundations ");
    for &suit in view.rules().pack.suits() {
        let top = |height: usize| match (view.base(), height) {
            (Some(base), 1..) => Card::new(base.up(height - 1, view.rules().pack), suit).to_string(),
            _ => format!("-{suit}"),
        };
        let tops: Vec<String> = view.foundation_heights(suit).map(top).collect();
        let _ = write!(out, " {}", tops.join("/"));
    }
    let cards = view.cards();
    let _ = writeln!(out, "   {} up", plural(cards as u64, "card"));
    if !view.offered().is_empty() {
        let offered: Vec<String> = view.offered().iter().map(Card::to_string).collect();
        line(&mut out, "choose", &offered.join(" "));
    }
    let reserves = view.reserves();
    for r in 0..reserves {
        let name = if reserves > 1 { format!("R{}", r + 1) } else { "reserve".into() };
        let cards = (0..view.reserve_len(r)).rev().map(|i| face(view.reserve(r, i)));
        line(&mut out, &name, &shown(cards.collect(), SHOWN));
    }
    line(&mut out, "stock", &view.stock_left().to_string());
    line(
        &mut out,
        "waste",
        &shown((0..view.waste_left()).rev().map(|i| face(view.waste(i))).collect(), SHOWN),
    );
    for p in 0..view.piles() {
        let cards = (0..view.pile_len(p)).rev().map(|i| face(view.pile(p, i)));
        line(&mut out, &format!("T{}", p + 1), &shown(cards.collect(), usize::MAX));
    }
    out
}

fn line(out: &mut String, name: &str, what: &str) {
    let _ = writeln!(out, "  {name:<8} {what}");
}

fn face(card: Option<Card>) -> String {
    card.map_or("##".into(), |card| card.to_string())
}

/// Returns the last cards of a list, which are the first within reach of a player.
fn shown(cards: Vec<String>, most: usize) -> String {
    match cards.len().saturating_sub(most) {
        _ if cards.is_empty() => "--".into(),
        0 => cards.join(" "),
        under => format!("{under} more, {}", cards[under..].join(" ")),
    }
}
