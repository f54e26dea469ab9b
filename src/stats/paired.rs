//! Two players, or two rulesets, compared game by game on the same deals.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, DiscreteCDF};

use super::casino::{most_fees, payout, payout_range};
use super::interval::student_beyond;
use super::night::gcd;
use super::sample::{Amount, Amounts};
use super::stakes::{StakeTally, staked_and_net};
use super::{Estimate, Moments, TAIL, student};
use crate::game::{End, Outcome};
use crate::rules::{Casino, Returns, Spec};

/// A finished game; an undecided one with its worst and best possible results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameWorth {
    /// Cards on the foundations.
    pub cards: Amount,
    /// 1 for a win, else 0.
    pub won: Amount,
    /// The player's net, cents; a jackpot counts with its long-run value: its growth, and its start if it is won.
    pub money: Amount,
}

impl GameWorth {
    /// Computes the result of a game under these rules.
    pub fn of(spec: &Spec, outcome: &Outcome) -> GameWorth {
        let all = spec.cards();
        // Contributions to a jackpot's meter are paid to a player sooner or later.
        let net = staked_and_net(spec, outcome).1.saturating_add(spec.casino.meter_growth());
        let won = i64::from(outcome.end == End::Won);
        if outcome.end != End::Runaway {
            let cards = Amount::settled(outcome.cards.into());
            return GameWorth { cards, won: Amount::settled(won), money: Amount::settled(net) };
        }
        let least = if spec.foundation.returns == Returns::Never { usize::from(outcome.cards) } else { 0 };
        let paid = payout(&spec.casino, outcome.cards.into(), all);
        // An undecided game whose hand is not fully bought pays nothing yet, and may still pay everything.
        let whole = outcome.stake.is_none_or(|stake| stake.whole);
        let (floor, top) = payout_range(&spec.casino, least, all);
        let (floor, stood) = if whole { (floor, paid) } else { (floor.min(0), 0) };
        // Future redeals may cost something.
        let fees = most_fees(spec).saturating_sub(spec.casino.redeal_fees(outcome.redeals)).max(0);
        GameWorth {
            cards: Amount { stood: outcome.cards.into(), worst: least as i64, best: all as i64 },
            won: Amount { stood: won, worst: 0, best: 1 },
            money: Amount {
                stood: net,
                worst: net - stood + floor.min(stood) - fees,
                best: net - stood + top.max(stood),
            },
        }
    }

    /// Returns the largest plausible difference between a game under one ruleset and one under the other. A stake
    /// bought in stages counts as that of the hand: nobody buys pass after pass for all of it.
    pub fn reach(measure: Measure, a: &Spec, b: &Spec) -> u64 {
        if measure != Measure::Money || !(a.casino.is_staged() || b.casino.is_staged()) {
            return reach(measure, a, b) as u64;
        }
        let top = |spec: &Spec| payout_range(&spec.casino, 0, spec.cards()).1 as f64;
        let hand = |spec: &Spec| if spec.casino.is_staged() { StakeTally::new(spec).range().1 } else { 0.0 };
        let staked = |spec: &Spec| spec.casino.stake as f64 + hand(spec);
        (top(a) + staked(b)).max(top(b) + staked(a)) as u64
    }

    /// Returns the value by one measure.
    pub fn by(&self, measure: Measure) -> Amount {
        match measure {
            Measure::Cards => self.cards,
            Measure::Wins => self.won,
            Measure::Money => self.money,
        }
    }
}

/// Returns the maximum difference between a game under one ruleset and one under the other.
fn reach(measure: Measure, a: &Spec, b: &Spec) -> f64 {
    let money = |spec: &Spec| -> (f64, f64) {
        if spec.casino.is_staged() {
            let (paid, _, most_staked) = StakeTally::new(spec).range();
            return (-most_staked, paid);
        }
        let ((floor, top), stake) = (payout_range(&spec.casino, 0, spec.cards()), spec.casino.stake as f64);
        ((floor - most_fees(spec)).min(0) as f64 - stake, top as f64 - stake)
    };
    match measure {
        Measure::Cards => a.cards().max(b.cards()) as f64,
        Measure::Wins => 1.0,
        Measure::Money => {
            let ((least_a, most_a), (least_b, most_b)) = (money(a), money(b));
            (most_a - least_b).max(most_b - least_a).max(0.0)
        }
    }
}

/// Deals by winner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PairedWins {
    /// Won by the first alone.
    pub a_only: u64,
    /// Won by the second alone.
    pub b_only: u64,
    /// Won by both.
    pub both: u64,
    /// Won by neither.
    pub neither: u64,
}

