//! A test that may stop early, and estimates after it has stopped: the sum of differences as a random walk, observed at
//! looks, until it leaves the region in which the test continues. The unit of the walk is the standard deviation of a
//! step, and the unit of time is one step.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};
use statrs::function::erf::erfc;

use super::interval::Z;
use super::{Estimate, Moments, TAIL};

/// A test of two players that may stop early, with three possible verdicts.
///
/// Two players, A and B, are compared by the differences of their games on the same deals. H1 says that A is better,
/// H0 that B is. A single sequential probability ratio test (SPRT) between the two would have to choose one of them
/// even if the players are equal, each half of the time. So there are two tests, following Sobel and Wald for three
/// decisions (Annals of Mathematical Statistics 20, 1949, 502-522): one of `+d` against no difference, one of `-d`
/// against no difference. The difference `d` is the one for which the test is designed: accepting H1 means that the
/// mean difference is above 0, not that it is `d` or more.
///
/// Each is a generalized SPRT, as used by testers of chess engines (M. Van den Bergh's for Fishtest, in the
/// normal approximation): the log-likelihood ratio after `n` games with the sum of differences `S` is
///
/// ```text
/// LLR(+d) = ( d S - n d^2 / 2) / v        LLR(-d) = (-d S - n d^2 / 2) / v
/// ```
///
/// where `v` is the variance of a difference as measured so far. Their difference, `2 d S / v`, is the ratio of
/// H1 against H0. With the error rates alpha and beta the verdict is
///
/// - **A** once LLR(+d) is at least ln(2 / alpha), **B** once LLR(-d) is;
/// - **no difference of that size** once both are at most ln(beta).
///
/// The verdict depends on both ratios at the same look; Sobel and Wald's tests each end separately. For a player who
/// is better by less than `d`, finding the difference and ruling out a difference of `d` are both correct.
///
/// A likelihood ratio has mean 1 if its denominator is true, so that it ever reaches 2 / alpha with a
/// probability of at most alpha / 2 (Wald 1947; Ville's inequality). Hence, for any schedule of looks and any
/// overshoot: with no difference, A or B is found in at most alpha of all runs; with a difference of d, its
/// opposite or "no difference" is found in at most beta. Both hold if the mean of very many games is normal
/// and its variance is known.
///
/// The variance is that of the games played plus two more, one for each side with the greatest possible difference:
/// if no difference was observed yet, some must be assumed (Fishtest also starts with fractions of games).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SequentialTest {
    /// The smallest difference that matters, d, above 0.
    pub difference: f64,
    /// Share of runs that may find a difference if there is none, in 0..1.
    pub alpha: f64,
    /// Share of runs that may miss a difference of d, in 0..1.
    pub beta: f64,
    /// The greatest possible difference of one game.
    pub reach: u64,
}

/// Maximum difference chosen from the first games: the greatest difference of one game divided by this.
const MOST_FITTED: f64 = 20.0;

/// Verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The first is better.
    A,
    /// The second is better.
    B,
    /// Neither is better by d.
    NoDifference,
}

/// State of a test after some games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TestState {
    /// Games so far.
    pub games: u64,
    /// Variance of a difference, as assumed by the test.
    pub variance: f64,
    /// LLR of "A is better by d" against no difference.
    pub llr_a: f64,
    /// LLR of "B is better by d" against no difference.
    pub llr_b: f64,
}

impl TestState {
    /// LLR of a difference of +d against one of -d.
    pub fn llr(&self) -> f64 {
        self.llr_a - self.llr_b
    }
}

impl SequentialTest {
    /// Returns the LLR at or above which a difference is found. It is at least as high as the other error rate
    /// requires, so that taking the worse player for the better counts among the beta of all runs that miss a
    /// difference.
    pub fn upper(&self) -> f64 {
        (2.0 / self.alpha).ln().max(-self.lower())
    }

    /// Returns the LLR at or below which a difference is ruled out.
    pub fn lower(&self) -> f64 {
        self.beta.ln()
    }

    /// Computes the state after games whose differences have this sum and sum of squares.
    pub fn standing(&self, games: u64, sum: i128, squares: u128) -> TestState {
        let more = 2 * u128::from(self.reach).pow(2);
        let variance = Moments::of_signed_sums(games + 2, sum, squares + more).sd.powi(2);
        let d = self.difference;
        let llr = |toward: f64| (d * toward - games as f64 * d * d / 2.0) / variance;
        TestState { games, variance, llr_a: llr(sum as f64), llr_b: llr(-(sum as f64)) }
    }

