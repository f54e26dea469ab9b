//! The ratio of two means of one sample, such as what is paid back for what is staked.

use super::interval::{student, wilson};

/// Exact sums over games of two whole numbers that are not below 0, `x` above and `y` below the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Games.
    pub n: u64,
    /// Sum of `x`.
    pub x: u128,
    /// Sum of `y`.
    pub y: u128,
    /// Sum of the squares of `x`.
    pub xx: u128,
    /// Sum of the squares of `y`.
    pub yy: u128,
    /// Sum of the products.
    pub xy: u128,
}

/// Spread of the residuals, as a share of `x` squared, below which it is the noise of floats.
const NOISE: f64 = 1e-12;

impl Ratio {
    /// The ratio; `None` where nothing is below the line.
    pub fn value(&self) -> Option<f64> {
        (self.y > 0).then(|| self.x as f64 / self.y as f64)
    }

    /// Its 95% limits by Fieller's theorem (1954): the ratios `r` for which the mean of `x - r y` does not
    /// differ from 0 by Student's test. `None` where they have no bounds, as of fewer than two games, or
    /// where the mean of `y` itself may be 0.
    ///
    /// Where `x` is the same multiple of `y` in every game, the spread is not 0 but unseen: with Wilson's
    /// upper limit for the share of other games, of which none was seen, the limits allow for that share of
    /// games with the most `x` for the least `y`, and with no `x` for the most `y`.
    pub fn limits(&self, most_x: f64, least_y: f64, most_y: f64) -> Option<(f64, f64)> {
        let ratio = self.value()?;
        if self.n < 2 {
            return None;
        }
        let n = self.n as f64;
        let (x, y) = (self.x as f64 / n, self.y as f64 / n);
        let residual = self.xx as f64 - 2.0 * ratio * self.xy as f64 + ratio * ratio * self.yy as f64;
        if residual <= NOISE * self.xx as f64 {
            let unseen = wilson(0, self.n).1;
            let mixed = |with_x: f64, with_y: f64| {
                ((1.0 - unseen) * x + unseen * with_x) / ((1.0 - unseen) * y + unseen * with_y)
            };
            return Some((mixed(0.0, most_y.max(y)), mixed(most_x.max(x), least_y.min(y))));
        }
        // Student's quantile squared over n, times the covariances with n - 1.
        let t2 = student(n - 1.0).powi(2) / (n - 1.0);
        let covariance = |products: u128, a: u128, b: u128| spread(self.n, products, a, b) / n / n;
        let a = y * y - t2 * covariance(self.yy, self.y, self.y);
        let b = x * y - t2 * covariance(self.xy, self.x, self.y);
        let c = x * x - t2 * covariance(self.xx, self.x, self.x);
        let root = (b * b - a * c).max(0.0).sqrt();
        (a > 0.0).then(|| ((b - root) / a, (b + root) / a))
    }
}

