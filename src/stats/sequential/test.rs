//! The three-way sequential test.

use serde::Serialize;

use crate::stats::Moments;
use crate::stats::interval::Z;

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

#[cfg(test)]
mod tests {
    use statrs::distribution::{Continuous, Normal};

    use super::*;

    const TEST: SequentialTest = SequentialTest { difference: 0.5, alpha: 0.05, beta: 0.05, reach: 52 };

    /// The LLR is the ratio of the densities of all differences under both means.
    #[test]
    fn it_is_the_ratio_of_normal_likelihoods() {
        let sample: [i32; 12] = [3, -2, 0, 10, -7, 1, 1, 4, 0, -20, 6, 2];
        let sum = sample.iter().map(|&x| i128::from(x)).sum();
        let squares = sample.iter().map(|&x| u128::from(x.unsigned_abs()).pow(2)).sum();
        let standing = TEST.standing(12, sum, squares);
        let all = sample.iter().copied().chain([52, -52]).map(|x| (f64::from(x), 1));
        assert!((standing.variance - Moments::of(all).sd.powi(2)).abs() < 1e-9);
        let density = |mean: f64| {
            let normal = Normal::new(mean, standing.variance.sqrt()).unwrap();
            sample.iter().map(|&x| normal.ln_pdf(f64::from(x))).sum::<f64>()
        };
        assert!((standing.llr_a - (density(0.5) - density(0.0))).abs() < 1e-9);
        assert!((standing.llr_b - (density(-0.5) - density(0.0))).abs() < 1e-9);
        assert!((standing.llr() - (density(0.5) - density(-0.5))).abs() < 1e-9);
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
        // At the last game, if there is no difference, and if there is one of d.
        let (test, _) = TEST.likely_within(5_000, 1000, 1000 * 225);
        let x = test.difference * (5_000f64 / 230.4).sqrt();
        let normal = |z: f64| statrs::distribution::ContinuousCDF::cdf(&Normal::new(0.0, 1.0).unwrap(), z);
        let same = 1.0 - 2.0 * normal(-(x / 2.0 + test.lower() / x));
        let found = 1.0 - normal(test.upper() / x - x / 2.0);
        assert!(same > 0.96 && found > 0.975, "{same} {found}");
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
}
