//! Posterior of the mix of players after a night, by importance sampling on evenly spread points (quasi-Monte Carlo;
//! Owen, Monte Carlo Theory, 2013, chapters 9 and 15).
//!
//! The prior of the shares is a Dirichlet distribution. The distribution of cards of each kind is drawn many times
//! from the measured games, to allow for their sampling error; the night does not update it. For each such draw the
//! shares have a separate posterior. In the coordinates of [`Sticks`] it is smooth and unimodal, and points are
//! placed around it from a distribution with the same centre and spread, and longer tails. Each point is weighted by
//! the ratio of the posterior to its sampling density. All of this is done in batches, whose scatter gives the error
//! of every figure.

use rand_distr::{Beta, Distribution, Gamma};

use super::luck::{Inquest, NightRow, range};
use crate::cards::{Purpose, generator};
use crate::stats::Estimate;
use crate::stats::night::mean_and_variance;

/// Number of batches, whose scatter measures the error of a figure.
const BATCHES: usize = 16;
/// Points per batch, at first and at most. Each draw of the measured games has enough of them for an effective 256,
/// within limits.
const POINTS: (usize, usize) = (2_048, 32_768);
const COUNTED: (f64, usize, usize) = (256.0, 512, 8_192);
/// Draws if there is only one kind of player, whose share is known.
const SETS_OF_ONE: (usize, usize) = (2_048, 8_192);
/// Settings of the fit of centre and spread: points per dimension, maximum number of rounds, and the minimum
/// effective share of points.
const FITTED: (usize, usize, f64) = (2_000, 60, 0.05);
/// Spread of the points, in standard deviations of the posterior; optimal for a normal one.
const SPREAD: f64 = 0.8;
/// Number of standard errors per unit of the last printed digit, so that other draws seldom change it.
const STEADY: f64 = 10.0;

/// A figure of the posterior: its mean and the middle 95%.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Posterior {
    /// Mean and limits.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Standard error due to the draws, of the least certain of mean and limits.
    pub error_of_draws: f64,
    /// Standard error of the mean due to the measured games.
    pub error_of_games: f64,
}

impl Posterior {
    /// Returns the number of decimals of a percentage that other draws would not change, and other games mostly by at
    /// most one unit.
    pub fn decimals(&self) -> usize {
        let error = 100.0 * self.error_of_games.max(STEADY * self.error_of_draws);
        (-error.log10()).floor().clamp(0.0, 4.0) as usize
    }

    /// Returns whether more draws are needed to print units of a tenth of `size`.
    fn is_open(&self, size: f64) -> bool {
        let unit = 10f64.powf((0.1 * size.max(0.001)).log10().floor());
        STEADY * self.error_of_draws > self.error_of_games.max(unit)
    }
}

/// Figures of the posterior.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Drawn {
    /// Share of the decks of each kind: mean and 95% interval.
    #[serde(skip)]
    pub shares: Vec<Posterior>,
    /// House edge. Its limits allow for unobserved payments.
    pub edge: Posterior,
    /// Probability of a negative edge; its limits allow for unobserved payments.
    #[serde(rename = "chance_of_losing_edge")]
    pub losing: Posterior,
    /// Distribution of the edge in bins of equal width: the lower end of each, and its probability.
    pub density: Vec<(f64, f64)>,
    /// Number of weighted draws.
    pub draws: u64,
    /// Effective number of independent draws, for the least certain mean.
    pub effective_draws: f64,
}

/// Draws until all figures are steady.
pub(super) fn draw(asked: &Inquest<'_>) -> Drawn {
    let sampler = Sampler::new(asked);
    let (mut sets, most) = match asked.suspects.len() {
        1 => SETS_OF_ONE,
        _ => (POINTS.0.div_ceil(sampler.points), POINTS.1.div_ceil(sampler.points)),
    };
    loop {
        let batches: Vec<Batch> = (0..BATCHES).map(|number| sampler.batch(number as u64, sets)).collect();
        let drawn = drawn(&batches);
        let wide = |it: &Posterior| it.is_open(it.estimate.high - it.estimate.low);
        let losing = drawn.losing.estimate.value;
        let open = drawn.shares.iter().chain([&drawn.edge]).any(wide)
            || drawn.losing.is_open(10.0 * losing.min(1.0 - losing));
        if !open || sets >= most {
            return drawn;
        }
        sets *= 2;
    }
}

