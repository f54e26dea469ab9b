//! The most cards that deals allow, each exact or between bounds, and the figures that follow.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Bounded;
use crate::rules::Spec;
use crate::stats::payout::best_payouts;

/// What one deal allows a player who knows every card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClairvoyantBound {
    /// So many cards can be brought up.
    pub least: u16,
    /// And no more than this many.
    pub most: u16,
    /// Whether all can, where that is known.
    pub winnable: Option<bool>,
}

/// A player brought up more cards than a bound allows: the bound is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The bound.
    pub bound: ClairvoyantBound,
    /// Cards that were brought up.
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
    /// The bound after a player was seen to bring up this many of `all` cards: that many can be.
    ///
    /// # Errors
    /// Where the bound says that they cannot.
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

/// The bounds of many deals. Where a die is rolled for the game a deal has one for each face, all of which are as
/// likely; intervals take such a deal for one case, as its faces hang together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClairvoyantBounds {
    all: usize,
    faces: usize,
    list: Vec<ClairvoyantBound>,
}

/// How many deals can be won.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Winnable {
    /// Deals, each face of a die counted.
    pub answers: u64,
    /// Those that can.
    pub won: u64,
    /// Those that cannot.
    pub lost: u64,
    /// Those that are not known.
    pub unknown: u64,
    /// The share that can.
    pub share: Bounded,
}

/// The most cards of many deals, and what they are worth to a player who always brings them up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MostCards {
    /// Deals whose most cards are known, each face of a die counted.
    pub proven: u64,
    /// Mean of the most cards.
    pub cards: Bounded,
    /// The player's mean net a deck, cents. `None` where the stake is bought in stages: there is no one price.
    pub net: Option<Bounded>,
    /// The house edge against that player, a fraction. `None` where the deck has no price.
    pub house_edge: Option<Bounded>,
    /// Deals by most cards where these are known, from 0 to all.
    pub histogram_proven: Vec<u64>,
    /// All deals by the cards that can be brought up for certain.
    pub histogram_least: Vec<u64>,
    /// All deals by the cards that cannot be exceeded.
    pub histogram_most: Vec<u64>,
}

impl ClairvoyantBounds {
    /// None yet, of deals of this many cards with this many faces of a die each: 1 where none is rolled.
    pub fn new(all: usize, faces: usize) -> ClairvoyantBounds {
        ClairvoyantBounds { all, faces: faces.max(1), list: Vec::new() }
    }

    /// Adds the bound of the next face, or of the next deal where there is no die. Where not all cards can be brought
    /// up there is no win.
    pub fn push(&mut self, bound: ClairvoyantBound) {
        let lost = usize::from(bound.most) < self.all;
        self.list.push(ClairvoyantBound { winnable: bound.winnable.or(lost.then_some(false)), ..bound });
    }

    /// All of them, those of the faces of a deal beside each other.
    pub fn list(&self) -> &[ClairvoyantBound] {
        &self.list
    }

    /// Those of a deal by its place, one a face, in order.
    pub fn of_deal(&self, place: usize) -> &[ClairvoyantBound] {
        self.list.chunks(self.faces).nth(place).unwrap_or_default()
    }

    /// The same, to be raised.
    pub fn of_deal_mut(&mut self, place: usize) -> &mut [ClairvoyantBound] {
        self.list.chunks_mut(self.faces).nth(place).unwrap_or_default()
    }

    /// Deals.
    pub fn deals(&self) -> usize {
        self.list.len().div_ceil(self.faces)
    }

    /// Faces of a deal.
    pub fn faces(&self) -> usize {
        self.faces
    }

    /// Cards of a won game.
    pub fn all(&self) -> usize {
        self.all
    }

    /// How many can be won.
    pub fn winnable(&self) -> Winnable {
        let count = |winnable: Option<bool>| {
            self.list.iter().filter(|bound| bound.winnable == winnable).count() as u64
        };
        let (won, lost, unknown) = (count(Some(true)), count(Some(false)), count(None));
        let answers = self.list.len() as u64;
        let mut share = Bounded::rate(won, unknown, answers);
        if self.faces > 1 {
            // A share of deals varies no more than it would if each were won on all faces or on none.
            let faces = self.faces as u64;
            let may = (won + unknown).div_ceil(faces);
            let deals = Bounded::rate(won / faces, may - won / faces, answers.div_ceil(faces));
            (share.low, share.high) = (deals.low, deals.high);
        }
        Winnable { answers, won, lost, unknown, share }
    }

    /// What is known of the most cards, under the terms of a ruleset.
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

    /// The mean over deals of a worth of cards, which does not fall with them and is not below that of the `fewest`.
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