/// `n * products - a * b`, exact in whole numbers where they fit.
fn spread(n: u64, products: u128, a: u128, b: u128) -> f64 {
    let exact = u128::from(n).checked_mul(products).zip(a.checked_mul(b));
    match exact {
        Some((left, right)) if left >= right => (left - right) as f64,
        Some((left, right)) => -((right - left) as f64),
        None => n as f64 * products as f64 - a as f64 * b as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Purpose, below, generator};
    use crate::stats::Moments;

    fn of(pairs: &[(u32, u32)]) -> Ratio {
        let sum = |f: &dyn Fn(u128, u128) -> u128| -> u128 {
            pairs.iter().map(|&(x, y)| f(x.into(), y.into())).sum()
        };
        Ratio {
            n: pairs.len() as u64,
            x: sum(&|x, _| x),
            y: sum(&|_, y| y),
            xx: sum(&|x, _| x * x),
            yy: sum(&|_, y| y * y),
            xy: sum(&|x, y| x * y),
        }
    }

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    /// Games of a player who stops a third of them early: stakes and payments hang together.
    fn games(n: u32) -> Vec<(u32, u32)> {
        let mut rng = generator(5, u64::from(n), Purpose::Dice);
        let game = |_| match below(&mut rng, 3) {
            0 => (0, 1300),
            _ => (500 * below(&mut rng, 14), 5200 + 500 * below(&mut rng, 6)),
        };
        (0..n).map(game).collect()
    }

    /// Student's test of the mean of `x - r y`, from the numbers themselves: at the limits it just does not
    /// differ from 0.
    #[test]
    fn limits_are_where_the_test_turns() {
        for n in [12, 40, 3000] {
            let games = games(n);
            let (low, high) = of(&games).limits(26_000.0, 5200.0, 1e6).unwrap();
            for limit in [low, high] {
                let residuals = games.iter().map(|&(x, y)| (f64::from(x) - limit * f64::from(y), 1));
                let moments = Moments::of(residuals);
                let half = student(f64::from(n) - 1.0) * moments.sd / f64::from(n).sqrt();
                close(moments.mean.abs(), half, 1e-6 * half);
            }
            let ratio = of(&games).value().unwrap();
            assert!(low < ratio && ratio < high);
        }
    }

    /// Of many games the limits are those of the linear approximation (the delta method): the ratio plus
    /// or minus 1.96 standard deviations of the residuals over the mean of `y` (Cochran, Sampling Techniques,
    /// section 2.11).
    #[test]
    fn limits_agree_with_the_delta_method() {
        let games = games(20_000);
        let all = of(&games);
        let (ratio, (low, high)) = (all.value().unwrap(), all.limits(26_000.0, 5200.0, 1e6).unwrap());
        let residuals = games.iter().map(|&(x, y)| (f64::from(x) - ratio * f64::from(y), 1));
        let half =
            1.959964 * Moments::of(residuals).sd / (all.y as f64 / all.n as f64) / (all.n as f64).sqrt();
        close(low, ratio - half, 0.01 * half);
        close(high, ratio + half, 0.01 * half);
    }

    /// And those of the bootstrap: the middle 95% of ratios of games drawn again from the sample.
    #[test]
    fn limits_agree_with_the_bootstrap() {
        let games = games(400);
        let (low, high) = of(&games).limits(26_000.0, 5200.0, 1e6).unwrap();
        let mut rng = generator(6, 0, Purpose::Dice);
        let mut ratios: Vec<f64> = (0..4000)
            .map(|_| {
                let again: Vec<_> = games.iter().map(|_| games[below(&mut rng, 400) as usize]).collect();
                of(&again).value().unwrap()
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let width = high - low;
        close(ratios[100], low, 0.06 * width);
        close(ratios[3899], high, 0.06 * width);
    }

    #[test]
    fn with_one_stake_it_is_the_mean_over_the_stake() {
        let games: Vec<(u32, u32)> = games(50).into_iter().map(|(x, _)| (x, 5200)).collect();
        let (low, high) = of(&games).limits(26_000.0, 5200.0, 1e6).unwrap();
        let mean = Moments::of(games.iter().map(|&(x, _)| (f64::from(x), 1))).limits(0.0, 1e9);
        close(low, mean.0 / 5200.0, 1e-9);
        close(high, mean.1 / 5200.0, 1e-9);
    }

    #[test]
    fn little_is_claimed_of_little() {
        let limits = |games: &[(u32, u32)]| of(games).limits(26_000.0, 5200.0, 100_000.0);
        assert_eq!(of(&[(0, 0), (0, 0)]).value(), None);
        assert_eq!(limits(&[(500, 5200)]), None);
        // The mean stake may be 0 for all that two games of four say.
        assert_eq!(limits(&[(0, 0), (0, 0), (900, 5200), (100, 5200)]), None);
        // Always the same game: the limits allow for games that were not seen.
        let (low, high) = limits(&[(0, 1300); 100]).unwrap();
        let unseen = wilson(0, 100).1;
        assert_eq!(low, 0.0);
        close(high, unseen * 26_000.0 / 1300.0, 1e-9);
    }
}
