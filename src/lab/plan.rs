//! A plan: a price for a mix of patrons, what nights at that price bring, and what the best players cost.
//!
//! The price is found on games of its own. The games that the figures are of are played after it, at that price.

use std::sync::atomic::AtomicBool;

use crate::cards::Seed;
use crate::diagnostic::Diagnostic;
use crate::rules::{Change, Loaded, vary};
use crate::stats::{
    Band, Bankroll, House, MostCards, Patron, PayRow, Question, RoundPrice, Season, Tally, bands,
    greatest_loss, pay_table, round_price, season, shares_of_night,
};

use super::bankroll::{BankrollBatch, BankrollStep, bankroll};
use super::batch::{BatchError, Pairing};
use super::clairvoyant::{ClairvoyantBatch, clairvoyant_bounds};
use super::contests::MakeStrategy;
use super::measure::{Measured, measure, own_games};
use super::solve::{SolveError, solvable};
use super::workers::Workers;

/// The price is found with one game for so many that are played at it.
pub const PILOT: u64 = 2;

/// Decks that a planned night has at most.
pub const MOST_DECKS: u64 = 5_000;
/// Nights that a planned season has at most.
pub const MOST_NIGHTS: u64 = 1_000;

/// Cents that change hands in a night at most: time and memory grow with them.
pub const MOST_MONEY: u64 = 50_000_000_000;

/// A player of the plan.
#[derive(Clone, Copy)]
pub struct PlanPlayer<'a> {
    /// Makes the strategy, once for each thread.
    pub strategy: MakeStrategy<'a>,
    /// The share of the decks that it buys; 0 for a player who is only measured.
    pub share: f64,
    /// Decks that each of its kind buys in a row.
    pub decks_each: u32,
    /// Games at the price, at least 1.
    pub games: u64,
}

/// What a plan is made of.
pub struct PlanBatch<'a> {
    /// The ruleset, whose stake is not bought in stages.
    pub loaded: &'a Loaded,
    /// Its name or path, as the person wrote it.
    pub named: &'a str,
    /// Patrons, then players who are only measured.
    pub players: &'a [PlanPlayer<'a>],
    /// The price, cents; `None` to find one.
    pub price: Option<i64>,
    /// The range in which the edge of a night should be.
    pub target: (f64, f64),
    /// The price is a whole multiple of this, cents, above 0.
    pub round: i64,
    /// Decks sold in a night.
    pub decks: u32,
    /// The bank before the first night, cents.
    pub bank: i64,
    /// Nights of a season.
    pub nights: u32,
    /// Samples drawn again for the intervals.
    pub replicates: u64,
    /// Deals that are solved for a player who knows every card, 0 for none; and positions looked at in each.
    pub known: (u64, u64),
    /// The seed of all games.
    pub seed: Seed,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// Where a plan is.
#[derive(Clone, Copy, Debug)]
pub enum PlanStep {
    /// Games so far, of all players.
    Games(u64),
    /// Deals that were solved.
    Solved(u64),
    /// Samples drawn again.
    Samples(u64),
}

/// What came of a plan.
#[derive(Clone, Debug)]
pub struct PlanFinished {
    /// The ruleset at the price.
    pub sold: Loaded,
    /// The price that was found; `None` where one was given.
    pub offer: Option<RoundPrice>,
    /// Games by player, in their order.
    pub tallies: Vec<Tally>,
    /// What a night comes to.
    pub bankroll: Bankroll,
    /// The return over so many decks.
    pub bands: Vec<Band>,
    /// What is paid for how many cards, and how often.
    pub pay_table: Vec<PayRow>,
    /// What a season comes to.
    pub season: Season,
    /// What a player gains who knows every card, and of how many deals; `None` where it was not asked, or cannot be known.
    pub known: Option<(u64, MostCards)>,
    /// It was stopped before all was done.
    pub interrupted: bool,
}

/// Why there is no plan.
#[derive(Debug)]
pub enum PlanError {
    /// A strategy failed.
    Batch(BatchError),
    /// The solver failed.
    Solve(SolveError),
    /// The ruleset has no such price.
    Price(Vec<Diagnostic>),
    /// Nothing is paid to these patrons, so that every price has an edge of 100%.
    NothingPaid,
    /// The decks of a night at this price, cents, are too much to compute with.
    TooMuch(i64),
}

