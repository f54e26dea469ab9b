//! Result of one finished game, in every measure.

use super::Measure;
use crate::game::{End, Outcome};
use crate::rules::{Returns, Spec};
use crate::stats::payout::{most_fees, payout, payout_range};
use crate::stats::staked_and_net;
use crate::stats::stakes::StakeTally;
use crate::stats::sums::Amount;

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
        let hand = |spec: &Spec| if spec.casino.is_staged() { StakeTally::new(spec).range().1 } else { 0.0 };
        match measure {
            Measure::Money if a.casino.is_staged() || b.casino.is_staged() => {
                let top = |spec: &Spec| payout_range(&spec.casino, 0, spec.cards()).1 as f64;
                let staked = |spec: &Spec| spec.casino.stake as f64 + hand(spec);
                (top(a) + staked(b)).max(top(b) + staked(a)) as u64
            }
            _ => reach(measure, a, b) as u64,
        }
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
pub(super) fn reach(measure: Measure, a: &Spec, b: &Spec) -> f64 {
    let money = |spec: &Spec| -> (f64, f64) {
        let (floor, top) = payout_range(&spec.casino, 0, spec.cards());
        let (floor, top) = ((floor - most_fees(spec)).min(0) as f64, top as f64);
        match spec.casino.is_staged() {
            true => {
                let (paid, _, most_staked) = StakeTally::new(spec).range();
                (-most_staked, paid)
            }
            false => (floor - spec.casino.stake as f64, top - spec.casino.stake as f64),
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Stake;

    fn game(end: End, cards: u16, stake: Option<Stake>) -> Outcome {
        Outcome { end, cards, moves: 9, redeals: 0, reserve_left: 0, complete_suits: 0, stake }
    }

    #[test]
    fn undecided_games_are_open_both_ways() {
        let spec = Spec::default();
        let worth = |end, cards| GameWorth::of(&spec, &game(end, cards, None));
        let (won, open, lost) = (worth(End::Won, 52), worth(End::Runaway, 20), worth(End::Barren, 3));
        assert_eq!(
            (won.cards, won.won, won.money),
            (Amount::settled(52), Amount::settled(1), Amount::settled(20_800))
        );
        assert_eq!(open.money, Amount { stood: 4_800, worst: 4_800, best: 20_800 });
        let difference = lost.cards.minus(open.cards);
        assert_eq!(difference, Amount { stood: -17, worst: -49, best: -17 });
        assert_eq!(open.won, Amount { stood: 0, worst: 0, best: 1 });
        assert_eq!(
            (reach(Measure::Money, &spec, &spec), reach(Measure::Cards, &spec, &spec)),
            (26_000.0, 52.0)
        );
    }

    #[test]
    fn a_hand_not_bought_whole_pays_nothing_yet() {
        let bsd = crate::rules::load("bsd").unwrap().rules;
        let stake = Stake { staked: 1_300, ..Stake::NONE };
        let worth = GameWorth::of(bsd.spec(), &game(End::Resigned, 5, Some(stake)));
        assert_eq!(worth.money, Amount::settled(-1_300));
        let worth = GameWorth::of(bsd.spec(), &game(End::Runaway, 5, Some(stake)));
        assert_eq!((worth.money.stood, worth.money.worst), (-1_300, -1_300));
        assert!(worth.money.best > 20_000);
    }
}
