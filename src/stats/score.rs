//! Named scores: points of a game, and their distribution.

use serde::{Deserialize, Serialize};

use super::Sample;
use super::amounts::Counts;
use crate::game::{End, Outcome};
use crate::rules::{Returns, Score, Spec};

/// Returns the points of a finished game of one player under a named score. `out_first` applies to games of
/// several players and counts nothing here. Sums beyond 64 bits saturate.
pub fn points(score: &Score, outcome: &Outcome) -> i64 {
    Formula::new(score).points(outcome)
}

/// The coefficients of a [`Score`]: a constant, then points per card, suit, win, reserve card and redeal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Formula {
    constant: i64,
    foundation_card: i64,
    complete_suit: i64,
    won: i64,
    reserve_left: i64,
    redeal: i64,
}

impl Formula {
    fn new(score: &Score) -> Formula {
        let &Score { constant, foundation_card, complete_suit, won, reserve_left, redeal, .. } = score;
        Formula { constant, foundation_card, complete_suit, won, reserve_left, redeal }
    }

    fn each(&self) -> [i64; 5] {
        [self.foundation_card, self.complete_suit, self.won, self.reserve_left, self.redeal]
    }

    /// Returns the constant plus each coefficient times its quantity.
    fn sum(&self, quantities: [i64; 5]) -> i64 {
        let terms = self.each().into_iter().zip(quantities);
        terms.fold(self.constant, |sum, (points, count)| sum.saturating_add(points.saturating_mul(count)))
    }

    fn points(&self, outcome: &Outcome) -> i64 {
        self.sum([
            i64::from(outcome.cards),
            i64::from(outcome.complete_suits),
            i64::from(outcome.end == End::Won),
            i64::from(outcome.reserve_left),
            i64::from(outcome.redeals),
        ])
    }

    /// Returns the fewest and most points, with each quantity anywhere in its range.
    fn range(&self, ranges: [(i64, i64); 5]) -> (i64, i64) {
        let each = self.each();
        let pick = |most: bool| {
            self.sum(std::array::from_fn(|i| if (each[i] > 0) == most { ranges[i].1 } else { ranges[i].0 }))
        };
        (pick(false), pick(true))
    }
}

/// The games of a tally under one named score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScoreTally {
    pub name: String,
    formula: Formula,
    /// Cards in the packs.
    cards: u16,
    /// Cards in the reserves at the start.
    reserve: u16,
    /// Maximum number of redeals; `None` if unlimited.
    most_redeals: Option<u32>,
    /// Whether cards may leave the foundations.
    returns: bool,
    /// All games by points, with the undecided as they stood.
    pub points: Counts,
    /// The undecided games: as they stood, at worst and at best.
    undecided: Counts,
    worst: Counts,
    best: Counts,
}

impl ScoreTally {
    pub fn new(score: &Score, spec: &Spec) -> ScoreTally {
        ScoreTally {
            name: score.name.clone(),
            formula: Formula::new(score),
            cards: spec.cards() as u16,
            reserve: u16::from(spec.reserve.piles) * u16::from(spec.reserve.size),
            most_redeals: spec.stock.redeals,
            returns: spec.foundation.returns != Returns::Never,
            points: Counts::new(),
            undecided: Counts::new(),
            worst: Counts::new(),
            best: Counts::new(),
        }
    }

    pub fn add(&mut self, outcome: &Outcome, times: u64) {
        let points = self.formula.points(outcome);
        *self.points.entry(points).or_default() += times;
        if outcome.end == End::Runaway {
            let (worst, best) = self.still_possible(outcome);
            *self.undecided.entry(points).or_default() += times;
            *self.worst.entry(worst).or_default() += times;
            *self.best.entry(best).or_default() += times;
        }
    }

    pub fn merge(&mut self, other: &ScoreTally) {
        for (counts, other) in [
            (&mut self.points, &other.points),
            (&mut self.undecided, &other.undecided),
            (&mut self.worst, &other.worst),
            (&mut self.best, &other.best),
        ] {
            other.iter().for_each(|(&points, games)| *counts.entry(points).or_default() += games);
        }
    }

    /// Returns whether it has this many games, and this many undecided.
    pub fn counts(&self, games: u64, undecided: u64) -> bool {
        let has = |counts: &Counts, n: u64| {
            counts.values().map(|&games| u128::from(games)).sum::<u128>() == u128::from(n)
        };
        has(&self.points, games)
            && [&self.undecided, &self.worst, &self.best].iter().all(|it| has(it, undecided))
    }

    /// Returns the points of all games, with the undecided as they stood, at worst and at best.
    pub fn samples(&self) -> [Sample; 3] {
        let all = |counts: &Counts| Sample::of(counts.iter().map(|(&points, &games)| (points as f64, games)));
        let moved = |to: &Counts| {
            let decided = self.points.iter().map(|(points, &games)| {
                let open = self.undecided.get(points).copied().unwrap_or(0);
                (*points as f64, games.saturating_sub(open))
            });
            Sample::of(decided.chain(to.iter().map(|(&points, &games)| (points as f64, games))))
        };
        [all(&self.points), moved(&self.worst), moved(&self.best)]
    }

    /// Returns the fewest and most points with which a game stopped here could have ended. If redeals are
    /// unlimited, those already made are used, as nothing bounds further ones.
    fn still_possible(&self, outcome: &Outcome) -> (i64, i64) {
        let up = |count: u16| if self.returns { 0 } else { i64::from(count) };
        let redeals = i64::from(outcome.redeals);
        self.formula.range([
            (up(outcome.cards), i64::from(self.cards)),
            (up(outcome.complete_suits), self.most_suits()),
            (0, 1),
            (0, i64::from(outcome.reserve_left)),
            (redeals, self.most_redeals.map_or(redeals, |most| redeals.max(i64::from(most)))),
        ])
    }

    /// Returns an upper bound on the suits of the packs. Only packs of 13 ranks have a multiple of 13 cards, and no suit
    /// has fewer than four.
    fn most_suits(&self) -> i64 {
        let cards = i64::from(self.cards);
        if cards % 13 == 0 { cards / 13 } else { cards / 4 }
    }

    /// Returns the fewest and most points of any game; with unlimited redeals, up to `redeals`.
    pub fn possible(&self, redeals: u32) -> (i64, i64) {
        self.formula.range([
            (0, i64::from(self.cards)),
            (0, self.most_suits()),
            (0, 1),
            (0, i64::from(self.reserve)),
            (0, i64::from(self.most_redeals.unwrap_or(redeals))),
        ])
    }

    /// Returns whether both count games under the same score and rules.
    pub fn fits(&self, other: &ScoreTally) -> bool {
        let key = |s: &ScoreTally| (s.formula, s.cards, s.reserve, s.most_redeals, s.returns);
        self.name == other.name && key(self) == key(other)
    }
}
