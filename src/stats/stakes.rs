//! Tally of games whose stake is bought in stages: stakes, payments, and where players stopped.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Counts;
use super::payout::most_redeals;
use super::sums::{Amount, Amounts};
use crate::game::{End, Outcome, Stake};
use crate::rules::{OnRedeal, Returns, Spec, Stage, StageAt};

/// Terms under which games were counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Terms {
    pays_per_card: i64,
    pays_for_win: i64,
    /// Cards in the packs.
    cards: u16,
    /// Whether cards may leave the foundations, so that an undecided game may end with fewer.
    returns: bool,
    /// The minimum cost of a game whose cards are paid for, and the maximum cost of any, cents.
    least_staked: i64,
    most_staked: i64,
}

/// Games by stake and payment, cents.
type ByPayment = BTreeMap<(i64, Amount), u64>;

/// One stage of the stake over many games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTally {
    at: StageAt,
    /// Cost, cents.
    cost: i64,
    limit: u32,
    asked: u64,
    bought: u64,
    /// Number of games that ended because it was declined.
    stopped: u64,
    /// Number of those replayed with every stage bought.
    compared: u64,
    /// Over these, the net gain of stopping over continuing.
    gain: Amounts,
}

impl StageTally {
    fn new(stage: &Stage) -> StageTally {
        let &Stage { at, cost, limit } = stage;
        StageTally { at, cost, limit, asked: 0, bought: 0, stopped: 0, compared: 0, gain: Amounts::default() }
    }

    /// Returns when it is bought.
    pub fn at(&self) -> StageAt {
        self.at
    }

    /// Returns its cost, cents.
    pub fn cost(&self) -> i64 {
        self.cost
    }

    /// Returns how often it was offered.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// Returns how often it was bought.
    pub fn bought(&self) -> u64 {
        self.bought
    }

    /// Returns the number of games that ended because it was declined.
    pub fn stopped(&self) -> u64 {
        self.stopped
    }

    /// Returns the number of those replayed with every stage bought.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Returns, over these, the net gain of stopping over continuing, by the same player on the same shuffle.
    pub fn gain(&self) -> &Amounts {
        &self.gain
    }

    fn fits(&self, other: &StageTally) -> bool {
        (self.at, self.cost, self.limit) == (other.at, other.cost, other.limit)
    }
}

/// Money of the games under one ruleset with stages of the stake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StakeTally {
    terms: Terms,
    staked: u128,
    staked_squares: u128,
    /// Total payment, cents, with undecided games as they stood.
    paid: u128,
    #[serde(with = "outcomes")]
    outcomes: ByPayment,
    /// Undecided games without profit so far that might still have one, and vice versa.
    might_profit: u64,
    might_not: u64,
    /// Games by the player's net, cents, with undecided ones as they stood.
    nets: Counts,
    stages: Vec<StageTally>,
}

impl StakeTally {
    /// Creates an empty tally.
    pub fn new(spec: &Spec) -> StakeTally {
        let casino = &spec.casino;
        let cost = |at| casino.stage(at).map_or(0, |stage| stage.cost);
        let hand = StageAt::ALL.into_iter().filter(|at| at.of_the_hand()).map(cost).sum();
        let redeals = i64::from(most_redeals(spec));
        let shuffles = if spec.stock.on_redeal == OnRedeal::Shuffle { redeals } else { 0 };
        let unknown = match casino.stage(StageAt::UnknownCard).map_or(0, |stage| stage.limit) {
            0 => spec.cards() as i64 * (1 + shuffles),
            limit => i64::from(limit),
        };
        StakeTally {
            terms: Terms {
                pays_per_card: casino.pays_per_card,
                pays_for_win: casino.pays_for_win,
                cards: spec.cards() as u16,
                returns: spec.foundation.returns != Returns::Never,
                least_staked: hand,
                most_staked: hand + cost(StageAt::Pass) * redeals + cost(StageAt::UnknownCard) * unknown,
            },
            staked: 0,
            staked_squares: 0,
            paid: 0,
            outcomes: ByPayment::new(),
            might_profit: 0,
            might_not: 0,
            nets: Counts::new(),
            stages: casino.stages.iter().map(StageTally::new).collect(),
        }
    }

