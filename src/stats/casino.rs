//! Value of a game to the house and to the player, from the histogram of cards.

use super::interval::{Moments, TAIL, rate};
use super::sample::{Amount, Sample, WAYS, outer_at};
use super::stakes::{StakeTally, most_redeals};
use super::{Estimate, Tally};
use crate::rules::{Casino, Spec};

/// Returns the house's payment for a deck that ends with `cards` of `all` cards on the foundations, cents: to the
/// player, and to the meter of a jackpot. Redeal fees are not subtracted.
pub fn payout(casino: &Casino, cards: usize, all: usize) -> i64 {
    casino.pay(cards, all).saturating_add(casino.meter_growth())
}

/// Returns the least and the greatest payment for a deck that ends with at least `least` cards.
pub(crate) fn payout_range(casino: &Casino, least: usize, all: usize) -> (i64, i64) {
    let paid = || (least.min(all)..=all).map(|cards| payout(casino, cards, all));
    (paid().min().unwrap_or(0), paid().max().unwrap_or(0))
}

/// Returns, by cards, the greatest payment for a deck that can reach them: a player may stop with fewer cards if more
/// pay less.
pub(crate) fn best_payouts(casino: &Casino, all: usize) -> Vec<i64> {
    let mut best = i64::MIN;
    let paid = (0..=all).map(|cards| {
        best = best.max(payout(casino, cards, all));
        best
    });
    paid.collect()
}

/// Returns the maximum cost of a game's redeals, cents.
pub(super) fn most_fees(spec: &Spec) -> i64 {
    spec.casino.redeal_fees(most_redeals(spec))
}

/// Measured games under the price and payments of a casino, which may differ from the ruleset's: new terms need no
/// new games. A win is a game with all cards up, so the histogram of cards suffices. Undecided games count as they
/// stood in the figures, and at their worst and best possible result in the limits.
///
/// If the stake is bought in stages, none of this follows from the cards, because the stake varies and
/// is correlated with the game. The figures are then those counted under the ruleset's own terms, and
/// functions of another price return `None`.
#[derive(Clone, Debug)]
pub struct House {
    /// The stakes as counted, if they are bought in stages.
    stakes: Option<StakeTally>,
    stake: i64,
    /// Cents paid back, by cards, before redeal fees.
    payouts: Vec<i64>,
    /// The fewest cards with which a game can end.
    fewest: usize,
    /// Contribution to a jackpot's meter, per deck at this stake and as a share of the stake; included in the
    /// payouts.
    growth: i64,
    share: f64,
    /// Number of games that won the jackpot, and their total payment, with the jackpot at its start.
    winners: (u64, f64),
    /// The maximum cost of a game's redeals.
    most_fees: i64,
    /// Cents paid back, minus the fees, and the number of games: in pairs of decided and undecided games with the same
    /// cards, and with as many redeals if these have a cost.
    games: Vec<(Amount, u64)>,
    /// Error probability of an interval at either end.
    tail: f64,
}

impl House {
    /// Applies the prices of `casino` to the games of `tally`.
    pub fn new(tally: &Tally, casino: &Casino) -> House {
        let all = tally.histogram().len() - 1;
        let payouts: Vec<i64> = (0..=all).map(|cards| payout(casino, cards, all)).collect();
        let most_fees = casino.redeal_fees(tally.most_redeals());
        let games = tally.alike().into_iter().flat_map(|(cards, redeals, alike)| {
            let reach = &payouts[tally.least_cards(cards)..];
            let worst = reach.iter().copied().min().unwrap_or(0).saturating_sub(most_fees);
            let fees = casino.redeal_fees(redeals);
            let best = reach.iter().copied().max().unwrap_or(0).saturating_sub(fees);
            let stood = payouts[cards].saturating_sub(fees);
            let decided = alike.games.saturating_sub(alike.undecided);
            [(Amount::settled(stood), decided), (Amount { stood, worst, best }, alike.undecided)]
        });
        let games = games.collect();
        let won = |cards: usize| casino.jackpot.is_some_and(|jackpot| jackpot.is_won(cards, all));
        let winners = tally.histogram().iter().enumerate().filter(|&(cards, _)| won(cards));
        let winners = winners.fold((0, 0.0), |(games, paid), (cards, &n)| {
            (games + n, paid + payouts[cards] as f64 * n as f64)
        });
        House {
            stakes: tally.stakes().cloned(),
            stake: casino.stake,
            growth: casino.meter_growth(),
            share: casino.jackpot.map_or(0.0, |jackpot| f64::from(jackpot.share) / 1000.0),
            winners,
            most_fees,
            payouts,
            fewest: tally.fewest_cards(),
            games,
            tail: TAIL,
        }
    }

