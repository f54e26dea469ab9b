//! Tally of games whose stake is bought in stages: stakes, payments, and where players stopped.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::interval::TAIL;
use super::sample::{Amount, Amounts, Counts, Ratio, Sample, WAYS, outer_at};
use crate::game::{End, Outcome, Stake};
use crate::rules::{OnRedeal, Returns, Spec, StageAt};

/// Assumed maximum number of redeals per card of the packs: if redeals are unlimited, nothing else limits the cost of
/// a game.
const REDEALS_A_CARD: u32 = 2;

/// Returns the assumed maximum number of redeals in a game.
pub(super) fn most_redeals(spec: &Spec) -> u32 {
    let most = REDEALS_A_CARD * spec.cards() as u32;
    spec.stock.redeals.map_or(most, |redeals| redeals.min(most))
}

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

/// One stage of the stake over many games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StageTally {
    pub at: StageAt,
    /// Cost, cents.
    cost: i64,
    limit: u32,
    /// How often it was offered and bought.
    pub asked: u64,
    pub bought: u64,
    /// Number of games that ended because it was declined, and of those replayed with every stage bought.
    pub stopped: u64,
    compared: u64,
    /// Over these, the net gain of stopping over continuing, by the same player on the same shuffle.
    pub gain: Amounts,
}

/// Figures of one stage of a stake.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageSummary {
    /// When it is bought.
    pub at: StageAt,
    /// Its cost, cents.
    pub cost: i64,
    /// How often it was offered.
    pub asked: u64,
    /// How often it was bought.
    pub bought: u64,
    /// Number of games that ended because it was declined.
    pub stopped: u64,
    /// Mean gain from stopping here over continuing, from replays of the same games with every stage bought; cents.
    /// `None` if nobody stopped.
    pub worth_of_stopping: Option<Estimate>,
}

/// Figures of a stake that is bought in stages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StakesSummary {
    /// Mean stake per game, cents.
    pub staked: Estimate,
    /// Mean payment per game, cents.
    pub paid: Estimate,
    /// Number of games that the player stopped at a stage.
    pub stopped: u64,
    /// Value of stopping per game dealt, counting 0 for games that were not stopped; cents. `None` if
    /// nobody stopped.
    pub worth_of_stopping: Option<Estimate>,
    /// The stages, in the order of the ruleset.
    pub stages: Vec<StageSummary>,
}

/// Money of the games under one ruleset with stages of the stake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Record", into = "Record")]
pub struct StakeTally {
    terms: Terms,
    /// Games by stake and payment, cents.
    outcomes: BTreeMap<(i64, Amount), u64>,
    pub(super) stages: Vec<StageTally>,
}

/// The tally as it is written: with sums over all games, for readers.
#[derive(Serialize, Deserialize)]
struct Record {
    terms: Terms,
    staked: u128,
    staked_squares: u128,
    /// Total payment, cents, with undecided games as they stood.
    paid: u128,
    outcomes: Vec<(i64, i64, i64, i64, u64)>,
    /// Undecided games without profit so far that might still have one, and vice versa.
    might_profit: u64,
    might_not: u64,
    nets: Counts,
    stages: Vec<StageTally>,
}

impl From<StakeTally> for Record {
    fn from(tally: StakeTally) -> Record {
        let sum = |of: fn(u128, u128) -> u128| {
            let each = tally.outcomes.iter().map(|((staked, paid), &games)| {
                of(staked.unsigned_abs().into(), paid.stood.unsigned_abs().into()) * u128::from(games)
            });
            each.sum()
        };
        let outcomes = tally.outcomes.iter();
        let (might_profit, might_not) = tally.open_profits();
        Record {
            staked: sum(|staked, _| staked),
            staked_squares: sum(|staked, _| staked * staked),
            paid: sum(|_, paid| paid),
            outcomes: outcomes.map(|((staked, it), &n)| (*staked, it.stood, it.worst, it.best, n)).collect(),
            might_profit,
            might_not,
            nets: tally.nets(),
            terms: tally.terms,
            stages: tally.stages,
        }
    }
}

