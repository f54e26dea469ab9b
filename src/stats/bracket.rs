//! The value of optimal play, between the results of a player and the upper bound of the deals.
//!
//! Nobody plays better than optimally, so the mean of any player is a lower bound; and the clairvoyant player does at
//! least as well as any other, so the clairvoyant mean is an upper bound. The interval from the lower limit of the
//! one to the upper limit of the other holds the value of optimal play in 95% of samples, as each limit fails in 2.5%
//! of them.

use serde::Serialize;

use super::interval::clopper_pearson;
use super::sample::Sample;
use super::{ClairvoyantBound, ClairvoyantBounds, Estimate, Measure, Summary, TAIL, casino::best_payouts};
use crate::rules::Spec;

/// Bounds on the value of optimal play in one measure, in its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bracket {
    /// Mean result of a player.
    pub lower: Estimate,
    /// Value that no player exceeds.
    pub upper: Estimate,
    /// The part of the upper bound proven to be reached by the clairvoyant player: undecided deals count at their
    /// minimum.
    pub proven: f64,
    /// Components of the width.
    pub width: Width,
}

/// The width of a bracket and its components, in the unit of its measure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Width {
    /// From the lower limit of the lower bound to the upper limit of the upper bound.
    pub total: f64,
    /// Sampling error, which more deals would reduce: the half-widths of both intervals.
    pub sampling: f64,
    /// Part due to deals that the solver did not decide.
    pub undecided: f64,
    /// Excess of the clairvoyant player over the player; it is unknown how much of it is possible without seeing the
    /// hidden cards. If the solver refused the rules, the excess of what the rules allow.
    pub hidden: f64,
}

/// Who gains, judged by a bracket of the player's net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gain {
    /// The house, against any player.
    House,
    /// A good player: one who gains is known.
    Player,
    /// Unknown; more deals would help.
    MoreDeals,
    /// Unknown; more work on the undecided deals may help.
    MoreNodes,
    /// Unknown; a better player or a tighter upper bound is needed.
    BetterBounds,
}

/// Bounds on optimal play under one ruleset.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Brackets {
    /// Mean of the cards.
    pub cards: Bracket,
    /// Share of games won.
    pub wins: Bracket,
    /// The player's mean net per deck, cents. If the stake is bought in stages, the upper bound counts only the
    /// stages that must be bought for cards to be paid.
    pub net: Bracket,
    /// House edge; its lower bound is the edge against the clairvoyant player. `None` if the deck has no fixed price.
    pub house_edge: Option<Bracket>,
}

impl Bracket {
    /// Creates the bracket between a player's result and the clairvoyant one.
    pub fn new(lower: Estimate, upper: Estimate, proven: f64) -> Bracket {
        // On the same deals, the clairvoyant player reaches at least as much as any other.
        let reached = proven.clamp(lower.value.min(upper.value), upper.value);
        let width = Width {
            total: upper.high - lower.low,
            sampling: (upper.high - upper.value) + (lower.value - lower.low),
            undecided: upper.value - reached,
            hidden: reached - lower.value,
        };
        Bracket { lower, upper, proven, width }
    }

    /// Returns the bracket of the share of `stake` that the house keeps, given that of the player's net.
    fn edge(&self, stake: f64) -> Bracket {
        let share = |net: Estimate| -net.map(|net| net / stake);
        let Width { total, sampling, undecided, hidden } = self.width;
        let width = Width {
            total: total / stake,
            sampling: sampling / stake,
            undecided: undecided / stake,
            hidden: hidden / stake,
        };
        Bracket { lower: share(self.upper), upper: share(self.lower), proven: -self.proven / stake, width }
    }

    /// Returns who gains, for a bracket of the net.
    fn gain(&self) -> Gain {
        let Bracket { lower, upper, proven, width } = *self;
        if upper.high < 0.0 {
            Gain::House
        } else if lower.low > 0.0 {
            Gain::Player
        } else if upper.value < 0.0 || lower.value > 0.0 {
            Gain::MoreDeals
        } else if proven < 0.0 && width.undecided > 0.0 {
            Gain::MoreNodes
        } else {
            Gain::BetterBounds
        }
    }
}

