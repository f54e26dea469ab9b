//! A night's results against the players who may have come.

use std::sync::atomic::AtomicBool;

use crate::cards::Seed;
use crate::rules::{Rules, Spec};
use crate::stats::{Estimated, House, Inquest, NightRow, Suspect, Tally, inquire, payout};

use super::batch::{BatchError, Pairing};
use super::contests::MakeStrategy;
use super::measure::{measure, own_games};
use super::workers::Workers;

/// A kind of players that may have come.
#[derive(Clone, Copy)]
pub struct EstimatePlayer<'a> {
    /// Makes the strategy, once for each thread.
    pub strategy: MakeStrategy<'a>,
    /// The share of the decks that it is expected to buy.
    pub share: f64,
    /// Games that are played to measure it.
    pub games: u64,
}

/// What is asked of a night.
pub struct EstimateBatch<'a> {
    /// The ruleset, with a price above 0 that is not bought in stages.
    pub rules: &'a Rules,
    /// Its name or path, as the person wrote it.
    pub named: &'a str,
    /// Who may have come.
    pub players: &'a [EstimatePlayer<'a>],
    /// The night.
    pub results: &'a [NightRow],
    /// See [`Inquest::weight`].
    pub weight: f64,
    /// See [`Inquest::alpha`].
    pub alpha: f64,
    /// The seed of all games and draws.
    pub seed: Seed,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct EstimateFinished {
    /// Games by player, in their order.
    pub tallies: Vec<Tally>,
    /// What the night says; `None` where not every player has played a game.
    pub found: Option<Estimated>,
    /// It was stopped before all games were played.
    pub interrupted: bool,
}

/// Measures every player, and asks what the night says of them; until `stop` is set, when it is asked of the games so far.
///
/// # Errors
/// The first fault of a strategy.
pub fn estimate(
    batch: &EstimateBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<EstimateFinished, BatchError> {
    let most = batch.players.iter().map(|it| it.games).max().unwrap_or(0);
    let mut finished = EstimateFinished { tallies: Vec::new(), found: None, interrupted: false };
    let mut before = 0;
    for (number, player) in batch.players.iter().enumerate() {
        let entry = Pairing { id: batch.named, rules: batch.rules, strategy: player.strategy };
        let games = own_games(number, most, player.games);
        let played =
            measure(entry, games, (batch.seed, batch.workers), stop, |so_far| told(before + so_far.games))?;
        before += played.tally.games();
        finished.interrupted |= played.interrupted;
        finished.tallies.push(played.tally);
    }
    if finished.tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(finished);
    }
    let spec = batch.rules.spec();
    let pays = pays(spec);
    let suspect = |(player, tally): (&EstimatePlayer<'_>, &Tally)| {
        let histogram = tally.histogram().to_vec();
        let sum: f64 = histogram.iter().zip(&pays).map(|(games, pay)| *games as f64 * *pay as f64).sum();
        // What a deck pays back is less by the fees.
        let fees = sum / tally.games() as f64 - House::new(tally, &spec.casino).payout().value;
        Suspect { histogram, fees, share: player.share }
    };
    let suspects: Vec<Suspect> = batch.players.iter().zip(&finished.tallies).map(suspect).collect();
    finished.found = inquire(&Inquest {
        results: batch.results,
        suspects: &suspects,
        pays: &pays,
        price: spec.casino.stake,
        weight: batch.weight,
        alpha: batch.alpha,
        seed: batch.seed,
    });
    Ok(finished)
}

/// What a deck pays for each number of cards, cents.
pub(super) fn pays(spec: &Spec) -> Vec<i64> {
    let all = spec.cards();
    (0..=all).map(|cards| payout(&spec.casino, cards, all)).collect()
}
