use std::sync::atomic::AtomicBool;

use super::*;
use crate::rules::Spec;
use crate::stats::casino::Outcomes;
use crate::stats::testing::{by_cards as tally, close};
use crate::stats::{Question, Replicate};

fn patron(share: f64, outcomes: &[(i64, u64)]) -> Patron {
    let outcomes: Vec<Outcomes> =
        outcomes.iter().map(|&(gain, games)| Outcomes { gains: [gain; 3], games }).collect();
    Patron { share, reach: (-1_000_000, 1_000_000), outcomes, decks_each: 1 }
}

/// Convolves this many decks, one at a time.
fn brute(gains: &[(i64, f64)], decks: u64) -> std::collections::BTreeMap<i64, f64> {
    let mut sums = std::collections::BTreeMap::from([(0, 1.0)]);
    for _ in 0..decks {
        let mut next = std::collections::BTreeMap::new();
        for (sum, p) in &sums {
            for (gain, q) in gains {
                *next.entry(sum + gain).or_insert(0.0) += p * q;
            }
        }
        sums = next;
    }
    sums
}

fn quantile(sums: &std::collections::BTreeMap<i64, f64>, level: f64) -> f64 {
    let mut below = 0.0;
    let found = sums.iter().find(|(_, p)| {
        below += **p;
        below >= level - 1e-11
    });
    *found.unwrap().0 as f64
}

