//! A night of decks bought by a mix of patrons.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::cards::Seed;
use crate::players;
use crate::rules::Spec;
use crate::stats::{Bankroll, Estimate, Figures, House, LEVELS, Patron, Question, Replicate, Tally, Term};

use super::batch::{BatchError, Finished, Matchup};
use super::blocks::{StopFlag, Stopped, run_uncached};
use super::measure::{measure, own_games};
use super::price::by_term;
use super::workers::Workers;

/// Patrons who play, and the night that is asked for.
pub struct BankrollBatch<'a> {
    /// Patrons with the share of decks that they buy, and how many each buys in a row; all under the same ruleset.
    pub patrons: Vec<(f64, u32, Matchup<'a>)>,
    /// The seed of all games.
    pub seed: Seed,
    /// Games of each patron, in their order. Each has games of its own, so that they do not hang together.
    pub games: Vec<u64>,
    /// The night.
    pub question: Question,
    /// Samples that are drawn again from the games.
    pub replicates: u64,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// Fewest samples that intervals are made of.
pub const FEWEST_REPLICATES: u64 = 100;

/// How far it is.
#[derive(Clone, Copy, Debug)]
pub enum BankrollStep<'a> {
    /// Games of a patron, by number from 0, so far.
    Games(usize, &'a Finished),
    /// Samples drawn again so far.
    Samples(u64),
}

/// Games of every patron, and the night that follows from them.
#[derive(Clone, Debug)]
pub struct BankrollFinished {
    /// Games by patron.
    pub tallies: Vec<Tally>,
    /// The night; `None` where not every patron has played a game.
    pub bankroll: Option<Bankroll>,
    /// It was stopped before all was done.
    pub interrupted: bool,
}

/// One of the players who buy the decks.
#[derive(Clone, Debug, Serialize)]
pub struct NightPatron {
    /// Its name: that of its strategy, unless a file says otherwise.
    pub name: String,
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// The share of decks that it buys in the long run.
    pub share: f64,
    /// The share of the decks of this night.
    pub share_of_night: f64,
    /// Decks that each of its kind buys, one after the other.
    pub decks_each: u32,
    /// The edge against it alone; `None` without a price.
    pub edge: Option<Estimate>,
    /// Its games.
    pub tally: Tally,
}

/// A night of decks: what is sold, who buys it, and what the house gains.
#[derive(Clone, Debug, Serialize)]
pub struct BankrollNight {
    /// The ruleset at the price at which the deck is sold.
    #[serde(skip)]
    pub spec: Spec,
    /// The terms of the casino, cents.
    #[serde(serialize_with = "by_term")]
    pub terms: Vec<(Term, i64)>,
    /// What each redeal costs, cents; the last repeats.
    pub redeal_fees: Vec<i64>,
    /// Sign or name of the money.
    pub currency: String,
    /// The edge of all decks together in the long run; `None` without a price.
    pub edge: Option<Estimate>,
    /// Who buys the decks.
    pub patrons: Vec<NightPatron>,
    /// Probabilities of the quantiles of the profit.
    pub levels: [f64; LEVELS.len()],
    /// The figures of the night.
    pub bankroll: Bankroll,
    /// It was stopped before all was done.
    #[serde(skip)]
    pub interrupted: bool,
}

impl BankrollNight {
    /// The night of these patrons; `None` where not every one of them has played a game.
    pub fn new(spec: &Spec, patrons: &[players::Patron], played: BankrollFinished) -> Option<BankrollNight> {
        let bankroll = played.bankroll?;
        let casino = &spec.casino;
        let played_by = patrons.iter().zip(played.tallies).zip(&bankroll.shares);
        let patrons = played_by.map(|((patron, tally), share)| NightPatron {
            name: patron.name.clone(),
            strategy: patron.strategy.name().into(),
            share: patron.share.fraction(),
            share_of_night: *share,
            decks_each: patron.decks_each,
            edge: House::new(&tally, casino).edge(),
            tally,
        });
        Some(BankrollNight {
            spec: spec.clone(),
            terms: Term::all(casino).into_iter().map(|term| (term, term.of(casino))).collect(),
            redeal_fees: casino.redeal_fees.clone(),
            currency: casino.currency.clone(),
            edge: bankroll.edge(),
            patrons: patrons.collect(),
            levels: LEVELS,
            bankroll,
            interrupted: played.interrupted,
        })
    }
}

/// Plays the games of every patron, and computes the night and its limits; until `stop` is set, when the figures are
/// of the games and the samples so far.
///
/// # Errors
/// The first fault of a strategy.
pub fn bankroll(
    batch: BankrollBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(BankrollStep<'_>),
) -> Result<BankrollFinished, BatchError> {
    let BankrollBatch { patrons, seed, games, question, replicates, workers } = batch;
    let mut finished = BankrollFinished { tallies: Vec::new(), bankroll: None, interrupted: false };
    let (mut mixed, mut missing) = (Vec::new(), false);
    let most = games.iter().copied().max().unwrap_or(0);
    for (number, (share, decks_each, entry)) in patrons.into_iter().enumerate() {
        let mine = games.get(number).copied().unwrap_or(0);
        let casino = entry.rules.spec().casino.clone();
        let games = own_games(number, most, mine);
        let played = measure(entry, games, (seed, workers.part(number as u64)), stop, |so_far| {
            told(BankrollStep::Games(number, so_far));
        });
        let played = match played {
            // Another shard may still make its part of the other patrons' games.
            Err(BatchError::Missing) => {
                missing = true;
                continue;
            }
            played => played?,
        };
        finished.interrupted |= played.interrupted;
        let house = House::new(&played.tally, &casino);
        mixed.push(Patron { share, outcomes: house.outcomes(), reach: house.reach(), decks_each });
        finished.tallies.push(played.tally);
    }
    if missing {
        return Err(BatchError::Missing);
    }
    if finished.tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(finished);
    }
    let Some(replicate) = Replicate::new(question, &mixed, stop) else { return Ok(finished) };
    let mut samples: Vec<Vec<Figures>> = Vec::new();
    let halt = StopFlag::new(stop);
    let make = |(): &mut (), number: u64| {
        let sample = (number < replicates).then(|| replicate.again(seed, number, halt.flag()))?;
        sample.map(Ok::<_, Infallible>)
    };
    let take = |_, sample| {
        samples.push(sample);
        told(BankrollStep::Samples(samples.len() as u64));
        ControlFlow::Continue(())
    };
    run_uncached(workers.threads, replicates, &halt, || (), make, take).map_err(|halted| match halted {
        Stopped::Fault(never) => match never {},
        Stopped::Crash(crash) => BatchError::Crashed(crash),
        Stopped::Threads(error) => BatchError::Threads(error),
        Stopped::Missing => BatchError::Missing,
    })?;
    if (samples.len() as u64) < replicates {
        finished.interrupted = true;
        // So few say nothing of how far the figures may be off.
        if (samples.len() as u64) < FEWEST_REPLICATES {
            samples.clear();
        }
    }
    finished.bankroll = Some(replicate.finish(&samples));
    Ok(finished)
}
