//! What an owner decides by: a price for a target edge, the figures of a PAR sheet, and a season of many nights.
//!
//! The price is found on games of its own, so that the figures of the games that follow are not chosen by it.

use rand::RngExt;
use serde::Serialize;

use super::bankroll::{Patron, Visits, exact_night, middle};
use super::interval::Z;
use super::profit::{Deck, Profit, mean_and_variance};
use super::{Bankroll, Estimate, House, Tally};
use crate::cards::{Purpose, Seed, generator};
use crate::rules::{Casino, MOST_CENTS};

/// The normal quantile of a two-sided band of 90%.
const NINE_IN_TEN: f64 = 1.644_853_626_951_472_7;
/// Bands are given for these numbers of decks, in tenfold steps.
const LEAST_DECKS: u64 = 100;
const MOST_DECKS: u64 = 10_000_000;
/// Decks of visits that are computed as one night: as many as need be for the first visit and the last to be far apart.
const VISITED: u32 = 1_000;
/// Lattice points in a standard deviation of ten times as many decks, and of a night.
const GRAIN: (f64, f64) = (200.0, 1_000.0);
/// Cents beyond which sums are no longer added up.
const GREATEST: u64 = u64::MAX >> 5;
/// Seasons that are drawn.
pub const SEASONS: u64 = 10_000;
/// Nights that are gone through once more for the limits of drawdowns, of all samples together, about; and seasons at least.
const NIGHTS_AGAIN: u64 = 100_000_000;
const FEWEST_SEASONS: u64 = 500;
/// Probability that may be cut from each tail of a distribution at each deck.
const TAIL: f64 = 1e-14;

/// The price at which a mix of patrons leaves the house exactly `edge`, cents; `None` where no price does. The edge of the
/// mix is the mean of the edges by the shares of decks, as all pay the same price.
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
    /// The price to ask, cents: a whole multiple of what was asked for.
    pub price: i64,
    /// The prices at the two ends of the target, cents.
    pub between: (f64, f64),
    /// Where no such multiple lies between them: one that does, as (the multiple, the price), where there is any.
    pub finer: Option<(i64, i64)>,
}

impl RoundPrice {
    /// Whether it lies between the two.
    pub fn is_within(&self) -> bool {
        within(self.price, self.between)
    }
}

fn within(price: i64, (low, high): (f64, f64)) -> bool {
    (low..=high).contains(&(price as f64))
}

/// What prices may be rounded to, cents, from the coarsest; and powers of ten times that.
const ROUND: [i64; 4] = [50, 25, 10, 5];

/// The price to ask: a whole multiple of `round` cents, at least one, with an edge between the two of `target`. The
/// roundest near the middle is taken: multiples of 10, 5 and 2 times `round` come first where one lies in the middle half
/// of the range. Where no multiple is in the range, it is the one nearest to its middle. `None` where nothing is paid.
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

/// The edges that count as within a target: one without width is met within half a point.
pub fn reach_of((low, high): (f64, f64)) -> (f64, f64) {
    if low == high { (low - 0.005, high + 0.005) } else { (low, high) }
}

/// The return to the player over this many decks: nine in ten such stretches lie between `low` and `high`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Band {
    /// Decks sold.
    pub decks: u64,
    /// The 5% quantile of the return, a fraction of what was staked.
    pub low: f64,
    /// The 95% quantile.
    pub high: f64,
}

/// Bands of the return to player for 100 to 10,000,000 decks at `price` cents. The decks are convolved tenfold at a time, on
/// a lattice much finer than the standard deviation, so that a rare high payment keeps its weight. Where patrons buy several
/// decks, up to 1,000 decks are one night of visits, and more are such nights with the mean and the deviation of decks
/// without end.
pub fn bands(patrons: &[Patron], price: i64) -> Vec<Band> {
    let visits = Visits::new(patrons, 0);
    let (mean, mut variance) = mean_and_variance(visits.deck());
    // What the first visit and the last, which is cut off, bring besides.
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
    let mut gains = Some(visits.deck().to_vec());
    while decks < MOST_DECKS {
        decks *= 10;
        let (ten, besides) = match u32::try_from(decks) {
            Ok(few) if several && few <= VISITED => (visited(&visits, few), 0.0),
            _ => (gains.as_deref().and_then(tenfold), ends),
        };
        let rtp = |gain: f64| 1.0 - (gain + besides) / decks as f64 / price;
        let band = match &ten {
            Some((_, [low, high])) => Band { decks, low: rtp(*high), high: rtp(*low) },
            // Sums too great to count; those of this many decks are normal.
            None => normal(decks),
        };
        gains = ten.map(|(gains, _)| gains);
        if decks >= LEAST_DECKS {
            all.push(band);
        }
    }
    all
}

/// Sums of money, cents, each with its probability.
type Gains = Vec<(i64, f64)>;

