//! Precision at which a run stops.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::interval::TAIL;
use super::{House, Tally, summarize::mean_cards};
use crate::rules::Spec;

/// The half-width that a 95% interval must reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "of", content = "half_width", rename_all = "snake_case")]
pub enum Precision {
    /// Of the mean cards, in cards. Written `0.05`.
    Cards(f64),
    /// Of the house edge, as a fraction of the stake. Written in percentage points: `1pp`.
    #[serde(rename = "house_edge")]
    Edge(f64),
}

impl Precision {
    /// Returns whether the games so far are enough. The wider side of the interval decides, and undecided
    /// games widen it, so that with many of them no number of games may ever suffice.
    pub fn reached(&self, tally: &Tally, spec: &Spec) -> bool {
        self.ratio(tally, spec).is_some_and(|ratio| ratio <= 1.0)
    }

    /// Returns the wider side of the interval divided by the requested half-width. `None` if too little is
    /// known for an interval.
    pub fn ratio(&self, tally: &Tally, spec: &Spec) -> Option<f64> {
        let (estimate, wanted) = match *self {
            Precision::Cards(wanted) => (Some(mean_cards(tally, TAIL).0), wanted),
            Precision::Edge(wanted) => (House::new(tally, &spec.casino).edge(), wanted),
        };
        let e = estimate.filter(|_| tally.games() > 1)?;
        Some((e.value - e.low).max(e.high - e.value) / wanted)
    }

    /// Checks that a ruleset supports the precision: a free deck has no house edge.
    ///
    /// # Errors
    /// A message with an alternative.
    pub fn check(&self, spec: &Spec) -> Result<(), String> {
        match self {
            Precision::Edge(_) if spec.casino.stake <= 0 && !spec.casino.is_staged() => Err(format!(
                "`{self}` is a precision of the house edge, but a deck of {} costs nothing; give one of the mean cards, such as `0.05`",
                spec.name
            )),
            _ => Ok(()),
        }
    }
}

impl FromStr for Precision {
    type Err = String;

    fn from_str(text: &str) -> Result<Precision, String> {
        let text = text.trim();
        let points = text.strip_suffix("pp").map(str::trim_end);
        match points.unwrap_or(text).parse::<f64>() {
            Ok(width) if width.is_finite() && width > 0.0 => {
                Ok(if points.is_some() { Precision::Edge(width / 100.0) } else { Precision::Cards(width) })
            }
            Ok(_) => Err(format!("`{text}` is not a precision: it must be above 0")),
            Err(_) => {
                let percent = text.strip_suffix('%').map(str::trim_end);
                let meant = percent.filter(|number| number.parse::<f64>().is_ok());
                let meant = meant.map_or(String::new(), |number| format!("; did you mean `{number}pp`?"));
                Err(format!(
                    "`{text}` is not a precision: write `0.05` for the mean cards to within 0.05 of a card, \
                     or `1pp` for the house edge to within 1 percentage point{meant}"
                ))
            }
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Precision::Cards(width) => write!(f, "{width}"),
            Precision::Edge(width) => write!(f, "{}pp", width * 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;
    use crate::stats::testing::game;

    #[test]
    fn both_forms_are_read() {
        assert_eq!("0.05".parse(), Ok(Precision::Cards(0.05)));
        assert_eq!(" 1pp ".parse(), Ok(Precision::Edge(0.01)));
        assert_eq!("0.5 pp".parse::<Precision>().unwrap().to_string(), "0.5pp");
        for bad in ["0", "-1pp", "inf", "nanpp", "0pp"] {
            assert!(bad.parse::<Precision>().unwrap_err().contains("above 0"), "{bad}");
        }
        for bad in ["", "1%", "pp", "five", "1 p"] {
            assert!(bad.parse::<Precision>().unwrap_err().contains("`1pp`"), "{bad}");
        }
    }

    #[test]
    fn more_games_reach_it() {
        let mut spec = Spec::default();
        let mut tally = Tally::new(&spec);
        let cards = Precision::Cards(0.5);
        // An interval of 0.5 cards is 5 / 52 of the stake: 9.6 points.
        let edge = Precision::Edge(0.5 * 500.0 / 5200.0 + 1e-9);
        assert!(!cards.reached(&tally, &spec));
        let mut games = 0;
        while !cards.reached(&tally, &spec) {
            assert!(!edge.reached(&tally, &spec) && games < 1000);
            [5, 15].iter().for_each(|&cards| tally.add(&game(End::Blocked, cards)));
            games += 2;
        }
        // 1.96 * 5 / sqrt(n) = 0.5 at n = 384; an unobserved game of all 52 cards is not excluded.
        assert!((560..620).contains(&games), "{games}");
        assert!(edge.reached(&tally, &spec));
        assert!(edge.check(&spec).is_ok());
        spec.casino.stake = 0;
        assert!(!edge.reached(&tally, &spec));
        assert!(edge.check(&spec).unwrap_err().contains("costs nothing"));
    }
}