impl PairedWins {
    /// Returns the number of deals.
    pub fn games(&self) -> u64 {
        self.a_only + self.b_only + self.both + self.neither
    }
}

/// Two players' games on the same deals. Its size does not depend on the number of games.
#[derive(Clone, Debug)]
pub struct PairTally {
    games: u64,
    /// Differences by measure, as in [`Measure::ALL`], and the greatest possible ones.
    differences: [Amounts; 3],
    reach: [f64; 3],
    wins: PairedWins,
}

/// Differences between two players, the first minus the second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairSummary {
    /// Deals.
    pub games: u64,
    /// Mean difference in cards.
    pub cards: Estimate,
    /// Standard deviation of the difference of one deal, cards.
    pub cards_sd: f64,
    /// Mean difference in the player's net, cents.
    pub money: Estimate,
    /// Standard deviation of the difference of one deal, cents.
    pub money_sd: f64,
    /// Difference in the rate of wins.
    pub win_rate: Estimate,
    /// Deals by winner.
    pub wins: PairedWins,
    /// Deals on which the first had more cards, the second, and neither.
    pub more_cards: MoreCards,
    /// Deals by difference in cards, without empty entries: `[difference, deals]`.
    pub card_differences: Vec<(i64, u64)>,
}

/// Deals by who had more cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MoreCards {
    /// The first.
    pub a: u64,
    /// The second.
    pub b: u64,
    /// Both had the same number.
    pub same: u64,
}

/// Result of a test with a fixed number of deals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FixedTest {
    /// The p-value of the hypothesis of no difference.
    pub p: f64,
    /// The mean difference with its 95% interval.
    pub difference: Estimate,
}

impl PairTally {
    /// Creates an empty tally for the games of one player under `a` and another under `b`.
    pub fn new(a: &Spec, b: &Spec) -> PairTally {
        PairTally {
            games: 0,
            differences: Default::default(),
            reach: Measure::ALL.map(|measure| reach(measure, a, b)),
            wins: PairedWins::default(),
        }
    }

    /// Counts a deal.
    pub fn add(&mut self, a: &GameWorth, b: &GameWorth) {
        self.games += 1;
        for (amounts, measure) in self.differences.iter_mut().zip(Measure::ALL) {
            amounts.add(a.by(measure).minus(b.by(measure)));
        }
        *match (a.won.stood > 0, b.won.stood > 0) {
            (true, false) => &mut self.wins.a_only,
            (false, true) => &mut self.wins.b_only,
            (true, true) => &mut self.wins.both,
            (false, false) => &mut self.wins.neither,
        } += 1;
    }

    fn by(&self, measure: Measure) -> &Amounts {
        &self.differences[measure as usize]
    }

    /// Returns the difference by one measure: in cards, as a rate of wins, or in cents; with an error probability of
    /// `tail` at either end of its interval.
    pub fn difference(&self, measure: Measure, tail: f64) -> Estimate {
        let reach = self.reach[measure as usize];
        self.by(measure).mean_at(tail, self.games, -reach, reach)
    }

    /// Returns the sum and sum of squares of the differences by one measure, with undecided games as they stood.
    pub fn sums(&self, measure: Measure) -> (i128, u128) {
        self.by(measure).sums()
    }

    /// Returns the result of a test with this fixed number of deals: Student's paired t-test, or for wins the
    /// sign test on the deals that only one side won. `None` if no two games differed.
    pub fn fixed_test(&self, measure: Measure) -> Option<FixedTest> {
        let (sum, squares) = self.sums(measure);
        if measure == Measure::Wins {
            let PairedWins { a_only, b_only, .. } = self.wins;
            let fewer = Binomial::new(0.5, a_only + b_only).ok().filter(|_| squares > 0)?;
            let p = (2.0 * fewer.cdf(a_only.min(b_only))).min(1.0);
            let [stood, ..] = self.by(measure).samples(self.games);
            return Some(FixedTest { p, difference: stood.estimate(-1.0, 1.0) });
        }
        let Moments { n, mean, sd } = Moments::of_signed_sums(self.games, sum, squares);
        let error = sd / (n as f64).sqrt();
        (error > 0.0).then(|| {
            let half = student(n as f64 - 1.0) * error;
            let difference = Estimate { value: mean, low: mean - half, high: mean + half };
            FixedTest { p: student_beyond(mean / error, n as f64 - 1.0), difference }
        })
    }

