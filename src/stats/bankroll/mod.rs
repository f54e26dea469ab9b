//! A house's night of many decks: its profit, its risk of ruin, and the range of luck.
//!
//! Each deck is an independent draw from the measured games. Given these, the figures are exact (except for tails of
//! 1e-16 per deck): the profit after n decks is the n-fold convolution, and ruin is computed deck by deck. If patrons
//! buy several decks in a row, a night consists of their visits, one after another until its decks are sold. The
//! sampling error of the games is estimated by the bootstrap: everything is computed with randomly weighted games,
//! twice, once with an extra game that costs the house the maximum and once with one that earns it the maximum. The
//! limits are the outer limits of the middle 95% of both. Undecided games count as they stood; in the limits, at
//! worst and at best.

mod visits;

use std::sync::atomic::{AtomicBool, Ordering};

use rand_distr::{Distribution, Gamma};
use serde::{Deserialize, Serialize};

use self::visits::{Kind, Lows, Steps, for_sums, on_multiples};
use super::Estimate;
use super::casino::payout;
use super::night::{Deck, Profit, moments};
use super::sample::Amount;
use crate::cards::{Purpose, Seed, generator};
use crate::rules::{Casino, StageAt};
pub(super) use visits::Visits;
pub use visits::{Patron, share_out, shares_of_night};

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
        let open = |patron: &Patron| patron.outcomes.iter().any(|(it, _)| *it != Amount::settled(it.stood));
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

/// Probabilities of the quantiles of the profit.
pub const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// The risk of ruin for which the bank is computed.
const RISK: f64 = 0.01;

/// A night of this many decks, bought by players drawn according to the shares of the patrons. A player who buys
/// several decks plays them one after another.
///
/// The house is ruined when, before some deck, it cannot cover the maximum payout: when its bank plus the price of
/// that deck is less than the most that a deck can pay. So the last deck's payment ruins nobody, as no deck follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Decks sold, at least 1.
    pub decks: u32,
    /// The bank before the first deck, cents.
    pub bank: i64,
    /// The greatest possible loss of the house on one deck, cents: see [`greatest_loss`].
    pub greatest_loss: i64,
    /// The price of a deck, cents; `None` if it is free or bought in stages.
    pub price: Option<i64>,
}

/// Returns the greatest possible loss of the house on one deck of `all` cards, cents: the greatest payout minus the
/// price; if the stake is bought in stages, minus the stages bought before cards are paid for.
pub fn greatest_loss(casino: &Casino, all: usize) -> i64 {
    let most = (0..=all).map(|cards| payout(casino, cards, all)).max().unwrap_or(0);
    let steps = StageAt::ALL.into_iter().filter(|at| at.of_the_hand()).filter_map(|at| casino.stage(at));
    most.saturating_sub(if casino.is_staged() { steps.map(|stage| stage.cost).sum() } else { casino.stake })
}

/// Resolution of a game's weight.
const RESOLUTION: f64 = 1e6;

/// Draws a bootstrap sample: the same patrons with random weights for their games (Dirichlet: the Bayesian bootstrap,
/// Rubin 1981), and with one more game, which in the first result costs the house the most, in the second earns it
/// the most. So an unobserved outcome counts as possible, as in the intervals of a [`Sample`](crate::stats::Sample).
fn drawn_again(patrons: &[Patron], seed: Seed, number: u64) -> [Vec<Patron>; 2] {
    let mut rng = generator(seed, number, Purpose::Bootstrap);
    let mut weight = |games: u64| match Gamma::new(games as f64, 1.0) {
        Ok(gamma) => (gamma.sample(&mut rng) * RESOLUTION).round() as u64,
        Err(_) => 0,
    };
    let weighted = patrons.iter().map(|patron| {
        let outcomes = patron.outcomes.iter().filter(|(_, games)| *games > 0);
        let outcomes: Vec<(Amount, u64)> = outcomes.map(|&(gain, games)| (gain, weight(games))).collect();
        (patron, outcomes, weight(1))
    });
    let weighted: Vec<_> = weighted.collect();
    [false, true].map(|best| {
        let with = |(patron, outcomes, games): &(&Patron, Vec<(Amount, u64)>, u64)| {
            let more = Amount::settled(if best { patron.reach.1 } else { patron.reach.0 });
            let outcomes = outcomes.iter().copied().chain([(more, *games)]).collect();
            Patron { outcomes, ..**patron }
        };
        weighted.iter().map(with).collect()
    })
}