/// Distribution of cards of each kind, for the observed numbers of cards, and its payment.
struct Measured {
    /// By number of cards, then by kind.
    chances: Vec<f64>,
    /// Mean and variance by kind, cents.
    pays: Vec<(f64, f64)>,
}

/// State shared by all batches.
struct Sampler<'a> {
    asked: &'a Inquest<'a>,
    sticks: Sticks,
    /// Decks by number of cards, and those paid together.
    each: Vec<(usize, f64)>,
    together: Vec<(f64, f64)>,
    /// Mean of the measured games, and the resulting location of the posterior.
    average: Vec<Vec<f64>>,
    hill: Hill,
    slope: Vec<f64>,
    /// Number of points for each draw of the measured games.
    points: usize,
}

impl<'a> Sampler<'a> {
    fn new(asked: &'a Inquest<'a>) -> Sampler<'a> {
        let mut each = vec![0.0; asked.pays.len()];
        let mut together = Vec::new();
        for result in asked.results {
            match *result {
                NightRow::Each { cards, decks } => {
                    if let Some(count) = each.get_mut(usize::from(cards)) {
                        *count += f64::from(decks);
                    }
                }
                NightRow::Together { decks, paid } => together.push((f64::from(decks), paid as f64)),
            }
        }
        let each = each.into_iter().enumerate().filter(|(_, decks)| *decks > 0.0).collect();
        let whole: f64 = asked.suspects.iter().map(|it| it.share).sum();
        let prior: Vec<f64> = asked.suspects.iter().map(|it| asked.weight * it.share / whole).collect();
        // Unobserved results are possible: all numbers of cards together have the weight of one game.
        let unseen = 1.0 / asked.pays.len() as f64;
        let average = asked.suspects.iter().map(|it| {
            let games = it.histogram.iter().sum::<u64>() as f64 + 1.0;
            it.histogram.iter().map(|n| (*n as f64 + unseen) / games).collect()
        });
        let sticks = Sticks::new(&prior);
        let dimensions = sticks.0.len();
        let mut sampler = Sampler {
            asked,
            each,
            together,
            average: average.collect(),
            hill: Hill::flat(dimensions),
            slope: vec![0.0; dimensions],
            points: 1,
            sticks,
        };
        if dimensions > 0 {
            let average = sampler.measured(&sampler.average);
            let (hill, part) = sampler.fitted(&average);
            sampler.hill = hill;
            sampler.points = ((COUNTED.0 / part) as usize).clamp(COUNTED.1, COUNTED.2);
            sampler.slope = sampler.slope(&average, &vec![0.0; dimensions]);
        }
        sampler
    }

    fn measured(&self, chances: &[Vec<f64>]) -> Measured {
        let of = |cards: usize| chances.iter().map(move |it| it[cards]);
        let paid = |it: &Vec<f64>| {
            let pays = self.asked.pays.iter().copied().zip(it.iter().copied());
            mean_and_variance(&pays.collect::<Vec<_>>())
        };
        Measured {
            chances: self.each.iter().flat_map(|(cards, _)| of(*cards)).collect(),
            pays: chances.iter().map(paid).collect(),
        }
    }

    /// Returns the log-likelihood of shares. The sum of decks paid together is approximated as normal.
    fn likelihood(&self, shares: &[f64], measured: &Measured) -> f64 {
        let mixed = |of: &[f64]| shares.iter().zip(of).map(|(share, p)| share * p).sum::<f64>();
        let each = self.each.iter().zip(measured.chances.chunks_exact(shares.len()));
        let mut log: f64 = each.map(|((_, decks), chances)| decks * mixed(chances).ln()).sum();
        if !self.together.is_empty() {
            let with = |of: &dyn Fn(&(f64, f64)) -> f64| {
                shares.iter().zip(&measured.pays).map(|(share, pay)| share * of(pay)).sum::<f64>()
            };
            let mean = with(&|pay| pay.0);
            let variance = with(&|pay| pay.1 + (pay.0 - mean).powi(2)).max(1.0);
            let one = |(decks, paid): &(f64, f64)| {
                (paid - decks * mean).powi(2) / (decks * variance) + variance.ln()
            };
            log -= 0.5 * self.together.iter().map(one).sum::<f64>();
        }
        log
    }

    /// Returns the logarithm of the posterior density at a point.
    fn height(&self, at: &[f64], measured: &Measured) -> f64 {
        let mut shares = vec![0.0; at.len() + 1];
        let height = self.sticks.shares(at, &mut shares) + self.likelihood(&shares, measured);
        if height.is_nan() { f64::NEG_INFINITY } else { height }
    }

    /// Fits the centre and spread of the posterior in rounds, each with as much of the likelihood as leaves enough
    /// effective points (tempering). Also returns the effective share of points at the end.
    fn fitted(&self, measured: &Measured) -> (Hill, f64) {
        let (each, rounds, least) = FITTED;
        let dimensions = self.sticks.0.len();
        let points = each * dimensions;
        let mut lattice =
            Lattice::new(dimensions, &mut generator(self.asked.seed, BATCHES as u64, Purpose::Estimate));
        let mut hill = Hill::flat(dimensions);
        let (mut before, mut part) = (0.0, 0.0);
        let mut shares = vec![0.0; dimensions + 1];
        for _ in 0..rounds {
            let drawn: Vec<(Vec<f64>, f64, f64)> = (0..points)
                .map(|_| {
                    let (z, density) = lattice.next();
                    let at = hill.place(&z);
                    let prior = self.sticks.shares(&at, &mut shares) - density;
                    let likelihood = self.likelihood(&shares, measured);
                    match (prior + likelihood).is_finite() {
                        true => (at, prior, likelihood),
                        false => (at, f64::NEG_INFINITY, 0.0),
                    }
                })
                .collect();
            let weights = |power: f64| {
                normalized(drawn.iter().map(|(_, prior, likely)| prior + power * likely).collect())
            };
            let counts = |power: f64| 1.0 / weights(power).iter().map(|w| w * w).sum::<f64>() / points as f64;
            let mut power = 1.0;
            part = counts(1.0);
            if part < least {
                let mut above = 1.0;
                power = 0.0;
                for _ in 0..40 {
                    let middle = (power + above) / 2.0;
                    if counts(middle) >= least { power = middle } else { above = middle }
                }
            }
            hill = Hill::of(drawn.iter().map(|(at, ..)| at.as_slice()).zip(weights(power)));
            if power == 1.0 && before == 1.0 {
                break;
            }
            before = power;
        }
        (hill, part)
    }

    /// Returns the gradient of the posterior at a point, in units of standard deviations.
    fn slope(&self, measured: &Measured, z: &[f64]) -> Vec<f64> {
        let beside = |i: usize, step: f64| {
            let mut z = z.to_vec();
            z[i] += step;
            self.height(&self.hill.place(&z), measured)
        };
        let rise = |i: usize| beside(i, 0.5) - beside(i, -0.5);
        (0..z.len()).map(rise).map(|rise| if rise.is_finite() { rise } else { 0.0 }).collect()
    }

    /// Draws the measured games from Dirichlet distributions, whose average over the draws is then made exact.
    fn drawn_again(&self, sets: usize, rng: &mut impl rand::Rng) -> Vec<Vec<Vec<f64>>> {
        let unseen = 1.0 / self.asked.pays.len() as f64;
        let mut all: Vec<Vec<Vec<f64>>> = (0..sets)
            .map(|_| {
                let one =
                    |it: &super::Suspect| dirichlet(it.histogram.iter().map(|n| *n as f64 + unseen), rng);
                self.asked.suspects.iter().map(one).collect()
            })
            .collect();
        for (kind, average) in self.average.iter().enumerate() {
            for (cards, average) in average.iter().enumerate() {
                let sum: f64 = all.iter().map(|set| set[kind][cards]).sum();
                if sum > 0.0 {
                    all.iter_mut().for_each(|set| set[kind][cards] *= average * sets as f64 / sum);
                }
            }
        }
        all
    }

    fn batch(&self, number: u64, sets: usize) -> Batch {
        let rng = &mut generator(self.asked.seed, number, Purpose::Estimate);
        let dimensions = self.sticks.0.len();
        let mut lattice = Lattice::new(dimensions, rng);
        let mut batch = Batch { shares: vec![Vec::new(); dimensions + 1], ..Batch::default() };
        let (least, most) = range(self.asked);
        for chances in self.drawn_again(sets, rng) {
            let measured = self.measured(&chances);
            // Shifts the points if other games move the posterior.
            let mut offset = vec![0.0; dimensions];
            for _ in 0..2 {
                let steps = self.slope(&measured, &offset);
                let steps =
                    steps.iter().zip(&self.slope).map(|(here, there)| (here - there).clamp(-2.0, 2.0));
                offset.iter_mut().zip(steps).for_each(|(at, step)| *at += step);
            }
            // Adds the weight of one more game, as in the limits of a mean (Gaffke 2005), so that an unobserved
            // payment counts as possible.
            let more = |it: &super::Suspect, rng: &mut _| {
                let games = it.histogram.iter().sum::<u64>() as f64;
                Beta::new(1.0, games + 1.0).map_or(0.0, |beta| beta.sample(rng))
            };
            let more: Vec<f64> = self.asked.suspects.iter().map(|it| more(it, rng)).collect();
            let back = |end: Option<i64>| -> Vec<f64> {
                let kinds = measured.pays.iter().zip(self.asked.suspects).zip(&more);
                let with = |pay: f64, more: f64| end.map_or(pay, |end| pay + more * (end as f64 - pay));
                kinds
                    .map(|((pay, it), more)| (with(pay.0, *more) - it.fees) / self.asked.price as f64)
                    .collect()
            };
            let ends = [None, Some(most), Some(least)].map(back);
            let mut logs = Vec::new();
            let mut shares = vec![0.0; dimensions + 1];
            for _ in 0..self.points {
                let (mut z, density) = lattice.next();
                z.iter_mut().zip(&offset).for_each(|(z, offset)| *z += offset);
                let prior = self.sticks.shares(&self.hill.place(&z), &mut shares);
                let log = prior + self.likelihood(&shares, &measured) - density;
                logs.push(if log.is_nan() { f64::NEG_INFINITY } else { log });
                batch.shares.iter_mut().zip(&shares).for_each(|(all, share)| all.push(*share));
                let edges = [&mut batch.edges, &mut batch.worst, &mut batch.best];
                for (all, back) in edges.into_iter().zip(&ends) {
                    all.push(1.0 - shares.iter().zip(back).map(|(share, back)| share * back).sum::<f64>());
                }
            }
            let from = batch.weights.len();
            batch.weights.extend(normalized(logs).into_iter().map(|w| w / sets as f64));
            batch.sets.push(from..batch.weights.len());
        }
        batch
    }
}