    /// Summarizes with an error probability of `tail` at either end of intervals.
    pub fn summary(&self, tail: f64) -> PairSummary {
        let cards = self.by(Measure::Cards).stood();
        PairSummary {
            games: self.games,
            cards: self.difference(Measure::Cards, tail),
            cards_sd: self.by(Measure::Cards).sd(self.games),
            money: self.difference(Measure::Money, tail),
            money_sd: self.by(Measure::Money).sd(self.games),
            win_rate: self.difference(Measure::Wins, tail),
            wins: self.wins,
            more_cards: MoreCards {
                a: cards.range(1..).map(|(_, deals)| deals).sum(),
                b: cards.range(..0).map(|(_, deals)| deals).sum(),
                same: cards.get(&0).copied().unwrap_or(0),
            },
            card_differences: cards.into_iter().collect(),
        }
    }
}

impl PairSummary {
    /// Returns the difference by one measure.
    pub fn by(&self, measure: Measure) -> Estimate {
        match measure {
            Measure::Cards => self.cards,
            Measure::Money => self.money,
            Measure::Wins => self.win_rate,
        }
    }
}

/// The differences between games of two rulesets, deal by deal: exact counts that can be stored in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceTally {
    games: u64,
    cards: Amounts,
    wins: Amounts,
    /// In the units of [`EdgeUnit`].
    edge: Amounts,
}

/// Differences over all deals: the first ruleset minus the second, each with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// Number of deals that both played.
    pub games: u64,
    /// House edge, as a share of the price; `None` if either has no fixed price.
    pub house_edge: Option<Estimate>,
    /// Rate of wins.
    pub win_rate: Estimate,
    /// Mean cards.
    pub cards: Estimate,
}

/// A common unit for two nets, so that shares of two prices can be subtracted as whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeUnit {
    a: i64,
    b: i64,
    /// The whole price, in units.
    whole: i64,
}

impl EdgeUnit {
    /// `None` if a deck is free, bought in stages, or too expensive to multiply.
    pub fn of(a: &Spec, b: &Spec) -> Option<EdgeUnit> {
        let price =
            |spec: &Spec| (!spec.casino.is_staged() && spec.casino.stake > 0).then_some(spec.casino.stake);
        let (price_a, price_b) = (price(a)?, price(b)?);
        let common = gcd(price_a, price_b);
        let whole = price_a.checked_mul(price_b / common)?;
        let unit = EdgeUnit { a: price_b / common, b: price_a / common, whole };
        // Nets are at most the greatest difference between any two games.
        let most = GameWorth::reach(Measure::Money, a, b).max(price_a.max(price_b).unsigned_abs());
        let most = i64::try_from(most).ok()?.checked_mul(2)?;
        (most.checked_mul(unit.a).is_some() && most.checked_mul(unit.b).is_some()).then_some(unit)
    }

    /// Returns the first edge minus the second in one deal: the player's gain is the house's loss.
    fn difference(&self, a: Amount, b: Amount) -> Amount {
        b.map(|net| net * self.b).minus(a.map(|net| net * self.a))
    }

    /// Returns the maximum difference between two games, in units.
    fn reach(&self, a: &Spec, b: &Spec) -> f64 {
        let range = |spec: &Spec, by: i64| {
            let (least, most) = payout_range(&spec.casino, 0, spec.cards());
            let least = least.saturating_sub(most_fees(spec));
            (least.min(0) as f64 * by as f64, most.max(0) as f64 * by as f64)
        };
        let ((least_a, most_a), (least_b, most_b)) = (range(a, self.a), range(b, self.b));
        (most_a - least_b).max(most_b - least_a)
    }
}

impl DifferenceTally {
    /// Counts a deal: the results of both.
    pub fn add(&mut self, unit: Option<EdgeUnit>, a: &GameWorth, b: &GameWorth) {
        self.games += 1;
        self.cards.add(a.cards.minus(b.cards));
        self.wins.add(a.won.minus(b.won));
        if let Some(unit) = unit {
            self.edge.add(unit.difference(a.money, b.money));
        }
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &DifferenceTally) {
        self.games += other.games;
        self.cards.merge(&other.cards);
        self.wins.merge(&other.wins);
        self.edge.merge(&other.edge);
    }

    /// Returns the number of deals.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Summarizes games under these rules.
    pub fn summary(&self, a: &Spec, b: &Spec) -> Difference {
        self.summary_at(TAIL, a, b)
    }