    /// Returns the verdict, if there is one.
    pub fn verdict(&self, standing: &TestState) -> Option<Verdict> {
        let (upper, lower) = (self.upper(), self.lower());
        if standing.llr_a >= upper {
            Some(Verdict::A)
        } else if standing.llr_b >= upper {
            Some(Verdict::B)
        } else {
            (standing.llr_a <= lower && standing.llr_b <= lower).then_some(Verdict::NoDifference)
        }
    }

    /// Returns the test with a difference for which `budget` games probably suffice, judged by the spread of the
    /// first games, whose squares have this sum; and whether they do. The difference is at least that of this test,
    /// and at most a fraction of the greatest difference of one game, as ruling out more would be meaningless.
    ///
    /// The budget suffices if, with no difference or one of `d`, the test reaches a verdict by then with a
    /// probability of at least 95%. The leader in the first games does not matter here, so these games remain valid
    /// evidence.
    pub fn likely_within(self, budget: u64, games: u64, squares: u128) -> (SequentialTest, bool) {
        let more = 2 * u128::from(self.reach).pow(2);
        let square = (squares + more) as f64 / (games + 2) as f64;
        // With x = d sqrt(n / v) and a standard normal z, LLR(+d) is x z + x^2 / 2 where the difference is d.
        let x = Z + (Z * Z + 2.0 * self.upper()).sqrt();
        let wanted = two_digits(x * (square / budget.max(1) as f64).sqrt());
        let most = self.difference.max(self.reach as f64 / MOST_FITTED);
        let difference = wanted.clamp(self.difference, most);
        (SequentialTest { difference, ..self }, wanted <= most)
    }

    /// Returns the LLR of +d against -d at which A is found, given the games and the variance; for B, its negative.
    pub fn found_at(&self, games: u64, variance: f64) -> f64 {
        2.0 * self.upper() + games as f64 * self.difference.powi(2) / variance
    }

    /// Returns the distance from 0 of the LLR of +d against -d within which a difference of d is ruled out; `None` if
    /// it is too early for that.
    pub fn ruled_out_at(&self, games: u64, variance: f64) -> Option<f64> {
        let width = 2.0 * self.lower() + games as f64 * self.difference.powi(2) / variance;
        (width >= 0.0).then_some(width)
    }
}

/// Rounds a positive number up to two digits.
fn two_digits(x: f64) -> f64 {
    let places = 1 - x.log10().floor() as i32;
    let unit = 10f64.powi(places.abs());
    // Uses an integer power of ten, so that the result is the nearest float to the printed number.
    if places < 0 { (x / unit).ceil() * unit } else { (x * unit).ceil() / unit }
}

/// Number of steps that are observed one by one. Later, each look replaces those within a fixed fraction of the
/// elapsed time, and the bounds are moved inwards by the additional overshoot (Siegmund, Sequential Analysis, 1985,
/// section 3.4). A walk that stops between looks then seems to stop later than it does, but by no more than that
/// fraction.
const SINGLE: f64 = 200.0;
/// Mean overshoot of a bound, in steps: Siegmund's constant, -zeta(1/2) / sqrt(2 pi).
const OVERSHOOT: f64 = 0.582_597_157_939_010_6;
/// Width of the integration cells, and reach of a step, in standard deviations.
const CELL: f64 = 0.2;
const FAR: f64 = 7.5;
/// Number of standard deviations from its mean beyond which a walk is ignored.
const WIDE: f64 = 9.0;
/// Probability of remaining walks below which they are ignored.
const FEW: f64 = 1e-8;

/// The test's bounds in units of the walk: after `t` steps, A is found at `found + slope t`, and a difference is
/// ruled out within `slope t - ruled_out` of 0.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    pub slope: f64,
    pub found: f64,
    pub ruled_out: f64,
    /// Time of the last look, at which every walk stops; it need not be a whole number.
    pub last: f64,
}

/// Positions of the walks that continue after a look, as points with weights.
struct Look {
    at: f64,
    points: Vec<(f64, f64)>,
}

/// All walks of one drift, look by look, from which probabilities for other drifts are derived.
struct Walks {
    bounds: Bounds,
    drift: f64,
    looks: Vec<Look>,
    /// Number of steps that are observed one by one.
    single: f64,
}

/// Returns the normal probability above `x` standard deviations.
fn above(x: f64) -> f64 {
    0.5 * erfc(x * std::f64::consts::FRAC_1_SQRT_2)
}

