//! Kinds of figures: their names, and how each is written.

use crate::format::{
    FormattedEstimate, Side, difference, edge, fixed, gain_estimate, mean, money, percent, points, signed,
};
use crate::rules::Casino;
use crate::stats::{Estimate, Measure};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity<'a> {
    Cards,
    /// Share of games.
    Wins,
    /// House edge, a fraction.
    Edge,
    /// The player's net, cents.
    Net(&'a Casino),
}

impl<'a> Quantity<'a> {
    pub fn of(measure: Measure, casino: &'a Casino) -> Quantity<'a> {
        match measure {
            Measure::Cards => Quantity::Cards,
            Measure::Wins => Quantity::Wins,
            Measure::Money => Quantity::Net(casino),
        }
    }

    pub fn say(self, e: Estimate) -> FormattedEstimate {
        match self {
            Quantity::Cards => mean(e),
            Quantity::Wins => percent(e),
            Quantity::Edge => edge(e),
            Quantity::Net(casino) => gain_estimate(e, casino),
        }
    }

    /// Formats a difference with its sign: `+2.61`, `+3.6 pp`, `+$13.05`; that of an edge with the side that gains.
    pub fn difference(self, e: Estimate) -> FormattedEstimate {
        match self {
            Quantity::Cards => difference(e),
            Quantity::Wins => points(e),
            Quantity::Edge => FormattedEstimate { side: Side::of(e), ..points(e) },
            Quantity::Net(casino) => gain_estimate(e, casino),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Quantity::Cards => "cards",
            Quantity::Wins => "games won",
            Quantity::Edge => "house edge",
            Quantity::Net(_) => "player's net",
        }
    }

    /// Names the measure of a game in a sentence: `2.61 cards a game`.
    pub fn of_a_game(self) -> &'static str {
        match self {
            Quantity::Cards => " cards a game",
            Quantity::Wins | Quantity::Edge => " of games won",
            Quantity::Net(_) => " a game",
        }
    }

    /// Returns the factor to the unit of charts: shares in percent.
    pub fn unit(self) -> f64 {
        if matches!(self, Quantity::Wins | Quantity::Edge) { 100.0 } else { 1.0 }
    }

    /// Names the unit of charts.
    pub fn unit_name(self) -> &'static str {
        match self {
            Quantity::Cards => "cards",
            Quantity::Wins | Quantity::Edge => "points",
            Quantity::Net(_) => "cents",
        }
    }

    /// Formats a value in the unit of charts.
    pub fn tick(self, value: f64, decimals: usize) -> String {
        match self {
            Quantity::Cards => fixed(value, decimals),
            Quantity::Wins => format!("{}%", fixed(value, decimals)),
            Quantity::Edge => signed(value, format!("{}%", fixed(value, decimals))),
            Quantity::Net(casino) => money(value, casino, value % 100.0 == 0.0),
        }
    }

    /// Formats a value alone, with this many decimals.
    pub fn short(self, value: f64, decimals: usize) -> String {
        self.tick(value * self.unit(), decimals)
    }
}
