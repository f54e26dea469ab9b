//! Moments with Student's 95% intervals for means of numbers without a known range, and exact intervals for rates.

use std::ops::Neg;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::function::gamma::ln_gamma;

/// A figure with its 95% interval. Money is in cents; rates, shares and edges are fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The figure itself.
    pub value: f64,
    /// Lower limit.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
}

impl Estimate {
    /// Applies a function to the figure and to its limits, which it keeps in order.
    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: f(self.value), low: f(self.low), high: f(self.high) }
    }

    /// Clamps the limits to the possible range. If the figure itself is outside, it is a limit.
    pub(super) fn within(self, least: f64, most: f64) -> Estimate {
        let Estimate { value, low, high } = self;
        Estimate { value, low: low.max(least.min(value)), high: high.min(most.max(value)) }
    }
}

/// Mirrors an estimate.
impl Neg for Estimate {
    type Output = Estimate;

    fn neg(self) -> Estimate {
        Estimate { value: -self.value, low: -self.high, high: -self.low }
    }
}

/// The 97.5% quantile of the normal distribution: 95% of it lies within this many standard
/// deviations of the mean.
pub const Z: f64 = 1.959_963_984_540_054;

/// Degrees of freedom above which Student's quantile is computed from its expansion around the normal
/// one; the error is below 2e-9 there, while the direct computation loses digits (3e-6 at 1e5).
const MANY: f64 = 200.0;

/// Error probability of a 95% interval at either end.
pub const TAIL: f64 = 0.025;

/// Returns the cumulative normal distribution at `x`.
pub(super) fn normal_below(x: f64) -> f64 {
    0.5 * statrs::function::erf::erfc(-x / std::f64::consts::SQRT_2)
}

/// Returns the normal density at `x`.
pub(super) fn normal_density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// Returns the normal quantile with an upper tail of this probability.
pub(super) fn normal_above(tail: f64) -> f64 {
    if tail == TAIL {
        return Z;
    }
    // Mean 0 and standard deviation 1 are valid, so the fallback is never used.
    Normal::new(0.0, 1.0).map_or(f64::MAX, |normal| -normal.inverse_cdf(tail))
}

/// The 97.5% quantile of Student's t with `freedom` degrees of freedom (at least 1).
pub fn student(freedom: f64) -> f64 {
    student_above(TAIL, freedom)
}

/// Returns the quantile of Student's t with `freedom` degrees of freedom (at least 1) and an upper tail of this
/// probability.
pub fn student_above(tail: f64, freedom: f64) -> f64 {
    if freedom >= MANY {
        // Abramowitz and Stegun 26.7.5, the first three terms.
        let z = normal_above(tail);
        let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
        return z
            + (z3 + z) / (4.0 * freedom)
            + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
            + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom.powi(3));
    }
    // Location 0, scale 1 and a freedom of at least 1 are valid, so the fallback is never used.
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::MAX, |t| -t.inverse_cdf(tail))
}

/// Returns the two-sided p-value of `t` for Student's distribution with `freedom` degrees of freedom.
pub(super) fn student_beyond(t: f64, freedom: f64) -> f64 {
    if freedom > 1e4 {
        return 2.0 * normal_below(-t.abs());
    }
    let x = freedom / (freedom + t * t);
    statrs::function::beta::checked_beta_reg(freedom / 2.0, 0.5, x).unwrap_or(1.0)
}

/// Mean and standard deviation of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Numbers in the sample.
    pub n: u64,
    /// Mean; 0 of an empty sample.
    pub mean: f64,
    /// Standard deviation, with n - 1; 0 of fewer than two numbers.
    pub sd: f64,
}

impl Moments {
    /// Computes the moments of values with their frequencies. Two passes, the second around the mean, preserve
    /// precision. A count may be negative if others compensate for it.
    pub fn of(values: impl Iterator<Item = (f64, i64)> + Clone) -> Moments {
        let n: i64 = values.clone().map(|(_, count)| count).sum();
        if n <= 0 {
            return Moments { n: 0, mean: 0.0, sd: 0.0 };
        }
        // Sums relative to a value of the sample, so that equal values give exactly that mean and a deviation of 0.
        let origin = values.clone().find(|&(_, count)| count > 0).map_or(0.0, |(value, _)| value);
        let shift =
            values.clone().map(|(value, count)| (value - origin) * count as f64).sum::<f64>() / n as f64;
        let squares = values
            .map(|(value, count)| (value - origin - shift).powi(2) * count as f64)
            .sum::<f64>()
            .max(0.0);
        let sd = if n < 2 { 0.0 } else { (squares / (n - 1) as f64).sqrt() };
        Moments { n: n as u64, mean: origin + shift, sd }
    }

