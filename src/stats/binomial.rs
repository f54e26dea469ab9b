//! Exact intervals for rates.

use statrs::function::gamma::ln_gamma;

use super::Estimate;
use super::interval::TAIL;

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

    fn close(a: f64, b: f64, tolerance: f64) {
        crate::stats::testing::close(a, b, tolerance * b.abs().max(1e-12));
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
                close(sum, tail, 1e-7);
                let mirrored = clopper_pearson_at(tail, n - k, n).0;
                close(1.0 - mirrored, high, 1e-6);
            }
        }
    }

    /// For many trials, the limits approach those of the normal distribution.
    #[test]
    fn many_tries_are_nearly_normal() {
        let (low, high) = clopper_pearson(345_120_000, 1_000_000_000);
        let half = 1.959_963_985 * (0.345_12f64 * 0.654_88 / 1e9).sqrt();
        close(high - low, 2.0 * half, 1e-3);
        close((high + low) / 2.0, 0.345_12, 1e-8);
    }

    #[test]
    fn open_cases_widen_both_ways() {
        let open = rate(10, 5, 100);
        close(open.value, 0.1, 1e-15);
        close(open.low, clopper_pearson(10, 100).0, 1e-15);
        close(open.high, clopper_pearson(15, 100).1, 1e-15);
    }
}
