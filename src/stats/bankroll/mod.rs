//! A house's night of many decks: its profit, its risk of ruin, and the range of luck.
//!
//! Each deck is an independent draw from the measured games. Given these, the figures are exact (except for tails of
//! 1e-16 per deck): the profit after n decks is the n-fold convolution, and ruin is computed deck by deck. If patrons
//! buy several decks in a row, a night consists of their visits, one after another until its decks are sold. The
//! sampling error of the games is estimated by the bootstrap: everything is computed with randomly weighted games,
//! twice, once with an extra game that costs the house the maximum and once with one that earns it the maximum. The
//! limits are the outer limits of the middle 95% of both. Undecided games count as they stood; in the limits, at
//! worst and at best.

mod figures;
mod lattice;
mod lows;
mod question;
mod visits;

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use super::Estimate;
use crate::cards::Seed;
pub use figures::Figures;
pub(super) use figures::exact_night;
use figures::{AGAIN, EXACT, Places, courses};
use lattice::Steps;
pub use question::{LEVELS, Patron, Question, greatest_loss, share_out};
use question::{drawn_again, with_extremes};
pub(super) use visits::Visits;
pub use visits::shares_of_night;

/// The normal quantile of a band of 90%: so many nights are within this many standard deviations.
pub(super) const NINE_IN_TEN: f64 = 1.644_853_626_951_472_7;
/// Number of banks at which the risk of ruin is reported, and of bins of the night's distribution.
const BANKS: i64 = 48;
/// Ratio of the given bank to the safe one beyond which it does not extend the range of banks.
const FAR: f64 = 2.0;
const PARTS: f64 = 44.0;
/// Maximum number of bins, most of them empty, spent on including 0.
const MOST_PARTS: i64 = 1_000;

/// The profit after this many decks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FanPoint {
    /// Decks sold.
    pub decks: u32,
    /// Its quantiles, cents, in the order of [`LEVELS`].
    pub quantiles: [Estimate; LEVELS.len()],
}

/// The risk of ruin with some bank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RuinPoint {
    /// Cents.
    pub bank: i64,
    /// Probability.
    pub ruin: Estimate,
}

/// A bin of the distribution of the profit after the last deck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NightPart {
    /// Smallest profit in the bin, cents.
    pub from: i64,
    /// Upper border of the bin, cents, exclusive.
    pub to: i64,
    /// Probability.
    pub chance: Estimate,
}

/// Distribution of a night's profit. Money is in cents, from the house's side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bankroll {
    /// Decks sold.
    pub decks: u32,
    /// The bank before the first deck.
    pub bank: i64,
    /// The greatest possible loss of the house on one deck.
    pub greatest_loss: i64,
    /// The price of a deck; `None` if it is free or bought in stages.
    pub price: Option<i64>,
    /// The share of this night's decks that each patron buys on average.
    #[serde(skip)]
    pub shares: Vec<f64>,
    /// Mean profit of the night. If patrons buy several decks, it differs slightly from as many decks of the long
    /// run: a night begins with a new visit and cuts the last one off, so that long visits have a smaller share.
    pub profit: Estimate,
    /// Mean profit of one deck, in the long run.
    pub deck_profit: Estimate,
    /// Standard deviation of one deck, in the long run.
    pub deck_sd: Estimate,
    /// Mean and standard deviation of the profit of one deck of this night.
    #[serde(skip)]
    pub deck_of_night: (Estimate, Estimate),
    /// Standard deviation of the night.
    pub sd: Estimate,
    /// Volatility index: 1.645 standard deviations of many decks, divided by the root of their number, as a share of
    /// the price. Over n decks, the share that the house keeps is within this index divided by the root of n of the
    /// edge, with a probability of 90%. `None` without a price.
    pub volatility_index: Option<Estimate>,
    /// Number of decks after which the mean profit of a night is one standard deviation (N0); if everybody buys one
    /// deck, variance / mean squared of a deck. `None` if the house does not gain; its upper limit is infinite if the
    /// house may not gain.
    pub n0: Option<Estimate>,
    /// Probability of a loss after the last deck.
    pub losing_night: Estimate,
    /// The 1% quantile of the profit.
    pub worst_night: Estimate,
    /// The mean profit of the worst night in a hundred (expected shortfall at 99%).
    pub shortfall: Estimate,
    /// The adjustment coefficient R of such nights, per cent of money: over any number of them, a bank of `b` beyond
    /// the greatest loss is insufficient at the end of one with a probability of at most exp(-R b). 0 if the house
    /// does not gain.
    pub adjustment: Estimate,
    /// Probability of ruin before one of the night's decks.
    pub ruin: Estimate,
    /// The smallest bank for a risk of ruin of at most 1%.
    pub bank_for_1_percent: Estimate,
    /// A bank for a risk of ruin of at most 1% over any number of such nights (Lundberg's bound). `None` if the house
    /// does not gain; its upper limit is infinite if the house may not gain.
    pub bank_for_any_nights: Option<Estimate>,
    /// The profit as decks are sold.
    pub fan: Vec<FanPoint>,
    /// The risk of ruin by bank.
    pub ruin_by_bank: Vec<RuinPoint>,
    /// The distribution of the profit after the last deck.
    pub night: Vec<NightPart>,
    /// Number of bootstrap samples behind the limits.
    pub replicates: u64,
    /// Mean and standard deviation of the night in each sample, cents: at worst and at best.
    #[serde(skip)]
    pub samples: Vec<[(f64, f64); 2]>,
    /// Lattice steps, cents, on which gains were placed, their mean preserved, because the exact lattice is too fine;
    /// `None` if all is exact.
    pub unit: Option<i64>,
}

