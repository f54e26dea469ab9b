//! What a sample of games says of one ruleset under one strategy.

use std::collections::BTreeMap;
use std::ops::Neg;

use serde::{Deserialize, Serialize};

use crate::game::End;
use crate::rules::StageAt;

use super::Measure;

/// A figure with its 95% interval.
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
    /// The same with limits that are not beyond what is possible. Where the figure itself is, it is a limit.
    pub(super) fn within(self, least: f64, most: f64) -> Estimate {
        let Estimate { value, low, high } = self;
        Estimate { value, low: low.max(least.min(value)), high: high.min(most.max(value)) }
    }
}

/// The same seen from the other side.
impl Neg for Estimate {
    type Output = Estimate;

    fn neg(self) -> Estimate {
        Estimate { value: -self.value, low: -self.high, high: -self.low }
    }
}

/// The house edge as it stood at the end of a block of games.
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
    /// Lowest and highest seen.
    pub min: i64,
    /// Highest seen.
    pub max: i64,
}

/// One stage of a stake over a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageSummary {
    /// When it is bought.
    pub at: StageAt,
    /// What it costs, cents.
    pub cost: i64,
    /// How often it was asked for.
    pub asked: u64,
    /// How often it was bought.
    pub bought: u64,
    /// Games that ended because it was declined.
    pub stopped: u64,
    /// What a player who stopped here took away more, on average, than by buying on: the same game played
    /// once more with every stage bought; cents. `None` where nobody stopped.
    pub worth_of_stopping: Option<Estimate>,
}

/// The stake of a sample where it is bought in stages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StakesSummary {
    /// Mean cents staked a game.
    pub staked: Estimate,
    /// Mean cents paid back a game.
    pub paid: Estimate,
    /// Games that the player stopped at a stage.
    pub stopped: u64,
    /// What stopping was worth a game dealt, those that were not stopped counting 0; cents. `None` where
    /// nobody stopped.
    pub worth_of_stopping: Option<Estimate>,
    /// The steps, in the order of the ruleset.
    pub stages: Vec<StageSummary>,
}

/// Everything the report says of one ruleset under one strategy. Money is in cents of the
/// ruleset's currency, from the player's side unless it says "house".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Games counted.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games that no end decided (`runaway`); every interval counts them both ways.
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
    /// Mean net of the player a deck, cents.
    pub net: Estimate,
    /// Standard deviation of the net of one deck, cents.
    pub net_sd: f64,
    /// House edge: -(mean net) / stake, a fraction. Of a stake bought in stages it is that of the mean amount
    /// staked. `None` where nothing is staked, or too little is known of what is.
    pub house_edge: Option<Estimate>,
    /// The hold: the average profit of the house from 100 decks, cents.
    pub hold_per_100: Estimate,
    /// Fewest cards at which the player does not lose. `None` where no number of cards does, and where the
    /// stake is bought in stages, so that it depends on them.
    pub break_even_cards: Option<u16>,
    /// Share of decks on which the player profits (Clopper and Pearson).
    pub hit_frequency: Estimate,
    /// Price of the deck at which the game is fair, cents. `None` where the stake is bought in stages: there
    /// is no one price, and another would change where the player stops.
    pub fair_price: Option<Estimate>,
    /// Price of the deck for a house edge of 5%, cents; as above.
    pub price_for_5_percent: Option<Estimate>,
    /// The stake where it is bought in stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stakes: Option<StakesSummary>,
    /// How often the jackpot is won, and what it has grown to; `None` where the rules have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<JackpotSummary>,
    /// Named scores.
    pub scores: Vec<ScoreSummary>,
    /// Mean moves a game.
    pub moves: Estimate,
    /// Mean redeals a game.
    pub redeals: f64,
    /// The edge as games accumulated; empty where the stake is 0.
    pub running: Vec<RunningPoint>,
}

impl Summary {
    /// The mean by one measure.
    pub fn by(&self, measure: Measure) -> Estimate {
        match measure {
            Measure::Cards => self.cards,
            Measure::Wins => self.win_rate,
            Measure::Money => self.net,
        }
    }
}

/// A jackpot over many decks. The decks between two winners are geometric: with a share `p` of winners they are `1 / p` on
/// average, the winner's included, and each of them has added to the meter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JackpotSummary {
    /// The share of decks that win it.
    pub rate: Estimate,
    /// Decks from one winner to the next. `None` where none was seen.
    pub decks: Option<Estimate>,
    /// What it has grown to when it is won, on average, cents. `None` where no winner was seen.
    pub size: Option<Estimate>,
}