/// The gains of ten times as many decks, and their quantiles of 5% and 95%; `None` where they are too great to count.
fn tenfold(gains: &[(i64, f64)]) -> Option<(Gains, [f64; 2])> {
    let deck = Deck::quick(gains, 10, GRAIN.0);
    let mut profit = Profit::new(TAIL);
    (0..10).for_each(|_| profit.play(&deck));
    let sums: Option<Gains> =
        profit.iter().filter(|(_, p)| *p > 0.0).map(|(at, p)| Some((i64::try_from(at).ok()?, p))).collect();
    Some((
        sums.filter(|sums| sums.iter().all(|(at, _)| at.unsigned_abs() < GREATEST))?,
        profit.quantiles([0.05, 0.95]),
    ))
}

/// The quantiles of 5% and 95% after this many decks of visits; and the gains moved to the mean and the deviation that this many of
/// decks without end have. `None` where they are too great to count.
fn visited(visits: &Visits, decks: u32) -> Option<(Gains, [f64; 2])> {
    let profit = exact_night(visits, decks, TAIL);
    let n = f64::from(decks);
    let ((from, wide), (mean, _)) = (visits.night(decks), mean_and_variance(visits.deck()));
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
    /// Nights.
    pub nights: u32,
    /// Seasons that were drawn for the figures below.
    pub drawn: u64,
    /// The profit of the season, cents: quantiles of 1%, 5%, 50%, 95%.
    pub profit: [Estimate; 4],
    /// The share of seasons that end with a loss.
    pub losing: Estimate,
    /// The drawdown, how far the profit falls below its highest so far at the end of a night, cents: its median, and what one
    /// season in a hundred exceeds.
    pub drawdown: [Estimate; 2],
    /// A bank with which the risk of ruin is at most 1% however many nights follow, cents, by Lundberg's inequality. `None`
    /// where the house does not gain for certain.
    pub capital: Option<Estimate>,
}

/// What `nights` such nights come to: nights are drawn from the exact distribution of one. The limits reckon with the draws
/// and, by the mean and the standard deviation of a night in samples drawn again from the games, with those.
pub fn season(patrons: &[Patron], night: &Bankroll, nights: u32, seed: Seed) -> Season {
    let visits = Visits::new(patrons, 0);
    let profit = match visits.are_decks() {
        true => {
            let deck = Deck::quick(visits.deck(), night.decks.into(), GRAIN.1);
            let mut profit = Profit::new(TAIL);
            (0..night.decks).for_each(|_| profit.play(&deck));
            profit
        }
        false => exact_night(&visits, night.decks, TAIL),
    };
    // Each profit with the probability of it or a lower one.
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
    // A sample's season is that of the games with its own mean and deviation of a night.
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
    // Of fewer seasons, gone through by each sample: how much farther it falls there.
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

/// How far a profit falls below its highest so far, at most, night by night.
fn drawdown(nights: impl Iterator<Item = f64>) -> f64 {
    let (mut at, mut peak, mut fall) = (0.0f64, 0.0f64, 0.0f64);
    for night in nights {
        at += night;
        peak = peak.max(at);
        fall = fall.max(peak - at);
    }
    fall
}

/// The quantile of sorted numbers.
fn at(sorted: &[f64], level: f64) -> f64 {
    let i = ((sorted.len() as f64 * level) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(i).copied().unwrap_or(f64::NAN)
}

/// Limits of the quantile, as the numbers are draws.
fn beyond(sorted: &[f64], level: f64) -> [f64; 2] {
    let half = Z * (level * (1.0 - level) / sorted.len().max(1) as f64).sqrt();
    [at(sorted, (level - half).max(0.0)), at(sorted, level + half)]
}

/// A row of a pay table: what is paid for this many cards, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PayRow {
    /// Cards on the foundations, from and to.
    pub cards: (u16, u16),
    /// What is paid, cents, from and to.
    pub pays: (i64, i64),
    /// The share of decks of the mix.
    pub share: f64,
    /// What these decks are paid on average of all, a fraction of the price.
    pub returns: f64,
}

/// The pay table of a mix at `casino`'s price, by number of cards, undecided games as they stood.
pub fn pay_table(patrons: &[(f64, &Tally)], casino: &Casino) -> Vec<PayRow> {
    let whole: f64 = patrons.iter().map(|(share, _)| share).sum();
    let all = patrons.first().map_or(0, |(_, tally)| tally.histogram().len().saturating_sub(1));
    let row = |cards: usize| {
        let of = |(share, tally): &(f64, &Tally)| {
            let seen = tally.histogram().get(cards).copied().unwrap_or(0) as f64;
            share / whole * seen / tally.games().max(1) as f64
        };
        let share = patrons.iter().map(of).sum::<f64>();
        // What goes to a jackpot's meter is paid to nobody yet.
        let pays = super::payout(casino, cards, all) - casino.meter_growth();
        let returns = share * pays as f64 / casino.stake.max(1) as f64;
        PayRow { cards: (cards as u16, cards as u16), pays: (pays, pays), share, returns }
    };
    (0..=all).map(row).collect()
}

/// The pay table in a dozen rows: the last is a win, the others take as many cards each.
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
mod tests;