/// Coordinates in which shares vary freely: each kind takes a part of what the kinds before it leave. The part is
/// distributed by Kumaraswamy, with the same steepness at its ends as the prior, and its rank is mapped to a logistic
/// scale, on which all densities are smooth and fall off at both ends. For each kind except the last, the parameters
/// of the Beta distribution of its part.
struct Sticks(Vec<(f64, f64)>);

impl Sticks {
    fn new(prior: &[f64]) -> Sticks {
        let rest = |i: usize| prior[i + 1..].iter().sum();
        Sticks((0..prior.len().saturating_sub(1)).map(|i| (prior[i], rest(i))).collect())
    }

    /// Returns the shares at a point, and the logarithm of the prior density there.
    fn shares(&self, at: &[f64], shares: &mut [f64]) -> f64 {
        let (mut left, mut density) = (0.0, 0.0);
        for ((&(a, b), y), share) in self.0.iter().zip(at).zip(shares.iter_mut()) {
            let (end_a, end_b) = (a.min(1.0), b.min(1.0));
            let (rank, above) = (-(-y).exp().ln_1p(), -y.exp().ln_1p());
            let beyond = above / end_b;
            // Equivalent formulas; each is used where it is accurate.
            let power = if beyond < -0.7 { (-beyond.exp()).ln_1p() } else { (-beyond.exp_m1()).ln() };
            let part = power / end_a;
            let rest = (-part.exp_m1()).ln();
            density += (a - end_a) * part + (b - 1.0) * rest - (end_b - 1.0) * beyond + rank + above;
            *share = (left + part).exp();
            left += rest;
        }
        if let Some(last) = shares.last_mut() {
            *last = left.exp();
        }
        density
    }
}

