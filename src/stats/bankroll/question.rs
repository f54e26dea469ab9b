//! What is asked of a night, and of whom.

use crate::cards::{Purpose, Seed, generator};
use crate::rules::{Casino, StageAt};
use crate::stats::casino::Outcomes;
use crate::stats::payout::payout;
use crate::stats::profit::merged;

use rand_distr::{Distribution, Gamma};

/// Probabilities of the quantiles of the profit.
pub const LEVELS: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// The risk of ruin for which a bank is looked for.
pub(super) const RISK: f64 = 0.01;

/// A night of a house: this many decks, by players drawn by the shares of the patrons. A player who buys several decks
/// plays them one after the other.
///
/// The house is ruined when, before some deck, it cannot cover the maximum payout: when its bank with the price of that
/// deck added is less than the most that a deck can pay. So the last deck's payment ruins nobody, as no deck follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Decks sold, at least 1.
    pub decks: u32,
    /// The bank before the first, cents.
    pub bank: i64,
    /// The most that the house can lose of one deck, cents: see [`greatest_loss`].
    pub greatest_loss: i64,
    /// The price of a deck, cents; `None` where it is free or bought in stages.
    pub price: Option<i64>,
}

/// The most that the house can lose of one deck of `all` cards, cents: the greatest payout less the price, or where that
/// is bought in stages, less those that are bought before cards are paid for.
pub fn greatest_loss(casino: &Casino, all: usize) -> i64 {
    let most = (0..=all).map(|cards| payout(casino, cards, all)).max().unwrap_or(0);
    let steps = StageAt::ALL.into_iter().filter(|at| at.of_the_hand()).filter_map(|at| casino.stage(at));
    most.saturating_sub(if casino.is_staged() { steps.map(|stage| stage.cost).sum() } else { casino.stake })
}

/// Players of one kind, and what the house gained of their games.
#[derive(Clone, Debug, PartialEq)]
pub struct Patron {
    /// The share of decks that they buy, above 0.
    pub share: f64,
    /// Their games, which no other patron's games hang together with.
    pub outcomes: Vec<Outcomes>,
    /// The least and the most that the house can gain of a deck, cents, whether it was seen or not.
    pub reach: (i64, i64),
    /// Decks that each of them buys, one after the other, at least 1.
    pub decks_each: u32,
}

/// The distribution of what the house gains of a deck, with undecided games counted in one of three ways: cents, each
/// with its probability, ascending. Empty without games.
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

/// Parts of a game that weights are counted in.
const PARTS: f64 = 1e6;

/// The same patrons with random weights in place of the numbers of their games (Dirichlet: the Bayesian bootstrap, Rubin
/// 1981), and with one more game: in the first the one that costs the house most, in the second the one that brings it most.
/// So what no game has shown yet is not taken for impossible, as in the intervals of a [`Sample`](crate::stats::Sample).
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

/// The same patrons with a game of each kind that samples may add.
pub(super) fn with_extremes(patrons: &[Patron]) -> Vec<Patron> {
    let with = |patron: &Patron| {
        let extremes = [patron.reach.0, patron.reach.1].map(|gain| Outcomes { gains: [gain; 3], games: 1 });
        Patron { outcomes: patron.outcomes.iter().copied().chain(extremes).collect(), ..*patron }
    };
    patrons.iter().map(with).collect()
}
