//! One night of decks sold to a mix of patrons.

use std::ops::{ControlFlow, Range};

use serde::Serialize;

use crate::cards::Seed;
use crate::players::Patron;
use crate::rules::{Rules, Spec};
use crate::stats::{self, Bankroll, Estimate, Figures, House, LEVELS, Question, Replicate, Tally, Term};
use crate::strategy::StrategySource;

use super::batch::{BatchError, Finished, Matchup, measure, own_games};
use super::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order, or_missing};
use super::price::by_term;

/// A player who is measured by games, and may buy decks.
#[derive(Clone, Debug)]
pub struct Buyer {
    /// Name of the player: that of its strategy, unless a file says otherwise.
    pub name: String,
    /// The strategy.
    pub strategy: StrategySource,
    /// Share of the decks that it buys; 0 for a player who is only measured.
    pub share: f64,
    /// Decks that each player of this kind buys in a row.
    pub decks_each: u32,
    /// Number of games that measure it, at least 1.
    pub games: u64,
}

impl Buyer {
    /// Creates a player who is only measured, by these games; by at most `search_games` if it searches.
    pub fn new(strategy: StrategySource, games: u64, search_games: u64) -> Buyer {
        let slow = strategy.instantiate().is_slow();
        let games = if slow { games.min(search_games) } else { games };
        Buyer { name: strategy.name().into(), strategy, share: 0.0, decks_each: 1, games }
    }

    /// Creates the player of a kind of patron.
    pub fn patron(patron: &Patron, games: u64, search_games: u64) -> Buyer {
        let (name, share, decks_each) = (patron.name.clone(), patron.share.fraction(), patron.decks_each);
        Buyer { name, share, decks_each, ..Buyer::new(patron.strategy.clone(), games, search_games) }
    }

    pub(super) fn of_mix(&self, house: &House) -> stats::Patron {
        let Buyer { share, decks_each, .. } = *self;
        stats::Patron { share, outcomes: house.outcomes(), reach: house.reach(), decks_each }
    }

    /// Returns it under a ruleset, with the ruleset's name or path.
    pub(super) fn under<'a>(&'a self, named: &'a str, rules: &'a Rules) -> Matchup<'a> {
        Matchup { id: named, rules, strategy: &self.strategy }
    }
}

/// Patrons and the night to simulate.
pub struct BankrollBatch<'a> {
    /// The ruleset.
    pub rules: &'a Rules,
    /// Its name or path, as the user wrote it.
    pub named: &'a str,
    /// The patrons. Each plays separate games, so that their estimates are independent.
    pub patrons: Vec<&'a Buyer>,
    /// The seed of all games.
    pub seed: Seed,
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
    /// Games so far, those of all patrons together, and those of the patron who plays.
    Games(u64, &'a Finished),
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

impl NightPatron {
    pub(super) fn of(
        buyer: &Buyer,
        share_of_night: f64,
        edge: Option<Estimate>,
        tally: Tally,
    ) -> NightPatron {
        NightPatron {
            name: buyer.name.clone(),
            strategy: buyer.strategy.name().into(),
            share: buyer.share,
            share_of_night,
            decks_each: buyer.decks_each,
            edge,
            tally,
        }
    }
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
    pub fn new(spec: &Spec, patrons: &[Buyer], played: BankrollFinished) -> Option<BankrollNight> {
        let bankroll = played.bankroll?;
        let casino = &spec.casino;
        let played_by = patrons.iter().zip(played.tallies).zip(&bankroll.shares);
        let patrons = played_by.map(|((patron, tally), share)| {
            let edge = House::new(&tally, casino).edge();
            NightPatron::of(patron, *share, edge, tally)
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

/// Plays the games of every patron, and computes the night with its limits from those that were finished.
pub fn bankroll(
    batch: BankrollBatch<'_>,
    told: &mut dyn FnMut(BankrollStep<'_>),
) -> Result<BankrollFinished, BatchError> {
    let BankrollBatch { rules, named, patrons, seed, question, replicates, workers } = batch;
    let mut finished = BankrollFinished { tallies: Vec::new(), bankroll: None, interrupted: false };
    let (mut mixed, mut before, mut missing) = (Vec::new(), 0, false);
    let most = patrons.iter().map(|it| it.games).max().unwrap_or(0);
    for (number, &patron) in patrons.iter().enumerate() {
        let (entry, games) = (patron.under(named, rules), own_games(number, most, patron.games));
        let played = measure(entry, games, (seed, workers.part(number as u64)), |so_far| {
            told(BankrollStep::Games(before + so_far.games, so_far));
        });
        let Some(tally) = or_missing(played, &mut missing)? else { continue };
        before += tally.games();
        finished.interrupted |= tally.games() < patron.games;
        mixed.push(patron.of_mix(&House::new(&tally, &rules.spec().casino)));
        finished.tallies.push(tally);
    }
    if missing {
        return Err(Stopped::Missing);
    }
    if finished.tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(finished);
    }
    let Some(replicate) = Replicate::new(question, &mixed, workers.stop) else { return Ok(finished) };
    let mut samples: Vec<Vec<Figures>> = Vec::new();
    let halt = StopFlag::new(workers.stop);
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