/// Centre and spread of a distribution; the spread is the Cholesky root of its covariance, a lower triangle.
struct Hill {
    centre: Vec<f64>,
    root: Vec<Vec<f64>>,
}

impl Hill {
    /// Approximates the prior, by the standard deviation of the logistic distribution.
    fn flat(dimensions: usize) -> Hill {
        let row = |i: usize| (0..=i).map(|j| if i == j { 1.8 } else { 0.0 }).collect();
        Hill { centre: vec![0.0; dimensions], root: (0..dimensions).map(row).collect() }
    }

    /// Computes the centre and spread of points with weights that sum to 1.
    fn of<'a>(points: impl Iterator<Item = (&'a [f64], f64)> + Clone) -> Hill {
        let dimensions = points.clone().next().map_or(0, |(at, _)| at.len());
        let mean = |of: &dyn Fn(&[f64]) -> f64| {
            points.clone().filter(|(_, w)| *w > 0.0).map(|(at, w)| w * of(at)).sum::<f64>()
        };
        let centre: Vec<f64> = (0..dimensions).map(|i| mean(&|at| at[i])).collect();
        // Cholesky decomposition.
        let mut root: Vec<Vec<f64>> = Vec::new();
        for i in 0..dimensions {
            let mut row: Vec<f64> = Vec::new();
            for j in 0..=i {
                let covariance = mean(&|at| (at[i] - centre[i]) * (at[j] - centre[j]));
                let known: f64 = row.iter().zip(root.get(j).unwrap_or(&row)).map(|(a, b)| a * b).sum();
                row.push(match root.get(j) {
                    Some(other) => (covariance - known) / other[j],
                    None => (covariance - known).max(1e-12).sqrt(),
                });
            }
            root.push(row);
        }
        Hill { centre, root }
    }

    /// Returns the point this many standard deviations from the centre.
    fn place(&self, z: &[f64]) -> Vec<f64> {
        let off = |row: &Vec<f64>| row.iter().zip(z).map(|(a, b)| a * b).sum::<f64>();
        self.centre.iter().zip(&self.root).map(|(centre, row)| centre + off(row)).collect()
    }
}