/// Returns the patrons with one game added of each kind that samples may add.
fn with_extremes(patrons: &[Patron]) -> Vec<Patron> {
    let with = |patron: &Patron| {
        let extremes = [patron.reach.0, patron.reach.1].map(|gain| (Amount::settled(gain), 1));
        Patron { outcomes: patron.outcomes.iter().copied().chain(extremes).collect(), ..*patron }
    };
    patrons.iter().map(with).collect()
}

/// Accuracy of the computed distributions.
#[derive(Clone, Copy, Debug)]
struct Care {
    /// Maximum number of multiplications for each distribution.
    pub budget: f64,
    /// Probability that each deck may cut from each tail.
    tail: f64,
}

/// Accuracy for the measured games.
const EXACT: Care = Care { budget: 4e9, tail: 1e-16 };
/// Accuracy for bootstrap samples, of which there are many: the loss is far below their spread.
const AGAIN: Care = Care { budget: 5e7, tail: 1e-10 };

/// Probability of the worst nights reported.
const WORST: f64 = 0.01;

/// Maximum number of points in the course of a night, apart from the last deck.
const MOST_POINTS: u32 = 60;

/// Distribution of a night's profit, with each deck's gain drawn from one distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Mean and standard deviation of the house's gain on one deck, cents.
    mean: f64,
    sd: f64,
    /// The same for a deck of this night, in which patrons may buy other shares than in the long run.
    tonight: (f64, f64),
    /// Standard deviation of many decks, divided by the root of their number: more than `sd` if a player buys several
    /// in a row.
    spread: f64,
    /// Mean and standard deviation of the profit after the last deck, cents.
    whole: (f64, f64),
    /// Probability of a loss after the last deck.
    losing: f64,
    /// The 1% quantile of the profit, and the mean profit below it, cents.
    worst: f64,
    shortfall: f64,
    /// Number of decks after which the mean profit reaches its standard deviation.
    n0: f64,
    /// The adjustment coefficient per cent of money: see [`adjustment`]. 0 if the house does not gain.
    adjustment: f64,
    /// The bank for a risk of ruin of [`RISK`] over any number of such nights, cents.
    lasting_bank: f64,
    /// Probability of ruin with the given bank.
    ruin: f64,
    /// The bank for a risk of ruin of [`RISK`], cents.
    safe_bank: f64,
    /// Quantiles of the profit by deck, in the order of [`LEVELS`].
    fan: Vec<[f64; LEVELS.len()]>,
    /// Probability of ruin by bank.
    ruin_by_bank: Vec<f64>,
    /// Probability of each bin of the night's distribution.
    night: Vec<f64>,
    /// The coarser of the lattice steps in cents; `None` if all is exact.
    unit: Option<i64>,
}

/// Points at which distributions are evaluated: those of the measured games, so that samples can be compared.
#[derive(Clone, Debug, PartialEq, Default)]
struct Places {
    /// Banks, cents, ascending.
    pub banks: Vec<i64>,
    /// Borders of the night's bins, cents, ascending.
    pub borders: Vec<i64>,
}

/// Returns the numbers of decks at which the profit is reported: all in a short night, otherwise every second, fifth
/// and so on, and the last.
fn courses(decks: u32) -> Vec<u32> {
    let steps = [1, 2, 5, 10, 20, 25, 50, 100];
    let step = steps.into_iter().find(|step| decks / step <= MOST_POINTS).unwrap_or(100);
    (1..=decks).filter(|deck| deck % step == 0 || *deck == decks).collect()
}