    /// Summarizes with an error probability of `tail` at either end of intervals.
    pub fn summary_at(&self, tail: f64, a: &Spec, b: &Spec) -> Difference {
        let cards = a.cards().max(b.cards()) as f64;
        let edge = EdgeUnit::of(a, b).map(|unit| {
            let most = unit.reach(a, b);
            self.edge.mean_at(tail, self.games, -most, most).map(|edge| edge / unit.whole as f64)
        });
        Difference {
            games: self.games,
            house_edge: edge,
            win_rate: self.wins.mean_at(tail, self.games, -1.0, 1.0),
            cards: self.cards.mean_at(tail, self.games, -cards, cards),
        }
    }

    /// Checks that counts read from a file are possible for this many games under these rules.
    ///
    /// # Errors
    /// The contradiction, as part of a sentence.
    pub fn check(&self, games: u64, a: &Spec, b: &Spec) -> Result<(), String> {
        let (edges, counted) = match EdgeUnit::of(a, b) {
            Some(unit) => (unit.reach(a, b) as u64, self.games),
            None => (0, 0),
        };
        let sound = self.games <= games
            && self.cards.check(self.games, a.cards().max(b.cards()) as u64)
            && self.wins.check(self.games, 1)
            && self.edge.check(counted, edges);
        if sound { Ok(()) } else { Err("the differences between cells contradict their games".into()) }
    }
}

/// A measure of a finished game.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_measured)]
pub enum Measure {
    /// Cards on the foundations.
    #[default]
    Cards,
    /// Whether all cards went up.
    Wins,
    /// The player's net, cents.
    Money,
}

impl Measure {
    /// All measures.
    pub const ALL: [Measure; 3] = [Measure::Cards, Measure::Wins, Measure::Money];

    /// Returns its word on the command line and in reports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the default difference of a test; for money, a tenth of the payment for a card.
    pub fn usual_difference(self, casino: &Casino) -> f64 {
        match self {
            Measure::Cards => 0.10,
            Measure::Wins => 0.005,
            Measure::Money => (casino.pays_per_card as f64 / 10.0).max(0.0),
        }
    }

    /// Parses a difference in cards, percentage points, or money, and returns it in cards, as a fraction, or in
    /// cents.
    ///
    /// # Errors
    /// The fault of the text, including a difference larger than that of any two games, `reach`.
    pub fn difference(self, text: &str, reach: u64) -> Result<f64, String> {
        let (form, unit) = match self {
            Measure::Cards => ("`0.10`, in cards", 1.0),
            Measure::Wins => ("`0.5pp`, in percentage points of games won", 0.01),
            Measure::Money => ("`0.50`, in the money of the ruleset", 100.0),
        };
        let text = text.trim();
        let number = match self {
            Measure::Wins => text.strip_suffix("pp").map(str::trim_end),
            _ => Some(text),
        };
        let value = number.and_then(|number| number.parse::<f64>().ok()).map(|number| number * unit);
        match value.filter(|value| value.is_finite()) {
            None => {
                let percent = text.strip_suffix('%').filter(|_| self == Measure::Wins);
                let meant = percent.map_or(String::new(), |number| format!("; did you mean `{number}pp`?"));
                Err(format!("`{text}` is not a difference by {self}: write {form}{meant}"))
            }
            Some(value) if value <= 0.0 => {
                Err(format!("a difference of {text} does not exist: it must be above 0"))
            }
            Some(value) if value >= reach as f64 => {
                Err(format!("no game can differ by {text}: ask for a smaller difference"))
            }
            Some(value) => Ok(value),
        }
    }
}

fn not_measured(text: &str) -> String {
    format!("`{text}` is not measured; one of {}", Measure::ALL.map(Measure::word).join(", "))
}