impl From<Record> for StakeTally {
    fn from(Record { terms, outcomes, stages, .. }: Record) -> StakeTally {
        let outcome = |(staked, stood, worst, best, games)| ((staked, Amount { stood, worst, best }), games);
        StakeTally { terms, outcomes: outcomes.into_iter().map(outcome).collect(), stages }
    }
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
        let stages = casino.stages.iter().map(|stage| StageTally {
            at: stage.at,
            cost: stage.cost,
            limit: stage.limit,
            asked: 0,
            bought: 0,
            stopped: 0,
            compared: 0,
            gain: Amounts::default(),
        });
        StakeTally {
            terms: Terms {
                pays_per_card: casino.pays_per_card,
                pays_for_win: casino.pays_for_win,
                cards: spec.cards() as u16,
                returns: spec.foundation.returns != Returns::Never,
                least_staked: hand,
                most_staked: hand + cost(StageAt::Pass) * redeals + cost(StageAt::UnknownCard) * unknown,
            },
            outcomes: BTreeMap::new(),
            stages: stages.collect(),
        }
    }

    /// Counts this many games with the same outcome. One without a record of its stake counts with no stake and no
    /// payment.
    pub fn add(&mut self, outcome: &Outcome, times: u64) {
        let stake = outcome.stake.unwrap_or(Stake::NONE);
        let paid = self.terms.paid(outcome.end, outcome.cards, stake.whole);
        let net = paid.map(|cents| cents - stake.staked);
        *self.outcomes.entry((stake.staked, paid)).or_default() += times;
        for stage in &mut self.stages {
            let kind = stage.at as usize;
            stage.asked += times * u64::from(stake.asked[kind]);
            stage.bought += times * u64::from(stake.bought[kind]);
            if stake.stopped == Some(stage.at) {
                stage.stopped += times;
                let Some(instead) = stake.instead else { continue };
                stage.compared += times;
                let paid = self.terms.paid(instead.end, instead.cards, instead.whole);
                stage.gain.add_many(net.minus(paid.map(|cents| cents - instead.staked)), times);
            }
        }
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &StakeTally) {
        other.outcomes.iter().for_each(|(&key, games)| *self.outcomes.entry(key).or_default() += games);
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
        let key = |it: &StageTally| (it.at, it.cost, it.limit);
        self.terms == other.terms && self.stages.iter().map(key).eq(other.stages.iter().map(key))
    }

    /// Checks that the counts are consistent, as after [`StakeTally::add`], over this many games.
    ///
    /// # Errors
    /// The counts that disagree.
    pub fn check(&self, games: u64) -> Result<(), &'static str> {
        let counted: u128 = self.outcomes.values().map(|&games| u128::from(games)).sum();
        // Nets must not overflow.
        let sound =
            |(staked, paid): &(i64, Amount)| WAYS.iter().all(|of| of(paid).checked_sub(*staked).is_some());
        if counted != u128::from(games) || !self.outcomes.keys().all(sound) {
            return Err("the games by stake and payment are not as many as the games");
        }
        let odd = |stage: &StageTally| {
            stage.bought > stage.asked
                || stage.compared > stage.stopped
                || !stage.gain.check(stage.compared, u64::MAX)
        };
        if self.stages.iter().any(odd) {
            return Err("a stage of the stake was bought more often than it was asked for");
        }
        Ok(())
    }

    /// Returns the games by the player's net, cents, with undecided ones as they stood.
    pub fn nets(&self) -> BTreeMap<i64, u64> {
        let mut nets = Counts::new();
        for ((staked, paid), games) in &self.outcomes {
            *nets.entry(paid.stood - staked).or_default() += games;
        }
        nets
    }

    /// Returns the undecided games without profit so far that might still have one, and vice versa.
    pub(super) fn open_profits(&self) -> (u64, u64) {
        let count = |of: fn(Amount) -> bool| {
            let nets =
                self.outcomes.iter().map(|((staked, paid), games)| (paid.map(|it| it - staked), games));
            nets.filter(|(net, _)| of(*net)).map(|(_, games)| games).sum()
        };
        (count(|net| net.stood <= 0 && net.best > 0), count(|net| net.stood > 0 && net.worst <= 0))
    }

    /// Returns the games by stake and payment: as they stood, at worst and at best for the player.
    fn ways(&self) -> [Vec<(f64, f64, u64)>; 3] {
        WAYS.map(|of| {
            let each = self.outcomes.iter();
            each.map(|((staked, paid), &games)| (*staked as f64, of(paid) as f64, games)).collect()
        })
    }

    fn samples(&self, of: fn(f64, f64) -> f64) -> [Sample; 3] {
        self.ways().map(|all| Sample::of(all.iter().map(|&(staked, paid, games)| (of(staked, paid), games))))
    }

    /// Returns the maximum payment of a game, the minimum cost of such a game, and the maximum cost of any, cents.
    pub(super) fn range(&self) -> (f64, f64, f64) {
        let Terms { least_staked, most_staked, .. } = self.terms;
        (self.terms.most_paid() as f64, least_staked as f64, most_staked as f64)
    }

    /// Summarizes the stakes of this many games.
    pub(super) fn summary(&self, games: u64) -> StakesSummary {
        let (most_paid, _, most_staked) = self.range();
        let reach = most_paid + most_staked;
        let mut all = Amounts::default();
        self.stages.iter().for_each(|stage| all.merge(&stage.gain));
        let sum = |of: fn(&StageTally) -> u64| self.stages.iter().map(of).sum::<u64>();
        let (stopped, compared) = (sum(|it| it.stopped), sum(|it| it.compared));
        let stage = |stage: &StageTally| StageSummary {
            at: stage.at,
            cost: stage.cost,
            asked: stage.asked,
            bought: stage.bought,
            stopped: stage.stopped,
            worth_of_stopping: (stage.compared > 0).then(|| stage.gain.mean(stage.compared, -reach, reach)),
        };
        StakesSummary {
            staked: self.samples(|staked, _| staked)[0].estimate(0.0, most_staked),
            paid: self.mean_paid(TAIL),
            stopped,
            worth_of_stopping: (compared > 0 && compared == stopped).then(|| all.mean(games, -reach, reach)),
            stages: self.stages.iter().map(stage).collect(),
        }
    }

    /// Returns the mean payment per game, cents.
    pub(super) fn mean_paid(&self, tail: f64) -> Estimate {
        outer_at(tail, &self.samples(|_, paid| paid), 0.0, self.range().0)
    }

    /// Returns the player's mean net, cents.
    pub(super) fn mean_net(&self, tail: f64) -> Estimate {
        let (most_paid, least_staked, most_staked) = self.range();
        let net = self.samples(|staked, paid| paid - staked);
        let mean = outer_at(tail, &net, -most_staked, (most_paid - least_staked).max(0.0));
        // Without games the mean is 0.
        if self.outcomes.is_empty() { Estimate { value: 0.0, ..mean } } else { mean }
    }

    /// Returns the house edge: one minus payments over stakes. `None` if nothing was staked, or if too little is known
    /// to bound the edge.
    pub(super) fn edge(&self, tail: f64) -> Option<Estimate> {
        let (most_paid, least_staked, most_staked) = self.range();
        let possible =
            [(most_paid, least_staked), (most_paid, most_staked), (0.0, least_staked), (0.0, most_staked)];
        let estimate = |games: Vec<(f64, f64, u64)>| {
            let games = games.into_iter().map(|(staked, paid, games)| (paid, staked, games)).collect();
            Ratio { games, possible: &possible }.estimate_at(tail)
        };
        let [seen, worst, best] = self.ways().map(estimate);
        let (seen, worst, best) = (seen?, worst?, best?);
        // A game whose cards are paid for has a minimum cost, which bounds the ratio.
        let bound =
            if least_staked > 0.0 { (most_paid / least_staked).max(seen.value) } else { f64::INFINITY };
        let (low, high) = (seen.low.min(worst.low).max(0.0), seen.high.max(best.high).min(bound));
        high.is_finite().then_some(Estimate { value: 1.0 - seen.value, low: 1.0 - high, high: 1.0 - low })
    }
}