impl Brackets {
    /// Builds the brackets from the selected players, by measure as in [`Measure::ALL`], and the bounds of their
    /// deals. `trivial` says that the bounds are those of the rules, which more deals would not change.
    pub fn new(spec: &Spec, players: [&Summary; 3], bounds: &ClairvoyantBounds, trivial: bool) -> Brackets {
        let upper = Upper { spec, bounds, trivial, tail: TAIL };
        let [by_cards, by_wins, by_money] = players;
        let (net, house_edge) = upper.money(by_money.net);
        Brackets {
            cards: upper.mean(by_cards.cards, &|cards| cards as f64),
            wins: upper.wins(by_wins.win_rate),
            net,
            house_edge,
        }
    }

    /// Returns the brackets of money with an error probability of `tail` at either end, as in the player's net.
    pub fn money_at(
        self,
        tail: f64,
        spec: &Spec,
        net: Estimate,
        (bounds, trivial): (&ClairvoyantBounds, bool),
    ) -> Brackets {
        let (net, house_edge) = Upper { spec, bounds, trivial, tail }.money(net);
        Brackets { net, house_edge, ..self }
    }

    /// Returns who gains; `None` if nothing is paid.
    pub fn gain(&self, spec: &Spec) -> Option<Gain> {
        let casino = &spec.casino;
        casino.is_for_money().then(|| self.net.gain())
    }
}

/// Upper bounds of one ruleset.
struct Upper<'a> {
    spec: &'a Spec,
    bounds: &'a ClairvoyantBounds,
    trivial: bool,
    /// Error probability at either end.
    tail: f64,
}

impl Upper<'_> {
    /// Returns the brackets of the player's net and, if the deck has a fixed price, of the house edge.
    fn money(&self, net: Estimate) -> (Bracket, Option<Bracket>) {
        let (all, casino) = (self.spec.cards(), &self.spec.casino);
        // Cards are paid for once the whole hand is bought; a player who does not buy it gains nothing.
        let hand = casino.stages.iter().filter(|stage| stage.at.of_the_hand()).map(|stage| stage.cost).sum();
        let (staked, least) = if casino.is_staged() { (hand, 0) } else { (casino.stake, i64::MIN) };
        let worth: Vec<f64> =
            best_payouts(casino, all).iter().map(|paid| (paid - staked).max(least) as f64).collect();
        let net = self.mean(net, &|cards| worth.get(cards).copied().unwrap_or(0.0));
        let stake = if casino.is_staged() { 0.0 } else { staked as f64 };
        (net, (stake > 0.0).then(|| net.edge(stake)))
    }

    /// Returns the most cards of a deal; an unwinnable deal leaves at least one card.
    fn most(&self, bound: &ClairvoyantBound) -> usize {
        let lost = usize::from(bound.winnable == Some(false));
        usize::from(bound.most).min(self.spec.cards().saturating_sub(lost))
    }

    fn mean(&self, lower: Estimate, worth: &dyn Fn(usize) -> f64) -> Bracket {
        let (least, most) = (worth(0), worth(self.spec.cards()));
        let list = self.bounds.list();
        let upper = Sample::of(list.iter().map(|bound| (worth(self.most(bound)), 1)));
        let proven = Sample::of(list.iter().map(|bound| (worth(bound.least.into()), 1)));
        let upper = upper.estimate_at(self.tail, least, most).within(worth(self.spec.fewest_cards()), most);
        self.bracket(lower, upper, most, proven.moments().mean)
    }

    fn wins(&self, lower: Estimate) -> Bracket {
        let n = self.bounds.list().len() as u64;
        let count = |of: &dyn Fn(Option<bool>) -> bool| {
            self.bounds.list().iter().filter(|bound| of(bound.winnable)).count() as u64
        };
        let may = count(&|winnable| winnable != Some(false));
        let (low, high) = clopper_pearson(may, n);
        let share = |some: u64| some as f64 / n.max(1) as f64;
        let upper = Estimate { value: share(may), low, high };
        self.bracket(lower, upper, 1.0, share(count(&|winnable| winnable == Some(true))))
    }

    fn bracket(&self, lower: Estimate, upper: Estimate, most: f64, proven: f64) -> Bracket {
        let upper = if self.trivial { Estimate { value: most, low: most, high: most } } else { upper };
        let mut bracket = Bracket::new(lower, upper, proven);
        if self.trivial {
            // More work on these deals would not help.
            bracket.width.hidden += std::mem::take(&mut bracket.width.undecided);
        }
        bracket
    }
}

