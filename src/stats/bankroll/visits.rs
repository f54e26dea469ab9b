//! Visits: patrons who buy several decks in a row, all played by one person. Visits follow each other until the decks
//! of a night are sold; the last is cut off.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::stats::night::{Deck, Profit, gcd, merged, moments};
use crate::stats::sample::{Amount, WAYS};

/// Number of decks up to which N0 is searched deck by deck.
const MOST_STEPS: u32 = 2000;

/// Patrons of one kind, and the house's gains in their games.
#[derive(Clone, Debug, PartialEq)]
pub struct Patron {
    /// Share of decks that they buy, above 0.
    pub share: f64,
    /// The house's gains in their games, cents, with the number of games; independent of those of all other patrons.
    pub outcomes: Vec<(Amount, u64)>,
    /// The least and the greatest possible gain of the house on a deck, cents, whether observed or not.
    pub reach: (i64, i64),
    /// Decks that each of them buys in a row, at least 1.
    pub decks_each: u32,
}

/// Returns the distribution of the house's gain on a deck, with undecided games counted in one of three ways: cents,
/// with probabilities, ascending. Empty without games.
pub fn share_out(patrons: &[Patron], way: usize) -> Vec<(i64, f64)> {
    let whole: f64 = patrons.iter().map(|patron| patron.share).sum();
    let mut gains: Vec<(i64, f64)> = Vec::new();
    for patron in patrons {
        let all: u64 = patron.outcomes.iter().map(|(_, games)| games).sum();
        for (gain, games) in patron.outcomes.iter().filter(|(_, games)| *games > 0) {
            let chance = patron.share / whole * *games as f64 / all as f64;
            gains.push((WAYS[way](gain), chance));
        }
    }
    merged(gains)
}

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
    /// The house's gain on a deck in the long run, cents, with probabilities, ascending.
    pub deck: Vec<(i64, f64)>,
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

/// Number of narrowing steps; each leaves a small part of the error.
const NARROWINGS: usize = 8;
/// Number of standard deviations beyond which a distribution is negligible.
const FAR: f64 = 8.0;
/// Number of lattice points that is enough for any spread of a deck.
const FINE: f64 = 1e4;
/// Maximum size of all distributions of a night together: 64 MB.
const MOST_NUMBERS: f64 = 8e6;

/// Lattice steps in cents; `None` for the exact gains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steps {
    /// Step for the profit.
    pub sums: Option<i64>,
    /// Step for the lowest profit.
    pub lows: Option<i64>,
}

impl Steps {
    /// Chooses steps as fine as a budget of multiplications allows.
    pub fn within(budget: f64, visits: &Visits, decks: u32) -> Steps {
        let (mean, sd) = visits.night(decks);
        let wide = |deck: &Deck| deck.reach() as f64;
        let deep = |deck: &Deck| wide(deck).max(-deck.least as f64 / deck.unit as f64);
        let sums = Night { visits, decks, span: 2.0 * FAR * sd, budget, reach: &wide };
        let lows = Night { span: FAR * sd + (-mean).max(0.0), reach: &deep, ..sums };
        Steps {
            sums: if sums.allows(&for_sums(visits, None)) == Some(true) { None } else { sums.step() },
            lows: lows.step(),
        }
    }
}

/// A night in which the relevant profits after the last deck span `span` cents.
#[derive(Clone, Copy)]
struct Night<'a> {
    visits: &'a Visits,
    decks: u32,
    span: f64,
    /// Maximum number of multiplications.
    budget: f64,
    /// Lattice points by which a deck widens a distribution.
    reach: &'a dyn Fn(&Deck) -> f64,
}