    /// Computes the moments from the exact sum and sum of squares of `n` whole numbers.
    pub fn of_sums(n: u64, sum: u128, squares: u128) -> Moments {
        if n == 0 {
            return Moments { n: 0, mean: 0.0, sd: 0.0 };
        }
        let mean = sum as f64 / n as f64;
        // n * squares - sum^2 is exact in integers; if it would overflow, floats are used.
        let exact = u128::from(n)
            .checked_mul(squares)
            .zip(sum.checked_mul(sum))
            .map(|(left, right)| left.saturating_sub(right) as f64);
        let spread = exact.unwrap_or(n as f64 * (squares as f64 - sum as f64 * mean)).max(0.0);
        let sd = if n < 2 { 0.0 } else { (spread / n as f64 / (n - 1) as f64).sqrt() };
        Moments { n, mean, sd }
    }

    /// Computes the moments from the exact sum and sum of squares of `n` whole numbers of either sign.
    pub fn of_signed_sums(n: u64, sum: i128, squares: u128) -> Moments {
        // The spread does not depend on the sign of the sum.
        let moments = Moments::of_sums(n, sum.unsigned_abs(), squares);
        Moments { mean: if sum < 0 { -moments.mean } else { moments.mean }, ..moments }
    }

    /// Returns Student's limits of the mean of a quantity within `least..=most`, with an error probability of `tail` at
    /// either end.
    ///
    /// With fewer than two numbers the limits are the range. If all numbers are equal, their spread is not 0 but
    /// unobserved: the limits then allow, at either end of the range, for the upper limit of the share of other
    /// values.
    pub fn limits_at(&self, tail: f64, least: f64, most: f64) -> (f64, f64) {
        if self.n < 2 {
            return (least, most);
        }
        let (down, up) = if self.sd > 0.0 {
            let half = student_above(tail, (self.n - 1) as f64) * self.sd / (self.n as f64).sqrt();
            (half, half)
        } else {
            // The rate at which none of the games shows it, with the probability of the tail.
            let unseen = -(tail.ln() / self.n as f64).exp_m1();
            (unseen * (self.mean - least), unseen * (most - self.mean))
        };
        ((self.mean - down).max(least), (self.mean + up).min(most))
    }

    /// Returns the mean with its 95% limits, all within `least..=most`.
    pub fn estimate(&self, least: f64, most: f64) -> Estimate {
        let value = if self.n == 0 { least } else { self.mean };
        let (low, high) = self.limits_at(TAIL, least, most);
        Estimate { value, low, high }
    }
}

/// The 95% interval of Clopper and Pearson (Biometrika 26, 1934) for `successes` among `n` trials: each limit is the
/// rate at which a result at least as high, or at least as low, has a probability of 2.5%. It covers the true rate in
/// at least 95% of samples, for any rate, even if no trial or every trial succeeded. Without trials the interval is
/// `(0, 1)`.
pub fn clopper_pearson(successes: u64, n: u64) -> (f64, f64) {
    clopper_pearson_at(TAIL, successes, n)
}

/// Returns the same interval with an error probability of `tail` at either end.
pub fn clopper_pearson_at(tail: f64, successes: u64, n: u64) -> (f64, f64) {
    let k = successes.min(n);
    (1.0 - upper(tail, n - k, n), upper(tail, k, n))
}

/// Returns a rate with its interval, in which `open` more trials (not among `successes`) might have been
/// successes: the lower limit counts none of them, the upper one all.
pub fn rate(successes: u64, open: u64, n: u64) -> Estimate {
    rate_at(TAIL, successes, open, n)
}

/// Returns the same rate with an error probability of `tail` at either end of its interval.
pub fn rate_at(tail: f64, successes: u64, open: u64, n: u64) -> Estimate {
    let value = if n == 0 { 0.0 } else { successes as f64 / n as f64 };
    let most = successes.saturating_add(open).min(n);
    Estimate {
        value,
        low: clopper_pearson_at(tail, successes, n).0,
        high: clopper_pearson_at(tail, most, n).1,
    }
}

