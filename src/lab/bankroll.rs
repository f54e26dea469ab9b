//! One night of decks sold to a mix of patrons.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::cards::Seed;
use crate::players;
use crate::rules::Spec;
use crate::stats::{Bankroll, Estimate, Figures, House, LEVELS, Patron, Question, Replicate, Tally, Term};

use super::batch::{BatchError, Finished, Matchup, measure, own_games};
use super::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order, or_missing};
use super::price::by_term;

/// Patrons and the night to simulate.
pub struct BankrollBatch<'a> {
    /// Patrons with their share of the decks, the decks that each buys in a row, and how they play; all under one
    /// ruleset.
    pub patrons: Vec<(f64, u32, Matchup<'a>)>,
    /// The seed of all games.
    pub seed: Seed,
    /// Games of each patron, in order. Each patron plays separate games, so that their estimates are independent.
    pub games: Vec<u64>,
    /// The night.
    pub question: Question,
    /// Number of bootstrap samples.
    pub replicates: u64,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Fewest bootstrap samples that give intervals.
pub const FEWEST_REPLICATES: u64 = 100;

/// Progress of [`bankroll`](fn@bankroll).
#[derive(Clone, Copy, Debug)]
pub enum BankrollStep<'a> {
    /// Games so far of a patron, by index.
    Games(usize, &'a Finished),
    /// Bootstrap samples so far.
    Samples(u64),
}

/// Games of every patron, and the night computed from them.
#[derive(Clone, Debug)]
pub struct BankrollFinished {
    /// Games by patron.
    pub tallies: Vec<Tally>,
    /// The night; `None` if some patron has not played a game.
    pub bankroll: Option<Bankroll>,
    /// Whether the run was stopped before it was complete.
    pub interrupted: bool,
}

/// A patron of the night.
#[derive(Clone, Debug, Serialize)]
pub struct NightPatron {
    /// Name of the patron: that of its strategy, unless a file says otherwise.
    pub name: String,
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Share of decks that the patron buys in the long run.
    pub share: f64,
    /// Share of decks that the patron buys this night.
    pub share_of_night: f64,
    /// Decks that each patron of this kind buys in a row.
    pub decks_each: u32,
    /// House edge against this patron alone; `None` without a price.
    pub edge: Option<Estimate>,
    /// Its games.
    pub tally: Tally,
}

/// Result for a night of decks: the ruleset, the patrons and the profit of the house.
#[derive(Clone, Debug, Serialize)]
pub struct BankrollNight {
    /// The ruleset, with the price at which the deck is sold.
    #[serde(skip)]
    pub spec: Spec,
    /// Terms of the casino, cents.
    #[serde(serialize_with = "by_term")]
    pub terms: Vec<(Term, i64)>,
    /// Price of each redeal, cents; the last one repeats.
    pub redeal_fees: Vec<i64>,
    /// Sign or name of the money.
    pub currency: String,
    /// House edge of all decks together in the long run; `None` without a price.
    pub edge: Option<Estimate>,
    /// The patrons.
    pub patrons: Vec<NightPatron>,
    /// Probabilities of the quantiles of the profit.
    pub levels: [f64; LEVELS.len()],
    /// Figures of the night.
    pub bankroll: Bankroll,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

impl BankrollNight {
    /// Builds the result; `None` if some patron has not played a game.
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

impl Cacheable for Vec<Figures> {}

/// Plays the games of every patron and computes the night with its limits. Once `stop` is set, the figures are those
/// of the games and samples so far.
///
/// # Errors
/// The first error of a strategy.
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
        let Some(played) = or_missing(played, &mut missing)? else { continue };
        finished.interrupted |= played.interrupted;
        let house = House::new(&played.tally, &casino);
        mixed.push(Patron { share, outcomes: house.outcomes(), reach: house.reach(), decks_each });
        finished.tallies.push(played.tally);
    }
    if missing {
        return Err(Stopped::Missing);
    }
    if finished.tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(finished);
    }
    let Some(replicate) = Replicate::new(question, &mixed, stop) else { return Ok(finished) };
    let mut samples: Vec<Vec<Figures>> = Vec::new();
    let halt = StopFlag::new(stop);
    let make = |(): &mut (), number: Range<u64>| replicate.again(seed, number.start, halt.flag()).map(Ok);
    let take = |_, sample| {
        samples.push(sample);
        told(BankrollStep::Samples(samples.len() as u64));
        ControlFlow::Continue(())
    };
    // Samples are computed again rather than stored.
    let threads = Workers::new(workers.threads);
    in_order(threads, &Blocks::all(0..replicates, 1), &halt, || (), make, |_, _| true, take)?;
    if (samples.len() as u64) < replicates {
        finished.interrupted = true;
        // Too few samples for intervals.
        if (samples.len() as u64) < FEWEST_REPLICATES {
            samples.clear();
        }
    }
    finished.bankroll = Some(replicate.finish(&samples));
    Ok(finished)
}