/// Evenly spread points, each coordinate mapped to Student's distribution with two degrees of freedom: multiples of
/// the powers of a root of x^(n+1) = x + 1 (Roberts 2018), from a random start.
struct Lattice {
    at: Vec<f64>,
    steps: Vec<f64>,
}

impl Lattice {
    fn new(dimensions: usize, rng: &mut impl rand::Rng) -> Lattice {
        let root = (0..64).fold(2.0f64, |x, _| (1.0 + x).powf(1.0 / (dimensions as f64 + 1.0)));
        let start = |_| f64::from(crate::cards::below(rng, 1 << 30)) / f64::from(1u32 << 30);
        Lattice {
            at: (0..dimensions).map(start).collect(),
            steps: (1..=dimensions).map(|i| root.powi(-(i as i32))).collect(),
        }
    }

    /// Returns the next point, in standard deviations, and the logarithm of its density.
    fn next(&mut self) -> (Vec<f64>, f64) {
        let mut density = 0.0;
        self.at.iter_mut().zip(&self.steps).for_each(|(at, step)| *at = (*at + step).fract());
        let z = self.at.iter().map(|at| {
            let u = at.clamp(1e-9, 1.0 - 1e-9);
            let t = (2.0 * u - 1.0) / (2.0 * u * (1.0 - u)).sqrt();
            density -= 1.5 * (2.0 + t * t).ln();
            SPREAD * t
        });
        (z.collect(), density)
    }
}