impl Bankroll {
    /// Returns whether a bank can be ruined: not if it covers the greatest loss on every deck.
    pub fn can_ruin(&self, bank: i64) -> bool {
        can_ruin(bank, self.decks, self.greatest_loss)
    }

    /// Returns the house edge of all decks together in the long run, a fraction of the price; `None` without a price.
    pub fn edge(&self) -> Option<Estimate> {
        self.of_price(self.deck_profit)
    }

    /// Returns the house edge of the decks of this night.
    pub fn edge_of_night(&self) -> Option<Estimate> {
        self.of_price(self.deck_of_night.0)
    }

    fn of_price(&self, Estimate { value, low, high }: Estimate) -> Option<Estimate> {
        let price = self.price? as f64;
        Some(Estimate { value: value / price, low: low / price, high: high / price })
    }
}

/// The measured games with their figures, from which bootstrap samples are computed.
#[derive(Clone, Debug)]
pub struct Replicate<'a> {
    question: Question,
    patrons: &'a [Patron],
    places: Places,
    figures: Figures,
    /// The lattice of samples, and the figures of the measured games on it if it is coarse.
    steps: Steps,
    rough: Option<Figures>,
    /// Whether there are undecided games.
    open: bool,
}

impl<'a> Replicate<'a> {
    /// Computes the figures of the measured games; `None` without games. Once `stop` is set, they have the lower
    /// accuracy of samples.
    pub fn new(question: Question, patrons: &'a [Patron], stop: &AtomicBool) -> Option<Replicate<'a>> {
        static NEVER: AtomicBool = AtomicBool::new(false);
        let visits = Visits::new(patrons, 0);
        if question.decks == 0 || visits.deck.is_empty() {
            return None;
        }
        let open = |patron: &Patron| patron.outcomes.iter().any(|it| it.gains != [it.gains[0]; 3]);
        let open = patrons.iter().any(open);
        // A first estimate with one bank determines the points to evaluate.
        let look = Figures::new(&question, &visits, &Places::default(), AGAIN, &NEVER);
        let places = Places { banks: banks(&question, look.safe_bank), borders: borders(look.whole) };
        let mut figures = Figures::new(&question, &visits, &places, EXACT, stop);
        if stop.load(Ordering::Relaxed) {
            figures = Figures::new(&question, &visits, &places, AGAIN, &NEVER);
        }
        let steps = Steps::within(AGAIN.budget, &Visits::new(&with_extremes(patrons), 0), question.decks);
        let coarse = steps.sums.is_some() || steps.lows.is_some();
        let rough = coarse.then(|| Figures::on(&question, &visits, (&places, steps), AGAIN, stop));
        Some(Replicate { question, patrons, places, figures, steps, rough, open })
    }

    /// Computes the figures of bootstrap sample `number` of the games of `seed`, with one more game at worst and at
    /// best. Returns `None` once `stop` is set.
    pub fn again(&self, seed: Seed, number: u64, stop: &AtomicBool) -> Option<Vec<Figures>> {
        let ways = if self.open { [1, 2] } else { [0, 0] };
        let figures = drawn_again(self.patrons, seed, number).into_iter().zip(ways).map(|(patrons, way)| {
            let visits = Visits::new(&patrons, way);
            let figures = Figures::on(&self.question, &visits, (&self.places, self.steps), AGAIN, stop);
            match &self.rough {
                Some(rough) if !stop.load(Ordering::Relaxed) => figures.refined(rough, &self.figures),
                _ => figures,
            }
        });
        let figures = figures.collect();
        (!stop.load(Ordering::Relaxed)).then_some(figures)
    }

    /// Combines the figures with the limits from these samples, each at worst and at best.
    pub fn finish(self, samples: &[Vec<Figures>]) -> Bankroll {
        let Question { decks, bank, greatest_loss, price } = self.question;
        let over = |f: &dyn Fn(&Figures) -> f64| {
            let value = f(&self.figures);
            let limits = (0..2).map(|way| middle(samples.iter().map(|ways| f(&ways[way]))));
            limits.fold(Estimate { value, low: value, high: value }, |sum, (low, high)| Estimate {
                value,
                low: sum.low.min(low),
                high: sum.high.max(high),
            })
        };
        // An impossible event has no limits.
        let ruin = |bank: i64, chance: &dyn Fn(&Figures) -> f64| match can_ruin(bank, decks, greatest_loss) {
            true => over(chance),
            false => Estimate { value: 0.0, low: 0.0, high: 0.0 },
        };
        let fan = courses(decks).into_iter().enumerate().map(|(i, decks)| FanPoint {
            decks,
            quantiles: std::array::from_fn(|q| over(&|it| it.fan[i][q])),
        });
        let visitors: Vec<(f64, u32)> = self.patrons.iter().map(|it| (it.share, it.decks_each)).collect();
        let banks = self.places.banks.iter().enumerate();
        let parts = self.places.borders.windows(2).enumerate();
        Bankroll {
            decks,
            bank,
            greatest_loss,
            price,
            shares: shares_of_night(&visitors, decks),
            profit: over(&|it| it.whole.0),
            deck_profit: over(&|it| it.mean),
            deck_sd: over(&|it| it.sd),
            deck_of_night: (over(&|it| it.tonight.0), over(&|it| it.tonight.1)),
            sd: over(&|it| it.whole.1),
            volatility_index: price.map(|price| over(&|it| NINE_IN_TEN * it.spread / price as f64)),
            n0: (self.figures.mean > 0.0).then(|| over(&|it| it.n0)),
            losing_night: over(&|it| it.losing),
            worst_night: over(&|it| it.worst),
            shortfall: over(&|it| it.shortfall),
            adjustment: over(&|it| it.adjustment),
            ruin: ruin(bank, &|it| it.ruin),
            bank_for_1_percent: over(&|it| it.safe_bank),
            bank_for_any_nights: (self.figures.adjustment > 0.0).then(|| {
                let bank = over(&|it| it.lasting_bank);
                Estimate { low: bank.low.max(0.0), ..bank }
            }),
            fan: fan.collect(),
            ruin_by_bank: banks
                .map(|(i, &bank)| RuinPoint { bank, ruin: ruin(bank, &|it| it.ruin_by_bank[i]) })
                .collect(),
            night: parts
                .map(|(i, ends)| NightPart { from: ends[0], to: ends[1], chance: over(&|it| it.night[i]) })
                .collect(),
            replicates: samples.len() as u64,
            samples: samples.iter().map(|ways| [0, 1].map(|way| ways[way].whole)).collect(),
            unit: self.figures.unit,
        }
    }
}

fn can_ruin(bank: i64, decks: u32, greatest_loss: i64) -> bool {
    i128::from(bank) < i128::from(greatest_loss.max(0)) * i128::from(decks)
}

/// Returns the limits of the middle 95% of `n` bootstrap values: their (n+1)/40-th smallest and greatest, or the next
/// beyond if that is not an integer (Davison and Hinkley 1997, section 5.2). Without values the limits are infinite.
pub(in crate::stats) fn middle(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    let beyond = ((sorted.len() + 1) / 40).saturating_sub(1);
    let at = |i: usize| sorted.get(i).copied();
    match (at(beyond), sorted.len().checked_sub(1 + beyond).and_then(at)) {
        (Some(low), Some(high)) => (low, high),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

/// Returns the banks at which the risk of ruin is reported: from the smallest that allows a first deck to well beyond
/// the safe one and the given one, unless the latter is so large that almost no risk is left.
fn banks(question: &Question, safe: f64) -> Vec<i64> {
    let first = question.greatest_loss.max(0);
    let (safe, asked) = (safe * 1.3, question.bank as f64 * 1.15);
    let last = if asked > FAR * safe { safe } else { safe.max(asked) };
    let last = last.min(1e15) as i64;
    let step = round_sum((last - first).max(1) as f64 / BANKS as f64);
    let round = (first / step + 1..).map(|i| i * step).take_while(|&bank| bank < last + step);
    std::iter::once(first).chain(round).collect()
}

/// Returns the borders of the bins of a night's distribution: round sums, including 0 unless it is too far away.
fn borders((mean, sd): (f64, f64)) -> Vec<i64> {
    let (low, high) = (mean - 3.6 * sd, mean + 3.6 * sd);
    let step = round_sum((high - low) / PARTS);
    let (first, last) = ((low / step as f64).floor() as i64, (high / step as f64).ceil() as i64);
    let whole = first.min(-1)..=last.max(first + 1).max(1);
    let near = whole.end().saturating_sub(*whole.start()) <= MOST_PARTS;
    (if near { whole } else { first..=last.max(first + 1) }).map(|i| i * step).collect()
}

/// Rounds a sum up to a round number of cents, at least $1: 1, 2, 2.5 or 5 times a power of ten.
fn round_sum(cents: f64) -> i64 {
    let power = 10f64.powf(cents.max(100.0).log10().floor());
    let factor = [1.0, 2.0, 2.5, 5.0].into_iter().find(|f| f * power >= cents).unwrap_or(10.0);
    (factor * power).round() as i64
}

#[cfg(test)]
mod tests;
