//! Figures for an owner's decisions: a price for a target edge, the figures of a PAR sheet, and a season of many
//! nights.
//!
//! Separate games find the price, so that it does not bias the figures of the games that follow.

use rand::RngExt;
use serde::Serialize;

use super::bankroll::{NINE_IN_TEN, Patron, Visits, exact_night, middle};
use super::interval::Z;
use super::night::{Deck, Profit, mean_and_variance};
use super::{Bankroll, Estimate, House, Tally};
use crate::cards::{Purpose, Seed, generator};
use crate::rules::{Casino, MOST_CENTS};

/// Smallest number of decks with a band; each next one is ten times as large.
const LEAST_DECKS: u64 = 100;
const MOST_DECKS: u64 = 10_000_000;
/// Number of decks of visits computed as one night: enough for the first and the last visit to be far apart.
const VISITED: u32 = 1_000;
/// Lattice points per standard deviation of ten times as many decks, and of a night.
const GRAIN: (f64, f64) = (200.0, 1_000.0);
/// Maximum cents of a sum.
const GREATEST: u64 = u64::MAX >> 5;
/// Number of simulated seasons.
pub const SEASONS: u64 = 10_000;
/// Approximate number of nights simulated for the limits of drawdowns, over all samples; and the minimum number of
/// seasons.
const NIGHTS_AGAIN: u64 = 100_000_000;
const FEWEST_SEASONS: u64 = 500;
/// Probability that each deck may cut from each tail of a distribution.
const TAIL: f64 = 1e-14;

/// Returns the price at which a mix of patrons leaves the house exactly `edge`, cents; `None` if no price does. The
/// edge of the mix is the mean of the edges weighted by the shares of decks, as all pay the same price.
pub fn price_of_mix(patrons: &[(f64, &Tally)], casino: &Casino, edge: f64) -> Option<f64> {
    let prices = patrons.iter().map(|(share, tally)| {
        House::new(tally, casino).price_for_edge(edge).map(|price| share * price.value)
    });
    let whole: f64 = patrons.iter().map(|(share, _)| share).sum();
    prices.sum::<Option<f64>>().map(|sum| sum / whole).filter(|price| price.is_finite() && *price > 0.0)
}

/// A price for a target edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoundPrice {
    /// The price to ask, cents: a multiple of the requested step.
    pub price: i64,
    /// The prices at both ends of the target, cents.
    pub between: (f64, f64),
    /// If no such multiple is within the target: a finer step and its price, if any.
    pub finer: Option<(i64, i64)>,
}

impl RoundPrice {
    /// Returns whether the price is within the target.
    pub fn is_within(&self) -> bool {
        within(self.price, self.between)
    }
}

fn within(price: i64, (low, high): (f64, f64)) -> bool {
    (low..=high).contains(&(price as f64))
}

/// Steps to round prices to, cents, in descending order; also multiplied by powers of ten.
const ROUND: [i64; 4] = [50, 25, 10, 5];

/// Returns the price to ask: a positive multiple of `round` cents with an edge within `target`. Round prices near the
/// middle are preferred: multiples of 10, 5 and 2 times `round` come first if one lies in the middle half of the
/// range. If no multiple is in the range, returns the one nearest to its middle. `None` if nothing is paid.
pub fn round_price(
    patrons: &[(f64, &Tally)],
    casino: &Casino,
    target: (f64, f64),
    round: i64,
) -> Option<RoundPrice> {
    let at = |edge: f64| price_of_mix(patrons, casino, edge);
    let (low, high, middle) = (at(target.0)?, at(target.1)?, at((target.0 + target.1) / 2.0)?);
    let inner = ((low + middle) / 2.0, (high + middle) / 2.0);
    let roundest = |round: i64| {
        let nearest = |step: i64| {
            let times = (middle / step as f64).round().max(1.0);
            (times * step as f64).min(MOST_CENTS as f64)
        };
        let round_enough = [10, 5, 2].into_iter().filter_map(|times| {
            let price = nearest(round.checked_mul(times)?);
            (price >= inner.0 && price <= inner.1).then_some(price)
        });
        round_enough.chain([nearest(round)]).next().map_or(round, |price| price as i64)
    };
    let between = match reach_of(target) {
        (from, to) if (from, to) == target => (low, high),
        (from, to) => (at(from)?, at(to)?),
    };
    let price = roundest(round);
    let scales = (0..10).rev().map(|zeros| 10i64.pow(zeros));
    let steps = scales.flat_map(|scale| ROUND.map(|step| step * scale)).chain([1]);
    let finer = steps
        .filter(|step| *step < round && !within(price, between))
        .map(|step| (step, roundest(step)))
        .find(|(_, price)| within(*price, between));
    Some(RoundPrice { price, between, finer })
}

