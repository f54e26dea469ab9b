//! The most cards of deals, each exact or between bounds, and figures computed from them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Bounded;
use crate::rules::Spec;
use crate::stats::casino::best_payouts;

/// Bounds of one deal for the clairvoyant player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClairvoyantBound {
    /// Number of cards proven to be reachable.
    pub least: u16,
    /// Number of cards that cannot be exceeded.
    pub most: u16,
    /// Whether the deal can be won, if known.
    pub winnable: Option<bool>,
}

/// Contradiction between a bound and a player who exceeded it: the bound is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The bound.
    pub bound: ClairvoyantBound,
    /// Cards that the player reached.
    pub cards: u16,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contradiction { bound, cards } = self;
        let lost = if bound.winnable == Some(false) { " and no win" } else { "" };
        write!(f, "the solver allows {} cards{lost}, and {cards} were brought up", bound.most)
    }
}

impl std::error::Error for Contradiction {}

impl ClairvoyantBound {
    /// Raises the bound to the cards, of `all`, that a player reached.
    ///
    /// # Errors
    /// A bound that rules them out.
    pub fn raised(self, cards: u16, all: usize) -> Result<ClairvoyantBound, Contradiction> {
        let won = usize::from(cards) == all;
        if cards > self.most || won && self.winnable == Some(false) {
            return Err(Contradiction { bound: self, cards });
        }
        let winnable = if won { Some(true) } else { self.winnable };
        Ok(ClairvoyantBound { least: self.least.max(cards), winnable, ..self })
    }

    /// Whether the most cards are known.
    pub fn is_proven(&self) -> bool {
        self.least == self.most
    }
}

/// Bounds of many deals. If a die is rolled for the game, a deal has one bound for each face, all equally
/// likely; intervals take such a deal for one case, as its faces are correlated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClairvoyantBounds {
    all: usize,
    faces: usize,
    list: Vec<ClairvoyantBound>,
}

/// Numbers of winnable and unwinnable deals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Winnable {
    /// Number of deals, counting each face of a die.
    pub answers: u64,
    /// Winnable deals.
    pub won: u64,
    /// Unwinnable deals.
    pub lost: u64,
    /// Deals not known to be either.
    pub unknown: u64,
    /// Share of winnable deals.
    pub share: Bounded,
}

/// The most cards of many deals, and their value to a player who always reaches them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MostCards {
    /// Number of deals whose most cards are known, counting each face of a die.
    pub proven: u64,
    /// Mean of the most cards.
    pub cards: Bounded,
    /// The player's mean net per deck, cents. `None` if the stake is bought in stages, as there is no fixed price.
    pub net: Option<Bounded>,
    /// The house edge against that player, a fraction. `None` if the deck has no price.
    pub house_edge: Option<Bounded>,
    /// Deals by most cards, if known, from 0 to all.
    pub histogram_proven: Vec<u64>,
    /// All deals by the lower bound of their cards.
    pub histogram_least: Vec<u64>,
    /// All deals by the upper bound of their cards.
    pub histogram_most: Vec<u64>,
}

impl ClairvoyantBounds {
    /// Creates an empty list for deals of this many cards with this many faces of a die: 1 without a die.
    pub fn new(all: usize, faces: usize) -> ClairvoyantBounds {
        ClairvoyantBounds { all, faces: faces.max(1), list: Vec::new() }
    }

    /// Adds the bound of the next face, or of the next deal without a die. A deal whose cards cannot all come up is
    /// marked as unwinnable.
    pub fn push(&mut self, bound: ClairvoyantBound) {
        let lost = usize::from(bound.most) < self.all;
        self.list.push(ClairvoyantBound { winnable: bound.winnable.or(lost.then_some(false)), ..bound });
    }

    /// Returns all bounds, those of a deal's faces adjacent.
    pub fn list(&self) -> &[ClairvoyantBound] {
        &self.list
    }

    /// Returns the bounds of a deal by index, one per face, in order.
    pub fn of_deal(&self, place: usize) -> &[ClairvoyantBound] {
        self.list.chunks(self.faces).nth(place).unwrap_or_default()
    }

    /// Returns the bounds of a deal for updates.
    pub fn of_deal_mut(&mut self, place: usize) -> &mut [ClairvoyantBound] {
        self.list.chunks_mut(self.faces).nth(place).unwrap_or_default()
    }

    /// Returns the number of deals.
    pub fn deals(&self) -> usize {
        self.list.len().div_ceil(self.faces)
    }

    /// Returns the number of faces per deal.
    pub fn faces(&self) -> usize {
        self.faces
    }

    /// Returns the cards of a won game.
    pub fn all(&self) -> usize {
        self.all
    }

    /// Counts the winnable deals.
    pub fn winnable(&self) -> Winnable {
        let count = |winnable: Option<bool>| {
            self.list.iter().filter(|bound| bound.winnable == winnable).count() as u64
        };
        let (won, lost, unknown) = (count(Some(true)), count(Some(false)), count(None));
        let answers = self.list.len() as u64;
        let mut share = Bounded::rate(won, unknown, answers);
        if self.faces > 1 {
            // The share within a deal varies no more than if each deal were won on all faces or on none.
            let faces = self.faces as u64;
            let may = (won + unknown).div_ceil(faces);
            let deals = Bounded::rate(won / faces, may - won / faces, answers.div_ceil(faces));
            (share.low, share.high) = (deals.low, deals.high);
        }
        Winnable { answers, won, lost, unknown, share }
    }

    /// Computes the figures of the most cards, under the terms of a ruleset.
    pub fn most_cards(&self, spec: &Spec) -> MostCards {
        let casino = &spec.casino;
        let payouts: Vec<f64> = best_payouts(casino, self.all).into_iter().map(|paid| paid as f64).collect();
        let fewest = spec.fewest_cards();
        let paid = self.mean(fewest, &|cards| payouts.get(cards).copied().unwrap_or(0.0));
        let (stake, staged) = (casino.stake as f64, casino.is_staged());
        let histogram = |of: &dyn Fn(&ClairvoyantBound) -> Option<u16>| {
            let mut histogram = vec![0; self.all + 1];
            for cards in self.list.iter().filter_map(of) {
                if let Some(deals) = histogram.get_mut(usize::from(cards)) {
                    *deals += 1;
                }
            }
            histogram
        };
        MostCards {
            proven: self.list.iter().filter(|bound| bound.is_proven()).count() as u64,
            cards: self.mean(fewest, &|cards| cards as f64),
            net: (!staged).then(|| paid.map(|paid| paid - stake)),
            house_edge: (!staged && stake > 0.0).then(|| paid.map(|paid| (stake - paid) / stake)),
            histogram_proven: histogram(&|bound| bound.is_proven().then_some(bound.least)),
            histogram_least: histogram(&|bound| Some(bound.least)),
            histogram_most: histogram(&|bound| Some(bound.most)),
        }
    }

    /// Computes the mean over deals of a value of cards, which does not fall with cards and is least at `fewest`.
    fn mean(&self, fewest: usize, worth: &dyn Fn(usize) -> f64) -> Bounded {
        let deal = |faces: &[ClairvoyantBound]| {
            let n = faces.len() as f64;
            let mean = |of: fn(&ClairvoyantBound) -> u16| {
                faces.iter().map(|it| worth(of(it).into())).sum::<f64>() / n
            };
            (mean(|it| it.least), mean(|it| it.most))
        };
        let mean = Bounded::mean(self.list.chunks(self.faces).map(deal), (worth(0), worth(self.all)));
        Bounded { low: mean.low.max(worth(fewest).min(mean.least)), ..mean }
    }
}
