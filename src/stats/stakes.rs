//! Games whose stake is bought in stages, counted: what was staked, what came back, who stopped where.

use serde::{Deserialize, Serialize};

use super::Counts;
use super::payout::payout;
use super::ratio::Ratio;
use super::sums::{Amount, OpenSums};
use super::whole::unsigned;
use crate::game::{End, Outcome, RUNAWAY, Stake};
use crate::rules::{OnRedeal, Returns, Spec, Stage, StageAt};

/// The terms under which games were counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Terms {
    pays_per_card: i64,
    pays_for_win: i64,
    /// Cards in the packs.
    cards: u16,
    /// Whether cards may leave the foundations, so that an undecided game may end with fewer.
    returns: bool,
    /// The least that a game costs whose cards are paid for, and the most that any can cost, cents.
    least_staked: i64,
    most_staked: i64,
}

/// What was paid back to the players of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Paid {
    #[serde(with = "unsigned")]
    sum: u128,
    #[serde(with = "unsigned")]
    squares: u128,
    /// Sum of the products with what was staked.
    #[serde(with = "unsigned")]
    by_staked: u128,
}

impl Paid {
    fn add(&mut self, paid: i64, staked: i64) {
        let [paid, staked] = [paid, staked].map(|cents| u128::from(cents.unsigned_abs()));
        self.sum += paid;
        self.squares += paid * paid;
        self.by_staked += paid * staked;
    }

    fn merge(&mut self, other: &Paid) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.by_staked += other.by_staked;
    }

    /// Without one part, and with another in its place.
    fn replaced(&self, part: &Paid, by: &Paid) -> Paid {
        let replaced = |all: u128, part: u128, by: u128| (all + by).saturating_sub(part);
        Paid {
            sum: replaced(self.sum, part.sum, by.sum),
            squares: replaced(self.squares, part.squares, by.squares),
            by_staked: replaced(self.by_staked, part.by_staked, by.by_staked),
        }
    }
}

/// One stage of the stake over many games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTally {
    at: StageAt,
    /// Cents.
    cost: i64,
    limit: u32,
    asked: u64,
    bought: u64,
    /// Games that ended because it was declined.
    stopped: u64,
    /// Those that were played once more to see what buying on would have brought.
    compared: u64,
    /// Over these: the net gain of stopping over continuing.
    gain: OpenSums,
}

impl StageTally {
    fn new(stage: &Stage) -> StageTally {
        let &Stage { at, cost, limit } = stage;
        StageTally {
            at,
            cost,
            limit,
            asked: 0,
            bought: 0,
            stopped: 0,
            compared: 0,
            gain: OpenSums::default(),
        }
    }

    /// When it is bought.
    pub fn at(&self) -> StageAt {
        self.at
    }

    /// What it costs, cents.
    pub fn cost(&self) -> i64 {
        self.cost
    }

    /// How often it was asked for.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// How often it was bought.
    pub fn bought(&self) -> u64 {
        self.bought
    }

    /// Games that ended because it was declined.
    pub fn stopped(&self) -> u64 {
        self.stopped
    }

    /// Those of them that were played once more to see what buying on would have brought.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// Over these: the net gain of stopping over continuing, by the same player on the same shuffle.
    pub fn gain(&self) -> &OpenSums {
        &self.gain
    }

    fn fits(&self, other: &StageTally) -> bool {
        (self.at, self.cost, self.limit) == (other.at, other.cost, other.limit)
    }
}

/// The money of games under one ruleset with stages of the stake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StakeTally {
    terms: Terms,
    #[serde(with = "unsigned")]
    staked: u128,
    #[serde(with = "unsigned")]
    staked_squares: u128,
    /// All games, the undecided as they stood.
    paid: Paid,
    /// The undecided games: as they stood, at worst and at best.
    undecided: Paid,
    worst: Paid,
    best: Paid,
    /// Undecided games in which the player had not profited and still might, and the other way round.
    might_profit: u64,
    might_not: u64,
    /// Games by the player's net, cents, the undecided as they stood.
    nets: Counts,
    stages: Vec<StageTally>,
}