impl From<BatchError> for PlanError {
    fn from(error: BatchError) -> PlanError {
        PlanError::Batch(error)
    }
}

/// Games that find the price, of a player with so many at the price.
fn pilot_games(games: u64) -> u64 {
    games.div_ceil(PILOT)
}

/// All games of a plan.
pub fn plan_games(players: &[PlanPlayer<'_>], finds_price: bool) -> u64 {
    let games = |player: &PlanPlayer<'_>| {
        let pilot = if finds_price && player.share > 0.0 { pilot_games(player.games) } else { 0 };
        player.games.saturating_add(pilot)
    };
    players.iter().map(games).fold(0, u64::saturating_add)
}

/// Makes the plan; until `stop` is set, when the figures are of the games so far. `None` if not every player had played.
///
/// # Errors
/// The first fault of a strategy or of the solver, a price that the ruleset cannot have, or none to be found.
pub fn plan(
    batch: &PlanBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(PlanStep),
) -> Result<Option<PlanFinished>, PlanError> {
    let patrons: Vec<&PlanPlayer<'_>> = batch.players.iter().filter(|it| it.share > 0.0).collect();
    let most = batch.players.iter().map(|it| it.games).max().unwrap_or(0);
    // The price is for the night that is planned, of which patrons may buy other shares than in the long run.
    let visitors: Vec<(f64, u32)> = patrons.iter().map(|it| (it.share, it.decks_each)).collect();
    let shares = match visitors.iter().any(|(_, decks_each)| *decks_each > 1) {
        true => shares_of_night(&visitors, batch.decks),
        false => patrons.iter().map(|it| it.share).collect(),
    };
    let (mut before, mut missing) = (0, false);
    let offer = match batch.price {
        Some(_) => None,
        None => {
            let mut found = Vec::new();
            for (i, player) in patrons.iter().enumerate() {
                // Beyond all games that the figures are of.
                let games = own_games(batch.players.len() + i, most, pilot_games(player.games));
                let workers = batch.workers.part(0).part(i as u64);
                match play((batch, workers), batch.loaded, player.strategy, games, stop, (before, told)) {
                    Err(BatchError::Missing) => missing = true,
                    played => {
                        let played = played?;
                        before += played.tally.games();
                        found.push((shares[i], played.tally));
                    }
                }
            }
            // The price hangs on the games of all.
            if missing {
                return Err(PlanError::Batch(BatchError::Missing));
            }
            if found.iter().any(|(_, tally)| tally.games() == 0) {
                return Ok(None);
            }
            let mix: Vec<(f64, &Tally)> = found.iter().map(|(share, tally)| (*share, tally)).collect();
            let casino = &batch.loaded.rules.spec().casino;
            Some(round_price(&mix, casino, batch.target, batch.round).ok_or(PlanError::NothingPaid)?)
        }
    };
    let price = batch.price.or(offer.map(|offer| offer.price)).ok_or(PlanError::NothingPaid)?;
    let sold = at_price(batch.loaded, price, batch.decks)?;
    let spec = sold.rules.spec();
    let question = Question {
        decks: batch.decks,
        bank: batch.bank,
        greatest_loss: greatest_loss(&spec.casino, spec.cards()),
        price: Some(price),
    };
    let pairing = |strategy| Pairing { id: batch.named, rules: &sold.rules, strategy };
    let night = BankrollBatch {
        patrons: patrons.iter().map(|it| (it.share, it.decks_each, pairing(it.strategy))).collect(),
        seed: batch.seed,
        games: patrons.iter().map(|it| it.games).collect(),
        question,
        replicates: batch.replicates,
        workers: batch.workers.part(1),
    };
    let start = before;
    let mut done: Vec<u64> = vec![0; patrons.len()];
    let finished = bankroll(night, stop, &mut |step| match step {
        BankrollStep::Games(number, so_far) => {
            done[number] = so_far.games;
            before = start + done.iter().sum::<u64>();
            told(PlanStep::Games(before));
        }
        BankrollStep::Samples(samples) => told(PlanStep::Samples(samples)),
    });
    let finished = match finished {
        Err(BatchError::Missing) => None,
        finished => Some(finished?),
    };
    missing |= finished.is_none();
    let mut interrupted = finished.as_ref().is_some_and(|it| it.interrupted);
    let (tallies_of_patrons, night) = finished.map_or((Vec::new(), None), |it| (it.tallies, it.bankroll));
    if night.is_none() && !missing {
        return Ok(None);
    }
    // In the order of the players.
    let mut of_patrons = tallies_of_patrons.into_iter();
    let mut tallies = Vec::new();
    for (i, player) in batch.players.iter().enumerate() {
        if player.share > 0.0 {
            tallies.extend(of_patrons.next());
            continue;
        }
        let games = own_games(i, most, player.games);
        let workers = batch.workers.part(2).part(i as u64);
        match play((batch, workers), &sold, player.strategy, games, stop, (before, told)) {
            Err(BatchError::Missing) => missing = true,
            played => {
                let played = played?;
                before += played.tally.games();
                interrupted |= played.interrupted;
                tallies.push(played.tally);
            }
        }
    }
    if tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(None);
    }
    let (deals, nodes) = batch.known;
    let mut known = None;
    if deals > 0 && solvable(&sold.rules).is_ok() {
        let asked = ClairvoyantBatch {
            rules: &sold.rules,
            seed: batch.seed,
            deals,
            nodes,
            workers: batch.workers.part(3),
        };
        match clairvoyant_bounds(&asked, stop, &mut |done| told(PlanStep::Solved(done))) {
            Err(SolveError::Missing) => missing = true,
            bounds => {
                let bounds = bounds.map_err(PlanError::Solve)?;
                interrupted |= (bounds.deals() as u64) < deals;
                known = (bounds.deals() > 0).then(|| (bounds.deals() as u64, bounds.most_cards(spec)));
            }
        }
    }
    let Some(night) = night.filter(|_| !missing) else {
        return Err(PlanError::Batch(BatchError::Missing));
    };
    let who: Vec<(&PlanPlayer<'_>, &Tally)> =
        batch.players.iter().zip(&tallies).filter(|(player, _)| player.share > 0.0).collect();
    let mix: Vec<(f64, &Tally)> = shares.into_iter().zip(who.iter().map(|(_, tally)| *tally)).collect();
    let gains: Vec<Patron> = who
        .iter()
        .map(|(player, tally)| {
            let house = House::new(tally, &spec.casino);
            let (outcomes, reach) = (house.outcomes(), house.reach());
            Patron { share: player.share, outcomes, reach, decks_each: player.decks_each }
        })
        .collect();
    let (bands, pay_table) = (bands(&gains, price), pay_table(&mix, &spec.casino));
    let season = season(&gains, &night, batch.nights, batch.seed);
    Ok(Some(PlanFinished {
        tallies,
        bankroll: night,
        bands,
        pay_table,
        season,
        known,
        interrupted,
        sold,
        offer,
    }))
}

