//! What a finished deck pays back.

use crate::rules::{Casino, Spec};

/// Redeals for each card of the packs beyond which nobody is reckoned to make another: where they are unlimited, nothing
/// but this bounds what a game may cost.
const REDEALS_A_CARD: u32 = 2;

/// What the house pays of a deck that ends with `cards` of `all` cards on the foundations, cents: what the player gets, and
/// what goes to the meter of a jackpot. Fees of redeals are not taken off.
pub fn payout(casino: &Casino, cards: usize, all: usize) -> i64 {
    casino.pay(cards, all).saturating_add(casino.meter_growth())
}

/// The least and the most that is paid of a deck that ends with `least` cards or more.
pub(super) fn payout_range(casino: &Casino, least: usize, all: usize) -> (i64, i64) {
    let paid = || (least.min(all)..=all).map(|cards| payout(casino, cards, all));
    (paid().min().unwrap_or(0), paid().max().unwrap_or(0))
}

/// By cards, the most that is paid of a deck that can be brought so far: a player may stop with fewer cards, where more pay
/// less.
pub(super) fn best_payouts(casino: &Casino, all: usize) -> Vec<i64> {
    let mut best = i64::MIN;
    let paid = (0..=all).map(|cards| {
        best = best.max(payout(casino, cards, all));
        best
    });
    paid.collect()
}

/// The most redeals that are reckoned with in a game.
pub(super) fn most_redeals(spec: &Spec) -> u32 {
    let most = REDEALS_A_CARD * spec.cards() as u32;
    spec.stock.redeals.map_or(most, |redeals| redeals.min(most))
}

/// The most that the redeals of a game can cost, cents.
pub(super) fn most_fees(spec: &Spec) -> i64 {
    spec.casino.redeal_fees(most_redeals(spec))
}
