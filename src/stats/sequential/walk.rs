//! The sum of differences as a random walk, observed at looks, until it leaves the region in which the test
//! continues.
//!
//! The unit of the walk is the standard deviation of a step, and the unit of time is one step.

use statrs::function::erf::erfc;

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
pub(super) struct Bounds {
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
pub(super) struct Walks {
    bounds: Bounds,
    drift: f64,
    looks: Vec<Look>,
    /// Number of steps that are observed one by one.
    single: f64,
}

/// Returns the normal probability above `x` standard deviations.
pub(super) fn above(x: f64) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