/// The ruleset with the deck at another price, of which so many are sold in a night.
///
/// # Errors
/// A price that the ruleset cannot have, or that is too much for so many decks.
pub fn at_price(loaded: &Loaded, cents: i64, decks: u32) -> Result<Loaded, PlanError> {
    if cents.unsigned_abs().saturating_mul(decks.into()) > MOST_MONEY {
        return Err(PlanError::TooMuch(cents));
    }
    let value = format!("{}.{:02}", cents / 100, cents % 100);
    let sold = Change::new("casino.stake", &value)
        .map_err(|_| PlanError::NothingPaid)
        .and_then(|change| vary(loaded, &[change]).map_err(PlanError::Price))?;
    Ok(Loaded { id: loaded.id.clone(), ..sold })
}

/// Plays games of one player after so many of others, and tells how many there are.
fn play(
    (batch, workers): (&PlanBatch<'_>, Workers<'_>),
    loaded: &Loaded,
    strategy: MakeStrategy<'_>,
    games: std::ops::Range<u64>,
    stop: &AtomicBool,
    (before, told): (u64, &mut dyn FnMut(PlanStep)),
) -> Result<Measured, BatchError> {
    let player = Pairing { id: batch.named, rules: &loaded.rules, strategy };
    measure(player, games, (batch.seed, workers), stop, |so_far| {
        told(PlanStep::Games(before + so_far.games));
    })
}