impl StakeTally {
    /// Nothing counted yet.
    pub fn new(spec: &Spec) -> StakeTally {
        let casino = &spec.casino;
        let cost = |at| casino.stage(at).map_or(0, |stage| stage.cost);
        let hand = StageAt::ALL.into_iter().filter(|at| at.of_the_hand()).map(cost).sum();
        let redeals = i64::from(spec.stock.redeals.map_or(RUNAWAY, |redeals| redeals.min(RUNAWAY)));
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
            paid: Paid::default(),
            undecided: Paid::default(),
            worst: Paid::default(),
            best: Paid::default(),
            might_profit: 0,
            might_not: 0,
            nets: Counts::new(),
            stages: casino.stages.iter().map(StageTally::new).collect(),
        }
    }

    /// Counts a finished game. One that was not asked for its stake staked nothing and is paid nothing.
    pub fn add(&mut self, outcome: &Outcome) {
        let stake = outcome.stake.unwrap_or(Stake::NONE);
        let paid = self.terms.paid(outcome.end, outcome.cards, stake.whole);
        let net = paid.less(stake.staked);
        let staked = u128::from(stake.staked.unsigned_abs());
        self.staked += staked;
        self.staked_squares += staked * staked;
        self.paid.add(paid.stood, stake.staked);
        self.nets.add(net.stood);
        if outcome.end == End::Runaway {
            self.undecided.add(paid.stood, stake.staked);
            self.worst.add(paid.worst, stake.staked);
            self.best.add(paid.best, stake.staked);
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

    /// Adds what another has counted.
    pub fn merge(&mut self, other: &StakeTally) {
        self.staked += other.staked;
        self.staked_squares += other.staked_squares;
        self.paid.merge(&other.paid);
        self.undecided.merge(&other.undecided);
        self.worst.merge(&other.worst);
        self.best.merge(&other.best);
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

    /// Whether both count games under the same terms.
    pub fn fits(&self, other: &StakeTally) -> bool {
        self.terms == other.terms
            && self.stages.len() == other.stages.len()
            && self.stages.iter().zip(&other.stages).all(|(a, b)| a.fits(b))
    }

    /// Whether the counts agree with each other, as those of [`StakeTally::add`] do, over so many games.
    ///
    /// # Errors
    /// Says which counts disagree.
    pub fn check(&self, games: u64) -> Result<(), &'static str> {
        let total = |count: &dyn Fn(i64) -> i128| -> Option<i128> {
            let mut nets = self.nets.iter();
            nets.try_fold(0i128, |sum, (net, n)| sum.checked_add(count(net).checked_mul(n.into())?))
        };
        let signed = |sum: u128| i128::try_from(sum).ok();
        let difference = signed(self.paid.sum).zip(signed(self.staked)).map(|(paid, staked)| paid - staked);
        if total(&|_| 1) != Some(i128::from(games)) {
            return Err("the games by net are not as many as the games");
        }
        if total(&|net| net.into()).is_none() || total(&|net| net.into()) != difference {
            return Err("the games by net do not add up to what was paid back less what was staked");
        }
        let odd = |stage: &StageTally| stage.bought > stage.asked || stage.compared > stage.stopped;
        if self.stages.iter().any(odd) {
            return Err("a stage of the stake was bought more often than it was asked for");
        }
        Ok(())
    }

    /// Sum of what was staked, cents.
    pub fn staked(&self) -> u128 {
        self.staked
    }

    /// Sum of the squares of what each game was played for.
    pub fn staked_squares(&self) -> u128 {
        self.staked_squares
    }

    /// Sum of what was paid back, cents, the undecided games as they stood.
    pub fn paid(&self) -> u128 {
        self.paid.sum
    }

    /// Games by the player's net, cents.
    pub fn nets(&self) -> &Counts {
        &self.nets
    }

    /// The stages, in the order of the ruleset.
    pub fn stages(&self) -> &[StageTally] {
        &self.stages
    }

    /// Undecided games in which the player had not profited and still might, and the other way round.
    pub(super) fn open_profits(&self) -> (u64, u64) {
        (self.might_profit, self.might_not)
    }

    /// What was paid back over what was staked: as it stood, at worst and at best for the player.
    pub(super) fn ratios(&self, games: u64) -> [Ratio; 3] {
        let ratio = |paid: Paid| Ratio {
            n: games,
            x: paid.sum,
            y: self.staked,
            xx: paid.squares,
            yy: self.staked_squares,
            xy: paid.by_staked,
        };
        [
            self.paid,
            self.paid.replaced(&self.undecided, &self.worst),
            self.paid.replaced(&self.undecided, &self.best),
        ]
        .map(ratio)
    }

    /// The most that a game can pay, the least that such a game costs, and the most that any costs, cents.
    pub(super) fn range(&self) -> (f64, f64, f64) {
        let Terms { least_staked, most_staked, .. } = self.terms;
        (self.terms.most_paid() as f64, least_staked as f64, most_staked as f64)
    }
}

impl Terms {
    fn most_paid(&self) -> i64 {
        self.pays_per_card * i64::from(self.cards) + self.pays_for_win
    }

    /// What a game pays back that ended so, and, where it was not decided, what it may still have paid.
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

/// What a finished game was played for and what the player gained by it, cents: of a game whose stake
/// was bought in stages only what was bought counts.
pub fn staked_and_net(spec: &Spec, outcome: &Outcome) -> (i64, i64) {
    let casino = &spec.casino;
    let paid = payout(casino, usize::from(outcome.cards), spec.cards());
    match outcome.stake {
        Some(stake) => (stake.staked, if stake.whole { paid } else { 0 } - stake.staked),
        None if casino.is_staged() => (0, 0),
        None => (casino.stake, paid.saturating_sub(casino.stake)),
    }
}

#[cfg(test)]
#[path = "stake_tests.rs"]
mod tests;
