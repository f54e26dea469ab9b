//! Tuning of a script's parameters by racing.
//!
//! Candidates play the same deals; after each heat the worse half is eliminated, and the others play twice as
//! many new deals (successive halving: Karnin, Koren and Somekh 2013; Jamieson and Talwalkar 2016). The winner is
//! the centre of the next generation, which covers a narrower range. The race overestimates its winner, which it
//! selected for good results, so the winner and the defaults then play fresh deals.

use std::collections::BTreeSet;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::batch::{Batch, BatchError, Finished, Matchup, simulate};
use super::blocks::Workers;
use super::compare::{ComparedEntry, Comparison, compare};
use crate::cards::{Purpose, Seed, below, generator};
use crate::rules::{Casino, Rules};
use crate::stats::{Estimate, House, Measure, Tally};
use crate::strategy::StrategySource;
use crate::strategy::script::{Parameter, ParameterKind};

/// Settings of a race.
pub struct Race<'a> {
    /// Name or path of the ruleset, as the user wrote it.
    pub id: &'a str,
    /// The rules.
    pub rules: &'a Rules,
    /// The parameters.
    pub parameters: &'a [Parameter],
    /// Returns the strategy with these values.
    pub with: &'a dyn Fn(&[i64]) -> StrategySource,
    /// Measure by which candidates are ranked.
    pub measure: Measure,
    /// The seed of the deals, and of the choice of candidates.
    pub seed: Seed,
    /// The first deal; each heat takes the deals after the last one's. Those before the first are fresh.
    pub first: u64,
    /// Number of candidates per generation, at least 2.
    pub candidates: usize,
    /// Number of generations, at least 1.
    pub generations: usize,
    /// Number of deals in the first heat of a generation; each later heat has twice as many.
    pub deals: u64,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// A candidate with its results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The values of the parameters, in order; booleans as 1 or 0.
    pub values: Vec<i64>,
    /// The generation, from 1.
    pub generation: usize,
    /// Number of heats played.
    pub heats: usize,
    /// Number of deals played.
    pub deals: u64,
    /// Sum of the measure over the deals: cards, wins or cents.
    #[serde(skip)]
    pub sum: i128,
    /// Mean of the measure; candidates of a generation with as many heats played the same deals.
    pub mean: f64,
}

/// Result of a race.
#[derive(Clone, Debug, Serialize)]
pub struct Raced {
    /// Number of games, all candidates together.
    pub games: u64,
    /// The first deal.
    pub first_deal: u64,
    /// All candidates, in the order tried.
    pub candidates: Vec<Candidate>,
    /// The winner of the last complete generation; the defaults if there is none.
    #[serde(skip)]
    pub winner: Vec<i64>,
    /// Whether the race was interrupted.
    pub interrupted: bool,
}

/// Progress of a race.
#[derive(Clone, Copy, Debug)]
pub struct RaceUnderway<'r> {
    /// Number of games, all candidates together.
    pub games: u64,
    /// Candidates left in this heat.
    pub left: usize,
    /// The generation, from 1.
    pub generation: usize,
    /// The best at the end of the last heat.
    pub best: Option<&'r Candidate>,
}

/// Results on deals that the race did not use.
#[derive(Clone, Debug, Serialize)]
pub struct Fresh {
    /// Number of deals, from the first.
    pub games: u64,
    /// The script with the winning values, unless the defaults won, then with its defaults; empty without deals.
    pub entries: Vec<ComparedEntry>,
    /// Mean gain of the winning values over the defaults by the measure, deal by deal.
    pub gain: Option<Estimate>,
    /// Whether the run was stopped before all deals were played.
    #[serde(skip)]
    pub interrupted: bool,
}

/// Result of tuning a script.
#[derive(Clone, Debug, Serialize)]
pub struct Tuned {
    /// The terms of the casino.
    #[serde(skip)]
    pub casino: Casino,
    /// The script's name.
    pub script: String,
    /// Measure of the race.
    pub measure: Measure,
    /// The parameters.
    #[serde(serialize_with = "ranges")]
    pub parameters: Vec<Parameter>,
    /// The winning value of each parameter.
    pub found: Map<String, Value>,
    /// Path of the script written with these values.
    pub written: Option<String>,
    /// The race.
    pub race: Raced,
    /// Results on fresh deals.
    pub fresh: Fresh,
}

