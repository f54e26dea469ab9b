//! The figures of a night, from the distribution of what the house gains of one deck.

use std::sync::atomic::{AtomicBool, Ordering};

use super::lattice::{Steps, for_sums, on_multiples};
use super::lows::Lows;
use super::question::{LEVELS, Question, RISK};
use super::visits::{Kind, Visits};
use crate::stats::profit::{Deck, Profit, moments};

/// How the distributions are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Care {
    /// Multiplications that each of them may take.
    pub budget: f64,
    /// Probability that may be cut from each tail at each deck.
    tail: f64,
}

/// For the measured games themselves.
pub(super) const EXACT: Care = Care { budget: 4e9, tail: 1e-16 };
/// For samples drawn again from them, which are many: what is lost is far below their spread.
pub(super) const AGAIN: Care = Care { budget: 5e7, tail: 1e-10 };

/// A night in a hundred is as bad as the worst nights reported.
const WORST: f64 = 0.01;

/// Most decks of a course, but for the last.
const MOST_POINTS: u32 = 60;

/// Distribution of a night's profit, where each deck's gain is drawn from one distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Figures {
    /// Mean and standard deviation of what the house gains of one deck, cents.
    pub(super) mean: f64,
    pub(super) sd: f64,
    /// The same of a deck of this night, in which patrons may buy other shares than in the long run.
    pub(super) tonight: (f64, f64),
    /// Standard deviation of many decks, divided by the root of their number: more than `sd` where one player plays several.
    pub(super) spread: f64,
    /// Mean and standard deviation of the profit after the last deck, cents.
    pub(super) whole: (f64, f64),
    /// Probability of having lost money after the last deck.
    pub(super) losing: f64,
    /// The profit that one night in a hundred stays below, and the mean of such nights, cents.
    pub(super) worst: f64,
    pub(super) shortfall: f64,
    /// The decks after which the mean profit reaches its standard deviation.
    pub(super) n0: f64,
    /// The adjustment coefficient per cent of money: see [`adjustment`]. 0 where the house does not gain.
    pub(super) adjustment: f64,
    /// The bank for a risk of ruin of [`RISK`] in any number of such nights, cents.
    pub(super) lasting_bank: f64,
    /// Probability of ruin with the bank asked for.
    pub(super) ruin: f64,
    /// The bank for the risk of ruin of [`RISK`], cents.
    pub(super) safe_bank: f64,
    /// Quantiles of the profit by deck, in the order of [`LEVELS`].
    pub(super) fan: Vec<[f64; LEVELS.len()]>,
    /// Probability of ruin by bank.
    pub(super) ruin_by_bank: Vec<f64>,
    /// Probability of each part of the distribution of the night.
    pub(super) night: Vec<f64>,
    /// The coarser of the steps in cents on which gains were shared out; `None` if all is exact.
    pub(super) unit: Option<i64>,
}

/// Where a distribution is looked at: fixed by the measured games, so that samples of them can be compared.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Places {
    /// Banks, cents, ascending.
    pub banks: Vec<i64>,
    /// Borders of the parts of the night, cents, ascending.
    pub borders: Vec<i64>,
}

/// The decks after which the profit is reported: all of a short night, else every second, fifth and so on, and the last.
pub(super) fn courses(decks: u32) -> Vec<u32> {
    let steps = [1, 2, 5, 10, 20, 25, 50, 100];
    let step = steps.into_iter().find(|step| decks / step <= MOST_POINTS).unwrap_or(100);
    (1..=decks).filter(|deck| deck % step == 0 || *deck == decks).collect()
}

/// The adjustment coefficient R of nights of this many decks, per cent of money: the number above 0 with E[exp(-R profit)] = 1. A
/// house that goes on for ever, and looks at its bank after each night, is ruined with a probability of at most exp(-R bank)
/// (Lundberg 1909; Asmussen and Albrecher, Ruin Probabilities, 2010, chapter IV). 0 where the mean profit is not above 0, infinite
/// where no deck loses.
///
/// Beside it stands how much more bank the same bound takes after any deck: within a night exp(-R profit) times the expected
/// exp(-R profit) of what is left of it is a martingale, so that the least of these expectations, `h`, takes -ln(h) / R more.
pub(super) fn adjustment(visits: &Visits, decks: u32) -> (f64, f64) {
    if visits.night(decks).0 <= 0.0 {
        return (0.0, 0.0);
    }
    let losses = visits.kinds.iter().flat_map(|kind| &kind.gains).map(|&(gain, _)| -gain);
    let deepest = losses.max().unwrap_or(0);
    if deepest <= 0 {
        return (f64::INFINITY, 0.0);
    }
    // In units of the greatest loss, so that no power overflows before the root is passed.
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
    // A night of visits takes longer, and 60 steps are as fine as its sums are.
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

/// The probability that the house at some time before one of `decks` decks has lost more than `reach` cents: the
/// distribution of its profit, deck by deck, from which ruin is taken away as it comes. Once `stop` is set it gives up,
/// and what it says is of no use.
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

/// The profit after this many decks, as finely as for the measured games.
pub(in crate::stats) fn exact_night(visits: &Visits, decks: u32, tail: f64) -> Profit {
    let laid = for_sums(visits, Steps::within(EXACT.budget, visits, decks).sums);
    let mut course = visits.course(Profit::new(tail));
    for _ in 0..decks {
        course.sell(|kind, profit| profit.play(&laid[kind]));
    }
    course.whole()
}

impl Figures {
    /// The figures of `question` for these visits; and the same at other places. Once
    /// `stop` is set it gives up, and what it says is of no use.
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

    /// Those with gains shared out on given steps.
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
            // Of the measured games, by taking ruin away deck by deck, which is exact at any price.
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

    /// The figures of a sample without the error of its steps, which is as large as that of the measured games: `rough` on the
    /// same steps, `fine` without them.
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

/// A probability whose odds are moved as those of `from` are to be those of `to`; as it is where one of these is for certain.
fn moved(chance: f64, from: f64, to: f64) -> f64 {
    let odds = |p: f64| p / (1.0 - p);
    let new = odds(chance) * odds(to) / odds(from);
    if new.is_finite() && new > 0.0 { new / (1.0 + new) } else { chance }
}