    /// Sets the error probability at either end of intervals, for figures selected among several.
    pub fn leaving_out(self, tail: f64) -> House {
        House { tail, ..self }
    }

    /// Returns the games by payment, the undecided as they stood, at worst or at best.
    fn paid(&self, way: fn(&Amount) -> i64) -> Sample {
        Sample::of(self.games.iter().map(|(paid, games)| (way(paid) as f64, *games)))
    }

    fn moments(&self) -> Moments {
        self.paid(|paid| paid.stood).moments()
    }

    /// Counts the games with a property of their payment.
    fn count(&self, of: impl Fn(&Amount) -> bool) -> u64 {
        self.games.iter().filter(|(paid, _)| of(paid)).map(|(_, games)| games).sum()
    }

    fn total(&self) -> u64 {
        self.count(|_| true)
    }

    /// Returns the mean payment per deck, cents, minus redeal fees; contributions to a jackpot's meter count as paid.
    pub fn payout(&self) -> Estimate {
        if let Some(stakes) = &self.stakes {
            return stakes.mean_paid(self.tail);
        }
        let range = |payouts: &[i64]| {
            let (least, most) = (payouts.iter().copied().min(), payouts.iter().copied().max());
            (least.unwrap_or(0).saturating_sub(self.most_fees) as f64, most.unwrap_or(0) as f64)
        };
        let (least, most) = range(&self.payouts);
        let mean = outer_at(self.tail, &WAYS.map(|way| self.paid(way)), least, most);
        let (least, most) = range(self.payouts.get(self.fewest..).unwrap_or(&self.payouts));
        mean.within(least, most)
    }

    /// Returns the fair price of the deck, cents: its mean payment. `None` if there is no fixed price.
    pub fn fair_price(&self) -> Option<Estimate> {
        self.price_for_edge(0.0)
    }

    /// Returns the standard deviation of the net of one deck, cents, for the payments whose mean is [`House::net`]: a
    /// jackpot is paid at its current size. Without a winner, that part is unknown.
    pub fn sd(&self) -> f64 {
        if let Some(stakes) = &self.stakes {
            return Moments::of(stakes.nets().iter().map(|(&net, &n)| (net as f64, n as i64))).sd;
        }
        let Moments { mean, sd, .. } = self.moments();
        let (winners, paid) = self.winners;
        if winners == 0 || self.growth == 0 {
            return sd;
        }
        // A winner receives the contributions of the decks since the last winner, whose number is geometric: its mean
        // over all decks is the contribution of one.
        let (growth, rate) = (self.growth as f64, winners as f64 / self.total() as f64);
        let together = growth * (paid / winners as f64 - mean);
        (sd * sd + 2.0 * together + growth * growth * ((2.0 - rate) / rate - 1.0)).max(0.0).sqrt()
    }

    /// Returns the player's mean net per deck (a loss is negative), cents.
    pub fn net(&self) -> Estimate {
        if let Some(stakes) = &self.stakes {
            return stakes.mean_net(self.tail);
        }
        map(self.payout(), |payout| payout - self.stake as f64)
    }

    /// Returns the hold: the mean profit of the house from 100 decks, cents.
    pub fn hold_per_100(&self) -> Estimate {
        match &self.stakes {
            Some(_) => map(self.net(), |net| -100.0 * net),
            None => map(self.payout(), |payout| 100.0 * (self.stake as f64 - payout)),
        }
    }

    /// Returns the house edge, -(mean net of the player) / (mean) stake, a fraction. `None` if the deck is free,
    /// or too little is known about the stakes.
    pub fn edge(&self) -> Option<Estimate> {
        match &self.stakes {
            Some(stakes) => stakes.edge(self.tail),
            None => {
                let stake = self.stake as f64;
                (stake > 0.0).then(|| map(self.payout(), |payout| (stake - payout) / stake))
            }
        }
    }

    /// Returns the house edge, a fraction, as a function of the price of the deck, cents above 0. `None` if the stake is
    /// bought in stages.
    pub fn edge_by_price(&self) -> Option<impl Fn(f64) -> Estimate + use<>> {
        let (paid, growth, share) = (self.payout(), self.growth as f64, self.share);
        let edge = move |price: f64| map(paid, |paid| (price - paid + growth - share * price) / price);
        self.stakes.is_none().then_some(edge)
    }