#[test]
fn bands_are_those_of_a_plain_convolution() {
    let outcomes = [(6_000, 500), (2_500, 300), (-4_000, 150), (-20_000, 50)];
    let gains: Vec<(i64, f64)> = outcomes.iter().map(|&(gain, n)| (gain, n as f64 / 1000.0)).collect();
    let found = bands(&[patron(1.0, &outcomes)], 6_000);
    assert_eq!(
        found.iter().map(|band| band.decks).collect::<Vec<_>>(),
        [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    );
    for (band, tolerance) in found[..2].iter().zip([1e-9, 1e-3]) {
        let sums = brute(&gains, band.decks);
        let rtp = |level| 1.0 - quantile(&sums, level) / band.decks as f64 / 6_000.0;
        close(band.low, rtp(0.95), tolerance);
        close(band.high, rtp(0.05), tolerance);
    }
    // For many decks, the mean is the middle and the width falls with the root of their number.
    let mean: f64 = gains.iter().map(|(gain, p)| *gain as f64 * p).sum();
    let sd = gains.iter().map(|(gain, p)| (*gain as f64 - mean).powi(2) * p).sum::<f64>().sqrt();
    for band in &found[2..] {
        let half = 1.644_854 * sd / (band.decks as f64).sqrt() / 6_000.0;
        close((band.low + band.high) / 2.0, 1.0 - mean / 6_000.0, half / 50.0);
        close((band.high - band.low) / 2.0, half, half / 50.0);
    }
}

/// Bands of visits of several decks are wider than those of independent decks; their mean differs only by the first
/// visit and the last.
#[test]
fn bands_allow_for_visits() {
    let (once, often) =
        (patron(0.6, &[(5_100, 80), (-12_900, 20)]), patron(0.4, &[(5_100, 60), (-8_900, 40)]));
    let visits = [once.clone(), Patron { decks_each: 20, ..often.clone() }];
    let spread = Visits::new(&visits, 0).spread();
    let (apart, found) = (bands(&[once, often], 6_000), bands(&visits, 6_000));
    for (apart, band) in apart.iter().zip(&found) {
        assert!(band.high - band.low > 1.05 * (apart.high - apart.low), "{band:?} {apart:?}");
    }
    // A mean of 0.6 * 1,500 - 0.4 * 500 = 700 a deck.
    for band in &found[1..] {
        let half = 1.644_854 * spread / (band.decks as f64).sqrt() / 6_000.0;
        close((band.low + band.high) / 2.0, 1.0 - 700.0 / 6_000.0, half / 10.0);
        close((band.high - band.low) / 2.0, half, half / 50.0);
    }
}

/// Over 10,000 decks a jackpot of one deck in 5,000 is won 0 to 5 times with 90% probability: the Poisson
/// distribution with mean 2 has 0.135 at 0 and 0.947 up to 4, 0.983 up to 5.
#[test]
fn bands_of_rare_payments_are_not_normal() {
    let found = bands(&[patron(1.0, &[(1_000, 4_999), (-4_000_000, 1)])], 1_000);
    let band = found[2];
    assert_eq!(band.decks, 10_000);
    // None at all: the house keeps everything.
    close(band.low, 0.0, 0.005);
    close(band.high, 5.0 * 4_001_000.0 / 1e4 / 1_000.0, 0.02);
}

#[test]
fn a_season_adds_up_its_nights() {
    let patrons = [patron(0.25, &[(500, 6), (-700, 4)]), patron(0.75, &[(300, 7), (-500, 3)])];
    let question = Question { decks: 20, bank: 10_000, greatest_loss: 700, price: Some(500) };
    let never = AtomicBool::new(false);
    let replicate = Replicate::new(question, &patrons, &never).unwrap();
    let again: Vec<_> = (0..100).map(|number| replicate.again(11, number, &never).unwrap()).collect();
    let night = replicate.finish(&again);
    let found = season(&patrons, &night, 30, 7);
    // The mean of a deck is 0.25 * 20 + 0.75 * 60 = 50 cents, of a season 30,000; its distribution is nearly normal.
    let mean = 50.0 * 20.0 * 30.0;
    let second = 0.25 * (0.6 * 250_000.0 + 0.4 * 490_000.0) + 0.75 * (0.7 * 90_000.0 + 0.3 * 250_000.0);
    let sd = ((second - 2_500.0) * 600.0f64).sqrt();
    for (quantile, z) in found.profit.into_iter().zip([-2.326, -1.645, 0.0, 1.645]) {
        // Four standard errors of a quantile of 10,000 draws, at its widest near 1%.
        close(quantile.value, mean + z * sd, 0.16 * sd);
        assert!(quantile.low < quantile.value && quantile.value < quantile.high);
    }
    // P(sum < 0) by the normal distribution.
    let losing = 0.5 * statrs::function::erf::erfc(mean / sd / 2f64.sqrt());
    assert!(
        found.losing.low <= losing + 0.005 && losing <= found.losing.high + 0.005,
        "{losing} {:?}",
        found.losing
    );
    let [middle, deep] = found.drawdown;
    assert!(middle.value > 0.0 && deep.value > middle.value);
    assert!(middle.low <= middle.value && middle.value <= middle.high && deep.high > deep.value);
    // With only ten games of each patron, the season's median is as uncertain as its mean, that of 30 nights.
    let width = |e: Estimate| e.high - e.low;
    let wide = width(found.profit[2]) / (30.0 * width(night.profit));
    assert!((0.9..1.2).contains(&wide), "{wide}");
    // The season may be certain to lose, or to gain.
    assert!(found.losing.low < 0.01 && found.losing.high > 0.99, "{:?}", found.losing);
    let capital = found.capital.unwrap();
    close((-night.adjustment.value * (capital.value - 700.0)).exp(), 0.01, 1e-9);
    assert!(capital.low <= capital.value && capital.value <= capital.high);
    // Without an interval for a night, the bank has none.
    let untold = Replicate::new(question, &patrons, &never).unwrap().finish(&[]);
    let open = season(&patrons, &untold, 30, 7).capital.unwrap();
    assert!(open.low <= open.value && open.high == f64::INFINITY, "{open:?}");
    // The same seed draws the same seasons.
    assert_eq!(season(&patrons, &night, 30, 7), found);
    assert_ne!(season(&patrons, &night, 30, 8).profit, found.profit);
}

#[test]
fn the_price_of_a_mix_leaves_the_edge_that_was_asked() {
    let spec = Spec::default();
    let (weak, strong) = (tally(&spec, &[(5, 80), (20, 20)]), tally(&spec, &[(10, 50), (52, 50)]));
    let mix = [(0.8, &weak), (0.2, &strong)];
    // Mean payments: 5 dollars a card of 8 and of 31 cards.
    let paid = 0.8 * 4_000.0 + 0.2 * 15_500.0;
    for edge in [0.0, 0.05, 0.2] {
        close(price_of_mix(&mix, &spec.casino, edge).unwrap(), paid / (1.0 - edge), 1e-6);
    }
    let nothing = tally(&spec, &[(0, 10)]);
    assert_eq!(price_of_mix(&[(1.0, &nothing)], &spec.casino, 0.05), None);
}

#[test]
fn round_prices_are_preferred_near_the_middle() {
    let spec = Spec::default();
    let price = |cards: u16, target, round| {
        let played = tally(&spec, &[(cards, 100)]);
        round_price(&[(1.0, &played)], &spec.casino, target, round).unwrap().price
    };
    // The payment is 55: 5% to 10% are 57.89 to 61.11; 60 is near the middle and a multiple of ten.
    assert_eq!(price(11, (0.05, 0.10), 100), 6_000);
    // The payment is 60: 63.16 to 66.67, the middle half 64.01 to 65.77, 65 is a multiple of five.
    assert_eq!(price(12, (0.05, 0.10), 100), 6_500);
    // The payment is 50: 52.63 to 55.56, the middle half 53.34 to 54.80, which contains 54.
    assert_eq!(price(10, (0.05, 0.10), 100), 5_400);
    // No multiple of 10 dollars is in the range, so the nearest to its middle is used.
    assert_eq!(price(10, (0.05, 0.10), 1_000), 5_000);
    // A target of one value: the nearest price.
    assert_eq!(price(10, (0.075, 0.075), 100), 5_400);
    // The minimum is one step.
    assert_eq!(price(1, (0.05, 0.10), 100_000), 100_000);
}

/// The payment is 55: an edge of 10% to 10.4% needs a price of $61.11 to $61.38.
#[test]
fn a_finer_rounding_is_found_where_none_is_in_the_target() {
    let spec = Spec::default();
    let played = tally(&spec, &[(11, 100)]);
    let offer = |target, round| round_price(&[(1.0, &played)], &spec.casino, target, round).unwrap();
    let none = offer((0.10, 0.104), 100);
    assert_eq!((none.price, none.is_within(), none.finer), (6_100, false, Some((25, 6_125))));
    close(none.between.0, 5_500.0 / 0.9, 1e-9);
    // A whole dollar works where five do not.
    assert_eq!(offer((0.09, 0.10), 500).finer, Some((100, 6_100)));
    // The range is narrower than a cent.
    assert_eq!(offer((0.1, 0.10001), 100).finer, None);
    let met = offer((0.05, 0.10), 100);
    assert!(met.is_within() && met.finer.is_none());
    // A target of one value allows half a point on either side.
    assert!(offer((0.083, 0.083), 100).is_within());
    assert!(!offer((0.10, 0.10), 500).is_within());
    // Up to an edge of 100%, which no price has.
    assert!(offer((0.996, 0.996), 100).is_within());
}

#[test]
fn the_pay_table_sums_to_what_is_paid() {
    let spec = Spec::default();
    let (weak, strong) = (tally(&spec, &[(0, 10), (5, 70), (20, 20)]), tally(&spec, &[(10, 50), (52, 50)]));
    let table = pay_table(&[(0.8, &weak), (0.2, &strong)], &spec.casino);
    let paid = 0.8 * (0.7 * 2_500.0 + 0.2 * 10_000.0) + 0.2 * (0.5 * 5_000.0 + 0.5 * 26_000.0);
    for rows in [table.clone(), short_pay_table(&table)] {
        close(rows.iter().map(|row| row.share).sum(), 1.0, 1e-12);
        close(rows.iter().map(|row| row.returns).sum(), paid / 5_200.0, 1e-12);
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        assert_eq!((first.cards.0, last.cards, last.pays), (0, (52, 52), (26_000, 26_000)));
        assert!(rows.windows(2).all(|two| two[0].cards.1 + 1 == two[1].cards.0));
    }
    assert_eq!(table.len(), 53);
    assert!(short_pay_table(&table).len() <= 12);
    assert!(short_pay_table(&[]).is_empty());
}
