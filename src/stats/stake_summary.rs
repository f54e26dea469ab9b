//! Summary of stakes: means, the edge as a ratio of means, and the value of stopping.

use super::interval::TAIL;
use super::ratio::Ratio;
use super::sample::{Sample, outer_at};
use super::stakes::{StageTally, StakeTally};
use super::sums::Amounts;
use super::{Estimate, StageSummary, StakesSummary};

/// Summarizes the stakes of this many games.
pub fn stakes_summary(tally: &StakeTally, games: u64) -> StakesSummary {
    let (most_paid, _, most_staked) = tally.range();
    let [seen, ..] = tally.ways();
    let staked = Sample::of(seen.iter().map(|&(staked, _, games)| (staked, games)));
    let reach = most_paid + most_staked;
    let mut all = Amounts::default();
    tally.stages().iter().for_each(|stage| all.merge(stage.gain()));
    let sum = |of: fn(&StageTally) -> u64| tally.stages().iter().map(of).sum::<u64>();
    let (stopped, compared) = (sum(StageTally::stopped), sum(StageTally::compared));
    StakesSummary {
        staked: staked.estimate(0.0, most_staked),
        paid: mean_paid(tally, TAIL),
        stopped,
        worth_of_stopping: (compared > 0 && compared == stopped).then(|| all.mean(games, -reach, reach)),
        stages: tally.stages().iter().map(|stage| one(stage, reach)).collect(),
    }
}

fn one(stage: &StageTally, reach: f64) -> StageSummary {
    let compared = stage.compared();
    StageSummary {
        at: stage.at(),
        cost: stage.cost(),
        asked: stage.asked(),
        bought: stage.bought(),
        stopped: stage.stopped(),
        worth_of_stopping: (compared > 0).then(|| stage.gain().mean(compared, -reach, reach)),
    }
}

/// Returns the mean payment per game, cents.
pub fn mean_paid(tally: &StakeTally, tail: f64) -> Estimate {
    outer_at(tail, &samples(tally, |_, paid| paid), 0.0, tally.range().0)
}

/// Returns the player's mean net, cents.
pub fn mean_net(tally: &StakeTally, games: u64, tail: f64) -> Estimate {
    let (most_paid, least_staked, most_staked) = tally.range();
    let net = samples(tally, |staked, paid| paid - staked);
    let mean = outer_at(tail, &net, -most_staked, (most_paid - least_staked).max(0.0));
    // Without games the mean is 0.
    if games == 0 { Estimate { value: 0.0, ..mean } } else { mean }
}

fn samples(tally: &StakeTally, of: fn(f64, f64) -> f64) -> [Sample; 3] {
    tally.ways().map(|games| Sample::of(games.iter().map(|&(staked, paid, games)| (of(staked, paid), games))))
}

/// Returns the house edge: one minus payments over stakes. `None` if nothing was staked, or if too little is known to
/// bound the edge.
pub fn edge(tally: &StakeTally, tail: f64) -> Option<Estimate> {
    let (most_paid, least_staked, most_staked) = tally.range();
    let possible =
        [(most_paid, least_staked), (most_paid, most_staked), (0.0, least_staked), (0.0, most_staked)];
    let estimate = |games: Vec<(f64, f64, u64)>| {
        let games = games.into_iter().map(|(staked, paid, games)| (paid, staked, games)).collect();
        Ratio { games, possible: &possible }.estimate_at(tail)
    };
    let [seen, worst, best] = tally.ways().map(estimate);
    let (seen, worst, best) = (seen?, worst?, best?);
    // A game whose cards are paid for has a minimum cost, which bounds the ratio.
    let bound = if least_staked > 0.0 { (most_paid / least_staked).max(seen.value) } else { f64::INFINITY };
    let (low, high) = (seen.low.min(worst.low).max(0.0), seen.high.max(best.high).min(bound));
    high.is_finite().then_some(Estimate { value: 1.0 - seen.value, low: 1.0 - high, high: 1.0 - low })
}
