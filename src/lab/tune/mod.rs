//! Good values of a script's parameters, found by racing.
//!
//! Candidates play the same deals; after each heat the worse half of them is out, and the others play twice as
//! many new deals (successive halving: Karnin, Koren and Somekh 2013; Jamieson and Talwalkar 2016). The winner is
//! the middle of the next generation, which is drawn closer. What the winner is worth is not told by the race,
//! where it was chosen for looking good, but by deals that nobody has played yet: [`compare`](fn@super::compare).

mod candidates;

use std::sync::atomic::AtomicBool;

pub use candidates::defaults;

use super::batch::{Batch, BatchError, Finished, Pairing, Watcher, simulate};
use super::workers::Workers;
use crate::cards::Seed;
use crate::game::Outcome;
use crate::rules::{Rules, Spec};
use crate::stats::{GameWorth, Measure};
use crate::strategy::Strategy;
use crate::strategy::script::Parameter;

/// Makes the strategy that has these values, once for each thread.
pub type MakeWith<'a> = &'a (dyn Fn(&[i64]) -> Box<dyn Strategy> + Sync);

/// A race to be run.
pub struct Race<'a> {
    /// The name or path of the ruleset, as the person wrote it.
    pub id: &'a str,
    /// The rules.
    pub rules: &'a Rules,
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// Makes a strategy.
    pub strategy: MakeWith<'a>,
    /// What of a game counts.
    pub measure: Measure,
    /// The seed of the deals, and of which candidates are tried.
    pub seed: Seed,
    /// The first deal; each heat takes those after the last one's.
    pub first: u64,
    /// Candidates of a generation, at least 2.
    pub candidates: usize,
    /// Generations, at least 1.
    pub generations: usize,
    /// Deals of the first heat of a generation; each later heat has twice as many.
    pub deals: u64,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// What was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The values of the parameters, in their order.
    pub values: Vec<i64>,
    /// The generation, from 0.
    pub generation: usize,
    /// Heats played.
    pub heats: usize,
    /// Deals played.
    pub deals: u64,
    /// Sum of the measure over them: cards, wins or cents.
    pub sum: i128,
}

impl Candidate {
    /// The mean of the measure; all that played as many heats of a generation played the same deals.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.deals.max(1) as f64
    }
}

/// What came of a race.
#[derive(Clone, Debug)]
pub struct Raced {
    /// Everything tried, in the order in which it was.
    pub candidates: Vec<Candidate>,
    /// The winner of the last generation that was run to its end; the defaults if none was.
    pub winner: Vec<i64>,
    /// Games played in all.
    pub games: u64,
    /// It was stopped from outside.
    pub interrupted: bool,
}

impl Raced {
    /// Whether a generation was run to its end.
    pub fn generations_finished(&self) -> bool {
        !self.interrupted || self.candidates.last().is_some_and(|last| last.generation > 0)
    }
}

/// A race under way.
#[derive(Clone, Copy, Debug)]
pub struct RaceUnderway<'r> {
    /// Games played in all.
    pub games: u64,
    /// Candidates left in this heat.
    pub left: usize,
    /// The generation, from 0.
    pub generation: usize,
    /// The best at the end of the last heat.
    pub best: Option<&'r Candidate>,
}

/// The games that a race plays at most.
pub fn games_of(candidates: usize, generations: usize, deals: u64) -> u64 {
    let (mut left, mut deals, mut games) = (candidates.max(2) as u64, deals, 0u64);
    while left > 1 {
        games = games.saturating_add(left.saturating_mul(deals));
        (left, deals) = (left.div_ceil(2), deals.saturating_mul(2));
    }
    games.saturating_mul(generations as u64)
}

