//! What it took to answer: positions and time.

use serde::Serialize;

use super::{SolveFigures, SolveReport};
use crate::solver::Verdict;

/// Which answers a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::report) enum Answered {
    All,
    Decided,
    Won,
    Lost,
    Unknown,
}

impl Answered {
    pub fn word(self) -> &'static str {
        match self {
            Answered::All => "all",
            Answered::Decided => "decided",
            Answered::Won => "won",
            Answered::Lost => "lost",
            Answered::Unknown => "unknown",
        }
    }

    fn holds(self, verdict: Verdict) -> bool {
        let open = matches!(verdict, Verdict::Unknown(_));
        match self {
            Answered::All => true,
            Answered::Decided => !open,
            Answered::Won => verdict == Verdict::Won,
            Answered::Lost => verdict == Verdict::Lost,
            Answered::Unknown => open,
        }
    }
}

/// Mean and quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(in crate::report) struct Spread {
    pub mean: f64,
    pub median: f64,
    pub p90: f64,
    pub p99: f64,
    pub most: f64,
}

impl Spread {
    /// Of at least one number. A quantile is the least number that so many of all do not exceed.
    fn of(numbers: impl Iterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = numbers.collect();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len();
        let at = |percent: usize| {
            let place = (n * percent).div_ceil(100).saturating_sub(1);
            sorted.get(place).copied().unwrap_or(0.0)
        };
        let mean = sorted.iter().sum::<f64>() / n.max(1) as f64;
        Spread { mean, median: at(50), p90: at(90), p99: at(99), most: at(100) }
    }
}

/// What some of the answers took.
#[derive(Clone, Copy, Debug)]
pub(in crate::report) struct Effort {
    pub which: Answered,
    pub deals: u64,
    pub nodes: Spread,
    pub seconds: Spread,
}

/// A row for every kind of answer that there is.
pub(in crate::report) fn efforts(report: &SolveReport<'_>) -> Vec<Effort> {
    let kinds =
        [Answered::All, Answered::Decided, Answered::Won, Answered::Lost, Answered::Unknown].into_iter();
    let effort = |which: Answered| {
        let some: Vec<&SolveFigures> =
            report.answers.iter().filter(|answer| which.holds(answer.verdict)).collect();
        (!some.is_empty()).then(|| Effort {
            which,
            deals: some.len() as u64,
            nodes: Spread::of(some.iter().map(|answer| answer.nodes as f64)),
            seconds: Spread::of(some.iter().map(|answer| answer.seconds)),
        })
    };
    kinds.filter_map(effort).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_numbers_that_were_seen() {
        let spread = Spread::of((1..=200).rev().map(f64::from));
        assert_eq!((spread.mean, spread.median, spread.p90, spread.p99), (100.5, 100.0, 180.0, 198.0));
        let one = Spread::of([7.0].into_iter());
        assert_eq!((one.mean, one.median, one.p99, one.most), (7.0, 7.0, 7.0, 7.0));
        assert_eq!(Spread::of([1.0, 9.0].into_iter()).median, 1.0);
    }
}
