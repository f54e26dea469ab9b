//! How a game ended.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// All cards are on the foundations.
    Won,
    /// No move is legal.
    Blocked,
    /// The passes through the stock go nowhere.
    Barren,
    /// The same position stood for the third time without progress.
    Repeated,
    /// The strategy gave up.
    Resigned,
    /// The safety net: 10,000 moves. Such a game is undecided, and counted and shown.
    Runaway,
}

impl End {
    /// All ends, in the order of reports.
    pub const ALL: [End; 6] =
        [End::Won, End::Blocked, End::Barren, End::Repeated, End::Resigned, End::Runaway];

    /// The word used in records and reports.
    pub const fn word(self) -> &'static str {
        match self {
            End::Won => "won",
            End::Blocked => "blocked",
            End::Barren => "barren",
            End::Repeated => "repeated",
            End::Resigned => "resigned",
            End::Runaway => "runaway",
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for End {
    type Err = String;
    fn from_str(s: &str) -> Result<End, String> {
        let words = || End::ALL.map(End::word).join(", ");
        End::ALL
            .into_iter()
            .find(|end| end.word() == s)
            .ok_or_else(|| format!("`{s}` is not an end of a game; one of {}", words()))
    }
}
