//! Payout of a finished deck.

use crate::rules::{Casino, Spec};

/// Assumed maximum number of redeals per card of the packs: if redeals are unlimited, nothing else limits the cost of
/// a game.
const REDEALS_A_CARD: u32 = 2;

/// Returns the house's payment for a deck that ends with `cards` of `all` cards on the foundations, cents: to the
/// player, and to the meter of a jackpot. Redeal fees are not subtracted.
pub fn payout(casino: &Casino, cards: usize, all: usize) -> i64 {
    casino.pay(cards, all).saturating_add(casino.meter_growth())
}

/// Returns the least and the greatest payment for a deck that ends with at least `least` cards.
pub(super) fn payout_range(casino: &Casino, least: usize, all: usize) -> (i64, i64) {
    let paid = || (least.min(all)..=all).map(|cards| payout(casino, cards, all));
    (paid().min().unwrap_or(0), paid().max().unwrap_or(0))
}

/// Returns, by cards, the greatest payment for a deck that can reach them: a player may stop with fewer cards if more
/// pay less.
pub(super) fn best_payouts(casino: &Casino, all: usize) -> Vec<i64> {
    let mut best = i64::MIN;
    let paid = (0..=all).map(|cards| {
        best = best.max(payout(casino, cards, all));
        best
    });
    paid.collect()
}

/// Returns the assumed maximum number of redeals in a game.
pub(super) fn most_redeals(spec: &Spec) -> u32 {
    let most = REDEALS_A_CARD * spec.cards() as u32;
    spec.stock.redeals.map_or(most, |redeals| redeals.min(most))
}

/// Returns the maximum cost of a game's redeals, cents.
pub(super) fn most_fees(spec: &Spec) -> i64 {
    spec.casino.redeal_fees(most_redeals(spec))
}
