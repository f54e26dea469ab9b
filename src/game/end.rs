//! Ends of a game.

use serde::{Deserialize, Serialize};

/// How a game ended.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = String, parse_err_fn = not_an_end)]
pub enum End {
    /// All cards are on the foundations.
    Won,
    /// No move is legal.
    Blocked,
    /// Further passes through the stock lead nowhere.
    Barren,
    /// The same position occurred for the third time without progress.
    Repeated,
    /// The strategy gave up.
    Resigned,
    /// The limit of 10,000 moves was reached. Such a game is undecided, and reported separately.
    Runaway,
}

impl End {
    /// All ends, in the order of reports.
    pub const ALL: [End; 6] =
        [End::Won, End::Blocked, End::Barren, End::Repeated, End::Resigned, End::Runaway];

    /// Returns the word used in records and reports.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

fn not_an_end(text: &str) -> String {
    format!("`{text}` is not an end of a game; one of {}", End::ALL.map(End::word).join(", "))
}
