//! Ratio of two means of one sample, such as payments over stakes.

use super::Estimate;
use super::sample::upper_limit;

/// Games by two numbers: `x`, the numerator, and `y`, the denominator, which is not negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratio<'a> {
    /// The pairs, with the number of games of each.
    pub games: Vec<(f64, f64, u64)>,
    /// Possible pairs of a game, observed or not; every other possible pair is in their convex hull.
    pub possible: &'a [(f64, f64)],
}

/// Maximum iterations of the search for a limit; a dozen suffice.
const ROUNDS: usize = 200;

impl Ratio<'_> {
    fn mean(&self, of: impl Fn(f64, f64) -> f64) -> f64 {
        let n: u64 = self.games.iter().map(|&(_, _, games)| games).sum();
        self.games.iter().map(|&(x, y, games)| of(x, y) * games as f64).sum::<f64>() / n.max(1) as f64
    }

    /// Returns the ratio; `None` if the denominator is 0.
    pub fn value(&self) -> Option<f64> {
        let below = self.mean(|_, y| y);
        (below > 0.0).then(|| self.mean(|x, _| x) / below)
    }

    /// Returns the ratio with an error probability of `tail` at either end of its limits: those ratios `r` for which
    /// the mean of `x - r y` does not differ significantly from 0 (after Fieller 1954), by the limits of a
    /// [`Sample`](super::Sample). `None` if the denominator is 0.
    pub fn estimate_at(&self, tail: f64) -> Option<Estimate> {
        let value = self.value()?;
        Some(Estimate { value, low: self.least_at(tail, value), high: self.most_at(tail, value) })
    }

    fn least_at(&self, tail: f64, from: f64) -> f64 {
        -self.turn(from, -1.0, |r| self.beyond(tail, -1.0, -r))
    }

    fn most_at(&self, tail: f64, from: f64) -> f64 {
        self.turn(from, 1.0, |r| self.beyond(tail, 1.0, r))
    }

    /// Returns the upper limit of the mean of `side (x - r y)`.
    fn beyond(&self, tail: f64, side: f64, r: f64) -> f64 {
        let at = |x: f64, y: f64| side * (x - r * y);
        let seen: Vec<(f64, f64)> =
            self.games.iter().map(|&(x, y, games)| (at(x, y), games as f64)).collect();
        let every = seen.iter().map(|&(value, _)| value).chain(self.possible.iter().map(|&(x, y)| at(x, y)));
        let (least, most) =
            every.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| (a.min(value), b.max(value)));
        upper_limit(tail, &seen, least, most)
    }

    /// Returns the root beyond `from` of a decreasing function of `side` times the ratio.
    fn turn(&self, from: f64, side: f64, f: impl Fn(f64) -> f64) -> f64 {
        let from = side * from;
        let scale = self.mean(|_, y| y).max(f64::MIN_POSITIVE);
        let (mut low, mut over) = (from, f(from));
        if over <= 0.0 {
            return from;
        }
        let mut step = over / scale;
        let (mut high, mut below) = (from + step, f(from + step));
        for _ in 0..ROUNDS {
            if below <= 0.0 {
                break;
            }
            step *= 2.0;
            (low, over) = (high, below);
            high += step;
            below = f(high);
            if !high.is_finite() {
                return f64::INFINITY;
            }
        }
        if below > 0.0 {
            return f64::INFINITY;
        }
        if below == 0.0 {
            return high;
        }
        // False position, halving the weight of a retained end.
        for _ in 0..ROUNDS {
            if high - low <= 1e-12 * (high.abs() + low.abs()) {
                break;
            }
            let straight = (low * below - high * over) / (below - over);
            let next = if straight > low && straight < high { straight } else { (low + high) / 2.0 };
            let found = f(next);
            if found > 0.0 {
                (low, over, below) = (next, found, below / 2.0);
            } else {
                (high, below, over) = (next, found, over / 2.0);
            }
            if found.abs() <= 1e-9 * scale * step {
                return next;
            }
        }
        (low + high) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{Purpose, below, generator};
    use crate::stats::testing::close;
    use crate::stats::{Moments, Sample, TAIL, clopper_pearson, student};

    const POSSIBLE: [(f64, f64); 3] = [(26_000.0, 5_200.0), (0.0, 100_000.0), (0.0, 0.0)];

    fn of(pairs: &[(u32, u32)]) -> Ratio<'static> {
        let games = pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y), 1)).collect();
        Ratio { games, possible: &POSSIBLE }
    }

    /// Games of a player who stops a third of them early: stakes and payments are correlated.
    fn games(n: u32) -> Vec<(u32, u32)> {
        let mut rng = generator(5, u64::from(n), Purpose::Dice);
        let game = |_| match below(&mut rng, 3) {
            0 => (0, 1300),
            _ => (500 * below(&mut rng, 14), 5200 + 500 * below(&mut rng, 6)),
        };
        (0..n).map(game).collect()
    }

    /// At the limits, the mean of `x - r y` is just not significantly different from 0.
    #[test]
    fn limits_are_where_the_mean_turns() {
        for n in [12, 40, 3000] {
            let games = games(n);
            let e = of(&games).estimate_at(TAIL).unwrap();
            assert!(e.low < e.value && e.value < e.high);
            for (r, upper) in [(e.low, false), (e.high, true)] {
                let at = |x: f64, y: f64| x - r * y;
                let sample = Sample::of(games.iter().map(|&(x, y)| (at(x.into(), y.into()), 1)));
                let range = POSSIBLE.map(|(x, y)| at(x, y));
                let (least, most) =
                    (range.iter().copied().fold(0.0, f64::min), range.into_iter().fold(0.0, f64::max));
                let limits = sample.limits(least, most);
                close(if upper { limits.1 } else { limits.0 }, 0.0, 1e-4 * (limits.1 - limits.0));
            }
        }
    }

    /// For many games the limits are those of the linear approximation (the delta method): the ratio plus
    /// or minus 1.96 standard deviations of the residuals over the mean of `y` (Cochran, Sampling Techniques,
    /// section 2.11).
    #[test]
    fn limits_agree_with_the_delta_method() {
        let games = games(200_000);
        let e = of(&games).estimate_at(TAIL).unwrap();
        let residuals = games.iter().map(|&(x, y)| (f64::from(x) - e.value * f64::from(y), 1));
        let stake: f64 = games.iter().map(|&(_, y)| f64::from(y)).sum::<f64>() / games.len() as f64;
        let half = 1.959964 * Moments::of(residuals).sd / stake / (games.len() as f64).sqrt();
        close(e.low, e.value - half, 0.05 * half);
        close(e.high, e.value + half, 0.05 * half);
    }

    #[test]
    fn with_one_stake_it_is_the_mean_over_the_stake() {
        let games: Vec<(f64, f64, u64)> =
            games(50).into_iter().map(|(x, _)| (f64::from(x), 5200.0, 1)).collect();
        let sample = Sample::of(games.iter().map(|&(x, _, n)| (x, n)));
        let possible = [(0.0, 5200.0), (26_000.0, 5200.0)];
        let e = Ratio { games, possible: &possible }.estimate_at(TAIL).unwrap();
        let mean = sample.limits(0.0, 26_000.0);
        close(e.low, mean.0 / 5200.0, 1e-9);
        close(e.high, mean.1 / 5200.0, 1e-9);
        // Slightly wider than Student's interval.
        let moments = sample.moments();
        let half = student(49.0) * moments.sd / 50f64.sqrt() / 5200.0;
        assert!(e.high - e.low > 2.0 * half, "{e:?}");
    }

    #[test]
    fn little_is_claimed_of_little() {
        assert_eq!(of(&[(0, 0), (0, 0)]).value(), None);
        assert!(of(&[(500, 5200)]).estimate_at(TAIL).unwrap().high > 3.0);
        // Always the same game: the limits allow for unobserved games.
        let e = of(&[(0, 1300); 100]).estimate_at(TAIL).unwrap();
        assert_eq!(e.low, 0.0);
        let unseen = clopper_pearson(0, 100).1;
        close(e.high, unseen * 26_000.0 / ((1.0 - unseen) * 1300.0 + unseen * 5200.0), 0.01 * e.high);
    }
}