impl Night<'_> {
    /// Returns whether the budget allows the night on this lattice; `None` if it needs too much memory.
    fn allows(&self, laid: &[Deck]) -> Option<bool> {
        let decks = f64::from(self.decks);
        let (mut cost, mut numbers) = (0.0, 0.0);
        for (kind, deck) in self.visits.kinds.iter().zip(laid) {
            let reach = (self.reach)(deck);
            let widest = (self.span / deck.unit as f64).min(decks * reach) + reach;
            let places = f64::from(kind.decks);
            cost += decks * widest * deck.steps.len() as f64 * 0.7 * places;
            numbers += widest * places;
        }
        (numbers <= MOST_NUMBERS).then_some(cost <= self.budget)
    }

    /// Returns a step as fine as the budget allows, but at most about a fifth of a deck's standard deviation, so that
    /// its variance grows by no more than a hundredth. Visits of several decks need many distributions, so their step
    /// may be as large as the standard deviation, but the variance is then preserved. Only the limit of memory allows
    /// a coarser step.
    fn step(&self) -> Option<i64> {
        let finest = finest(self.visits);
        let spread = self.visits.spread();
        let coarsest = if self.visits.are_decks() { spread / 5.0 } else { spread };
        let coarsest = coarsest.max(self.span / FINE);
        let mut unit = finest;
        loop {
            let step = (unit != finest).then_some(unit);
            match self.allows(&on_multiples(self.visits, step)) {
                Some(true) => return step,
                Some(false) if 2.0 * unit as f64 > coarsest => return step,
                _ => unit = unit.saturating_mul(2),
            }
        }
    }
}

/// Returns the greatest common divisor of all gains.
fn finest(visits: &Visits) -> i64 {
    let all = visits.kinds.iter().flat_map(|kind| &kind.gains);
    all.fold(0, |unit, &(gain, _)| gcd(unit, gain)).max(1)
}

/// Places the decks of each kind of visit on one lattice, for sums: without a step, on that of the differences of their
/// gains, which has the fewest points.
pub(super) fn for_sums(visits: &Visits, step: Option<i64>) -> Vec<Deck> {
    match step {
        None => Deck::all_exact(visits.kinds.iter().map(|kind| &kind.gains[..])),
        step => on_multiples(visits, step),
    }
}

/// Places the decks of each kind of visit on multiples of a step.
pub(super) fn on_multiples(visits: &Visits, step: Option<i64>) -> Vec<Deck> {
    let unit = step.unwrap_or_else(|| finest(visits));
    let lay = |kind: &Kind| match visits.are_decks() || step.is_none() {
        true => Deck::on_multiples(&kind.gains, unit),
        false => Deck::on_multiples(&narrowed(&kind.gains, unit), unit),
    };
    visits.kinds.iter().map(lay).collect()
}

/// Contracts the gains towards their mean, so that placing them on multiples of `unit` cents restores their
/// original variance.
fn narrowed(gains: &[(i64, f64)], unit: i64) -> Vec<(i64, f64)> {
    let (mean, sd) = moments(gains);
    let drawn = |times: f64| -> Vec<(i64, f64)> {
        gains.iter().map(|&(gain, p)| ((mean + (gain as f64 - mean) * times).round() as i64, p)).collect()
    };
    let mut times = 1.0;
    for _ in 0..NARROWINGS {
        let (_, wide) = Deck::on_multiples(&drawn(times), unit).moments();
        if wide <= 0.0 {
            break;
        }
        times *= sd / wide;
    }
    drawn(times)
}

/// Gains in units, with probabilities.
type Gains = Vec<(i64, f64)>;

/// The distribution of the lowest profit that the house has before any of its decks.
///
/// If the gains of the decks are independent and identically distributed, the minimum of the sums `0, x1, x1 + x2,
/// ...` over n decks is distributed as `min(0, x + minimum over n - 1 decks)` (Lindley 1952; the decks are taken from
/// last to first): each deck is one step of a walk with a wall at 0. Decks of one visit have the same distribution;
/// visits are independent.
#[derive(Clone, Debug)]
pub(super) struct Lows {
    unit: i64,
    /// Probability that the lowest profit is this many units below 0.
    depths: Vec<f64>,
}