impl Terms {
    fn most_paid(&self) -> i64 {
        self.pays_per_card * i64::from(self.cards) + self.pays_for_win
    }

    /// Returns the payment of a game with this end and, if it is undecided, its possible range.
    fn paid(&self, end: End, cards: u16, whole: bool) -> Amount {
        let win = if cards == self.cards { self.pays_for_win } else { 0 };
        let stood = if whole { self.pays_per_card * i64::from(cards) + win } else { 0 };
        match end {
            End::Runaway => {
                Amount { stood, worst: if self.returns { 0 } else { stood }, best: self.most_paid() }
            }
            _ => Amount::settled(stood),
        }
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    use crate::game::Instead;
    use crate::rules::{Casino, Stage};
    use crate::stats::testing::{self, near};
    use crate::stats::{House, Tally, summarize};

    /// Canfield for $10 the hand, $20 the first draw and $5 a pass.
    fn spec() -> Spec {
        let stage = |at, cost| Stage { at, cost, limit: 0 };
        let stages =
            vec![stage(StageAt::Deal, 1000), stage(StageAt::FirstDraw, 2000), stage(StageAt::Pass, 500)];
        let casino = Casino { stake: 0, stages, pays_for_win: 10_000, ..Spec::default().casino };
        Spec { casino, ..Spec::default() }
    }

    /// A game of this many passes and, if it was stopped, the stage and the cards it would have ended with.
    fn game(end: End, cards: u16, passes: u32, stopped: Option<(StageAt, u16)>) -> Outcome {
        let at = stopped.map(|(at, _)| at);
        let bought = match at {
            Some(StageAt::Deal) => [0, 0, 0, 0, 0],
            Some(StageAt::FirstDraw) => [1, 0, 0, 0, 0],
            _ => [1, 0, 1, passes, 0],
        };
        let staked = 1000 * i64::from(bought[0]) + 2000 * i64::from(bought[2]) + 500 * i64::from(bought[3]);
        let mut asked = bought;
        at.iter().for_each(|&at| asked[at as usize] += 1);
        let instead = stopped.map(|(_, cards)| {
            let end = if cards == 52 { End::Won } else { End::Barren };
            Instead { end, cards, staked: 3000 + 500 * i64::from(passes + 2), whole: true }
        });
        let stake = Stake { staked, whole: bought[2] > 0, asked, bought, stopped: at, instead };
        Outcome {
            end,
            cards,
            moves: 60,
            redeals: passes,
            reserve_left: 4,
            complete_suits: 0,
            stake: Some(stake),
        }
    }

    fn any_game() -> impl Strategy<Value = Outcome> {
        let at = prop::sample::select(vec![StageAt::Deal, StageAt::FirstDraw, StageAt::Pass]);
        let end = prop::sample::select(vec![End::Barren, End::Won, End::Runaway]);
        (end, 0u16..52, 0u32..9, prop::option::of((at, 0u16..=52))).prop_map(
            |(end, cards, passes, stopped)| match (end, stopped) {
                (_, Some(_)) => game(End::Resigned, cards, passes, stopped),
                (End::Won, _) => game(End::Won, 52, passes, None),
                _ => game(end, cards, passes, None),
            },
        )
    }

    fn tally(games: &[Outcome]) -> Tally {
        testing::tally_of(&spec(), games)
    }

    proptest! {
        #[test]
        fn merging_is_exact_in_any_order(
            a in prop::collection::vec(any_game(), 0..20),
            b in prop::collection::vec(any_game(), 0..20),
        ) {
            let together = tally(&[a.clone(), b.clone()].concat());
            let mut merged = tally(&b);
            merged.merge(&tally(&a));
            prop_assert_eq!(&merged, &together);
            prop_assert_eq!(together.check(&spec()), Ok(()));
            let text = serde_json::to_string(&together).unwrap();
            prop_assert_eq!(&serde_json::to_string(&merged).unwrap(), &text);
            prop_assert_eq!(serde_json::from_str::<Tally>(&text).unwrap(), together.clone());

            // Every figure is a number and within its limits.
            let summary = summarize(&together, &spec(), vec![]);
            let stakes = summary.stakes.clone().unwrap();
            let worths = stakes.stages.iter().filter_map(|stage| stage.worth_of_stopping);
            let all = [summary.net, summary.hit_frequency, summary.hold_per_100, stakes.staked, stakes.paid];
            for e in all.into_iter().chain(worths).chain(summary.house_edge).chain(stakes.worth_of_stopping) {
                prop_assert!(e.low.is_finite() && e.high.is_finite(), "{e:?}");
                prop_assert!(e.low <= e.value && e.value <= e.high, "{e:?}");
            }
            prop_assert!(!serde_json::to_string(&summary).unwrap().contains("inf"));
        }
    }

    #[test]
    fn figures_by_hand() {
        let games = [
            game(End::Resigned, 1, 0, Some((StageAt::Deal, 3))),
            game(End::Resigned, 4, 0, Some((StageAt::FirstDraw, 4))),
            game(End::Resigned, 6, 2, Some((StageAt::Pass, 52))),
            game(End::Barren, 10, 3, None),
            game(End::Won, 52, 1, None),
        ];
        let tally = tally(&games);
        let stakes = tally.stakes().unwrap();
        // $0 + $10 + $40 + $45 + $35 staked; nothing, nothing, $30, $50 and $260 + $100 paid back.
        let nets: Vec<_> = stakes.nets().into_iter().collect();
        assert_eq!(nets, [(-1000, 2), (0, 1), (500, 1), (32_500, 1)]);
        // By continuing: 15 - 40, 20 - 40 and 360 - 50 dollars; by stopping: 0, -10 and -10.
        let told: Vec<_> = stakes
            .stages
            .iter()
            .map(|it| (it.at, it.gain.sums().0, [it.asked, it.bought, it.stopped]))
            .collect();
        let wanted = [
            (StageAt::Deal, 2500, [5, 4, 1]),
            (StageAt::FirstDraw, 1000, [4, 3, 1]),
            (StageAt::Pass, -32_000, [7, 6, 1]),
        ];
        assert_eq!(told, wanted);
        let summary = summarize(&tally, &spec(), vec![]);
        near(summary.net.value, 31_000.0 / 5.0);
        near(summary.house_edge.unwrap().value, -31.0 / 13.0);
        near(summary.hit_frequency.value, 0.4);
        near(summary.stakes.as_ref().unwrap().worth_of_stopping.unwrap().value, -28_500.0 / 5.0);
        // Where the stake varies, there is no fair price and no break-even; with nothing staked, there is no edge.
        let prices = (summary.fair_price, summary.price_for_5_percent, summary.break_even_cards);
        assert_eq!(prices, (None, None, None));
        let house = House::new(&tally, &spec().casino);
        assert!(house.edge_at_price(5200.0).is_none() && house.price_for_edge(0.05).is_none());
        let none = summarize(&self::tally(&games[..1]), &spec(), vec![]);
        assert_eq!((none.house_edge, none.net.value), (None, 0.0));
    }

    /// An undecided game counts with its worst and best possible results, and so does the value of stopping.
    #[test]
    fn undecided_games_count_both_ways() {
        let with = |last: Outcome| {
            let some = [game(End::Barren, 10, 3, None), game(End::Barren, 4, 1, None)];
            let games: Vec<Outcome> = some.iter().cycle().take(60).copied().chain([last; 40]).collect();
            summarize(&tally(&games), &spec(), vec![])
        };
        let (open, worst, best) = (
            with(game(End::Runaway, 8, 2, None)),
            with(game(End::Barren, 8, 2, None)),
            with(game(End::Won, 52, 2, None)),
        );
        assert_eq!(
            (open.net.value, open.net.low, open.net.high),
            (worst.net.value, worst.net.low, best.net.high)
        );
        let edges = [open, worst, best].map(|summary| summary.house_edge.unwrap());
        assert_eq!(
            (edges[0].value, edges[0].high, edges[0].low),
            (edges[1].value, edges[1].high, edges[2].low)
        );

        let stopped = |cards, end| {
            let mut game = game(End::Resigned, 5, 2, Some((StageAt::Pass, cards)));
            game.stake.as_mut().unwrap().instead.as_mut().unwrap().end = end;
            with(game).stakes.unwrap().stages[2].worth_of_stopping.unwrap()
        };
        let open = stopped(8, End::Runaway);
        assert_eq!(open.value, stopped(8, End::Barren).value);
        // All of them might have been won.
        assert_eq!(open.low, stopped(52, End::Won).low);
    }

    #[test]
    fn contradictions_are_named() {
        let good =
            tally(&[game(End::Barren, 10, 3, None), game(End::Resigned, 4, 0, Some((StageAt::Pass, 9)))]);
        let changes = [
            ["[4500,5000,5000,5000,1]", "[4500,5000,5000,5000,2]", "by stake and payment"],
            [r#""cost":1000,"limit":0,"asked":2"#, r#""cost":1000,"limit":0,"asked":1"#, "more often"],
            [r#""cost":1000"#, r#""cost":1001"#, "not of this ruleset"],
        ];
        testing::refuses(&spec(), &good, &changes);
        assert!(good.check(&Spec::default()).is_err());
    }
}