/// Returns the index of the best player by a measure; ties are broken by cards, then by order.
pub fn best_of(summaries: &[Summary], measure: Measure) -> usize {
    let key = |s: &Summary| (s.by(measure).value, s.cards.value);
    let better = |a: (f64, f64), b: (f64, f64)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).is_gt();
    let mut best = 0;
    for (i, summary) in summaries.iter().enumerate() {
        if better(key(summary), key(&summaries[best])) {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;
    use crate::stats::summarize;
    use crate::stats::testing::{near, tally};

    fn played(spec: &Spec, cards: &[u16], times: u64) -> Summary {
        let end = |cards| if cards == 52 { End::Won } else { End::Barren };
        let games: Vec<_> = cards.iter().map(|&cards| (end(cards), cards, times)).collect();
        summarize(&tally(spec, &games), spec, Vec::new())
    }

    fn four(spec: &Spec, times: usize) -> ClairvoyantBounds {
        let mut bounds = ClairvoyantBounds::new(spec.cards(), 1);
        let known = |least, most, winnable| ClairvoyantBound { least, most, winnable };
        for _ in 0..times {
            bounds.push(known(52, 52, Some(true)));
            bounds.push(known(10, 10, Some(false)));
            bounds.push(known(20, 40, None));
            // An unwinnable deal leaves at least one card.
            bounds.push(known(30, 52, Some(false)));
        }
        bounds
    }

    #[test]
    fn bounds_and_widths_by_hand() {
        let spec = Spec::default();
        let player = played(&spec, &[12, 8, 20, 16], 100);
        let found = Brackets::new(&spec, [&player; 3], &four(&spec, 100), false);
        near(found.cards.lower.value, 14.0);
        near(found.cards.upper.value, (52.0 + 10.0 + 40.0 + 51.0) / 4.0);
        near(found.cards.proven, 28.0);
        let width = found.cards.width;
        near(width.hidden, 14.0);
        near(width.undecided, 10.25);
        near(width.total, width.sampling + width.undecided + width.hidden);
        assert!(width.sampling > 0.0);
        // A deal with 40 cards at most cannot be won.
        near(found.wins.upper.value, 0.25);
        near(found.wins.proven, 0.25);
        // $5 a card for $52.
        let net = found.net;
        near(net.lower.value, 14.0 * 500.0 - 5200.0);
        near(net.upper.value, 38.25 * 500.0 - 5200.0);
        let edge = found.house_edge.unwrap();
        near(edge.lower.value, 1.0 - 38.25 * 5.0 / 52.0);
        near(edge.upper.value, player.house_edge.unwrap().value);
        near(edge.upper.high, player.house_edge.unwrap().high);
        near(edge.width.undecided, 10.25 * 5.0 / 52.0);
        near(edge.width.total, net.width.total / 5200.0);
        assert_eq!(found.gain(&spec), Some(Gain::Player));
        // Joint limits for several rulesets are wider, and nothing else changes.
        let net = Estimate { low: player.net.low - 500.0, ..player.net };
        let wide = found.money_at(TAIL / 7.0, &spec, net, (&four(&spec, 100), false));
        assert_eq!((wide.cards, wide.net.upper.value), (found.cards, found.net.upper.value));
        assert!(wide.net.upper.high > found.net.upper.high && wide.net.lower.low < found.net.lower.low);
        assert!(wide.house_edge.unwrap().width.total > edge.width.total);
    }

    #[test]
    fn who_gains_and_what_would_tell() {
        let at = |value: f64, by: f64| Estimate { value, low: value - by, high: value + by };
        let gain = |lower, upper, proven| Bracket::new(lower, upper, proven).gain();
        assert_eq!(gain(at(-9.0, 1.0), at(-3.0, 1.0), -3.0), Gain::House);
        assert_eq!(gain(at(9.0, 1.0), at(12.0, 1.0), 12.0), Gain::Player);
        assert_eq!(gain(at(-9.0, 1.0), at(-1.0, 3.0), -3.0), Gain::MoreDeals);
        assert_eq!(gain(at(1.0, 3.0), at(9.0, 3.0), 8.0), Gain::MoreDeals);
        assert_eq!(gain(at(-9.0, 1.0), at(4.0, 1.0), -3.0), Gain::MoreNodes);
        assert_eq!(gain(at(-9.0, 1.0), at(4.0, 1.0), 3.0), Gain::BetterBounds);
        let free = Spec::default();
        let mut free = Spec { casino: crate::rules::Casino { stake: 0, ..free.casino.clone() }, ..free };
        let player = played(&free, &[5], 9);
        let found = Brackets::new(&free, [&player; 3], &four(&free, 9), false);
        assert!(found.house_edge.is_none() && found.gain(&free) == Some(Gain::Player));
        free.casino.pays_per_card = 0;
        assert_eq!(Brackets::new(&free, [&player; 3], &four(&free, 9), false).gain(&free), None);
    }

    #[test]
    fn of_a_stake_in_stages_the_hand_counts() {
        use crate::rules::{Casino, Stage, StageAt};
        let spec = Spec::default();
        let stage = |at, cost| Stage { at, cost, limit: 0 };
        let stages = [(StageAt::Deal, 1300), (StageAt::FirstDraw, 2600), (StageAt::Pass, 500)];
        let stages = stages.map(|(at, cost)| stage(at, cost)).to_vec();
        let spec = Spec { casino: Casino { stake: 0, stages, ..spec.casino.clone() }, ..spec };
        let mut player = played(&spec, &[12], 9);
        player.net = Estimate { value: -100.0, low: -100.0, high: -100.0 };
        let found = Brackets::new(&spec, [&player; 3], &four(&spec, 9), false);
        // For 52, 10, 40 and 51 cards; a clairvoyant player does not buy a hand that pays less than it costs.
        let of = |cards: f64| (cards * 500.0 - 3900.0).max(0.0);
        near(found.net.upper.value, (of(52.0) + of(10.0) + of(40.0) + of(51.0)) / 4.0);
        let mut bounds = ClairvoyantBounds::new(52, 1);
        bounds.push(ClairvoyantBound { least: 2, most: 2, winnable: Some(false) });
        near(Brackets::new(&spec, [&player; 3], &bounds, false).net.upper.value, 0.0);
    }

    #[test]
    fn where_nothing_is_known_the_bound_is_that_of_the_rules() {
        let spec = Spec::default();
        let player = played(&spec, &[12, 8], 50);
        let mut bounds = ClairvoyantBounds::new(52, 1);
        for cards in [12, 8].repeat(50) {
            bounds.push(ClairvoyantBound { least: cards, most: 52, winnable: None });
        }
        let found = Brackets::new(&spec, [&player; 3], &bounds, true);
        assert_eq!(found.cards.upper, Estimate { value: 52.0, low: 52.0, high: 52.0 });
        assert_eq!(found.wins.upper, Estimate { value: 1.0, low: 1.0, high: 1.0 });
        near(found.cards.width.undecided, 0.0);
        near(found.cards.width.hidden, 42.0);
    }

    #[test]
    fn the_best_is_that_of_the_measure_and_ties_go_to_cards() {
        let spec = Spec::default();
        let players = [
            played(&spec, &[20, 20], 2),
            played(&spec, &[52, 0], 2),
            played(&spec, &[21, 20], 2),
            played(&spec, &[52, 0], 2),
        ];
        assert_eq!(Measure::ALL.map(|measure| best_of(&players, measure)), [1, 1, 1]);
        assert_eq!(best_of(&players[2..3], Measure::Wins), 0);
        let none = [players[0].clone(), players[2].clone()];
        assert_eq!(Measure::ALL.map(|measure| best_of(&none, measure)), [1, 1, 1]);
    }
}
