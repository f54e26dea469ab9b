//! Visits: patrons who buy several decks in a row, all played by one person. Visits follow each other until the decks
//! of a night are sold; the last is cut off.

use std::collections::VecDeque;

use super::question::{Patron, share_out};
use crate::stats::profit::{Profit, moments};

/// Number of decks up to which N0 is searched deck by deck.
const MOST_STEPS: u32 = 2000;

/// One kind of visits.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// Probability of this kind of visit.
    pub chance: f64,
    /// The house's gain on each of its decks, cents, with probabilities, ascending.
    pub gains: Vec<(i64, f64)>,
    /// Number of its decks.
    pub decks: u32,
}

/// The visits of a night, independent of each other. All patrons who buy one deck are one kind.
#[derive(Clone, Debug)]
pub(in crate::stats) struct Visits {
    pub(super) kinds: Vec<Kind>,
    /// The house's gain on a deck, in the long run.
    pub(super) deck: Vec<(i64, f64)>,
}

/// Returns the relative frequency of a patron's visits: for the same share of decks, patrons who buy twice as many
/// decks at a time come half as often.
fn often(patron: &Patron) -> f64 {
    visits_for((patron.share, patron.decks_each))
}

fn visits_for((share, decks_each): (f64, u32)) -> f64 {
    share / f64::from(decks_each.max(1))
}

/// Returns the share of a night's decks that each of these patrons buys on average, given the share that each buys in
/// the long run and the decks that each buys in a row. As a night begins with a new visit and cuts the last one off,
/// patrons who buy many decks at a time have a smaller share of a short night.
pub fn shares_of_night(patrons: &[(f64, u32)], decks: u32) -> Vec<f64> {
    let whole: f64 = patrons.iter().map(|it| visits_for(*it)).sum();
    // The probability that a visit begins after this many decks.
    let mut begins: Vec<f64> = Vec::new();
    let mut bought = vec![0.0; patrons.len()];
    for sold in 0..decks {
        let ends = patrons.iter().map(|it| {
            let before = sold.checked_sub(it.1.max(1)).and_then(|at| begins.get(at as usize));
            before.map_or(0.0, |begun| begun * visits_for(*it) / whole)
        });
        let here = if sold == 0 { 1.0 } else { ends.sum() };
        begins.push(here);
        for (bought, it) in bought.iter_mut().zip(patrons) {
            *bought += here * visits_for(*it) / whole * f64::from(it.1.max(1).min(decks - sold));
        }
    }
    bought.into_iter().map(|it| it / f64::from(decks)).collect()
}

/// State of the profit at a point of a night, weighted with the probability of that point.
pub(super) trait Part: Clone + Default {
    /// Multiplies the weight by a share.
    fn share(self, share: f64) -> Self;
    /// Adds the state of another point.
    fn join(&mut self, other: Self);
}

impl Part for Profit {
    fn share(self, share: f64) -> Profit {
        self.times(share)
    }

    fn join(&mut self, other: Profit) {
        self.add(&other);
    }
}

/// Probability and the first two moments.
impl Part for [f64; 3] {
    fn share(self, share: f64) -> [f64; 3] {
        self.map(|moment| moment * share)
    }

    fn join(&mut self, other: [f64; 3]) {
        self.iter_mut().zip(other).for_each(|(sum, moment)| *sum += moment);
    }
}

/// A night in progress, by position in its visits.
pub(super) struct Course<'a, P> {
    kinds: &'a [Kind],
    /// State between two visits; `None` if no visit can end here.
    between: Option<P>,
    /// For each kind, the state after the first deck of a visit, the second and so on, except the last.
    inside: Vec<VecDeque<Option<P>>>,
}

impl<P: Part> Course<'_, P> {
    /// Sells one more deck; `play` adds it to the profit of a kind of visit, by index.
    pub fn sell(&mut self, play: impl Fn(usize, &mut P)) {
        let begun = self.between.take();
        for (number, (kind, inside)) in self.kinds.iter().zip(&mut self.inside).enumerate() {
            inside.push_front(begun.clone().map(|part| part.share(kind.chance)));
            inside.iter_mut().flatten().for_each(|part| play(number, part));
            join(&mut self.between, inside.pop_back().flatten());
        }
    }

    /// Returns the states of all positions.
    pub fn places(&mut self) -> impl Iterator<Item = &mut P> {
        self.between.iter_mut().chain(self.inside.iter_mut().flatten().flatten())
    }

    /// Returns the sum over all positions.
    pub fn whole(&self) -> P {
        let mut all = self.between.clone();
        self.inside.iter().flatten().for_each(|part| join(&mut all, part.clone()));
        all.unwrap_or_default()
    }
}

fn join<P: Part>(sum: &mut Option<P>, part: Option<P>) {
    match (sum.as_mut(), part) {
        (Some(sum), Some(part)) => sum.join(part),
        (None, part) => *sum = part,
        (_, None) => {}
    }
}

impl Visits {
    /// Builds the visits of these patrons, with undecided games counted in one of three ways.
    pub fn new(patrons: &[Patron], way: usize) -> Visits {
        let whole: f64 = patrons.iter().map(often).sum();
        let (once, several): (Vec<Patron>, Vec<Patron>) =
            patrons.iter().cloned().partition(|it| it.decks_each <= 1);
        let kind = |all: &[Patron]| Kind {
            chance: all.iter().map(often).sum::<f64>() / whole,
            gains: share_out(all, way),
            decks: all.first().map_or(1, |it| it.decks_each.max(1)),
        };
        let several = several.chunks(1).map(kind);
        let kinds = (!once.is_empty()).then(|| kind(&once)).into_iter().chain(several).collect();
        Visits { kinds, deck: share_out(patrons, way) }
    }

