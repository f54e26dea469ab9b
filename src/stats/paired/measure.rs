//! What players are compared by.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// What of a finished game counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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
    /// All of them.
    pub const ALL: [Measure; 3] = [Measure::Cards, Measure::Wins, Measure::Money];

    /// Its word on the command line and in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Measure::Cards => "cards",
            Measure::Wins => "wins",
            Measure::Money => "money",
        }
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(text: &str) -> Result<Measure, String> {
        let found = Measure::ALL.into_iter().find(|measure| measure.word() == text);
        found.ok_or_else(|| {
            format!("`{text}` is not measured; one of {}", Measure::ALL.map(Measure::word).join(", "))
        })
    }
}
