//! The course of a comparison, at enough points to draw it.

use serde::Serialize;

use crate::stats::{Estimate, TestState};

/// Minimum number of points kept once there are that many; the maximum is twice this.
const POINTS: usize = 200;

/// The first pair at the end of a block.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CoursePoint {
    /// Deals so far.
    pub games: u64,
    /// The difference, with its interval as if the number of deals had been fixed in advance.
    pub difference: Estimate,
    /// State of the test.
    #[serde(flatten)]
    pub standing: Option<TestState>,
}

/// Keeps every block, then every second, every fourth and so on, so that its size stays bounded.
#[derive(Clone, Debug)]
pub(super) struct Course {
    kept: Vec<CoursePoint>,
    last: Option<CoursePoint>,
    blocks: u64,
    every: u64,
}

impl Default for Course {
    fn default() -> Course {
        Course { kept: Vec::new(), last: None, blocks: 0, every: 1 }
    }
}

impl Course {
    pub fn add(&mut self, point: CoursePoint) {
        self.blocks += 1;
        self.last = Some(point);
        if !self.blocks.is_multiple_of(self.every) {
            return;
        }
        self.kept.push(point);
        if self.kept.len() == 2 * POINTS {
            // The points at odd indices are multiples of twice the distance.
            let mut place = 0;
            self.kept.retain(|_| {
                place += 1;
                place % 2 == 0
            });
            self.every *= 2;
        }
    }

    /// Returns the points in order, including the last of the run.
    pub fn points(self) -> Vec<CoursePoint> {
        let mut points = self.kept;
        let missing = self.last.filter(|last| points.last().is_none_or(|point| point.games < last.games));
        points.extend(missing);
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stay_few_and_even() {
        for blocks in [1u64, 399, 400, 401, 10_001] {
            let mut course = Course::default();
            for block in 1..=blocks {
                let difference = Estimate { value: 0.0, low: -1.0, high: 1.0 };
                course.add(CoursePoint { games: block * 1000, difference, standing: None });
            }
            let games: Vec<u64> = course.points().iter().map(|point| point.games).collect();
            assert!(games.len() <= 2 * POINTS && games.len() as u64 >= blocks.min(POINTS as u64));
            assert_eq!(games.last(), Some(&(blocks * 1000)));
            let steps: Vec<u64> = games.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let even = steps.len().saturating_sub(1);
            assert!(steps[..even].iter().all(|step| *step == steps[0]), "{blocks}: {steps:?}");
        }
    }
}