    /// Returns the house's gain on a deck in the long run, cents, with probabilities, ascending.
    pub fn deck(&self) -> &[(i64, f64)] {
        &self.deck
    }

    /// Returns whether everybody buys one deck.
    pub fn are_decks(&self) -> bool {
        matches!(self.kinds[..], [Kind { decks: 1, .. }])
    }

    /// Returns the standard deviation of the profit of many decks, divided by the root of their number: more than
    /// that of a deck if a player buys several in a row.
    pub fn spread(&self) -> f64 {
        let (mean, sd) = moments(&self.deck);
        if self.are_decks() {
            return sd;
        }
        // Deviation of a visit's gain from the mean gain of as many decks (Cox, Renewal Theory, 1962, chapter 8).
        let (variance, decks) = self.kinds.iter().fold((0.0, 0.0), |(variance, decks), kind| {
            let ((own, sd), n) = (moments(&kind.gains), f64::from(kind.decks));
            let beyond = n * sd * sd + (n * (own - mean)).powi(2);
            (variance + kind.chance * beyond, decks + kind.chance * n)
        });
        (variance / decks).sqrt()
    }

    /// Returns the mean and standard deviation of the house's gain on a deck of a night of this many.
    pub fn deck_of_night(&self, decks: u32) -> (f64, f64) {
        if self.are_decks() {
            return moments(&self.deck);
        }
        let kinds: Vec<(f64, u32)> =
            self.kinds.iter().map(|it| (it.chance * f64::from(it.decks), it.decks)).collect();
        let kinds = shares_of_night(&kinds, decks).into_iter().zip(&self.kinds);
        let each: Vec<(f64, (f64, f64))> = kinds.map(|(share, kind)| (share, moments(&kind.gains))).collect();
        let mean: f64 = each.iter().map(|(share, (mean, _))| share * mean).sum();
        let variance = each.iter().map(|(share, (own, sd))| share * (sd * sd + (own - mean).powi(2)));
        (mean, variance.sum::<f64>().sqrt())
    }

    /// Returns the mean and standard deviation of the profit after this many decks.
    pub fn night(&self, decks: u32) -> (f64, f64) {
        let (mean, sd) = moments(&self.deck);
        if self.are_decks() {
            return (mean * f64::from(decks), sd * f64::from(decks).sqrt());
        }
        self.nights(decks).last().unwrap_or_default()
    }

    /// Returns the number of decks after which the mean profit of a night reaches its standard deviation (N0);
    /// infinite if the house does not gain. For many decks the long run is used, as the beginning of a night hardly
    /// matters then.
    pub fn n0(&self) -> f64 {
        let (mean, sd) = moments(&self.deck);
        if mean <= 0.0 {
            return f64::INFINITY;
        }
        if self.are_decks() {
            return (sd / mean).powi(2);
        }
        let without_end = (self.spread() / mean).powi(2);
        let mut before = 0.0;
        for (sold, (mean, sd)) in self.nights(MOST_STEPS).enumerate() {
            let ahead = mean - sd;
            if ahead >= 0.0 {
                // Interpolates linearly between two decks.
                let part = if sold == 0 { 1.0 } else { -before / (ahead - before) };
                return sold as f64 + part;
            }
            before = ahead;
        }
        without_end.max(f64::from(MOST_STEPS))
    }

    /// Returns the mean and standard deviation of the profit after each of this many decks.
    fn nights(&self, decks: u32) -> impl Iterator<Item = (f64, f64)> {
        let (mean, _) = moments(&self.deck);
        // Centred at the mean of a deck, to preserve precision.
        let about: Vec<(f64, f64)> = self
            .kinds
            .iter()
            .map(|kind| moments(&kind.gains))
            .map(|(own, sd)| (own - mean, sd * sd))
            .collect();
        let mut course = self.course([1.0, 0.0, 0.0]);
        (1..=decks).map(move |sold| {
            course.sell(|kind, [p, first, second]| {
                let (mean, variance) = about[kind];
                *second += 2.0 * mean * *first + (variance + mean * mean) * *p;
                *first += mean * *p;
            });
            let [_, first, second] = course.whole();
            (mean * f64::from(sold) + first, (second - first * first).max(0.0).sqrt())
        })
    }

    /// Returns the logarithm of the expected exp(-r profit) of the rest of a night: for a whole night of this many
    /// decks, and the minimum over all points of it. `deck` has the logarithm of the expected exp(-r gain) of a deck,
    /// by kind.
    pub(super) fn discount(&self, decks: u32, deck: &[f64]) -> (f64, f64) {
        // By decks left when a visit begins.
        let mut left = vec![0.0f64];
        let mut least = 0.0f64;
        for n in 1..=decks {
            let rest = |kind: usize, of_visit: u32| {
                let played = of_visit.min(n);
                f64::from(played) * deck[kind] + left[(n - played) as usize]
            };
            for (kind, it) in self.kinds.iter().enumerate() {
                least = (1..it.decks).map(|of_visit| rest(kind, of_visit)).fold(least, f64::min);
            }
            let starts =
                self.kinds.iter().enumerate().map(|(kind, it)| it.chance.ln() + rest(kind, it.decks));
            let starts: Vec<f64> = starts.collect();
            let most = starts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let here = most + starts.iter().map(|it| (it - most).exp()).sum::<f64>().ln();
            least = least.min(here);
            left.push(here);
        }
        (left[decks as usize], least)
    }

    /// Begins a night.
    pub(super) fn course<P: Part>(&self, start: P) -> Course<'_, P> {
        let inside = self.kinds.iter().map(|kind| (1..kind.decks).map(|_| None).collect()).collect();
        Course { kinds: &self.kinds, between: Some(start), inside }
    }
}