    /// Counts a finished game. One without a record of its stake counts with no stake and no payment.
    pub fn add(&mut self, outcome: &Outcome) {
        let stake = outcome.stake.unwrap_or(Stake::NONE);
        let paid = self.terms.paid(outcome.end, outcome.cards, stake.whole);
        let net = paid.less(stake.staked);
        let staked = u128::from(stake.staked.unsigned_abs());
        self.staked += staked;
        self.staked_squares += staked * staked;
        self.paid += u128::from(paid.stood.unsigned_abs());
        *self.outcomes.entry((stake.staked, paid)).or_default() += 1;
        self.nets.add(net.stood);
        if outcome.end == End::Runaway {
            self.might_profit += u64::from(net.stood <= 0 && net.best > 0);
            self.might_not += u64::from(net.stood > 0 && net.worst <= 0);
        }
        for stage in &mut self.stages {
            let kind = stage.at as usize;
            stage.asked += u64::from(stake.asked[kind]);
            stage.bought += u64::from(stake.bought[kind]);
            if stake.stopped == Some(stage.at) {
                stage.stopped += 1;
                let Some(instead) = stake.instead else { continue };
                stage.compared += 1;
                let on = self.terms.paid(instead.end, instead.cards, instead.whole).less(instead.staked);
                stage.gain.add(Amount {
                    stood: net.stood - on.stood,
                    worst: net.stood - on.best,
                    best: net.stood - on.worst,
                });
            }
        }
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &StakeTally) {
        self.staked += other.staked;
        self.staked_squares += other.staked_squares;
        self.paid += other.paid;
        other.outcomes.iter().for_each(|(&key, games)| *self.outcomes.entry(key).or_default() += games);
        self.might_profit += other.might_profit;
        self.might_not += other.might_not;
        self.nets.merge(&other.nets);
        for (stage, other) in self.stages.iter_mut().zip(&other.stages) {
            stage.asked += other.asked;
            stage.bought += other.bought;
            stage.stopped += other.stopped;
            stage.compared += other.compared;
            stage.gain.merge(&other.gain);
        }
    }

    /// Returns whether both count games under the same terms.
    pub fn fits(&self, other: &StakeTally) -> bool {
        self.terms == other.terms
            && self.stages.len() == other.stages.len()
            && self.stages.iter().zip(&other.stages).all(|(a, b)| a.fits(b))
    }

    /// Checks that the counts are consistent, as after [`StakeTally::add`], over this many games.
    ///
    /// # Errors
    /// The counts that disagree.
    pub fn check(&self, games: u64) -> Result<(), &'static str> {
        let total = |count: &dyn Fn(i64) -> i128| -> Option<i128> {
            let mut nets = self.nets.iter();
            nets.try_fold(0i128, |sum, (net, n)| sum.checked_add(count(net).checked_mul(n.into())?))
        };
        let signed = |sum: u128| i128::try_from(sum).ok();
        let difference = signed(self.paid).zip(signed(self.staked)).map(|(paid, staked)| paid - staked);
        if total(&|_| 1) != Some(i128::from(games)) {
            return Err("the games by net are not as many as the games");
        }
        if total(&|net| net.into()).is_none() || total(&|net| net.into()) != difference {
            return Err("the games by net do not add up to what was paid back less what was staked");
        }
        let all = self.outcomes.iter().try_fold(
            (0u128, 0u128, 0u128),
            |(n, staked, paid), (&(stake, pay), &games)| {
                let of = |cents: i64| u128::try_from(cents).ok()?.checked_mul(games.into());
                Some((
                    n + u128::from(games),
                    staked.checked_add(of(stake)?)?,
                    paid.checked_add(of(pay.stood)?)?,
                ))
            },
        );
        if all != Some((games.into(), self.staked, self.paid)) {
            return Err("the games by stake and payment do not add up to what was staked and paid back");
        }
        let odd = |stage: &StageTally| stage.bought > stage.asked || stage.compared > stage.stopped;
        if self.stages.iter().any(odd) {
            return Err("a stage of the stake was bought more often than it was asked for");
        }
        Ok(())
    }

    /// Returns the total stake, cents.
    pub fn staked(&self) -> u128 {
        self.staked
    }

    /// Returns the sum of the squared stakes.
    pub fn staked_squares(&self) -> u128 {
        self.staked_squares
    }

    /// Returns the total payment, cents, with undecided games as they stood.
    pub fn paid(&self) -> u128 {
        self.paid
    }

    /// Returns the games by the player's net, cents.
    pub fn nets(&self) -> &Counts {
        &self.nets
    }

    /// Returns the stages, in the order of the ruleset.
    pub fn stages(&self) -> &[StageTally] {
        &self.stages
    }

    /// Returns the undecided games without profit so far that might still have one, and vice versa.
    pub(super) fn open_profits(&self) -> (u64, u64) {
        (self.might_profit, self.might_not)
    }

    /// Returns the games by stake and payment: as they stood, at worst and at best for the player.
    pub(super) fn ways(&self) -> [Vec<(f64, f64, u64)>; 3] {
        let ways: [fn(&Amount) -> i64; 3] = [|it| it.stood, |it| it.worst, |it| it.best];
        ways.map(|of| {
            let each = self.outcomes.iter();
            each.map(|((staked, paid), &games)| (*staked as f64, of(paid) as f64, games)).collect()
        })
    }

    /// Returns the maximum payment of a game, the minimum cost of such a game, and the maximum cost of any, cents.
    pub(super) fn range(&self) -> (f64, f64, f64) {
        let Terms { least_staked, most_staked, .. } = self.terms;
        (self.terms.most_paid() as f64, least_staked as f64, most_staked as f64)
    }
}

