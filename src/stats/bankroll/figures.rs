//! Figures of a night, from the distribution of the house's gain on one deck.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use super::lattice::{Steps, for_sums, on_multiples};
use super::lows::Lows;
use super::question::{LEVELS, Question, RISK};
use super::visits::{Kind, Visits};
use crate::stats::profit::{Deck, Profit, moments};

/// Accuracy of the computed distributions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Care {
    /// Maximum number of multiplications for each distribution.
    pub budget: f64,
    /// Probability that each deck may cut from each tail.
    tail: f64,
}

/// Accuracy for the measured games.
pub(super) const EXACT: Care = Care { budget: 4e9, tail: 1e-16 };
/// Accuracy for bootstrap samples, of which there are many: the loss is far below their spread.
pub(super) const AGAIN: Care = Care { budget: 5e7, tail: 1e-10 };

/// Probability of the worst nights reported.
const WORST: f64 = 0.01;

/// Maximum number of points in the course of a night, apart from the last deck.
const MOST_POINTS: u32 = 60;

/// Distribution of a night's profit, with each deck's gain drawn from one distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Mean and standard deviation of the house's gain on one deck, cents.
    pub(super) mean: f64,
    pub(super) sd: f64,
    /// The same for a deck of this night, in which patrons may buy other shares than in the long run.
    pub(super) tonight: (f64, f64),
    /// Standard deviation of many decks, divided by the root of their number: more than `sd` if a player buys several
    /// in a row.
    pub(super) spread: f64,
    /// Mean and standard deviation of the profit after the last deck, cents.
    pub(super) whole: (f64, f64),
    /// Probability of a loss after the last deck.
    pub(super) losing: f64,
    /// The 1% quantile of the profit, and the mean profit below it, cents.
    pub(super) worst: f64,
    pub(super) shortfall: f64,
    /// Number of decks after which the mean profit reaches its standard deviation.
    pub(super) n0: f64,
    /// The adjustment coefficient per cent of money: see [`adjustment`]. 0 if the house does not gain.
    pub(super) adjustment: f64,
    /// The bank for a risk of ruin of [`RISK`] over any number of such nights, cents.
    pub(super) lasting_bank: f64,
    /// Probability of ruin with the given bank.
    pub(super) ruin: f64,
    /// The bank for a risk of ruin of [`RISK`], cents.
    pub(super) safe_bank: f64,
    /// Quantiles of the profit by deck, in the order of [`LEVELS`].
    pub(super) fan: Vec<[f64; LEVELS.len()]>,
    /// Probability of ruin by bank.
    pub(super) ruin_by_bank: Vec<f64>,
    /// Probability of each bin of the night's distribution.
    pub(super) night: Vec<f64>,
    /// The coarser of the lattice steps in cents; `None` if all is exact.
    pub(super) unit: Option<i64>,
}

/// Points at which distributions are evaluated: those of the measured games, so that samples can be compared.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Places {
    /// Banks, cents, ascending.
    pub banks: Vec<i64>,
    /// Borders of the night's bins, cents, ascending.
    pub borders: Vec<i64>,
}

/// Returns the numbers of decks at which the profit is reported: all in a short night, otherwise every second, fifth
/// and so on, and the last.
pub(super) fn courses(decks: u32) -> Vec<u32> {
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
pub(super) fn adjustment(visits: &Visits, decks: u32) -> (f64, f64) {
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
pub(super) fn ruin(
    visits: &Visits,
    laid: &[Deck],
    (decks, reach): (u32, i64),
    tail: f64,
    stop: &AtomicBool,
) -> f64 {
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
    pub(super) fn new(
        question: &Question,
        visits: &Visits,
        places: &Places,
        care: Care,
        stop: &AtomicBool,
    ) -> Figures {
        let steps = Steps::within(care.budget, visits, question.decks);
        Figures::on(question, visits, (places, steps), care, stop)
    }

    /// Computes the figures with gains placed on given lattices.
    pub(super) fn on(
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
    pub(super) fn refined(self, rough: &Figures, fine: &Figures) -> Figures {
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