/// Returns the rate at which at most `k` of `n` trials succeed with a probability of `tail`.
fn upper(tail: f64, k: u64, n: u64) -> f64 {
    if k >= n {
        return 1.0;
    }
    if k == 0 {
        return -(tail.ln() / n as f64).exp_m1();
    }
    let miss = |rate: f64| at_most(k, n, rate).ln() - tail.ln();
    // The probability falls with the rate and its logarithm is concave, so false position, in which the weight of a
    // retained end is halved (the Illinois rule), converges on the limit.
    let (mut low, mut high) = (k as f64 / n as f64, 1.0);
    let near = low + 12.0 * (low * (1.0 - low) / n as f64).sqrt() + 60.0 / n as f64;
    if near < 1.0 {
        high = near;
    }
    let (mut over, mut below) = (miss(low), miss(high).max(-1e3));
    for _ in 0..100 {
        let rate = (low * below - high * over) / (below - over);
        let found = miss(rate).max(-1e3);
        if found > 0.0 {
            (low, over, below) = (rate, found, below / 2.0);
        } else {
            (high, below, over) = (rate, found, over / 2.0);
        }
        if found.abs() < 1e-11 || high - low <= 1e-15 * high {
            return rate;
        }
    }
    (low + high) / 2.0
}

/// Returns the probability of at most `k` successes, `k < n`: an incomplete beta function, by the continued fraction
/// of Didonato and Morris in the modified method of Lentz (Press et al., Numerical Recipes, section 6.4).
fn at_most(k: u64, n: u64, rate: f64) -> f64 {
    let (a, b) = ((n - k) as f64, k as f64 + 1.0);
    let x = 1.0 - rate;
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * (-rate).ln_1p() + b * rate.ln();
    if x < (a + 1.0) / (a + b + 2.0) {
        (front - a.ln()).exp() * fraction(a, b, x)
    } else {
        1.0 - (front - b.ln()).exp() * fraction(b, a, rate)
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let safe = |x: f64| if x.abs() < TINY { TINY } else { x };
    let mut c = 1.0;
    let mut d = 1.0 / safe(1.0 - (a + b) * x / (a + 1.0));
    let mut sum = d;
    // The number of terms is proportional to the root of the larger parameter.
    let rounds = 200 + 20 * (a.max(b).sqrt() as u64);
    for i in 1..=rounds {
        let m = i as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / safe(1.0 + even * d);
        c = safe(1.0 + even / c);
        sum *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / safe(1.0 + odd * d);
        c = safe(1.0 + odd / c);
        let step = d * c;
        sum *= step;
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::clopper_pearson;
    use crate::stats::testing::close;

    /// From scipy 1.17.1, `t.isf(tail, df)`.
    #[test]
    fn student_agrees_with_scipy() {
        let (six, many) = (0.05 / 12.0, 0.05 / 132.0);
        for (tail, freedom, want) in [
            (TAIL, 1.0, 12.706204736174694),
            (TAIL, 2.0, 4.302652729749462),
            (TAIL, 4.0, 2.7764451051977934),
            (TAIL, 9.0, 2.262157162798205),
            (TAIL, 29.0, 2.045229642132703),
            (TAIL, 100.0, 1.9839715185235518),
            (TAIL, 199.0, 1.9719565442517533),
            (TAIL, 200.0, 1.9718962236339088),
            (TAIL, 201.0, 1.971836506779859),
            (TAIL, 999.0, 1.9623414611334493),
            (TAIL, 99_999.0, 1.9599877077718442),
            (TAIL, 1e6, 1.959966356814107),
            (TAIL, 1e9, 1.959963986912325),
            (six, 2.0, 10.885866619163089),
            (six, 30.0, 2.8246957139910136),
            (six, 199.0, 2.664890431351375),
            (six, 999.0, 2.643522759641751),
            (six, 99_999.0, 2.6383097789493415),
            (many, 250.0, 3.4098830426804607),
            (many, 1e6, 3.3678575718864834),
        ] {
            close(student_above(tail, freedom), want, if tail == TAIL { 3e-9 } else { 2e-8 } * want);
        }
    }

    /// From numpy and scipy 1.17.1, `t.interval(0.95, 9, mean, sem)`.
    #[test]
    fn a_mean_agrees_with_scipy() {
        let sample = [5u16, 11, 13, 7, 52, 3, 9, 10, 0, 22];
        let moments = Moments::of(sample.iter().map(|&x| (f64::from(x), 1)));
        let sum = sample.iter().map(|&x| u128::from(x)).sum();
        let squares = sample.iter().map(|&x| u128::from(x).pow(2)).sum();
        for moments in [moments, Moments::of_sums(10, sum, squares)] {
            close(moments.mean, 13.2, 1e-12);
            close(moments.sd, 14.905629063470544, 1e-12);
            let estimate = moments.estimate(0.0, 52.0);
            close(estimate.low, 2.537155311609295, 1e-9);
            close(estimate.high, 23.8628446883907, 1e-9);
        }
    }

    #[test]
    fn little_is_claimed_of_little() {
        let none = Moments::of(std::iter::empty()).estimate(0.0, 52.0);
        assert_eq!((none.low, none.high), (0.0, 52.0));
        let one = Moments::of([(13.0, 1)].into_iter()).estimate(0.0, 52.0);
        assert_eq!((one.value, one.low, one.high), (13.0, 0.0, 52.0));
        let equal = Moments::of([(13.0, 100)].into_iter()).estimate(0.0, 52.0);
        let unseen = clopper_pearson(0, 100).1;
        close(equal.low, 13.0 - 13.0 * unseen, 1e-12);
        close(equal.high, 13.0 + 39.0 * unseen, 1e-12);
    }

    fn relatively_close(a: f64, b: f64, tolerance: f64) {
        close(a, b, tolerance * b.abs().max(1e-12));
    }

    /// The published limits of Newcombe, Statistics in Medicine 17 (1998), table I, method 5: 81 of 263, 15 of 148,
    /// 0 of 20 and 1 of 29.
    #[test]
    fn limits_agree_with_published_values() {
        for (k, n, low, high) in [
            (81, 263, 0.2527, 0.3676),
            (15, 148, 0.0578, 0.1617),
            (0, 20, 0.0, 0.1684),
            (1, 29, 0.0009, 0.1776),
        ] {
            let got = clopper_pearson(k, n);
            assert!((got.0 - low).abs() <= 0.5e-4 && (got.1 - high).abs() <= 0.5e-4, "{k} of {n}: {got:?}");
        }
        assert_eq!(clopper_pearson(0, 0), (0.0, 1.0));
        assert_eq!(clopper_pearson(0, 7).0.to_bits(), 0f64.to_bits());
        assert_eq!(clopper_pearson(7, 7).1.to_bits(), 1f64.to_bits());
    }

    /// At a limit, the sum of the binomial terms equals the tail probability.
    #[test]
    fn limits_are_where_the_binomial_tail_is_left() {
        for (k, n) in
            [(1, 2), (1, 29), (3, 10_000), (350, 10_000), (5_000, 10_000), (9_999, 10_000), (40, 3_000_000)]
        {
            for tail in [TAIL, TAIL / 66.0] {
                let high = clopper_pearson_at(tail, k, n).1;
                let mut term = n as f64 * (-high).ln_1p();
                let mut sum = term.exp();
                for i in 1..=k {
                    term += ((n - i + 1) as f64 / i as f64 * high / (1.0 - high)).ln();
                    sum += term.exp();
                }
                relatively_close(sum, tail, 1e-7);
                let mirrored = clopper_pearson_at(tail, n - k, n).0;
                relatively_close(1.0 - mirrored, high, 1e-6);
            }
        }
    }

    /// For many trials, the limits approach those of the normal distribution.
    #[test]
    fn many_tries_are_nearly_normal() {
        let (low, high) = clopper_pearson(345_120_000, 1_000_000_000);
        let half = 1.959_963_985 * (0.345_12f64 * 0.654_88 / 1e9).sqrt();
        relatively_close(high - low, 2.0 * half, 1e-3);
        relatively_close((high + low) / 2.0, 0.345_12, 1e-8);
    }

    #[test]
    fn open_cases_widen_both_ways() {
        let open = rate(10, 5, 100);
        relatively_close(open.value, 0.1, 1e-15);
        relatively_close(open.low, clopper_pearson(10, 100).0, 1e-15);
        relatively_close(open.high, clopper_pearson(15, 100).1, 1e-15);
    }
}
