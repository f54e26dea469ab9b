//! Patrons who buy several decks in a row: the decks of a visit hang together, as one person plays them.

use super::lattice::{for_sums, moments};
use super::question::{Patron, share_out};
use crate::stats::profit::{Profit, merged};

/// One kind of visits.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// The probability that a visit is of this kind.
    pub chance: f64,
    /// What the house gains of each of its decks, cents, each with its probability, ascending.
    pub gains: Vec<(i64, f64)>,
    /// Its decks.
    pub decks: u32,
}

/// The visits of a night, each drawn apart from the others. Where everybody buys one deck, a visit is a deck.
#[derive(Clone, Debug)]
pub(super) struct Visits {
    pub kinds: Vec<Kind>,
    /// What the house gains of any deck.
    pub deck: Vec<(i64, f64)>,
    /// Decks of a visit on average.
    pub decks: f64,
}

/// What the house gains of a visit, and the step in cents on which gains had to be shared out, if they were.
pub(super) struct Gained {
    pub gains: Vec<(i64, f64)>,
    pub shared: Option<i64>,
}

impl Visits {
    /// The visits of these patrons, with undecided games counted in one of three ways. A patron who buys twice as many decks at a
    /// time comes half as often for the same share of all decks.
    pub fn new(patrons: &[Patron], way: usize) -> Visits {
        let deck = share_out(patrons, way);
        if patrons.iter().all(|it| it.decks_each <= 1) {
            return Visits::single(deck);
        }
        let often = |it: &Patron| it.share / f64::from(it.decks_each.max(1));
        let whole: f64 = patrons.iter().map(often).sum();
        let shares: f64 = patrons.iter().map(|it| it.share).sum();
        let kind = |it: &Patron| Kind {
            chance: often(it) / whole,
            gains: share_out(std::slice::from_ref(it), way),
            decks: it.decks_each.max(1),
        };
        Visits { kinds: patrons.iter().map(kind).collect(), deck, decks: shares / whole }
    }

    /// One deck a visit.
    pub fn single(deck: Vec<(i64, f64)>) -> Visits {
        Visits { kinds: vec![Kind { chance: 1.0, gains: deck.clone(), decks: 1 }], deck, decks: 1.0 }
    }

    /// Visits of a night of so many decks, at least one.
    pub fn of(&self, decks: u32) -> u32 {
        (f64::from(decks) / self.decks).round().max(1.0) as u32
    }

    /// What the house gains of a visit, with so many multiplications for each kind.
    pub fn gains(&self, budget: f64) -> Gained {
        if let [Kind { gains, decks: 1, .. }] = &self.kinds[..] {
            return Gained { gains: gains.clone(), shared: None };
        }
        let mut all: Vec<(i64, f64)> = Vec::new();
        let mut shared = None;
        for kind in &self.kinds {
            let (_, sd) = moments(&kind.gains);
            let reach = kind.gains.last().map_or(0, |last| last.0 - kind.gains[0].0);
            let span = reach as f64 * f64::from(kind.decks);
            let laid = for_sums(&kind.gains, kind.decks, span, sd, budget);
            let mut profit = Profit::new(0.0);
            (0..kind.decks).for_each(|_| profit.play(&laid.deck));
            all.extend(
                profit
                    .iter(&laid.deck)
                    .filter(|(_, p)| *p > 0.0)
                    .map(|(at, p)| (i64::try_from(at).unwrap_or(i64::MAX), p * kind.chance)),
            );
            shared = shared.max(laid.shared);
        }
        Gained { gains: merged(all), shared }
    }
}
