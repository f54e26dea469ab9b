//! A night of decks bought by a mix of patrons.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use crate::cards::Seed;
use crate::stats::{Bankroll, Figures, House, Patron, Question, Replicate, Tally};

use super::batch::{BatchError, Finished, Pairing};
use super::blocks::{Halt, Halted, run_uncached};
use super::measure::{measure, own_games};
use super::workers::Workers;

/// Patrons who play, and the night that is asked for.
pub struct BankrollBatch<'a> {
    /// Patrons with the share of decks that they buy, and how many each buys in a row; all under the same ruleset.
    pub patrons: Vec<(f64, u32, Pairing<'a>)>,
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

/// What came of it.
#[derive(Clone, Debug)]
pub struct BankrollFinished {
    /// Games by patron.
    pub tallies: Vec<Tally>,
    /// The night; `None` where not every patron has played a game.
    pub bankroll: Option<Bankroll>,
    /// It was stopped before all was done.
    pub interrupted: bool,
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
    let halt = Halt::new(stop);
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
        Halted::Fault(never) => match never {},
        Halted::Crash(crash) => BatchError::Crashed(crash),
        Halted::Threads(error) => BatchError::Threads(error),
        Halted::Missing => BatchError::Missing,
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