/// Returns the edges that count as within a target: a target of one value allows half a point on either side.
pub fn reach_of((low, high): (f64, f64)) -> (f64, f64) {
    // No price has an edge of 100%.
    if low == high { (low - 0.005, (high + 0.005).min((1.0 + high) / 2.0)) } else { (low, high) }
}

/// The central 90% of the return to the player over this many decks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Band {
    /// Decks sold.
    pub decks: u64,
    /// The 5% quantile of the return, a fraction of the stakes.
    pub low: f64,
    /// The 95% quantile.
    pub high: f64,
}

/// Returns bands of the return to player for 100 to 10,000,000 decks at `price` cents. The decks are convolved
/// tenfold at a time, on a lattice much finer than the standard deviation, so that a rare high payment keeps its
/// weight. If patrons buy several decks, up to 1,000 decks are one night of visits, and larger numbers are such
/// nights with the mean and standard deviation of the long run.
pub fn bands(patrons: &[Patron], price: i64) -> Vec<Band> {
    let visits = Visits::new(patrons, 0);
    let (mean, mut variance) = mean_and_variance(&visits.deck);
    // Contribution of the first visit and of the last, which is cut off.
    let mut ends = 0.0;
    let several = !visits.are_decks();
    if several {
        variance = visits.spread().powi(2);
        ends = visits.night(VISITED).0 - mean * f64::from(VISITED);
    }
    let price = price as f64;
    let normal = |decks: u64| {
        let half = NINE_IN_TEN * (variance / decks as f64).sqrt() / price;
        let rtp = 1.0 - (mean + ends / decks as f64) / price;
        Band { decks, low: rtp - half, high: rtp + half }
    };
    let (mut decks, mut all) = (1, Vec::new());
    let mut gains = Some(visits.deck.clone());
    while decks < MOST_DECKS {
        decks *= 10;
        let (ten, besides) = match u32::try_from(decks) {
            Ok(few) if several && few <= VISITED => (visited(&visits, few), 0.0),
            _ => (gains.as_deref().and_then(tenfold), ends),
        };
        let rtp = |gain: f64| 1.0 - (gain + besides) / decks as f64 / price;
        let band = match &ten {
            Some((_, [low, high])) => Band { decks, low: rtp(*high), high: rtp(*low) },
            // The exact sums are too great to count, so the normal distribution is used.
            None => normal(decks),
        };
        gains = ten.map(|(gains, _)| gains);
        if decks >= LEAST_DECKS {
            all.push(band);
        }
    }
    all
}

/// Sums of money, cents, with probabilities.
type Gains = Vec<(i64, f64)>;

/// Returns the gains of ten times as many decks, and their 5% and 95% quantiles; `None` if they are too great to
/// count.
fn tenfold(gains: &[(i64, f64)]) -> Option<(Gains, [f64; 2])> {
    let deck = Deck::quick(gains, 10, GRAIN.0);
    let profit = Profit::after(10, &deck, TAIL);
    let sums = profit.sums()?;
    let countable = sums.iter().all(|(at, _)| at.unsigned_abs() < GREATEST);
    countable.then(|| (sums, profit.quantiles([0.05, 0.95])))
}

/// Returns the 5% and 95% quantiles after this many decks of visits; and the gains rescaled to the mean and standard
/// deviation of this many decks in the long run. `None` if they are too great to count.
fn visited(visits: &Visits, decks: u32) -> Option<(Gains, [f64; 2])> {
    let profit = exact_night(visits, decks, TAIL);
    let n = f64::from(decks);
    let ((from, wide), (mean, _)) = (visits.night(decks), mean_and_variance(&visits.deck));
    let times = visits.spread() * n.sqrt() / wide.max(f64::MIN_POSITIVE);
    let moved = |at: i128| (mean * n + (at as f64 - from) * times).round();
    let sums: Option<Gains> = profit
        .iter()
        .filter(|(_, p)| *p > 0.0)
        .map(|(at, p)| Some(moved(at)).filter(|at| at.abs() < GREATEST as f64).map(|at| (at as i64, p)))
        .collect();
    Some((sums?, profit.quantiles([0.05, 0.95])))
}