impl Lows {
    /// Computes the lowest profit before each of `decks` decks, sold to these kinds of visits, whose gains are
    /// multiples of one unit; each deck may cut a probability of `tail` from the depths. Once `stop` is set, the
    /// result is meaningless.
    pub fn new(kinds: &[Kind], laid: &[Deck], decks: u32, tail: f64, stop: &AtomicBool) -> Lows {
        let unit = laid.first().map_or(1, |deck| deck.unit);
        let gains: Vec<Gains> = laid
            .iter()
            .map(|deck| {
                let base = deck.least / deck.unit;
                deck.steps.iter().map(|&(step, p)| (base + step as i64, p)).collect()
            })
            .collect();
        let longest = kinds.iter().map(|kind| kind.decks).max().unwrap_or(1) as usize;
        // Depths where a visit begins, by decks left, from none; no deck follows the last.
        let mut begun: VecDeque<Vec<f64>> = VecDeque::from([vec![1.0]]);
        for left in 1..=decks {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let mut next = Vec::new();
            for (kind, gains) in kinds.iter().zip(&gains) {
                // The last visit is cut off, and no deck follows the payment of its last deck.
                let (after, sold) = match kind.decks {
                    whole if whole < left => (&begun[whole as usize - 1], whole),
                    _ => (&begun[begun.len() - 1], left - 1),
                };
                let mut own = Cow::Borrowed(after);
                for deck in 0..sold {
                    if deck > 0 {
                        cut(own.to_mut(), tail);
                    }
                    own = Cow::Owned(one_more(&own, gains));
                }
                next.resize(next.len().max(own.len()), 0.0);
                add(&mut next, &own, kind.chance);
            }
            cut(&mut next, tail);
            begun.push_front(next);
            begun.truncate(longest.max(1));
        }
        Lows { unit, depths: begun.pop_front().unwrap_or_default() }
    }

    /// Returns the probability that the house at some time has lost more than `reach` cents.
    pub fn deeper(&self, reach: i64) -> f64 {
        if reach < 0 {
            return 1.0;
        }
        let from = (reach / self.unit).saturating_add(1) as usize;
        self.depths.get(from..).map_or(0.0, |deep| deep.iter().rev().sum::<f64>()).clamp(0.0, 1.0)
    }

    /// Returns the smallest loss, cents, that is exceeded with a probability of at most `risk`.
    pub fn reach_for(&self, risk: f64) -> i64 {
        let mut sum = 0.0;
        let deep = self.depths.iter().enumerate().rev().find(|&(_, &chance)| {
            sum += chance;
            sum > risk
        });
        deep.map_or(0, |(depth, _)| depth as i64 * self.unit)
    }
}

/// Cuts a probability from the depths, but never all of it.
fn cut(depths: &mut Vec<f64>, tail: f64) {
    let mut cut = 0.0;
    let above = depths.iter().rev().take_while(|&&chance| {
        cut += chance;
        cut <= tail
    });
    let kept = depths.len() - above.count();
    depths.truncate(kept.max(1));
}

/// Returns the depths with one more deck before them.
fn one_more(depths: &[f64], gains: &[(i64, f64)]) -> Vec<f64> {
    let deepest = gains.iter().map(|&(gain, _)| -gain).max().unwrap_or(0).max(0) as usize;
    let mut next = vec![0.0; depths.len() + deepest];
    for &(gain, chance) in gains {
        let by = gain.unsigned_abs() as usize;
        if gain < 0 {
            add(&mut next[by..], depths, chance);
        } else {
            let (to_top, rest) = depths.split_at(by.min(depths.len()));
            next[0] += chance * to_top.iter().sum::<f64>();
            add(&mut next, rest, chance);
        }
    }
    next
}

/// Adds a multiple of one row to another.
fn add(to: &mut [f64], from: &[f64], times: f64) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += times * from;
    }
}