/// Returns the adjustment coefficient R of nights of this many decks, per cent of money: the positive root of
/// E[exp(-R profit)] = 1. A house that continues forever, and checks its bank after each night, is ruined with a
/// probability of at most exp(-R bank) (Lundberg 1909; Asmussen and Albrecher, Ruin Probabilities, 2010, chapter IV).
/// It is 0 if the mean profit is not positive, and infinite if no deck can lose.
///
/// The second result is the extra bank for the same bound when ruin is checked after every deck. Within a night,
/// exp(-R profit) times the expected exp(-R profit) of the rest of the night is a martingale, so if `h` is the least
/// of these expectations, the bound needs -ln(h) / R more.
fn adjustment(visits: &Visits, decks: u32) -> (f64, f64) {
    if visits.night(decks).0 <= 0.0 {
        return (0.0, 0.0);
    }
    let losses = visits.kinds.iter().flat_map(|kind| &kind.gains).map(|&(gain, _)| -gain);
    let deepest = losses.max().unwrap_or(0);
    if deepest <= 0 {
        return (f64::INFINITY, 0.0);
    }
    // In units of the greatest loss, so that no power overflows below the root.
    let deck = |r: f64, kind: &Kind| -> f64 {
        let each = kind.gains.iter().map(|&(gain, p)| p * (-r * gain as f64 / deepest as f64).exp_m1());
        each.sum::<f64>().ln_1p()
    };
    let discount = |r: f64| match &visits.kinds[..] {
        [only] => (deck(r, only), 0.0),
        kinds => visits.discount(decks, &kinds.iter().map(|kind| deck(r, kind)).collect::<Vec<_>>()),
    };
    let mut high = 1.0;
    while discount(high).0 < 0.0 && high < 600.0 {
        high *= 2.0;
    }
    let mut low = 0.0;
    // A night of visits is slower to evaluate, and 60 steps match the accuracy of its sums.
    for _ in 0..if visits.kinds.len() > 1 { 60 } else { 200 } {
        let middle = (low + high) / 2.0;
        if discount(middle).0 < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let (r, more) = (low / deepest as f64, -discount(low).1);
    (r, if r > 0.0 { more / r } else { 0.0 })
}

/// Returns the probability that the house, before one of `decks` decks, has lost more than `reach` cents: the
/// distribution of its profit is computed deck by deck, and ruined paths are removed. Once `stop` is set, the result
/// is meaningless.
fn ruin(visits: &Visits, laid: &[Deck], (decks, reach): (u32, i64), tail: f64, stop: &AtomicBool) -> f64 {
    if reach < 0 {
        return 1.0;
    }
    let mut course = visits.course(Profit::new(tail));
    let mut ruined = 0.0;
    for _ in 1..decks {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        course.sell(|kind, profit| profit.play(&laid[kind]));
        for profit in course.places() {
            ruined += profit.absorb_below(-i128::from(reach));
        }
    }
    ruined.clamp(0.0, 1.0)
}

/// Computes the profit after this many decks, with the accuracy of the measured games.
pub(in crate::stats) fn exact_night(visits: &Visits, decks: u32, tail: f64) -> Profit {
    let laid = for_sums(visits, Steps::within(EXACT.budget, visits, decks).sums);
    let mut course = visits.course(Profit::new(tail));
    for _ in 0..decks {
        course.sell(|kind, profit| profit.play(&laid[kind]));
    }
    course.whole()
}

impl Figures {
    /// Computes the figures of `question` for these visits, at the given points. Once `stop` is set, the result is
    /// meaningless.
    fn new(question: &Question, visits: &Visits, places: &Places, care: Care, stop: &AtomicBool) -> Figures {
        let steps = Steps::within(care.budget, visits, question.decks);
        Figures::on(question, visits, (places, steps), care, stop)
    }

    /// Computes the figures with gains placed on given lattices.
    fn on(
        question: &Question,
        visits: &Visits,
        (places, steps): (&Places, Steps),
        care: Care,
        stop: &AtomicBool,
    ) -> Figures {
        let (mean, sd) = moments(&visits.deck);
        let decks = question.decks;
        let whole = visits.night(decks);
        let sums = for_sums(visits, steps.sums);
        let lows = Lows::new(&visits.kinds, &on_multiples(visits, steps.lows), decks, care.tail, stop);
        let reach = question.bank - question.greatest_loss;
        let (points, mut fan) = (courses(decks), Vec::new());
        let mut course = visits.course(Profit::new(care.tail));
        for sold in 1..=decks {
            course.sell(|kind, profit| profit.play(&sums[kind]));
            if stop.load(Ordering::Relaxed) {
                fan.resize(points.len(), [0.0; LEVELS.len()]);
                break;
            }
            if points.get(fan.len()) == Some(&sold) {
                fan.push(course.whole().quantiles(LEVELS));
            }
        }
        let profit = course.whole();
        let mut night = vec![0.0; places.borders.len().saturating_sub(1)];
        for (at, chance) in profit.iter() {
            let after = places.borders.partition_point(|&border| i128::from(border) <= at);
            if let Some(part) = after.checked_sub(1).and_then(|part| night.get_mut(part)) {
                *part += chance;
            }
        }
        let [worst] = profit.quantiles([WORST]);
        let banks = places.banks.iter();
        let (adjustment, more) = adjustment(visits, decks);
        let lasting_bank = match adjustment {
            f64::INFINITY => 0.0,
            r => question.greatest_loss.max(0) as f64 - RISK.ln() / r + more,
        };
        Figures {
            mean,
            sd,
            tonight: visits.deck_of_night(decks),
            spread: visits.spread(),
            whole,
            losing: profit.below_zero(),
            worst,
            shortfall: profit.mean_of_worst(WORST),
            n0: visits.n0(),
            adjustment,
            lasting_bank,
            // For the measured games, ruined paths are removed deck by deck, which is exact at any price.
            ruin: match care.tail <= EXACT.tail {
                true => ruin(visits, &sums, (decks, reach), care.tail, stop),
                false => lows.deeper(reach),
            },
            safe_bank: (lows.reach_for(RISK) + question.greatest_loss).max(0) as f64,
            fan,
            ruin_by_bank: banks.map(|bank| lows.deeper(bank - question.greatest_loss)).collect(),
            night,
            unit: steps.sums.max(steps.lows),
        }
    }

    /// Corrects the figures of a sample for its coarse lattice, using the error of the measured games: `rough` are
    /// their figures on the same lattice, `fine` the exact ones.
    fn refined(self, rough: &Figures, fine: &Figures) -> Figures {
        let sum = |of: &dyn Fn(&Figures) -> f64| of(&self) + of(fine) - of(rough);
        let chance = |of: &dyn Fn(&Figures) -> f64| moved(of(&self), of(rough), of(fine));
        Figures {
            losing: chance(&|it| it.losing),
            worst: sum(&|it| it.worst),
            shortfall: sum(&|it| it.shortfall),
            ruin: chance(&|it| it.ruin),
            safe_bank: sum(&|it| it.safe_bank).max(0.0),
            fan: (0..self.fan.len()).map(|i| std::array::from_fn(|q| sum(&|it| it.fan[i][q]))).collect(),
            ruin_by_bank: (0..self.ruin_by_bank.len()).map(|i| chance(&|it| it.ruin_by_bank[i])).collect(),
            night: (0..self.night.len()).map(|i| chance(&|it| it.night[i])).collect(),
            ..self
        }
    }
}

/// Moves a probability by the change in log odds from `from` to `to`; leaves it unchanged if either of these is
/// certain.
fn moved(chance: f64, from: f64, to: f64) -> f64 {
    let odds = |p: f64| p / (1.0 - p);
    let new = odds(chance) * odds(to) / odds(from);
    if new.is_finite() && new > 0.0 { new / (1.0 + new) } else { chance }
}

#[cfg(test)]
mod tests;