impl Walks {
    /// Follows the walks with this drift per step.
    pub fn new(bounds: Bounds, drift: f64) -> Walks {
        Walks::looking(bounds, drift, SINGLE)
    }

    /// Follows the walks, observing the first `single` steps one by one.
    fn looking(bounds: Bounds, drift: f64, single: f64) -> Walks {
        let looks = vec![Look { at: 0.0, points: vec![(0.0, 1.0)] }];
        let mut walks = Walks { bounds, drift, looks, single };
        walks.follow();
        walks
    }

    /// Returns the number of steps from this look to the next.
    fn stride(&self, at: f64) -> f64 {
        (at / self.single).floor().max(1.0)
    }

    /// Returns the outer and the inner bound at a look this many steps after the previous one. If looks are left out,
    /// the bounds are moved inwards, as they are overshot by more.
    fn bounds_at(&self, at: f64, stride: f64) -> (f64, f64) {
        let less = OVERSHOOT * (stride.sqrt() - 1.0).max(0.0);
        let Bounds { slope, found, ruled_out, .. } = self.bounds;
        ((found - less).max(0.0) + slope * at, slope * at - (ruled_out - less).max(0.0))
    }

    fn follow(&mut self) {
        loop {
            let Some(before) = self.looks.last() else { return };
            let stride = self.stride(before.at);
            let at = before.at + stride;
            if at >= self.bounds.last {
                return;
            }
            let points = self.step(&before.points, at, stride);
            let left: f64 = points.iter().map(|(_, weight)| weight).sum();
            if left < FEW {
                return;
            }
            self.looks.push(Look { at, points });
        }
    }

    /// Returns the positions of the walks that continue at the look `stride` steps after `before`.
    fn step(&self, before: &[(f64, f64)], at: f64, stride: f64) -> Vec<(f64, f64)> {
        let (outer, inner) = self.bounds_at(at, stride);
        let regions =
            if inner > 0.0 { vec![(-outer, -inner), (inner, outer)] } else { vec![(-outer, outer)] };
        let spread = stride.sqrt();
        let centre = 1.0 / ((2.0 * std::f64::consts::PI).sqrt() * spread);
        let (middle, wide) = (self.drift * at, WIDE * at.sqrt());
        let mut points = Vec::new();
        for (from, to) in regions {
            let (from, to) = (from.max(middle - wide), to.min(middle + wide));
            if from >= to {
                continue;
            }
            // Simpson's rule.
            let cells = 2 * (((to - from) / (CELL * spread) / 2.0).ceil() as usize).max(1);
            let width = (to - from) / cells as f64;
            for i in 0..=cells {
                let x = from + width * i as f64;
                let near = x - self.drift * stride;
                // Points are ascending, so those within reach are contiguous.
                let far = FAR * spread;
                let first = before.partition_point(|&(y, _)| y < near - far);
                let within = before[first..].iter().take_while(|&&(y, _)| y <= near + far);
                let density: f64 =
                    within.map(|&(y, weight)| weight * (-0.5 * (near - y) * (near - y) / stride).exp()).sum();
                let simpson = match i {
                    0 => 1.0,
                    i if i == cells => 1.0,
                    i if i % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                points.push((x, density * centre * simpson * width / 3.0));
            }
        }
        points
    }

    /// Returns the probability that a walk of another drift stops with a mean per step of at least `mean`. The walks
    /// should have been followed at that mean: then the ignored ones are as unlikely at the other drift.
    pub fn mean_at_least(&self, mean: f64, drift: f64) -> f64 {
        // Of two complementary events, computes the one that is less likely at the other drift than at the one
        // followed.
        if drift <= mean { self.beyond(mean, drift, 1.0) } else { 1.0 - self.beyond(mean, drift, -1.0) }
    }

    /// Returns the probability of a mean of at least `mean`; or, with a `side` of -1, of at most that.
    fn beyond(&self, mean: f64, drift: f64, side: f64) -> f64 {
        let (mean, drift, followed) = (side * mean, side * drift, side * self.drift);
        let last = self.bounds.last;
        let mut total = 0.0;
        for look in &self.looks {
            let stride = self.stride(look.at);
            let next = (look.at + stride).min(last);
            let time = next - look.at;
            let (outer, inner) = self.bounds_at(next, stride);
            let least = mean * next;
            // Counts walks beyond the bounds and not below the mean; at the last look, all of them.
            let counted: &[(f64, f64)] = &if next >= last {
                [(least, f64::INFINITY), (0.0, 0.0), (0.0, 0.0)]
            } else {
                [(least.max(outer), f64::INFINITY), (least.max(-inner), inner), (least, -outer)]
            };
            for &(y, weight) in &look.points {
                let y = side * y;
                let other = weight * ((drift - followed) * (y - (drift + followed) * look.at / 2.0)).exp();
                if other < 1e-16 {
                    continue;
                }
                let beyond = |x: f64| above((x - y - drift * time) / time.sqrt());
                let part = |&(from, to): &(f64, f64)| match to {
                    to if from >= to => 0.0,
                    f64::INFINITY => beyond(from),
                    to => beyond(from) - beyond(to),
                };
                total += other * counted.iter().map(part).sum::<f64>();
            }
        }
        total.clamp(0.0, 1.0)
    }
}

/// A test that has stopped, with a verdict or because there were no more games.
///
/// Stopping when results look good overstates the difference. [`StoppedTest::estimate`] is median-unbiased: too high
/// as often as too low. It is the difference at which half of all runs of the same test would end with at least the
/// observed mean; its limits are those at which 2.5% and 97.5% would. Runs are ordered by their means (Emerson and
/// Fleming, Biometrika 77, 1990, 875-892), and their probabilities are computed look by look, by numerical
/// integration (Armitage, McPherson and Rowe, Journal of the Royal Statistical Society A 132, 1969, 235-244).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedTest {
    /// The test.
    pub test: SequentialTest,
    /// Number of games between looks.
    pub block: u64,
    /// Number of games after which it would have stopped without a verdict.
    pub budget: u64,
    /// Number of games played.
    pub games: u64,
    /// Mean difference over these games.
    pub mean: f64,
    /// Variance of the difference of one game.
    pub variance: f64,
}

