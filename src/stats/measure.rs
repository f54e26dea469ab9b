//! Measures by which players are compared.

use crate::rules::Casino;

use serde::Serialize;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