/// Converts logarithms to weights that sum to 1.
fn normalized(logs: Vec<f64>) -> Vec<f64> {
    let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut weights: Vec<f64> = logs.into_iter().map(|log| (log - top).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let equal = 1.0 / weights.len().max(1) as f64;
    weights.iter_mut().for_each(|w| *w = if sum > 0.0 { *w / sum } else { equal });
    weights
}

/// Draws from a Dirichlet distribution with these parameters.
fn dirichlet(parameters: impl Iterator<Item = f64>, rng: &mut impl rand::Rng) -> Vec<f64> {
    let mut drawn: Vec<f64> =
        parameters.map(|a| Gamma::new(a, 1.0).map_or(0.0, |gamma| gamma.sample(rng))).collect();
    let sum: f64 = drawn.iter().sum();
    let equal = 1.0 / drawn.len() as f64;
    drawn.iter_mut().for_each(|it| *it = if sum > 0.0 { *it / sum } else { equal });
    drawn
}

/// Points with weights that sum to 1.
#[derive(Default)]
struct Batch {
    weights: Vec<f64>,
    /// Shares by kind.
    shares: Vec<Vec<f64>>,
    edges: Vec<f64>,
    /// The edges with one more game of each kind at the greatest possible payment, and at the least.
    worst: Vec<f64>,
    best: Vec<f64>,
    /// Points that share a draw of the measured games.
    sets: Vec<std::ops::Range<usize>>,
}

impl Batch {
    fn below_zero(&self, edges: &[f64]) -> f64 {
        edges.iter().zip(&self.weights).filter(|(edge, _)| **edge < 0.0).fold(0.0, |sum, (_, w)| sum + w)
    }

    /// Returns the mean, the limits of the middle 95%, and the variance.
    fn middle(&self, values: &[f64]) -> [f64; 4] {
        let mut sorted: Vec<(f64, f64)> = values.iter().copied().zip(self.weights.iter().copied()).collect();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mean: f64 = sorted.iter().map(|(x, w)| x * w).sum();
        let variance: f64 = sorted.iter().map(|(x, w)| (x - mean).powi(2) * w).sum();
        let at = |level: f64| {
            let mut sum = 0.0;
            let found = sorted.iter().find(|(_, w)| {
                sum += w;
                sum >= level
            });
            found.or(sorted.last()).map_or(0.0, |(x, _)| *x)
        };
        [mean, at(0.025), at(0.975), variance]
    }

    /// Returns the mean of each set.
    fn means<'a>(&'a self, values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.sets.iter().map(|set| {
            let pairs = values[set.clone()].iter().zip(&self.weights[set.clone()]);
            pairs.map(|(x, w)| x * w).sum::<f64>() * self.sets.len() as f64
        })
    }
}

/// Returns the mean and standard deviation.
fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    (mean, (numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0)).sqrt())
}

/// Number of bins of the density of the edge.
const PARTS: usize = 40;