/// Rounds of the search for an estimate.
const ROUNDS: usize = 60;

impl StoppedTest {
    /// Returns the median-unbiased estimate of the difference and its 95% limits, as described above.
    pub fn estimate(&self) -> Estimate {
        let step = (self.block as f64 * self.variance).sqrt();
        // Without any variance there is nothing to correct.
        if self.games == 0 || step <= 0.0 {
            return Estimate { value: self.mean, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        // In standard deviations of a step.
        let unit = step / self.block as f64;
        let slope = self.test.difference / unit;
        let bounds = Bounds {
            slope: slope / 2.0,
            found: self.test.upper() / slope,
            ruled_out: -self.test.lower() / slope,
            last: self.budget as f64 / self.block as f64,
        };
        let mean = self.mean / unit;
        let walks = Walks::new(bounds, mean);
        let spread = (self.block as f64 / self.games as f64).sqrt();
        let at = |share: f64| unit * search(mean, spread, share, |drift| walks.mean_at_least(mean, drift));
        Estimate { value: at(0.5), low: at(TAIL), high: at(1.0 - TAIL) }
    }
}

/// Returns the drift at which the probability is `share`; it rises with the drift, approximately as a normal
/// distribution with this spread, so that its quantiles are nearly linear.
fn search(mean: f64, spread: f64, share: f64, probability: impl Fn(f64) -> f64) -> f64 {
    // Mean 0 and standard deviation 1 are valid, so this never fails.
    let Ok(normal) = Normal::new(0.0, 1.0) else { return mean };
    let quantile = |p: f64| normal.inverse_cdf(p.clamp(1e-15, 1.0 - 1e-15));
    let wanted = quantile(share);
    let miss = |drift: f64| quantile(probability(drift)) - wanted;
    // Widens the bracket; at this many standard deviations it always succeeds.
    let (mut low, mut high) = (mean + (wanted - 1.0) * spread, mean + (wanted + 1.0) * spread);
    let (mut below, mut over) = (miss(low), miss(high));
    for _ in 0..ROUNDS {
        let reach = high - low;
        match (below > 0.0, over < 0.0) {
            (true, _) => (high, over, low) = (low, below, low - reach),
            (_, true) => (low, below, high) = (high, over, high + reach),
            _ => break,
        }
        if below > 0.0 { below = miss(low) } else { over = miss(high) }
    }
    // False position, halving the weight of a retained end (the Illinois rule).
    for _ in 0..ROUNDS {
        if high - low < 1e-6 * spread || below == 0.0 || over == 0.0 {
            break;
        }
        let drift = (low * over - high * below) / (over - below);
        let found = miss(drift);
        if found < 0.0 {
            (low, below, over) = (drift, found, over / 2.0);
        } else {
            (high, over, below) = (drift, found, below / 2.0);
        }
        if found.abs() < 1e-7 {
            return drift;
        }
    }
    match (below == 0.0, over == 0.0) {
        (true, _) => low,
        (_, true) => high,
        _ => (low + high) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::Continuous;

    use crate::stats::testing::{close, close_to};

    const TEST: SequentialTest = SequentialTest { difference: 0.5, alpha: 0.05, beta: 0.05, reach: 52 };

    /// The LLR is the ratio of the densities of all differences under both means.
    #[test]
    fn it_is_the_ratio_of_normal_likelihoods() {
        let sample: [i32; 12] = [3, -2, 0, 10, -7, 1, 1, 4, 0, -20, 6, 2];
        let sum = sample.iter().map(|&x| i128::from(x)).sum();
        let squares = sample.iter().map(|&x| u128::from(x.unsigned_abs()).pow(2)).sum();
        let standing = TEST.standing(12, sum, squares);
        let all = sample.iter().copied().chain([52, -52]).map(|x| (f64::from(x), 1));
        close(standing.variance, Moments::of(all).sd.powi(2), 1e-9);
        let density = |mean: f64| {
            let normal = Normal::new(mean, standing.variance.sqrt()).unwrap();
            sample.iter().map(|&x| normal.ln_pdf(f64::from(x))).sum::<f64>()
        };
        close(standing.llr_a, density(0.5) - density(0.0), 1e-9);
        close(standing.llr_b, density(-0.5) - density(0.0), 1e-9);
        close(standing.llr(), density(0.5) - density(-0.5), 1e-9);
    }

    #[test]
    fn bounds_follow_from_the_rates() {
        assert!((TEST.upper() - 40f64.ln()).abs() < 1e-12 && (TEST.lower() - 0.05f64.ln()).abs() < 1e-12);
        // Missing a difference in at most one of a thousand runs also bounds taking the worse for the better.
        let strict = SequentialTest { beta: 0.001, ..TEST };
        assert!((strict.upper() - 1000f64.ln()).abs() < 1e-9);
    }

    /// The bounds for +d against -d, used in charts, agree with those of the two separate ratios.
    #[test]
    fn one_ratio_says_the_same_as_two() {
        for games in [10u64, 400, 5_000, 100_000] {
            for mean in [-2000i128, -600, -200, -50, 0, 50, 200, 600, 2000] {
                let sum = mean * i128::from(games) / 1000;
                let standing = TEST.standing(games, sum, u128::from(games) * 100);
                let found = TEST.found_at(games, standing.variance);
                let ruled_out = TEST.ruled_out_at(games, standing.variance);
                let said = match standing.llr() {
                    llr if llr >= found => Some(Verdict::A),
                    llr if llr <= -found => Some(Verdict::B),
                    llr => ruled_out.filter(|width| llr.abs() <= *width).map(|_| Verdict::NoDifference),
                };
                assert_eq!(said, TEST.verdict(&standing), "{games} {mean}");
            }
        }
    }

    #[test]
    fn a_difference_is_likely_to_be_decided() {
        assert_eq!([0.0797, 0.4231, 413.2, 1.0].map(two_digits), [0.08, 0.43, 420.0, 1.0]);
        // 1,000 games of a standard deviation of 15 cards.
        let of = |budget| {
            let (test, enough) = TEST.likely_within(budget, 1000, 1000 * 225);
            (test.difference, enough)
        };
        assert_eq!([1_000_000, 5_000, 1_000].map(of), [(0.5, true), (1.2, true), (2.6, true)]);
        // A player who leads by 26 cards a game is not a realistic question.
        assert_eq!([900, 10, 1].map(of), [(2.6, false); 3]);
    }

    /// Players that never differ are found equal, but only after enough games: with one deal in 520 that differs by
    /// 52 cards, the mean would be 0.1.
    #[test]
    fn players_that_never_differ_are_alike() {
        let test = SequentialTest { difference: 0.1, ..TEST };
        let verdict = |games| test.verdict(&test.standing(games, 0, 0));
        assert_eq!((verdict(1000), verdict(2000)), (None, Some(Verdict::NoDifference)));
        assert!((1.0f64 - 1.0 / 520.0).powi(2000) < 0.05);
    }

    fn bounds(d: f64, last: f64) -> Bounds {
        Bounds { slope: d / 2.0, found: 40f64.ln() / d, ruled_out: 20f64.ln() / d, last }
    }

    /// From numpy and scipy 1.17.1: the density propagated from look to look by Gauss-Legendre quadrature of 300
    /// points per strip, the normal tails by `norm.sf`.
    #[test]
    fn probabilities_agree_with_another_quadrature() {
        for (d, last, mean, drift, want) in [
            (0.5, 40.0, 0.6, 0.5, 0.427_282_497),
            (0.5, 40.0, 0.1, 0.0, 0.192_157_449),
            (0.5, 12.5, 0.2, 0.25, 0.570_159_626),
            (0.5, 200.0, 0.27, 0.25, 0.463_637_493),
            (0.5, 40.0, -0.55, -0.6, 0.293_117_103),
            (1.2, 30.0, 1.5, 0.9, 0.165_479_631),
            (1.2, 7.0, -0.3, -0.6, 0.245_542_994),
        ] {
            // The drift at which the walks are followed does not matter, near these.
            for followed in [drift, mean, (drift + mean) / 2.0] {
                let got = Walks::new(bounds(d, last), followed).mean_at_least(mean, drift);
                assert!((got - want).abs() < 2e-5, "{d} {last} {mean} {drift} {followed}: {got}");
            }
        }
    }

    /// Combining several looks, with bounds moved inwards, gives nearly the same result.
    #[test]
    fn looks_can_be_taken_together() {
        let d = 0.09;
        let whole = bounds(d, 1e6);
        // Follows the same walks look by look, far enough for nearly all of them.
        for (mean, drift) in [(0.1, 0.09), (0.02, 0.0), (-0.01, 0.0), (0.12, 0.1)] {
            let walks = Walks::new(whole, mean);
            let fine = Walks::looking(Bounds { last: 1500.0, ..whole }, mean, f64::INFINITY);
            let (coarse, fine) = (walks.mean_at_least(mean, drift), fine.mean_at_least(mean, drift));
            assert!((coarse - fine).abs() < 0.005, "{mean} {drift}: {coarse} {fine}");
        }
    }

    /// Every walk stops eventually.
    #[test]
    fn all_probabilities_add_up() {
        for (d, last) in [(0.3, 1e5), (0.05, 1e7), (0.5, 1.0), (0.5, 2.3), (3.0, 1e4), (1e-5, 300.0)] {
            for drift in [0.0, d / 2.0, d] {
                let walks = Walks::new(bounds(d, last), drift);
                let all = walks.beyond(-1e9, drift, 1.0);
                assert!((all - 1.0).abs() < 1e-4, "{d} {last} {drift}: {all}");
            }
        }
    }

    fn stopped(games: u64, budget: u64, mean: f64) -> StoppedTest {
        StoppedTest { test: TEST, block: 1000, budget, games, mean, variance: 100.0 }
    }

    /// With one look only there is nothing to correct.
    #[test]
    fn one_look_gives_the_plain_interval() {
        for (games, mean) in [(1000, 0.2), (1000, 3.0), (300, -1.0)] {
            let estimate = stopped(games, games, mean).estimate();
            let half = 1.959_963_985 * (100.0 / games as f64).sqrt();
            close_to(estimate, [mean, mean - half, mean + half], 1e-4);
        }
        let none = StoppedTest { variance: 0.0, ..stopped(1000, 2000, 0.0) }.estimate();
        assert_eq!((none.value, none.low), (0.0, f64::NEG_INFINITY));
    }

    /// Early stopping overstates the difference, so the estimate lies nearer to 0. Expected values are from the
    /// quadrature that `walk` is checked with, inverted by scipy's `brentq`.
    #[test]
    fn early_findings_are_drawn_in() {
        let estimate = stopped(3000, 1_000_000, 0.75).estimate();
        close_to(estimate, [0.724_122_5, 0.274_556_6, 1.166_735_5], 1e-4);
        let turned = stopped(3000, 1_000_000, -0.75).estimate();
        close_to(turned, [-estimate.value, -estimate.high, -estimate.low], 1e-4);
    }

    /// If the bounds are out of reach, nothing is corrected, for any number of looks.
    #[test]
    fn bounds_out_of_reach_correct_nothing() {
        let test = SequentialTest { difference: 1e-4, ..TEST };
        let estimate = StoppedTest { test, ..stopped(50_000, 50_000, -0.08) }.estimate();
        let half = 1.959_963_985 * (100.0f64 / 50_000.0).sqrt();
        close_to(estimate, [-0.08, -0.08 - half, -0.08 + half], 1e-4);
    }
}
