//! What a finished deck pays back.

use crate::rules::Casino;

/// What a deck pays back that ends with `cards` of `all` cards on the foundations, cents.
pub fn payout(casino: &Casino, cards: usize, all: usize) -> i64 {
    let win = if cards == all { casino.pays_for_win } else { 0 };
    casino.pays_per_card.saturating_mul(cards as i64).saturating_add(win)
}