impl Terms {
    fn most_paid(&self) -> i64 {
        self.pays_per_card * i64::from(self.cards) + self.pays_for_win
    }

    /// Returns the payment of a game with this end and, if it is undecided, its possible range.
    fn paid(&self, end: End, cards: u16, whole: bool) -> Amount {
        let of = |cards: u16| {
            let win = if cards == self.cards { self.pays_for_win } else { 0 };
            self.pays_per_card * i64::from(cards) + win
        };
        let stood = if whole { of(cards) } else { 0 };
        match end {
            End::Runaway => {
                let least = if self.returns { 0 } else { of(cards) };
                Amount { stood, worst: if whole { least } else { 0 }, best: self.most_paid() }
            }
            _ => Amount { stood, worst: stood, best: stood },
        }
    }
}

impl Amount {
    fn less(self, cents: i64) -> Amount {
        Amount { stood: self.stood - cents, worst: self.worst - cents, best: self.best - cents }
    }
}

/// Serializes outcomes as a list, as the keys of a JSON object are text.
mod outcomes {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Amount, ByPayment};

    pub fn serialize<S: Serializer>(outcomes: &ByPayment, to: S) -> Result<S::Ok, S::Error> {
        let each =
            outcomes.iter().map(|((staked, paid), games)| (staked, paid.stood, paid.worst, paid.best, games));
        // Some formats need the length in advance.
        to.collect_seq(each.collect::<Vec<_>>())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ByPayment, D::Error> {
        let list = Vec::<(i64, i64, i64, i64, u64)>::deserialize(from)?;
        let each = list
            .into_iter()
            .map(|(staked, stood, worst, best, games)| ((staked, Amount { stood, worst, best }), games));
        Ok(each.collect())
    }
}

/// Returns the stake of a finished game and the player's net, cents; if the stake is bought in stages, only the
/// stages bought count. A jackpot pays its start, and its growth is not counted.
pub fn staked_and_net(spec: &Spec, outcome: &Outcome) -> (i64, i64) {
    let casino = &spec.casino;
    let paid = casino.pay(usize::from(outcome.cards), spec.cards());
    match outcome.stake {
        Some(stake) => (stake.staked, if stake.whole { paid } else { 0 } - stake.staked),
        None if casino.is_staged() => (0, 0),
        None => (
            casino.stake,
            paid.saturating_sub(casino.redeal_fees(outcome.redeals)).saturating_sub(casino.stake),
        ),
    }
}

#[cfg(test)]
#[path = "stake_tests.rs"]
mod tests;
