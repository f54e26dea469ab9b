//! What counted stakes say: means, the edge as a ratio of means, and what stopping is worth.

use super::interval::{Moments, outer};
use super::ratio::Ratio;
use super::stakes::{StageTally, StakeTally};
use super::sums::OpenSums;
use super::{Estimate, StageSummary, StakesSummary};

/// The stake over so many games.
pub fn stakes_summary(tally: &StakeTally, games: u64) -> StakesSummary {
    let (most_paid, _, most_staked) = tally.range();
    let staked = Moments::of_sums(games, tally.staked(), tally.staked_squares());
    let reach = most_paid + most_staked;
    let mut all = OpenSums::default();
    tally.stages().iter().for_each(|stage| all.merge(stage.gain()));
    let sum = |of: fn(&StageTally) -> u64| tally.stages().iter().map(of).sum::<u64>();
    let (stopped, compared) = (sum(StageTally::stopped), sum(StageTally::compared));
    StakesSummary {
        staked: staked.estimate(0.0, most_staked),
        paid: mean_paid(tally, games),
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

/// Mean cents paid back a game.
pub fn mean_paid(tally: &StakeTally, games: u64) -> Estimate {
    let [seen, worst, best] = tally.ratios(games).map(|r| Moments::of_sums(r.n, r.x, r.xx));
    outer(seen, worst, best, 0.0, tally.range().0)
}

/// Mean net of the player, cents.
pub fn mean_net(tally: &StakeTally, games: u64) -> Estimate {
    let (most_paid, least_staked, most_staked) = tally.range();
    let net = |r: Ratio| {
        let sum = signed(r.x).saturating_sub(signed(r.y));
        // The square of a difference; of whole numbers it is exact.
        let squares = (r.xx + r.yy).saturating_sub(2 * r.xy);
        Moments::of_signed_sums(r.n, sum, squares)
    };
    let [seen, worst, best] = tally.ratios(games).map(net);
    let mean = outer(seen, worst, best, -most_staked, (most_paid - least_staked).max(0.0));
    // Nothing played is nothing gained.
    if games == 0 { Estimate { value: 0.0, ..mean } } else { mean }
}

/// The house edge: one less what is paid back for what is staked. `None` where nothing was staked, or where
/// so little is known that nothing bounds the edge.
pub fn edge(tally: &StakeTally, games: u64) -> Option<Estimate> {
    let (most_paid, least_staked, most_staked) = tally.range();
    let [seen, worst, best] = tally.ratios(games);
    let value = seen.value()?;
    let limits = |ratio: Ratio| ratio.limits(most_paid, least_staked, most_staked);
    // A game whose cards are paid for costs at least so much, which bounds the ratio.
    let possible = (least_staked > 0.0).then(|| (0.0, most_paid / least_staked));
    let (low, high) = match [seen, worst, best].map(limits) {
        [Some(seen), Some(worst), Some(best)] => (seen.0.min(worst.0), seen.1.max(best.1)),
        _ => possible?,
    };
    let high = possible.map_or(high, |(_, most)| high.min(most.max(value)));
    Some(Estimate { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low.max(0.0) })
}

fn signed(sum: u128) -> i128 {
    i128::try_from(sum).unwrap_or(i128::MAX)
}