/// Combines the figures of all batches.
fn drawn(batches: &[Batch]) -> Drawn {
    let root = (batches.len() as f64).sqrt();
    let mut effective = f64::INFINITY;
    // Returns the mean of a figure over all batches, and its standard error.
    let over = |of: &dyn Fn(&Batch) -> f64| {
        let (mean, deviation) = mean_and_deviation(&batches.iter().map(of).collect::<Vec<_>>());
        (mean, deviation / root)
    };
    let mut middle = |of: &dyn Fn(&Batch) -> &[f64]| {
        let all: Vec<[f64; 4]> = batches.iter().map(|it| it.middle(of(it))).collect();
        let [value, low, high, variance] = [0, 1, 2, 3].map(|i| {
            let (mean, deviation) = mean_and_deviation(&all.iter().map(|it| it[i]).collect::<Vec<_>>());
            (mean, deviation / root)
        });
        let means: Vec<f64> = batches.iter().flat_map(|it| it.means(of(it))).collect();
        // Variance between the draws of the games, in excess of the error of their points.
        let own = if means.len() < batches.iter().map(|it| it.weights.len()).sum() {
            value.1.powi(2) * means.len() as f64
        } else {
            0.0
        };
        effective = effective.min(variance.0 / value.1.powi(2).max(f64::MIN_POSITIVE));
        Posterior {
            estimate: Estimate { value: value.0, low: low.0, high: high.0 },
            error_of_draws: value.1.max(low.1).max(high.1),
            error_of_games: (mean_and_deviation(&means).1.powi(2) - own).max(0.0).sqrt(),
        }
    };
    let kinds = batches.first().map_or(0, |it| it.shares.len());
    let alone = Posterior {
        estimate: Estimate { value: 1.0, low: 1.0, high: 1.0 },
        error_of_draws: 0.0,
        error_of_games: 0.0,
    };
    let shares = match kinds {
        1 => vec![alone],
        _ => (0..kinds).map(|kind| middle(&|it| &it.shares[kind])).collect(),
    };
    let mut edge = middle(&|it| &it.edges);
    let (worst, best) = (middle(&|it| &it.worst), middle(&|it| &it.best));
    edge.estimate.low = edge.estimate.low.min(worst.estimate.low);
    edge.estimate.high = edge.estimate.high.max(best.estimate.high);
    // Derivative of the probability with respect to the edge: the density of the edge at 0, over about half a
    // standard deviation.
    let near = ((edge.estimate.high - edge.estimate.low) / 16.0).max(1e-9);
    let within = |it: &Batch| {
        it.edges.iter().zip(&it.weights).filter(|(edge, _)| edge.abs() < near).map(|(_, w)| w).sum::<f64>()
    };
    let losing = [
        over(&|it| it.below_zero(&it.edges)),
        over(&|it| it.below_zero(&it.best)),
        over(&|it| it.below_zero(&it.worst)),
    ];
    let losing = Posterior {
        estimate: Estimate { value: losing[0].0, low: losing[1].0, high: losing[2].0 },
        error_of_draws: losing.iter().map(|it| it.1).fold(0.0, f64::max),
        error_of_games: over(&within).0 / (2.0 * near) * edge.error_of_games,
    };
    Drawn {
        shares,
        losing,
        density: density(batches),
        draws: batches.iter().map(|it| it.weights.len() as u64).sum(),
        effective_draws: effective,
        edge,
    }
}

/// Returns the distribution of the edge in bins of equal width; the outermost thousandth at either end is in the last
/// bin.
fn density(batches: &[Batch]) -> Vec<(f64, f64)> {
    let mut first: Vec<(f64, f64)> = batches
        .iter()
        .take(1)
        .flat_map(|it| it.edges.iter().copied().zip(it.weights.iter().copied()))
        .collect();
    first.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = 0.0;
    let middle: Vec<f64> = first
        .into_iter()
        .filter(|(_, w)| {
            sum += w;
            (0.0005..=0.9995).contains(&sum)
        })
        .map(|(edge, _)| edge)
        .collect();
    let (low, high) = (middle.first().copied().unwrap_or(0.0), middle.last().copied().unwrap_or(0.0));
    let width = ((high - low) / (PARTS - 1) as f64).max(1e-9);
    // Borders are multiples of the bin width, so that no bin straddles 0.
    let low = (low / width).floor() * width;
    let mut density: Vec<(f64, f64)> = (0..PARTS).map(|i| (low + width * i as f64, 0.0)).collect();
    for batch in batches {
        for (edge, w) in batch.edges.iter().zip(&batch.weights) {
            let part = ((edge - low) / width).clamp(0.0, (PARTS - 1) as f64) as usize;
            density[part].1 += w / batches.len() as f64;
        }
    }
    density
}