    /// Returns the house edge if the deck cost `price` cents, a fraction. `None` unless that is above 0, and
    /// if the stake is bought in stages.
    pub fn edge_at_price(&self, price: f64) -> Option<Estimate> {
        self.edge_by_price().filter(|_| price > 0.0).map(|edge| edge(price))
    }

    /// Returns the price of the deck, cents, at which the house edge is `edge`: (price - payout) / price = edge, so
    /// payout / (1 - edge); if a share of the price goes to a jackpot's meter, the other payments / (1 - edge -
    /// share). `None` for an edge that no price gives, and if the stake is bought in stages.
    pub fn price_for_edge(&self, edge: f64) -> Option<Estimate> {
        let left = 1.0 - edge - self.share;
        let growth = self.growth as f64;
        (left > 0.0 && self.stakes.is_none()).then(|| map(self.payout(), |payout| (payout - growth) / left))
    }

    /// Returns the fewest cards that pay at least the price. `None` if no number of cards does, and if the stake
    /// is bought in stages.
    pub fn break_even_cards(&self) -> Option<u16> {
        if self.stakes.is_some() {
            return None;
        }
        let paid = |&payout: &i64| payout - self.growth >= self.stake;
        self.payouts.iter().position(paid).map(|cards| cards as u16)
    }

    /// Returns the share of decks that pay more than the price.
    pub fn hit_frequency(&self) -> Estimate {
        if let Some(stakes) = &self.stakes {
            let hits = stakes.nets().range(1..).map(|(_, n)| n).sum();
            let (missed, lucky) = stakes.open_profits();
            return profits(hits, missed, lucky, self.total());
        }
        // Contributions to a jackpot's meter are no profit of this player.
        let profit = |payout: i64| payout - self.growth > self.stake;
        let hits = self.count(|it| profit(it.stood));
        let missed = self.count(|it| !profit(it.stood) && profit(it.best));
        let lucky = self.count(|it| profit(it.stood) && !profit(it.worst));
        profits(hits, missed, lucky, self.total())
    }

    /// Returns the games by the gain of the house, cents. If the stake is bought in stages, the possible results of
    /// undecided games are not known by game, so they count as they stood.
    pub fn outcomes(&self) -> Vec<(Amount, u64)> {
        if let Some(stakes) = &self.stakes {
            return stakes.nets().into_iter().map(|(net, games)| (Amount::settled(-net), games)).collect();
        }
        let gain = |payout: i64| self.stake.saturating_sub(payout);
        let of =
            |paid: Amount| Amount { stood: gain(paid.stood), worst: gain(paid.best), best: gain(paid.worst) };
        self.games.iter().filter(|(_, games)| *games > 0).map(|&(paid, games)| (of(paid), games)).collect()
    }

    /// Returns the least and the greatest possible gain of the house on a deck, cents, whether observed or not.
    pub fn reach(&self) -> (i64, i64) {
        if let Some(stakes) = &self.stakes {
            let (most_paid, least_staked, most_staked) = stakes.range();
            return ((least_staked - most_paid).min(0.0) as i64, most_staked as i64);
        }
        let gains = || self.payouts.iter().map(|&payout| self.stake.saturating_sub(payout));
        (gains().min().unwrap_or(0), gains().max().unwrap_or(0).saturating_add(self.most_fees))
    }

    /// Returns the gains of the house on a deck, cents, with the number of games each.
    pub fn gains(&self) -> Vec<(i64, u64)> {
        if let Some(stakes) = &self.stakes {
            return stakes.nets().into_iter().map(|(net, n)| (-net, n)).collect();
        }
        let pairs = self.games.chunks_exact(2);
        pairs.map(|both| (self.stake - both[0].0.stood, both[0].1 + both[1].1)).collect()
    }
}

/// Returns the share of `hits` among `total`, of which `lucky` might still be misses, while `missed` others might be
/// hits.
fn profits(hits: u64, missed: u64, lucky: u64, total: u64) -> Estimate {
    let seen = rate(hits, missed, total);
    Estimate { low: rate(hits.saturating_sub(lucky), 0, total).low, ..seen }
}

