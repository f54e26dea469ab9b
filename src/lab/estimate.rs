//! Estimates of the mix of players from the results of a night.

use serde::Serialize;

use crate::cards::Seed;
use crate::rules::{Casino, Rules, Spec};
use crate::stats::{
    Estimate, Estimated, House, Inquest, NightRow, Posterior, Suspect, Tally, inquire, payout,
};

use super::bankroll::Buyer;
use super::batch::{BatchError, measure, own_games};
use super::blocks::Workers;

/// Results of a night, and the players who may have been there.
pub struct Inquiry<'a> {
    /// The ruleset, with a price above 0; its stake is not bought in stages.
    pub rules: &'a Rules,
    /// Its name or path, as the user wrote it.
    pub named: &'a str,
    /// The possible players, with the share of decks that each is expected to buy.
    pub patrons: &'a [Buyer],
    /// The file of results.
    pub night: String,
    /// The results.
    pub results: Vec<NightRow>,
    /// Weight of the expected shares, in decks.
    pub prior_decks: u64,
    /// Error rate of the tests.
    pub alpha: f64,
    /// The seed of all games and draws.
    pub seed: Seed,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// A possible player of the night.
#[derive(Clone, Debug, Serialize)]
pub struct NightPlayer {
    /// Name of the player: that of its strategy, unless a file says otherwise.
    pub name: String,
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Share of the decks that it is expected to buy.
    pub share_expected: f64,
    /// Decks that each player of this kind buys in a row, which this estimate ignores.
    pub decks_each: u32,
    /// Posterior of its share.
    pub share: Posterior,
    /// House edge against it alone.
    pub edge: Option<Estimate>,
    /// Its games.
    pub tally: Tally,
}

/// Conclusions from the results of a night.
#[derive(Clone, Debug, Serialize)]
pub struct NightEstimate {
    /// The terms of the casino.
    #[serde(skip)]
    pub casino: Casino,
    /// The price of a deck, cents.
    pub price: i64,
    /// Sign or name of the money.
    pub currency: String,
    /// The file of results.
    pub night: String,
    /// The results; money in cents.
    pub results: Vec<NightRow>,
    /// Weight of the expected shares, in decks.
    pub prior_decks: u64,
    /// Error rate of the tests.
    pub alpha: f64,
    /// The possible players.
    pub players: Vec<NightPlayer>,
    /// The estimates.
    #[serde(flatten)]
    pub found: Estimated,
    /// Whether the run was stopped before all games were played.
    #[serde(skip)]
    pub interrupted: bool,
}

/// Measures every player, then estimates the mix from the night's results; `None` if some player has not played a game.
pub fn estimate(asked: Inquiry<'_>, told: &mut dyn FnMut(u64)) -> Result<Option<NightEstimate>, BatchError> {
    let most = asked.patrons.iter().map(|it| it.games).max().unwrap_or(0);
    let (mut tallies, mut before, mut interrupted) = (Vec::new(), 0, false);
    for (number, patron) in asked.patrons.iter().enumerate() {
        let entry = patron.under(asked.named, asked.rules);
        let games = own_games(number, most, patron.games);
        let tally = measure(entry, games, (asked.seed, asked.workers), |so_far| told(before + so_far.games))?;
        before += tally.games();
        interrupted |= tally.games() < patron.games;
        tallies.push(tally);
    }
    if tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(None);
    }
    let spec = asked.rules.spec();
    let pays = pays(spec);
    let suspect = |(patron, tally): (&Buyer, &Tally)| {
        let histogram = tally.histogram().to_vec();
        let sum: f64 = histogram.iter().zip(&pays).map(|(games, pay)| *games as f64 * *pay as f64).sum();
        // The net payment of a deck is reduced by the fees.
        let fees = sum / tally.games() as f64 - House::new(tally, &spec.casino).payout().value;
        Suspect { histogram, fees, share: patron.share }
    };
    let suspects: Vec<Suspect> = asked.patrons.iter().zip(&tallies).map(suspect).collect();
    let found = inquire(&Inquest {
        results: &asked.results,
        suspects: &suspects,
        pays: &pays,
        price: spec.casino.stake,
        weight: asked.prior_decks as f64,
        alpha: asked.alpha,
        seed: asked.seed,
    });
    let Some(found) = found else { return Ok(None) };
    let players =
        asked.patrons.iter().zip(tallies).zip(&found.after.shares).map(|((patron, tally), share)| {
            NightPlayer {
                name: patron.name.clone(),
                strategy: patron.strategy.name().into(),
                share_expected: patron.share,
                decks_each: patron.decks_each,
                share: *share,
                edge: House::new(&tally, &spec.casino).edge(),
                tally,
            }
        });
    Ok(Some(NightEstimate {
        price: spec.casino.stake,
        currency: spec.casino.currency.clone(),
        players: players.collect(),
        night: asked.night,
        results: asked.results,
        prior_decks: asked.prior_decks,
        alpha: asked.alpha,
        found,
        interrupted,
        casino: spec.casino.clone(),
    }))
}

pub(super) fn pays(spec: &Spec) -> Vec<i64> {
    let all = spec.cards();
    (0..=all).map(|cards| payout(&spec.casino, cards, all)).collect()
}