/// Returns the maximal sets of entries in which no two are `apart` (a symmetric relation of indices), each in
/// ascending order: the letters of a compact letter display. Every entry is in at least one; two entries share one if
/// and only if they are not apart. By inserting and absorbing (Piepho, Journal of Computational and Graphical
/// Statistics 13, 2004, 456-466).
pub fn groups(entries: usize, apart: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = vec![(0..entries).collect()];
    for a in 0..entries {
        for b in a + 1..entries {
            if !apart(a, b) {
                continue;
            }
            let (split, mut kept): (Vec<_>, Vec<_>) =
                sets.into_iter().partition(|set| set.contains(&a) && set.contains(&b));
            for set in split {
                for left_out in [b, a] {
                    let part: Vec<usize> = set.iter().copied().filter(|&entry| entry != left_out).collect();
                    let within = |larger: &Vec<usize>| part.iter().all(|entry| larger.contains(entry));
                    if !kept.iter().any(within) {
                        kept.retain(|smaller| !smaller.iter().all(|entry| part.contains(entry)));
                        kept.push(part);
                    }
                }
            }
            sets = kept;
        }
    }
    sets.sort();
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Stake;
    use crate::stats::testing::{close, game, near};
    use crate::stats::{Sample, clopper_pearson};

    #[test]
    fn undecided_games_are_open_both_ways() {
        let spec = Spec::default();
        let worth = |end, cards| GameWorth::of(&spec, &game(end, cards));
        let (won, open, lost) = (worth(End::Won, 52), worth(End::Runaway, 20), worth(End::Barren, 3));
        let settled = [won.cards, won.won, won.money].map(|it| (it, it.stood));
        assert_eq!(settled, [52, 1, 20_800].map(|it| (Amount::settled(it), it)));
        assert_eq!(open.money, Amount { stood: 4_800, worst: 4_800, best: 20_800 });
        assert_eq!(lost.cards.minus(open.cards), Amount { stood: -17, worst: -49, best: -17 });
        assert_eq!(open.won, Amount { stood: 0, worst: 0, best: 1 });
        let reach = [Measure::Money, Measure::Cards].map(|measure| reach(measure, &spec, &spec));
        assert_eq!(reach, [26_000.0, 52.0]);
    }

    #[test]
    fn a_hand_not_bought_whole_pays_nothing_yet() {
        let bsd = crate::rules::load("bsd").unwrap().rules;
        let stake = Some(Stake { staked: 1_300, ..Stake::NONE });
        let worth = |end| GameWorth::of(bsd.spec(), &Outcome { stake, ..game(end, 5) }).money;
        assert_eq!(worth(End::Resigned), Amount::settled(-1_300));
        let open = worth(End::Runaway);
        assert!((open.stood, open.worst) == (-1_300, -1_300) && open.best > 20_000, "{open:?}");
    }

    /// Recomputes every figure from the list of differences.
    #[test]
    fn sums_are_those_of_the_differences() {
        let spec = Spec::default();
        let worth =
            |cards| GameWorth::of(&spec, &game(if cards == 52 { End::Won } else { End::Barren }, cards));
        let pairs: [(u16, u16); 8] = [(52, 3), (7, 7), (4, 11), (52, 52), (6, 52), (13, 1), (52, 50), (8, 9)];
        let mut tally = PairTally::new(&spec, &spec);
        pairs.iter().for_each(|&(a, b)| tally.add(&worth(a), &worth(b)));
        let summary = tally.summary(TAIL);
        let cards: Vec<f64> = pairs.iter().map(|&(a, b)| f64::from(a) - f64::from(b)).collect();
        let moments = Moments::of(cards.iter().map(|&x| (x, 1)));
        near(summary.cards.value, moments.mean);
        near(summary.cards_sd, moments.sd);
        let limits = Sample::of(cards.iter().map(|&x| (x, 1))).limits(-52.0, 52.0);
        near(summary.cards.low, limits.0);
        near(summary.money.value, 500.0 * moments.mean);
        near(summary.money.high, 500.0 * limits.1);
        assert_eq!(summary.wins, PairedWins { a_only: 2, b_only: 1, both: 1, neither: 4 });
        near(summary.win_rate.value, 1.0 / 8.0);
        assert_eq!(summary.more_cards, MoreCards { a: 3, b: 3, same: 2 });
        assert_eq!(summary.card_differences.first(), Some(&(-46, 1)));
        assert_eq!(summary.card_differences.iter().map(|(_, deals)| deals).sum::<u64>(), 8);
        assert_eq!(tally.sums(Measure::Wins), (1, 3));
        // Student's t of eight differences with these moments, and its interval.
        let fixed = tally.fixed_test(Measure::Cards).unwrap();
        let half = 2.364_624_251 * moments.sd / 8f64.sqrt();
        close(fixed.difference.high - fixed.difference.value, half, 1e-6);
        close(fixed.p, 0.905765560, 1e-6);
        // Of three deals won by one side alone, one side certainly won at least two.
        near(tally.fixed_test(Measure::Wins).unwrap().p, 1.0);
        assert_eq!(PairTally::new(&spec, &spec).fixed_test(Measure::Cards), None);
        // A smaller tail gives wider limits.
        assert!(tally.difference(Measure::Cards, TAIL / 6.0).low < summary.cards.low);
    }

    /// The difference in the rate of wins, after these deals: won by the first, by the second, by both or neither, and
    /// undecided for the first.
    fn difference([a_only, b_only, alike, open]: [u64; 4]) -> Estimate {
        let (yes, no) = (Amount::settled(1), Amount::settled(0));
        let mut wins = Amounts::default();
        wins.add_many(yes.minus(no), a_only);
        wins.add_many(no.minus(yes), b_only);
        wins.add_many(no.minus(no), alike);
        wins.add_many(Amount { stood: 0, worst: 0, best: 1 }.minus(no), open);
        wins.mean(a_only + b_only + alike + open, -1.0, 1.0)
    }

    /// If one side wins every discordant deal, it is the exact interval of its rate; for many deals it approaches
    /// that of the normal distribution.
    #[test]
    fn the_interval_is_that_of_the_discordant_deals() {
        for (a_only, n) in [(0, 50), (3, 100), (40, 60)] {
            let high = clopper_pearson(a_only, a_only + n).1;
            close(difference([a_only, 0, n, 0]).high, high, 0.01 * high);
        }
        let many = difference([5000, 4000, 991_000, 0]);
        let half = 1.96 * (9000f64 / 1e6 - 1e-6).sqrt() / 1e3;
        close(many.value, 0.001, 1e-12);
        close(many.high - many.low, 2.0 * half, 0.02 * half);
        // The order of the players does not matter.
        close(difference([4000, 5000, 991_000, 0]).low, -many.high, 1e-12);
        // Equal results in all deals do not prove equality.
        let alike = difference([0, 0, 1000, 0]);
        assert!(alike.low < -0.003 && alike.high > 0.003);
        assert_eq!(difference([0; 4]), Estimate { value: 0.0, low: -1.0, high: 1.0 });
        // Undecided games count both ways.
        let open = difference([10, 5, 83, 2]);
        close(open.value, 0.05, 1e-12);
        assert_eq!(open.high, difference([12, 5, 83, 0]).high);
        assert_eq!(open.low, difference([10, 5, 85, 0]).low);
    }

    #[test]
    fn differences_are_written_by_measure() {
        assert_eq!(Measure::Cards.difference("0.10", 52), Ok(0.1));
        assert_eq!(Measure::Money.difference("0.50", 26_000), Ok(50.0));
        assert!((Measure::Wins.difference("0.5 pp", 1).unwrap() - 0.005).abs() < 1e-12);
        for (measure, bad, why) in [
            (Measure::Wins, "0.5", "`0.5pp`"),
            (Measure::Cards, "0.5pp", "in cards"),
            (Measure::Cards, "-1", "above 0"),
            (Measure::Cards, "0", "above 0"),
            (Measure::Cards, "nan", "in cards"),
            (Measure::Cards, "52", "no game can differ"),
            (Measure::Money, "$1", "in the money"),
        ] {
            let said = measure.difference(bad, if measure == Measure::Wins { 1 } else { 52 }).unwrap_err();
            assert!(said.contains(why), "{bad}: {said}");
        }
    }

    #[test]
    fn entries_share_a_group_if_they_are_not_apart() {
        assert_eq!(groups(3, |_, _| false), [vec![0, 1, 2]]);
        assert_eq!(groups(3, |_, _| true), [vec![0], vec![1], vec![2]]);
        // A chain: each is similar only to its neighbours.
        assert_eq!(groups(4, |a, b| b - a > 1), [vec![0, 1], vec![1, 2], vec![2, 3]]);
        // For any relation: shared if and only if not apart, and no group within another.
        for relation in 0..1u32 << 10 {
            let apart = |a: usize, b: usize| {
                let (a, b) = (a.min(b), a.max(b));
                relation & 1 << (b * (b - 1) / 2 + a) != 0
            };
            let sets = groups(5, apart);
            for (a, b) in (0..5).flat_map(|b| (0..=b).map(move |a| (a, b))) {
                let shared = sets.iter().any(|set| set.contains(&a) && set.contains(&b));
                assert_eq!(shared, a == b || !apart(a, b), "{relation} {a} {b}");
            }
            let within = |small: &Vec<usize>, large: &Vec<usize>| small.iter().all(|it| large.contains(it));
            for (i, set) in sets.iter().enumerate() {
                assert!(
                    !sets.iter().enumerate().any(|(j, other)| i != j && within(set, other)),
                    "{relation}"
                );
            }
        }
    }
}