/// Runs the race until it is won or `stop` is set.
///
/// # Errors
/// The first fault of a strategy in a heat, in the order of deals.
pub fn race(
    race: &Race<'_>,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&RaceUnderway<'_>),
) -> Result<Raced, BatchError> {
    let winner = defaults(race.parameters);
    let mut raced = Raced { candidates: Vec::new(), winner, games: 0, interrupted: false };
    let (mut first, mut heats) = (race.first, 0);
    for generation in 0..race.generations {
        let values = candidates::generation(
            race.parameters,
            &raced.winner,
            generation,
            race.candidates.max(2),
            race.seed,
        );
        let new = |values| Candidate { values, generation, heats: 0, deals: 0, sum: 0 };
        let start = raced.candidates.len();
        raced.candidates.extend(values.into_iter().map(new));
        // By their place in all that was tried, the best first.
        let mut left: Vec<usize> = (start..raced.candidates.len()).collect();
        let mut deals = race.deals;
        while left.len() > 1 {
            let heat = Heat { race, first, deals, generation, number: heats };
            heats += 1;
            heat.run(&left, &mut raced, stop, watch)?;
            if raced.interrupted {
                return Ok(raced);
            }
            first = first.saturating_add(deals);
            // Of equals the one that was there first stays: the middle before what is drawn around it.
            let sum = |&place: &usize| std::cmp::Reverse(raced.candidates[place].sum);
            left.sort_by_key(|place| (sum(place), *place));
            left.truncate(left.len().div_ceil(2));
            deals = deals.saturating_mul(2);
        }
        if let Some(&best) = left.first() {
            raced.winner = raced.candidates[best].values.clone();
        }
    }
    Ok(raced)
}

/// Some candidates on the same deals.
struct Heat<'a> {
    race: &'a Race<'a>,
    first: u64,
    deals: u64,
    generation: usize,
    /// The heat, of all.
    number: u64,
}

impl Heat<'_> {
    fn run(
        &self,
        left: &[usize],
        raced: &mut Raced,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&RaceUnderway<'_>),
    ) -> Result<(), BatchError> {
        let Race { rules, strategy, .. } = *self.race;
        let values: Vec<Vec<i64>> =
            left.iter().map(|&place| raced.candidates[place].values.clone()).collect();
        let makers: Vec<_> = values.iter().map(|values| move || strategy(values)).collect();
        let entries = makers.iter().map(|make| Pairing { id: self.race.id, rules, strategy: make });
        let batch = Batch {
            entries: entries.collect(),
            seed: self.race.seed,
            games: self.first..self.first.saturating_add(self.deals),
            precision: None,
            workers: self.race.workers.part(self.number),
            each_game: true,
        };
        let best = left.first().map(|&place| raced.candidates[place].clone()).filter(|it| it.heats > 0);
        let mut summing = Summing {
            spec: rules.spec(),
            measure: self.race.measure,
            sums: vec![0; left.len()],
            before: raced.games,
            generation: self.generation,
            best,
            watch,
        };
        let finished = simulate(&batch, stop, &mut summing)?;
        raced.games += finished.games * left.len() as u64;
        raced.interrupted = finished.interrupted;
        for (&place, sum) in left.iter().zip(&summing.sums) {
            let candidate = &mut raced.candidates[place];
            candidate.sum += sum;
            candidate.deals += finished.games;
            candidate.heats += usize::from(!finished.interrupted);
        }
        Ok(())
    }
}

struct Summing<'a, 'w> {
    spec: &'a Spec,
    measure: Measure,
    sums: Vec<i128>,
    before: u64,
    generation: usize,
    best: Option<Candidate>,
    watch: &'w mut dyn FnMut(&RaceUnderway<'_>),
}

impl Watcher for Summing<'_, '_> {
    fn block(&mut self, _first: u64, _so_far: &Finished, outcomes: &[Vec<Outcome>]) {
        for (sum, outcomes) in self.sums.iter_mut().zip(outcomes) {
            let worth = |outcome| GameWorth::of(self.spec, outcome).by(self.measure).stood;
            *sum += outcomes.iter().map(|outcome| i128::from(worth(outcome))).sum::<i128>();
        }
    }

    fn games(&mut self, so_far: &Finished) {
        (self.watch)(&RaceUnderway {
            games: self.before + so_far.games * self.sums.len() as u64,
            left: self.sums.len(),
            generation: self.generation,
            best: self.best.as_ref(),
        });
    }
}
