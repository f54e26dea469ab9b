//! A night's results against the players who may have come.

use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::cards::Seed;
use crate::players::Patron;
use crate::rules::{Casino, Rules, Spec};
use crate::stats::{
    Estimate, Estimated, House, Inquest, NightRow, Posterior, Suspect, Tally, inquire, payout,
};

use super::batch::{BatchError, Matchup};
use super::measure::{measure, own_games};
use super::workers::Workers;

/// A night, and who may have come.
pub struct Inquiry<'a> {
    /// The ruleset, with a price above 0 that is not bought in stages.
    pub rules: &'a Rules,
    /// Its name or path, as the person wrote it.
    pub named: &'a str,
    /// Who may have come, with the shares of decks that they are expected to buy.
    pub patrons: &'a [Patron],
    /// Games that measure a player, and one who searches.
    pub games: (u64, u64),
    /// The file of the night.
    pub night: String,
    /// Its results.
    pub results: Vec<NightRow>,
    /// The expected shares weigh as much as this number of decks.
    pub prior_decks: u64,
    /// The error rate of the tests.
    pub alpha: f64,
    /// The seed of all games and draws.
    pub seed: Seed,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

impl Inquiry<'_> {
    /// Games of a player.
    pub fn games_of(&self, patron: &Patron) -> u64 {
        match patron.strategy.instantiate().is_slow() {
            true => self.games.0.min(self.games.1),
            false => self.games.0,
        }
    }
}

/// A player who may have come.
#[derive(Clone, Debug, Serialize)]
pub struct NightPlayer {
    /// What it is called: by its strategy, unless a file says otherwise.
    pub name: String,
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// The share of the decks that it is expected to buy.
    pub share_expected: f64,
    /// Decks that each of its kind buys in a row, which the night is not asked about.
    pub decks_each: u32,
    /// The share after the night.
    pub share: Posterior,
    /// The edge against it alone.
    pub edge: Option<Estimate>,
    /// Its games.
    pub tally: Tally,
}

/// What a night says.
#[derive(Clone, Debug, Serialize)]
pub struct NightEstimate {
    /// The terms of the casino.
    #[serde(skip)]
    pub casino: Casino,
    /// The price of a deck, cents.
    pub price: i64,
    /// Sign or name of the money.
    pub currency: String,
    /// The file of the night.
    pub night: String,
    /// Its results; money in cents.
    pub results: Vec<NightRow>,
    /// The expected shares weigh as much as this number of decks.
    pub prior_decks: u64,
    /// The error rate of the tests.
    pub alpha: f64,
    /// Who may have come.
    pub players: Vec<NightPlayer>,
    /// The answers.
    #[serde(flatten)]
    pub found: Estimated,
    /// It was stopped before all games were played.
    #[serde(skip)]
    pub interrupted: bool,
}

/// Measures every player, and asks what the night says of them; until `stop` is set, when it is asked of the games so far.
/// `None` where not every player has played a game.
///
/// # Errors
/// The first fault of a strategy.
pub fn estimate(
    asked: Inquiry<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u64),
) -> Result<Option<NightEstimate>, BatchError> {
    let games: Vec<u64> = asked.patrons.iter().map(|it| asked.games_of(it)).collect();
    let most = games.iter().copied().max().unwrap_or(0);
    let (mut tallies, mut before, mut interrupted) = (Vec::new(), 0, false);
    for (number, (patron, games)) in asked.patrons.iter().zip(games).enumerate() {
        let make = || patron.strategy.instantiate();
        let entry = Matchup { id: asked.named, rules: asked.rules, strategy: &make };
        let games = own_games(number, most, games);
        let played =
            measure(entry, games, (asked.seed, asked.workers), stop, |so_far| told(before + so_far.games))?;
        before += played.tally.games();
        interrupted |= played.interrupted;
        tallies.push(played.tally);
    }
    if tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(None);
    }
    let spec = asked.rules.spec();
    let pays = pays(spec);
    let suspect = |(patron, tally): (&Patron, &Tally)| {
        let histogram = tally.histogram().to_vec();
        let sum: f64 = histogram.iter().zip(&pays).map(|(games, pay)| *games as f64 * *pay as f64).sum();
        // What a deck pays back is less by the fees.
        let fees = sum / tally.games() as f64 - House::new(tally, &spec.casino).payout().value;
        Suspect { histogram, fees, share: patron.share.fraction() }
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
        asked.patrons.iter().zip(tallies).zip(&found.shares).map(|((patron, tally), share)| NightPlayer {
            name: patron.name.clone(),
            strategy: patron.strategy.name().into(),
            share_expected: patron.share.fraction(),
            decks_each: patron.decks_each,
            share: *share,
            edge: House::new(&tally, &spec.casino).edge(),
            tally,
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

/// What a deck pays for each number of cards, cents.
pub(super) fn pays(spec: &Spec) -> Vec<i64> {
    let all = spec.cards();
    (0..=all).map(|cards| payout(&spec.casino, cards, all)).collect()
}
