//! Input of a night: its decks, bank and patrons.

use crate::cards::{Purpose, Seed, generator};
use crate::rules::{Casino, StageAt};
use crate::stats::casino::Outcomes;
use crate::stats::casino::payout;
use crate::stats::profit::merged;

use rand_distr::{Distribution, Gamma};

/// Probabilities of the quantiles of the profit.
pub const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// The risk of ruin for which the bank is computed.
pub(super) const RISK: f64 = 0.01;

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

/// Patrons of one kind, and the house's gains in their games.
#[derive(Clone, Debug, PartialEq)]
pub struct Patron {
    /// Share of decks that they buy, above 0.
    pub share: f64,
    /// Their games, independent of those of all other patrons.
    pub outcomes: Vec<Outcomes>,
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
        let games: u64 = patron.outcomes.iter().map(|it| it.games).sum();
        for it in patron.outcomes.iter().filter(|it| it.games > 0) {
            let chance = patron.share / whole * it.games as f64 / games as f64;
            gains.push((it.gains[way], chance));
        }
    }
    merged(gains)
}

/// Resolution of a game's weight.
const PARTS: f64 = 1e6;

/// Draws a bootstrap sample: the same patrons with random weights for their games (Dirichlet: the Bayesian bootstrap,
/// Rubin 1981), and with one more game, which in the first result costs the house the most, in the second earns it
/// the most. So an unobserved outcome counts as possible, as in the intervals of a [`Sample`](crate::stats::Sample).
pub(super) fn drawn_again(patrons: &[Patron], seed: Seed, number: u64) -> [Vec<Patron>; 2] {
    let mut rng = generator(seed, number, Purpose::Bootstrap);
    let mut weight = |games: u64| match Gamma::new(games as f64, 1.0) {
        Ok(gamma) => (gamma.sample(&mut rng) * PARTS).round() as u64,
        Err(_) => 0,
    };
    let weighted = patrons.iter().map(|patron| {
        let outcomes = patron.outcomes.iter().filter(|it| it.games > 0);
        let outcomes: Vec<Outcomes> =
            outcomes.map(|it| Outcomes { games: weight(it.games), ..*it }).collect();
        (patron, outcomes, weight(1))
    });
    let weighted: Vec<_> = weighted.collect();
    [false, true].map(|best| {
        let with = |(patron, outcomes, games): &(&Patron, Vec<Outcomes>, u64)| {
            let more =
                Outcomes { gains: [if best { patron.reach.1 } else { patron.reach.0 }; 3], games: *games };
            let outcomes = outcomes.iter().copied().chain([more]).collect();
            Patron { outcomes, ..**patron }
        };
        weighted.iter().map(with).collect()
    })
}

/// Returns the patrons with one game added of each kind that samples may add.
pub(super) fn with_extremes(patrons: &[Patron]) -> Vec<Patron> {
    let with = |patron: &Patron| {
        let extremes = [patron.reach.0, patron.reach.1].map(|gain| Outcomes { gains: [gain; 3], games: 1 });
        Patron { outcomes: patron.outcomes.iter().copied().chain(extremes).collect(), ..*patron }
    };
    patrons.iter().map(with).collect()
}
