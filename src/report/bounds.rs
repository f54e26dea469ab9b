//! Figures between bounds in words: the bounds, and in brackets the interval about them.

use super::figures::{Said, edge, gain_estimate, mean, money_estimate, percent};
use crate::rules::Casino;
use crate::stats::{Bounded, Estimate};

/// What every reader of such figures must know.
pub(super) const BOTH_WAYS: &str = "Where a deal is not proven, its figures lie between two bounds: what was found to be possible, \
    and what was not ruled out. Means and shares then stand as `from to`, and their intervals reach from the lower \
    limit of the lower bound to the upper limit of the upper.";

fn both(b: Bounded, say: impl Fn(Estimate) -> Said) -> Said {
    let [least, most] = [b.about_least(), b.about_most()].map(say);
    let value =
        if least.value == most.value { least.value } else { format!("{} to {}", least.value, most.value) };
    Said { value, interval: least.interval }
}

/// `28.3 to 31.2`, `27.0 to 33.1`
pub(super) fn mean_between(b: Bounded) -> Said {
    both(b, mean)
}

/// As percent.
pub(super) fn percent_between(b: Bounded) -> Said {
    both(b, percent)
}

/// A house edge, with signs.
pub(super) fn edge_between(b: Bounded) -> Said {
    both(b, edge)
}

/// Cents.
pub(super) fn money_between(b: Bounded, casino: &Casino) -> Said {
    both(b, |e| money_estimate(e, casino))
}

/// Cents, gains with a plus.
pub(super) fn gain_between(b: Bounded, casino: &Casino) -> Said {
    both(b, |e| gain_estimate(e, casino))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stand_apart_until_they_meet() {
        let b = Bounded { least: 28.31, most: 31.17, low: 27.02, high: 33.04 };
        assert_eq!(mean_between(b).both(), "28.3 to 31.2 (27.0 to 33.1)");
        let known = Bounded { most: 28.31, high: 29.6, ..b };
        assert_eq!(mean_between(known).both(), "28.3 (27.0 to 29.6)");
        let edge = Bounded { least: -2.0, most: -1.5, low: -2.2, high: -1.4 };
        assert_eq!(edge_between(edge).both(), "−200.0% to −150.0% (−220.0% to −140.0%)");
    }
}
