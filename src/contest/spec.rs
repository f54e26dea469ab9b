//! What a contest says, key by key, as plain values.
//!
//! `file/keys.rs` says how each key is written, `check.rs` judges them together with the ruleset.

use serde::{Serialize, Serializer};

/// A contest as plain values: every key of a contest file, after `extends` is resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContestSpec {
    /// What the contest is called.
    pub name: String,
    /// Other names of it.
    pub also: Vec<String>,
    /// What the contest is, in a line or more.
    pub about: String,
    /// Where the text of its rules comes from.
    pub source: String,
    /// `rules`: the layout that each player deals, a name on the shelf or a path. In a file the path is one from
    /// that file, here it is as this program opens it. Stakes of the ruleset play no part in a contest, whether
    /// they are paid at once or in stages.
    pub rules: String,
    /// `foundations`
    pub foundations: Foundations,
    /// `score`: the `[[score]]` of the ruleset by which points are counted; the ruleset's first if a file does
    /// not say.
    pub score: String,
    /// `deal_ends`; of a meaning only with shared foundations, and `AllUp` without.
    pub deal_ends: DealEnd,
    /// `[match]`
    #[serde(rename = "match")]
    pub goal: Goal,
    /// `clock.gather`: milliseconds between two deals, for gathering the cards, shuffling and dealing.
    #[serde(serialize_with = "thousandths")]
    pub gather: u32,
    /// `[[player]]`: the players in the order of their seats, 2..=8.
    #[serde(rename = "player")]
    pub players: Vec<PlayerSpec>,
}

impl ContestSpec {
    /// Can being fast win a match? Not so many deals on foundations of one's own.
    pub fn speed_matters(&self) -> bool {
        self.foundations == Foundations::Shared || matches!(self.goal, Goal::Target { .. })
    }
}

/// `foundations`: on what the players build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Foundations {
    /// Each player on foundations of their own: the deals are played side by side.
    Own,
    /// All players on shared foundations, which any base card starts.
    Shared,
}

/// `deal_ends`: when a deal with shared foundations ends, besides that no player has a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DealEnd {
    /// As soon as a player has brought all cards up.
    AllUp,
    /// As soon as a player's reserve is empty, or all cards are up.
    Reserve,
}

/// `[match]`: when the match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// `match.deals`: after so many deals the most points win.
    Deals(u32),
    /// `match.target`: whoever has so many points first wins.
    Target {
        /// The points to reach.
        points: i64,
        /// `match.max_rounds`: deals after which a match is undecided, as weak play may never come nearer.
        max_rounds: u32,
    },
}

/// `[[player]]`: who sits at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerSpec {
    /// What the player is called; no two are called the same.
    pub name: String,
    /// `strategy`: a name on the shelf, or a path; as with [`ContestSpec::rules`].
    pub strategy: String,
    /// `speed`: actions a second, in thousandths.
    #[serde(serialize_with = "thousandths")]
    pub speed: u32,
    /// `jitter`: an action takes up to this part more or less time, in thousandths.
    #[serde(serialize_with = "thousandths")]
    pub jitter: u32,
    /// `team`: whose points are pooled with those of others of that name.
    pub team: Option<String>,
}

/// `match.max_rounds` where a file does not say.
pub const MAX_ROUNDS: u32 = 1000;
/// `clock.gather` where a file does not say, in milliseconds.
pub const GATHER: u32 = 30_000;
/// The strategy of players who do not say.
pub const STRATEGY: &str = "greedy";
/// The speed of players where a file does not say, in thousandths of an action a second.
pub const SPEED: u32 = 1000;
/// The jitter of players where a file does not say, in thousandths.
pub const JITTER: u32 = 200;

/// Writes a number in thousandths as seconds, actions a second or a fraction.
fn thousandths<S: Serializer>(n: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*n) / 1000.0)
}
