//! A position drawn with letters, as its player sees it.

use std::fmt::Write;

use crate::cards::{Card, Suit};
use crate::game::View;

/// How many columns the waste may take before its lower cards are left out.
const WASTE_SHOWN: usize = 24;

/// Draws what the player of a position sees: face-down cards as `##`, an empty place as `--`.
///
/// ```text
/// base 6   foundations  6C  --  7H  --      reserve  #### 9D  (11 left)
/// stock 31 waste  QD 4S TH
/// T1  KS QD JC
/// T2  --
/// ```
pub fn board(view: &View<'_>) -> String {
    let mut out = String::new();
    let _ = write!(out, "  base {}   foundations ", view.base());
    for suit in Suit::ALL {
        let top = match view.foundation(suit) {
            0 => format!("-{suit}"),
            up => Card::new(view.base().up(up - 1), suit).to_string(),
        };
        let _ = write!(out, " {top}");
    }
    let _ = writeln!(out, "   {} cards up", view.cards());
    for r in 0..view.rules().reserve.piles as usize {
        let cards: Vec<String> = (0..view.reserve_len(r)).rev().map(|i| face(view.reserve(r, i))).collect();
        let number = if view.rules().reserve.piles > 1 { format!(" {}", r + 1) } else { String::new() };
        let _ = writeln!(out, "  reserve{number}  {}", shown(&cards));
    }
    let waste: Vec<String> = (0..view.waste_left()).rev().map(|i| face(view.waste(i))).collect();
    let skipped = waste.len().saturating_sub(WASTE_SHOWN);
    let more = if skipped > 0 { format!("({skipped} more) ") } else { String::new() };
    let _ = writeln!(out, "  stock {}   waste  {more}{}", view.stock_left(), shown(&waste[skipped..]));
    for p in 0..view.piles() {
        let cards: Vec<String> = (0..view.pile_len(p)).rev().map(|i| face(view.pile(p, i))).collect();
        let _ = writeln!(out, "  T{:<3} {}", p + 1, shown(&cards));
    }
    out
}

fn face(card: Option<Card>) -> String {
    card.map_or("##".into(), |card| card.to_string())
}

fn shown(cards: &[String]) -> String {
    if cards.is_empty() { "--".into() } else { cards.join(" ") }
}
