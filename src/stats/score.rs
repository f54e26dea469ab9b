//! Named scores: points of a game, and their distribution.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Counts, Sample};
use crate::game::{End, Outcome};
use crate::rules::{Returns, Score, Spec};

/// Cards in a suit of one pack.
const SUIT: usize = 13;

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

    /// Returns the constant plus each coefficient times its quantity.
    #[inline]
    fn sum(&self, terms: [(i64, i64); 5]) -> i64 {
        terms
            .iter()
            .fold(self.constant, |sum, &(points, count)| sum.saturating_add(points.saturating_mul(count)))
    }

    #[inline]
    fn points(&self, outcome: &Outcome) -> i64 {
        self.sum([
            (self.foundation_card, i64::from(outcome.cards)),
            (self.complete_suit, i64::from(outcome.complete_suits)),
            (self.won, i64::from(outcome.end == End::Won)),
            (self.reserve_left, i64::from(outcome.reserve_left)),
            (self.redeal, i64::from(outcome.redeals)),
        ])
    }

    /// Returns the fewest and most points, with each quantity anywhere in its range.
    fn range(&self, ranges: [(i64, i64); 5]) -> (i64, i64) {
        let points = [self.foundation_card, self.complete_suit, self.won, self.reserve_left, self.redeal];
        let pick = |most: bool| {
            let mut terms = [(0, 0); 5];
            for (term, (points, (low, high))) in terms.iter_mut().zip(points.into_iter().zip(ranges)) {
                *term = (points, if (points > 0) == most { high } else { low });
            }
            self.sum(terms)
        };
        (pick(false), pick(true))
    }
}

/// How undecided games are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Points {
    /// As they stood when they were stopped.
    Stood,
    /// With the fewest points still possible.
    Worst,
    /// With the most points still possible.
    Best,
}

/// The games of a tally under one named score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ScoreTally {
    name: String,
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
    points: Counts,
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

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of games by points. `Worst` and `Best` return the undecided games alone.
    pub fn points(&self, at: Points) -> &Counts {
        match at {
            Points::Stood => &self.points,
            Points::Worst => &self.worst,
            Points::Best => &self.best,
        }
    }

    #[inline]
    pub fn add(&mut self, outcome: &Outcome, undecided: bool, times: u64) {
        let points = self.formula.points(outcome);
        self.points.add_many(points, times);
        if undecided {
            self.add_undecided(outcome, points, times);
        }
    }

    #[cold]
    fn add_undecided(&mut self, outcome: &Outcome, points: i64, times: u64) {
        let (worst, best) = self.still_possible(outcome);
        self.undecided.add_many(points, times);
        self.worst.add_many(worst, times);
        self.best.add_many(best, times);
    }

    /// Returns the fewest and most points with which a game stopped here could have ended. If redeals are
    /// unlimited, those already made are used, as nothing bounds further ones.
    fn still_possible(&self, outcome: &Outcome) -> (i64, i64) {
        let suits = i64::from(self.cards) / SUIT as i64;
        let up = |count: u16| if self.returns { 0 } else { i64::from(count) };
        let redeals = i64::from(outcome.redeals);
        self.formula.range([
            (up(outcome.cards), i64::from(self.cards)),
            (up(outcome.complete_suits), suits),
            (0, 1),
            (0, i64::from(outcome.reserve_left)),
            (redeals, self.most_redeals.map_or(redeals, |most| redeals.max(i64::from(most)))),
        ])
    }

    /// Returns the fewest and most points of any game; with unlimited redeals, up to `redeals`.
    pub fn possible(&self, redeals: u32) -> (i64, i64) {
        self.formula.range([
            (0, i64::from(self.cards)),
            (0, i64::from(self.cards) / SUIT as i64),
            (0, 1),
            (0, i64::from(self.reserve)),
            (0, i64::from(self.most_redeals.unwrap_or(redeals))),
        ])
    }

    pub fn merge(&mut self, other: &ScoreTally) {
        self.points.merge(&other.points);
        self.undecided.merge(&other.undecided);
        self.worst.merge(&other.worst);
        self.best.merge(&other.best);
    }

    pub fn fits(&self, other: &ScoreTally) -> bool {
        let key = |s: &ScoreTally| (s.formula, s.cards, s.reserve, s.most_redeals, s.returns);
        self.name == other.name && key(self) == key(other)
    }

    /// Returns whether it has this many games, and this many undecided.
    pub fn counts(&self, games: u64, undecided: u64) -> bool {
        self.points.total() == games
            && [&self.undecided, &self.worst, &self.best].iter().all(|counts| counts.total() == undecided)
    }

    /// Returns the points of all games, counting the undecided `at`.
    pub fn sample(&self, at: Points) -> Sample {
        let list = |counts: &Counts| -> Vec<(f64, u64)> {
            counts.iter().map(|(points, games)| (points as f64, games)).collect()
        };
        if at == Points::Stood {
            return Sample::of(list(&self.points));
        }
        let open: BTreeMap<i64, u64> = self.undecided.iter().collect();
        let decided = self.points.iter().map(|(points, games)| {
            (points as f64, games.saturating_sub(open.get(&points).copied().unwrap_or(0)))
        });
        Sample::of(decided.chain(list(self.points(at))))
    }
}