/// Progress of a tuning.
#[derive(Clone, Copy, Debug)]
pub enum TuneStep<'r> {
    /// The race.
    Race(&'r RaceUnderway<'r>),
    /// Number of fresh deals played.
    Fresh(u64),
}

fn value(parameter: &Parameter, value: i64) -> Value {
    match parameter.kind {
        ParameterKind::Number(..) => value.into(),
        ParameterKind::Truth => (value != 0).into(),
    }
}

fn ranges<S: Serializer>(parameters: &[Parameter], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Range<'a> {
        name: &'a str,
        default: Value,
        from: Value,
        to: Value,
    }
    serializer.collect_seq(parameters.iter().map(|it| {
        let (low, high) = it.bounds();
        Range { name: &it.name, default: value(it, it.default), from: value(it, low), to: value(it, high) }
    }))
}

/// Races, then plays the winner and the defaults on the deals before those of the race; `None` without a full
/// generation.
pub fn tune(asked: &Race<'_>, told: &mut dyn FnMut(TuneStep<'_>)) -> Result<Option<Tuned>, BatchError> {
    let race = race(asked, &mut |underway| told(TuneStep::Race(underway)))?;
    if race.interrupted && race.candidates.last().is_none_or(|last| last.generation <= 1) {
        // No generation was completed.
        return Ok(None);
    }
    let defaults = defaults(asked.parameters);
    let script = (asked.with)(&defaults);
    let mut players = vec![script.clone()];
    if race.winner != defaults {
        players.insert(0, (asked.with)(&race.winner));
    }
    // A partial race may find other values, whose games differ.
    let mut workers = asked.workers.part(1);
    for value in &race.winner {
        workers = workers.part(value.cast_unsigned() & (u64::MAX >> 1));
    }
    let (ruleset, games) = ((asked.id, asked.rules), (asked.seed, asked.first));
    let comparison = Comparison::of_strategies(ruleset, &players, games, asked.measure, workers);
    let compared = compare(&comparison, &mut |games, _| told(TuneStep::Fresh(games)))?;
    let spec = asked.rules.spec();
    let played = compared.games > 0;
    let pair = compared.pairs.first().filter(|_| played);
    let fresh = Fresh {
        games: compared.games,
        entries: if played { compared.entries } else { Vec::new() },
        gain: pair.map(|pair| pair.adjusted),
        interrupted: compared.interrupted,
    };
    let found = asked.parameters.iter().zip(&race.winner);
    Ok(Some(Tuned {
        casino: spec.casino.clone(),
        script: script.name().into(),
        measure: asked.measure,
        parameters: asked.parameters.to_vec(),
        found: found.map(|(it, &won)| (it.name.clone(), value(it, won))).collect(),
        written: None,
        race,
        fresh,
    }))
}

/// Returns the maximum number of games of a race.
pub fn games_of(candidates: usize, generations: usize, deals: u64) -> u64 {
    let (mut left, mut deals, mut games) = (candidates.max(2) as u64, deals, 0u64);
    while left > 1 {
        games = games.saturating_add(left.saturating_mul(deals));
        (left, deals) = (left.div_ceil(2), deals.saturating_mul(2));
    }
    games.saturating_mul(generations as u64)
}