/// A season: many nights of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Season {
    /// Number of nights.
    pub nights: u32,
    /// Number of simulated seasons behind the figures below.
    pub drawn: u64,
    /// The profit of the season, cents: quantiles of 1%, 5%, 50%, 95%.
    pub profit: [Estimate; 4],
    /// Probability that a season ends with a loss.
    pub losing: Estimate,
    /// Drawdown: the fall of the profit, at the end of a night, below its highest value so far, cents; its median,
    /// and its 99% quantile.
    pub drawdown: [Estimate; 2],
    /// A bank for a risk of ruin of at most 1% over any number of nights, cents, by Lundberg's inequality. `None`
    /// if it is not certain that the house gains.
    pub capital: Option<Estimate>,
}

/// Simulates seasons of `nights` nights, drawn from the exact distribution of one. The limits allow for the
/// simulation error and, through the mean and standard deviation of a night in bootstrap samples, for the sampling
/// error of the games.
pub fn season(patrons: &[Patron], night: &Bankroll, nights: u32, seed: Seed) -> Season {
    let visits = Visits::new(patrons, 0);
    let profit = match visits.are_decks() {
        true => {
            let decks = night.decks.into();
            Profit::after(decks, &Deck::quick(&visits.deck, decks, GRAIN.1), TAIL)
        }
        false => exact_night(&visits, night.decks, TAIL),
    };
    // Cumulative distribution of the profit.
    let mut sum = 0.0;
    let nightly: Vec<(f64, f64)> = profit
        .iter()
        .map(|(at, p)| {
            sum += p;
            (sum, at as f64)
        })
        .collect();
    let course = |number: u64| {
        let mut rng = generator(seed, number, Purpose::Plan);
        (0..nights).map(move |_| rng.random::<f64>() * sum).map(|drawn| {
            nightly[nightly.partition_point(|(below, _)| *below <= drawn).min(nightly.len() - 1)].1
        })
    };
    let sorted = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    let of_one = |number| {
        let nights: Vec<f64> = course(number).collect();
        (nights.iter().sum::<f64>(), drawdown(nights.into_iter()))
    };
    let (ends, falls): (Vec<f64>, Vec<f64>) = (0..SEASONS).map(of_one).unzip();
    let (ends, falls) = (sorted(ends), sorted(falls));
    // A sample's season is that of the games, rescaled to the sample's mean and standard deviation of a night.
    let (mean, sd) = (night.profit.value, night.sd.value.max(f64::MIN_POSITIVE));
    let whole = mean * f64::from(nights);
    let moved = |end: f64, (m, s): (f64, f64)| m * f64::from(nights) + (end - whole) * s / sd;
    let samples = [0, 1].map(|way| night.samples.iter().map(move |ways| ways[way]));
    let within = |value: f64, of: &dyn Fn((f64, f64)) -> [f64; 2]| {
        samples.clone().into_iter().fold(Estimate { value, low: value, high: value }, |sum, way| {
            let both: Vec<[f64; 2]> = way.map(of).collect();
            let ends = [0, 1].map(|end| middle(both.iter().map(|it| it[end])));
            Estimate { low: sum.low.min(ends[0].0), high: sum.high.max(ends[1].1), ..sum }
        })
    };
    let profit = [0.01, 0.05, 0.5, 0.95].map(|level| {
        let [low, high] = beyond(&ends, level);
        within(at(&ends, level), &|sample| [moved(low, sample), moved(high, sample)])
    });
    let lost = |sample: (f64, f64)| ends.partition_point(|&end| moved(end, sample) < 0.0) as u64;
    let share = super::rate(lost((mean, sd)), 0, SEASONS);
    let losing = within(share.value, &|sample| {
        let share = super::rate(lost(sample), 0, SEASONS);
        [share.low, share.high]
    });
    // For each sample, a few seasons show how much the drawdown changes.
    let few = (NIGHTS_AGAIN / (2 * night.samples.len().max(1) as u64 * u64::from(nights.max(1))))
        .clamp(FEWEST_SEASONS, SEASONS);
    let courses: Vec<Vec<f64>> = match night.samples.is_empty() {
        true => Vec::new(),
        false => (0..few).map(|number| course(number).collect()).collect(),
    };
    let falls_of = |(m, s): (f64, f64)| {
        let night = |at: &f64| m + (at - mean) * s / sd;
        sorted(courses.iter().map(|course| drawdown(course.iter().map(night))).collect())
    };
    let here = falls_of((mean, sd));
    let levels = [0.5, 0.99];
    let deep = |sample| {
        let falls = falls_of(sample);
        levels.map(|level| at(&falls, level))
    };
    let further: Vec<[[f64; 2]; 2]> = night.samples.iter().map(|ways| ways.map(deep)).collect();
    let drawdown = [0, 1].map(|i| {
        let level = levels[i];
        let (value, [low, high]) = (at(&falls, level), beyond(&falls, level));
        [0, 1].into_iter().fold(Estimate { value, low: value, high: value }, |sum, way| {
            let more = further.iter().map(|ways| ways[way][i] - at(&here, level));
            let (least, most) = middle(more);
            Estimate { low: sum.low.min((low + least).max(0.0)), high: sum.high.max(high + most), ..sum }
        })
    });
    Season { nights, drawn: SEASONS, profit, losing, drawdown, capital: night.bank_for_any_nights }
}

