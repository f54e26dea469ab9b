//! Summary of a sample of games of one ruleset under one strategy.

use std::collections::BTreeMap;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use crate::game::End;
use crate::rules::StageAt;

use super::Measure;

/// A figure with its 95% interval. Money is in cents; rates, shares and edges are fractions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The figure itself.
    pub value: f64,
    /// Lower limit.
    pub low: f64,
    /// Upper limit.
    pub high: f64,
}

impl Estimate {
    /// Applies a function to the figure and to its limits, which it keeps in order.
    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: f(self.value), low: f(self.low), high: f(self.high) }
    }

    /// Clamps the limits to the possible range. If the figure itself is outside, it is a limit.
    pub(super) fn within(self, least: f64, most: f64) -> Estimate {
        let Estimate { value, low, high } = self;
        Estimate { value, low: low.max(least.min(value)), high: high.min(most.max(value)) }
    }
}

/// Mirrors an estimate.
impl Neg for Estimate {
    type Output = Estimate;

    fn neg(self) -> Estimate {
        Estimate { value: -self.value, low: -self.high, high: -self.low }
    }
}

/// The house edge at the end of a block of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunningPoint {
    /// Games so far.
    pub games: u64,
    /// The edge over them, as a fraction of the stake.
    pub edge: Estimate,
}

/// One named score over a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreSummary {
    /// Its name in the ruleset.
    pub name: String,
    /// Mean points a game.
    pub mean: Estimate,
    /// Standard deviation of one game, points.
    pub sd: f64,
    /// Lowest points observed.
    pub min: i64,
    /// Highest points observed.
    pub max: i64,
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

/// Figures of one ruleset under one strategy. Money is in cents of the ruleset's currency, from the player's side
/// unless it says "house".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of games.
    pub games: u64,
    /// Number of games won.
    pub wins: u64,
    /// Number of games stopped undecided (`runaway`); every interval counts them both ways.
    pub undecided: u64,
    /// Wins / games (Clopper and Pearson).
    pub win_rate: Estimate,
    /// Mean cards.
    pub cards: Estimate,
    /// Standard deviation of the cards of one game.
    pub cards_sd: f64,
    /// Quantiles of cards: `(probability, cards)` at 0.05, 0.25, 0.5, 0.75, 0.95.
    pub cards_quantiles: Vec<(f64, u16)>,
    /// Games by cards, index 0..=cards in the packs.
    pub histogram: Vec<u64>,
    /// Games by end.
    pub ends: BTreeMap<End, u64>,
    /// Mean net of the player per deck, cents.
    pub net: Estimate,
    /// Standard deviation of the net of one deck, cents.
    pub net_sd: f64,
    /// House edge: -(mean net) / stake, a fraction. For a stake bought in stages, the mean stake is used.
    /// `None` if nothing is staked, or too little is known about the stakes.
    pub house_edge: Option<Estimate>,
    /// The hold: the mean profit of the house from 100 decks, cents.
    pub hold_per_100: Estimate,
    /// Fewest cards at which the player does not lose. `None` if no number of cards suffices, and if the
    /// stake is bought in stages, so that it depends on them.
    pub break_even_cards: Option<u16>,
    /// Share of decks on which the player profits (Clopper and Pearson).
    pub hit_frequency: Estimate,
    /// Fair price of the deck, cents. `None` if the stake is bought in stages: there is no fixed price, and another
    /// one would change where the player stops.
    pub fair_price: Option<Estimate>,
    /// Price of the deck for a house edge of 5%, cents; as above.
    pub price_for_5_percent: Option<Estimate>,
    /// The stake, if it is bought in stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stakes: Option<StakesSummary>,
    /// Frequency of the jackpot, and its size when won; `None` if the rules have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<JackpotSummary>,
    /// Named scores.
    pub scores: Vec<ScoreSummary>,
    /// Mean moves per game.
    pub moves: Estimate,
    /// Mean redeals per game.
    pub redeals: f64,
    /// The edge as games accumulated; empty if the stake is 0.
    pub running: Vec<RunningPoint>,
}

impl Summary {
    /// Returns the mean by one measure.
    pub fn by(&self, measure: Measure) -> Estimate {
        match measure {
            Measure::Cards => self.cards,
            Measure::Wins => self.win_rate,
            Measure::Money => self.net,
        }
    }
}

/// A jackpot over many decks. The number of decks between two winners is geometric: with a share `p` of winners, it
/// is `1 / p` on average, including the winner's, and each of them adds to the meter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JackpotSummary {
    /// Share of decks that win it.
    pub rate: Estimate,
    /// Number of decks from one winner to the next. `None` if there was no winner.
    pub decks: Option<Estimate>,
    /// Mean size when it is won, cents. `None` if there was no winner.
    pub size: Option<Estimate>,
}

/// Side of 0 of the interval of an edge or of a difference, which says who gains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Above 0: the house gains.
    House,
    /// Below 0: the player gains.
    Player,
    /// Both sides, or not an edge.
    #[default]
    Open,
}

impl Side {
    /// Returns the side of an interval.
    pub fn of(edge: Estimate) -> Side {
        Side::between(edge.low, edge.high)
    }

    /// Returns the side of the interval between two limits.
    pub fn between(low: f64, high: f64) -> Side {
        match (low > 0.0, high < 0.0) {
            (true, _) => Side::House,
            (_, true) => Side::Player,
            _ => Side::Open,
        }
    }
}

/// Number of figures on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// The house gains.
    pub house: usize,
    /// The player gains.
    pub player: usize,
    /// Too close to call.
    pub open: usize,
    /// Without a price.
    pub unpriced: usize,
}

impl Sides {
    /// Counts sides; `None` has no price.
    pub fn of(each: impl IntoIterator<Item = Option<Side>>) -> Sides {
        let mut sides = Sides::default();
        for side in each {
            *match side {
                Some(Side::House) => &mut sides.house,
                Some(Side::Player) => &mut sides.player,
                Some(Side::Open) => &mut sides.open,
                None => &mut sides.unpriced,
            } += 1;
        }
        sides
    }
}
