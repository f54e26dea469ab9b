//! Kinds of figures: their names, and how each is written; between bounds as the bounds, with the interval around them in
//! brackets.

use crate::chart::{Role, Row, scaled};
use crate::format::{
    FormattedEstimate, Number, Side, difference, edge, fixed, gain_estimate, mean, money, money_estimate,
    percent, points, signed,
};
use crate::rules::Casino;
use crate::stats::{Bounded, Estimate, Measure};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Quantity<'a> {
    Cards,
    Wins,
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

    pub fn row(self, name: impl Into<String>, e: Estimate, role: Role) -> Row {
        Row::new(name, scaled(e, self.unit()), role, self.say(e))
    }

    pub fn row_between(self, name: impl Into<String>, b: Bounded, role: Role) -> Row {
        let said = match self {
            Quantity::Cards => mean_between(b),
            Quantity::Wins => percent_between(b),
            Quantity::Edge => edge_between(b),
            Quantity::Net(casino) => money_between(b, casino),
        };
        let unit = self.unit();
        let row = Row::new(name, scaled(b.about_least(), unit), role, said);
        Row { bounds: Some((b.least * unit, b.most * unit)), ..row }
    }

    /// Formats a difference with its sign: `+2.61`, `+3.6 pp`, `+$13.05`; that of an edge with the side that gains.
    pub fn difference(self, e: Estimate) -> FormattedEstimate {
        match self {
            Quantity::Cards => difference(e),
            Quantity::Wins => points(e),
            Quantity::Edge => points(e).on(Side::of(e)),
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

    pub fn unit(self) -> f64 {
        if matches!(self, Quantity::Wins | Quantity::Edge) { 100.0 } else { 1.0 }
    }

    pub fn unit_name(self) -> &'static str {
        match self {
            Quantity::Cards => "cards",
            Quantity::Wins | Quantity::Edge => "points",
            Quantity::Net(_) => "cents",
        }
    }

    pub fn tick(self, value: f64, decimals: usize) -> String {
        match self {
            Quantity::Cards => fixed(value, decimals),
            Quantity::Wins => format!("{}%", fixed(value, decimals)),
            Quantity::Edge => signed(value, format!("{}%", fixed(value, decimals))),
            Quantity::Net(casino) => money(value, casino, value % 100.0 == 0.0),
        }
    }

    pub fn short(self, value: f64, decimals: usize) -> String {
        self.tick(value * self.unit(), decimals)
    }
}

pub(super) const INTERVALS: &str = "A 95% interval contains the true figure in at least 95 of 100 such runs. Rates have the \
    exact interval of Clopper and Pearson, means and differences its extension to numbers of a known range (Gaffke 2005). \
    Limits are rounded outwards.";
pub(super) const BOTH_WAYS: &str = "An undecided deal has two bounds: the best result that was \
    found, and the best that was not ruled out. Means and shares are then given as a range, and the \
    interval covers both ends of it.";

fn both(b: Bounded, say: impl Fn(Estimate) -> FormattedEstimate) -> FormattedEstimate {
    let [least, most] = [b.about_least(), b.about_most()].map(say);
    let value =
        if least.value == most.value { least.value } else { format!("{} to {}", least.value, most.value) };
    let number = match (least.number, most.number) {
        (Some(Number::Estimate(least)), Some(Number::Estimate(most))) => {
            let Estimate { value, low, high } = least;
            Some(Number::Bounded(Bounded { least: value, most: most.value, low, high }))
        }
        (number, _) => number,
    };
    FormattedEstimate { value, number, ..least }
}

/// Minimum widths, between the bounds and between the limits, from which whole percentages are enough.
const COARSE: [f64; 2] = [0.02, 0.1];

/// Formats like [`both`] as a percentage, without meaningless decimals.
fn in_percent(b: Bounded, say: impl Fn(Estimate) -> FormattedEstimate) -> FormattedEstimate {
    let rare = (0.0..0.01).contains(&b.low);
    if rare || b.most - b.least < COARSE[0] || b.high - b.low < COARSE[1] {
        return both(b, say);
    }
    // Ignores rounding errors around a whole percentage.
    let (floor, ceil) =
        (|x: f64| (x * 100.0 + 1e-7).floor() / 100.0, |x: f64| (x * 100.0 - 1e-7).ceil() / 100.0);
    let round = |x: f64| (x * 100.0).round() / 100.0;
    let whole = Bounded { least: round(b.least), most: round(b.most), low: floor(b.low), high: ceil(b.high) };
    let plain = |text: String| text.replace(".0%", "%");
    let said = both(whole, say);
    FormattedEstimate {
        value: plain(said.value),
        interval: plain(said.interval),
        number: Some(Number::Bounded(b)),
        ..said
    }
}

/// `28.3 to 31.2`, `27.0 to 33.1`
pub(super) fn mean_between(b: Bounded) -> FormattedEstimate {
    both(b, mean)
}

pub(super) fn percent_between(b: Bounded) -> FormattedEstimate {
    in_percent(b, percent)
}

pub(super) fn edge_between(b: Bounded) -> FormattedEstimate {
    in_percent(b, edge)
}

pub(super) fn money_between(b: Bounded, casino: &Casino) -> FormattedEstimate {
    both(b, |e| money_estimate(e, casino))
}

pub(super) fn gain_between(b: Bounded, casino: &Casino) -> FormattedEstimate {
    both(b, |e| gain_estimate(e, casino))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_stand_apart_until_they_meet() {
        let b = Bounded { least: 28.31, most: 31.17, low: 27.02, high: 33.04 };
        assert_eq!(mean_between(b).both(), "28.3 to 31.2 (27.0 to 33.1)");
        let known = Bounded { most: 28.31, high: 29.6, ..b };
        assert_eq!(mean_between(known).both(), "28.3 (27.0 to 29.6)");
        let share = Bounded { least: 0.7004, most: 0.9, low: 0.5739, high: 0.954 };
        assert_eq!(percent_between(share).both(), "70% to 90% (57% to 96%)");
        let sure = Bounded { least: 0.703, most: 0.709, low: 0.69, high: 0.72 };
        assert_eq!(percent_between(sure).both(), "70.3% to 70.9% (69.0% to 72.0%)");
        let rare = Bounded { least: 0.019, most: 0.0581, low: 0.0031, high: 0.124 };
        assert_eq!(percent_between(rare).both(), "1.9% to 5.8% (0.3% to 12.4%)");
        let edge = Bounded { least: -2.0, most: -1.5, low: -2.2, high: -1.4 };
        assert_eq!(edge_between(edge).both(), "−200% to −150% (−220% to −140%)");
    }
}