/// Returns the largest fall of a profit below its highest value so far, night by night.
fn drawdown(nights: impl Iterator<Item = f64>) -> f64 {
    let (mut at, mut peak, mut fall) = (0.0f64, 0.0f64, 0.0f64);
    for night in nights {
        at += night;
        peak = peak.max(at);
        fall = fall.max(peak - at);
    }
    fall
}

/// Returns a quantile of sorted numbers.
fn at(sorted: &[f64], level: f64) -> f64 {
    let i = ((sorted.len() as f64 * level) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(i).copied().unwrap_or(f64::NAN)
}

/// Returns the limits of a quantile due to simulation error.
fn beyond(sorted: &[f64], level: f64) -> [f64; 2] {
    let half = Z * (level * (1.0 - level) / sorted.len().max(1) as f64).sqrt();
    [at(sorted, (level - half).max(0.0)), at(sorted, level + half)]
}

/// A row of a pay table: cards, payment and frequency.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PayRow {
    /// Cards on the foundations, from and to.
    pub cards: (u16, u16),
    /// Payment, cents, from and to.
    pub pays: (i64, i64),
    /// The share of decks of the mix.
    pub share: f64,
    /// Contribution of these decks to the return, a fraction of the price.
    pub returns: f64,
}

/// Builds the pay table of a mix at `casino`'s price, by number of cards, with undecided games as they stood.
pub fn pay_table(patrons: &[(f64, &Tally)], casino: &Casino) -> Vec<PayRow> {
    let whole: f64 = patrons.iter().map(|(share, _)| share).sum();
    let all = patrons.first().map_or(0, |(_, tally)| tally.histogram().len().saturating_sub(1));
    let row = |cards: usize| {
        let of = |(share, tally): &(f64, &Tally)| {
            let seen = tally.histogram().get(cards).copied().unwrap_or(0) as f64;
            share / whole * seen / tally.games().max(1) as f64
        };
        let share = patrons.iter().map(of).sum::<f64>();
        // Contributions to a jackpot's meter are not paid to anybody yet.
        let pays = super::payout(casino, cards, all) - casino.meter_growth();
        let returns = share * pays as f64 / casino.stake.max(1) as f64;
        PayRow { cards: (cards as u16, cards as u16), pays: (pays, pays), share, returns }
    };
    (0..=all).map(row).collect()
}

/// Condenses the pay table to a dozen rows: the last is a win, the others cover equally many cards.
pub fn short_pay_table(whole: &[PayRow]) -> Vec<PayRow> {
    let Some((win, rest)) = whole.split_last() else { return Vec::new() };
    let each = rest.len().div_ceil(11).max(1);
    let joined = rest.chunks(each).filter_map(|rows| {
        let (first, last) = (rows.first()?, rows.last()?);
        let pays = rows.iter().map(|row| row.pays.0);
        Some(PayRow {
            cards: (first.cards.0, last.cards.1),
            pays: (pays.clone().min()?, pays.max()?),
            share: rows.iter().map(|row| row.share).sum(),
            returns: rows.iter().map(|row| row.returns).sum(),
        })
    });
    joined.chain([*win]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;

    use crate::rules::Spec;
    use crate::stats::testing::{by_cards as tally, close, convolved, patron, quantile};
    use crate::stats::{Question, Replicate};

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
            let sums = convolved(&gains, band.decks);
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
        let patrons = [patron(0.25, &[(500, 6), (-700, 4)]), patron(0.75, &[(300, 7), (-500, 3)])]
            .map(|it| Patron { reach: (-1_000_000, 1_000_000), ..it });
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
        let (weak, strong) =
            (tally(&spec, &[(0, 10), (5, 70), (20, 20)]), tally(&spec, &[(10, 50), (52, 50)]));
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
}