/// Maps a figure, keeping its limits in order.
fn map(from: Estimate, f: impl Fn(f64) -> f64) -> Estimate {
    let (a, b) = (f(from.low), f(from.high));
    // Adding 0 turns a negative zero, which would print as a loss, into a plain one.
    Estimate { value: f(from.value) + 0.0, low: a.min(b) + 0.0, high: a.max(b) + 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;
    use crate::rules::{Jackpot, Returns, WonBy};
    use crate::stats::testing::{near, tally};

    #[test]
    fn figures_by_hand() {
        let spec = Spec::default();
        let games = tally(&spec, &[(End::Blocked, 5, 70), (End::Barren, 11, 29), (End::Won, 52, 1)]);
        let house = House::new(&games, &spec.casino);
        // (70 * 5 + 29 * 11 + 52) cards at 500 cents, over 100 decks.
        near(house.payout().value, 3605.0);
        near(house.net().value, 3605.0 - 5200.0);
        near(house.edge().unwrap().value, 1595.0 / 5200.0);
        near(house.hold_per_100().value, 159_500.0);
        near(house.price_for_edge(0.05).unwrap().value, 3605.0 / 0.95);
        near(house.edge_at_price(3605.0 / 0.95).unwrap().value, 0.05);
        near(house.edge_at_price(house.fair_price().unwrap().value).unwrap().value, 0.0);
        near(house.hit_frequency().value, 0.3);
        // 10 cards pay $50 of $52, 11 pay $55.
        assert_eq!(house.break_even_cards(), Some(11));
        near(house.edge().unwrap().high, 1.0 - house.payout().low / 5200.0);
        assert!(house.price_for_edge(1.0).is_none() && house.edge_at_price(0.0).is_none());
    }

    #[test]
    fn a_win_bonus_can_be_all_that_breaks_even() {
        let spec = Spec::default();
        let games = tally(&spec, &[(End::Blocked, 5, 1), (End::Won, 52, 1)]);
        let house = |casino| House::new(&games, &casino);
        let bonus = house(Casino { pays_per_card: 0, pays_for_win: 10_000, ..spec.casino.clone() });
        assert_eq!((bonus.break_even_cards(), bonus.payout().value), (Some(52), 5_000.0));
        let mean = house(Casino { pays_per_card: 1, pays_for_win: 0, ..spec.casino.clone() });
        assert_eq!(mean.break_even_cards(), None);
        let free = house(Casino { stake: 0, ..spec.casino.clone() });
        assert_eq!((free.break_even_cards(), free.edge()), (Some(0), None));
    }

    /// Decks in sequence, of which one in ten wins the meter.
    #[test]
    fn the_deviation_is_of_the_payments_that_the_mean_is_of() {
        let mut spec = Spec::default();
        spec.casino.stake = 3_000;
        spec.casino.jackpot = Some(Jackpot { start: 20_000, share: 100, won_by: WonBy::Win });
        let games = tally(&spec, &[(End::Blocked, 5, 70), (End::Barren, 2, 20), (End::Won, 52, 10)]);
        let house = House::new(&games, &spec.casino);
        let (mut rng, mut meter) = (crate::cards::generator(3, 0, crate::cards::Purpose::Dice), 0.0);
        let nets: Vec<(f64, i64)> = std::iter::repeat_with(|| {
            meter += 300.0;
            let paid = match crate::cards::below(&mut rng, 10) {
                0 => 26_000.0 + 20_000.0 + std::mem::take(&mut meter),
                1..8 => 2_500.0,
                _ => 1_000.0,
            };
            (paid - 3_000.0, 1)
        })
        .take(400_000)
        .collect();
        let played = Moments::of(nets.into_iter());
        assert!((played.mean - house.net().value).abs() < 5.0 * played.sd / 400_000f64.sqrt());
        assert!((played.sd / house.sd() - 1.0).abs() < 0.01, "{} is not {}", house.sd(), played.sd);
        assert!(house.sd() > 1.05 * house.moments().sd);
    }

    #[test]
    fn undecided_games_count_both_ways() {
        let mut spec = Spec::default();
        let house = |end, cards, spec: &Spec| {
            let games = [(End::Blocked, 5, 40), (End::Won, 52, 10), (end, cards, 50)];
            House::new(&tally(spec, &games), &spec.casino)
        };
        near(house(End::Runaway, 20, &spec).hit_frequency().low, rate(60, 0, 100).low);
        near(house(End::Runaway, 5, &spec).hit_frequency().high, rate(60, 0, 100).high);
        // If cards may leave the foundations, the game could have ended with none.
        spec.foundation.returns = Returns::Top;
        let open = house(End::Runaway, 20, &spec);
        near(open.payout().low, house(End::Blocked, 0, &spec).payout().low);
        near(open.hit_frequency().low, rate(10, 0, 100).low);
    }
}