/// Runs the race until it is won.
pub fn race(race: &Race<'_>, watch: &mut dyn FnMut(&RaceUnderway<'_>)) -> Result<Raced, BatchError> {
    let winner = defaults(race.parameters);
    let mut raced =
        Raced { games: 0, first_deal: race.first, candidates: Vec::new(), winner, interrupted: false };
    let (mut first, mut heats) = (race.first, 0);
    for generation in 1..=race.generations {
        let values =
            candidates(race.parameters, &raced.winner, generation - 1, race.candidates.max(2), race.seed);
        let new = |values| Candidate { values, generation, heats: 0, deals: 0, sum: 0, mean: 0.0 };
        let start = raced.candidates.len();
        raced.candidates.extend(values.into_iter().map(new));
        // Indices into all candidates, the best first.
        let mut left: Vec<usize> = (start..raced.candidates.len()).collect();
        let mut deals = race.deals;
        while left.len() > 1 {
            let heat = race.workers.part(0).part(heats);
            heats += 1;
            run_heat(race, (first, deals, heat), (generation, &left), &mut raced, watch)?;
            if raced.interrupted {
                return Ok(raced);
            }
            first = first.saturating_add(deals);
            // The index breaks ties, so that the centre wins over equal candidates drawn around it.
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

/// Has the candidates that are left play the deals of a heat.
fn run_heat(
    race: &Race<'_>,
    (first, deals, workers): (u64, u64, Workers<'_>),
    (generation, left): (usize, &[usize]),
    raced: &mut Raced,
    watch: &mut dyn FnMut(&RaceUnderway<'_>),
) -> Result<(), BatchError> {
    let Race { id, rules, with, measure, .. } = *race;
    let sources: Vec<_> = left.iter().map(|&place| with(&raced.candidates[place].values)).collect();
    let entries = sources.iter().map(|strategy| Matchup { id, rules, strategy }).collect();
    let batch = Batch::new(entries, race.seed, first..first.saturating_add(deals), workers);
    let best = left.first().map(|&place| &raced.candidates[place]).filter(|it| it.heats > 0);
    let finished = simulate(&batch, &mut |so_far: &Finished| {
        let games = raced.games + so_far.games * left.len() as u64;
        watch(&RaceUnderway { games, left: left.len(), generation, best });
    })?;
    raced.games += finished.games * left.len() as u64;
    raced.interrupted = finished.interrupted;
    for (&place, tally) in left.iter().zip(&finished.tallies) {
        let candidate = &mut raced.candidates[place];
        candidate.sum += sum(measure, tally, &rules.spec().casino);
        candidate.deals += finished.games;
        candidate.mean = candidate.sum as f64 / candidate.deals.max(1) as f64;
        candidate.heats += usize::from(!finished.interrupted);
    }
    Ok(())
}

/// Returns the sum of a measure over the games of a tally.
fn sum(measure: Measure, tally: &Tally, casino: &Casino) -> i128 {
    let times = |(each, games): (i64, u64)| i128::from(each) * i128::from(games);
    match measure {
        Measure::Cards => (0..).zip(tally.histogram().iter().copied()).map(times).sum(),
        Measure::Wins => tally.wins().into(),
        Measure::Money => -House::new(tally, casino).gains().into_iter().map(times).sum::<i128>(),
    }
}

/// Returns the default values of the parameters, in their order.
pub fn defaults(parameters: &[Parameter]) -> Vec<i64> {
    parameters.iter().map(|parameter| parameter.default).collect()
}

/// Returns the candidates of a generation, all different, `middle` first. Generation 0 covers the whole range of the
/// parameters; each later one covers a range around `middle` that is a quarter as wide as before. If there are at
/// most `n` combinations, all are returned; otherwise the candidates are a Latin hypercube (McKay, Beckman and
/// Conover 1979): each parameter is divided into strata of equal size, each of which is used once.
fn candidates(
    parameters: &[Parameter],
    middle: &[i64],
    number: usize,
    n: usize,
    seed: Seed,
) -> Vec<Vec<i64>> {
    let ranges: Vec<(i64, i64)> =
        parameters.iter().zip(middle).map(|(parameter, &at)| around(parameter, at, number)).collect();
    let mut seen = BTreeSet::from([middle.to_vec()]);
    let mut found = vec![middle.to_vec()];
    let others = match all_of(&ranges, n) {
        Some(all) => all,
        None => hypercube(&ranges, n.saturating_sub(1), number, seed),
    };
    found.extend(others.into_iter().filter(|values| seen.insert(values.clone())));
    found
}

fn around(parameter: &Parameter, at: i64, number: usize) -> (i64, i64) {
    let (low, high) = parameter.bounds();
    if number == 0 {
        return (low, high);
    }
    // Bounds the shift for late generations and avoids overflow for wide ranges.
    let reach = (i128::from(high) - i128::from(low)) >> (2 * number.min(60) + 1);
    let reach = i64::try_from(reach.max(1)).unwrap_or(i64::MAX);
    (at.saturating_sub(reach).max(low), at.saturating_add(reach).min(high))
}

fn all_of(ranges: &[(i64, i64)], n: usize) -> Option<Vec<Vec<i64>>> {
    let sizes = ranges.iter().map(|(low, high)| (i128::from(*high) - i128::from(*low) + 1) as u128);
    let all = sizes.fold(1u128, u128::saturating_mul);
    if all > n as u128 {
        return None;
    }
    let mut found = vec![Vec::new()];
    for &(low, high) in ranges {
        let longer = |values: Vec<i64>| {
            (low..=high).map(move |value| values.iter().copied().chain([value]).collect::<Vec<i64>>())
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    Some(found)
}

fn hypercube(ranges: &[(i64, i64)], n: usize, number: usize, seed: Seed) -> Vec<Vec<i64>> {
    let mut found = vec![Vec::with_capacity(ranges.len()); n];
    for (i, &(low, high)) in ranges.iter().enumerate() {
        let mut rng = generator(seed, (number as u64) << 32 | i as u64, Purpose::Plan);
        let mut strata: Vec<u64> = (0..n as u64).collect();
        for i in (1..n).rev() {
            strata.swap(i, below(&mut rng, i as u32 + 1) as usize);
        }
        let size = (i128::from(high) - i128::from(low) + 1) as u128;
        for (values, stratum) in found.iter_mut().zip(strata) {
            // A place within the stratum, in 1/65,536 of its size.
            let part = u128::from(stratum) << 16 | u128::from(below(&mut rng, 1 << 16));
            let steps = size.saturating_mul(part) / ((n as u128) << 16);
            values.push((i128::from(low) + steps as i128).clamp(low.into(), high.into()) as i64);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(low: i64, high: i64, default: i64) -> Parameter {
        Parameter { name: "A".into(), kind: ParameterKind::Number(low, high), default, place: 0..0 }
    }

    #[test]
    fn few_values_are_all_tried() {
        let parameters = [parameter(0, 2, 1), Parameter { kind: ParameterKind::Truth, ..parameter(0, 1, 0) }];
        let found = candidates(&parameters, &defaults(&parameters), 0, 6, 1);
        assert_eq!(found, [[1, 0], [0, 0], [0, 1], [1, 1], [2, 0], [2, 1]]);
    }

    #[test]
    fn many_are_spread_and_then_narrowed() {
        let parameters = [parameter(0, 1000, 500), parameter(-20, 19, 0)];
        let found = candidates(&parameters, &defaults(&parameters), 0, 21, 7);
        assert_eq!(found[0], [500, 0]);
        let mut strata: Vec<i64> = found[1..].iter().map(|values| values[0] * 20 / 1001).collect();
        strata.sort_unstable();
        assert_eq!(strata, (0..20).collect::<Vec<i64>>());
        let mut strata: Vec<i64> = found[1..].iter().map(|values| (values[1] + 20) / 2).collect();
        strata.sort_unstable();
        assert_eq!(strata, (0..20).collect::<Vec<i64>>());
        let later = candidates(&parameters, &[990, -20], 1, 21, 7);
        assert!(later.iter().all(|values| values[0] >= 990 - 125 && values[1] <= -20 + 5), "{later:?}");
        assert_ne!(found, candidates(&parameters, &defaults(&parameters), 0, 21, 8));
        let wide = [parameter(i64::MIN, i64::MAX, 0)];
        assert_eq!(candidates(&wide, &[0], 0, 9, 1).len(), 9);
        assert_eq!(candidates(&wide, &[i64::MAX], 5, 9, 1).len(), 9);
    }
}
