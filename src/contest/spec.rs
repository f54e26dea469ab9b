//! The keys of a contest, as plain values.
//!
//! `file/keys.rs` defines how each key is written, `check.rs` validates them together with the ruleset.

use serde::{Serialize, Serializer};

use crate::rules::words::worded;

/// A contest as plain values: every key of a contest file, after `extends` is resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContestSpec {
    /// Name of the contest.
    pub name: String,
    /// Other names of it.
    pub also: Vec<String>,
    /// Description of the contest, in one or more lines.
    pub about: String,
    /// Source of its rules.
    pub source: String,
    /// `rules`: the ruleset that each player deals, a name on the shelf or a path. In a file the path is relative to
    /// that file; here it is the path that this program opens. Stakes of the ruleset are ignored in a contest, whether
    /// they are paid at once or in stages.
    pub rules: String,
    /// `foundations`
    pub foundations: Foundations,
    /// `score`: the `[[score]]` of the ruleset used to count points; by default the ruleset's first.
    pub score: String,
    /// `deal_ends`; meaningful only with shared foundations, and `AllUp` otherwise.
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
    /// Returns whether speed can win a match: not with a number of deals on separate foundations.
    pub fn speed_matters(&self) -> bool {
        self.foundations == Foundations::Shared || matches!(self.goal, Goal::Target { .. })
    }
}

worded! {
    /// `foundations`: which foundations the players build on.
    Foundations {
        /// Each player on separate foundations: the deals are played side by side.
        Own,
        /// All players on shared foundations, started by any base card.
        Shared,
    }
    /// `deal_ends`: when a deal with shared foundations ends, other than for lack of plays.
    DealEnd {
        /// As soon as a player has brought all cards up.
        AllUp,
        /// As soon as a player's reserve is empty, or all cards are up.
        Reserve,
    }
}

/// `[match]`: when the match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// `match.deals`: the most points after this number of deals win.
    Deals(u32),
    /// `match.target`: the first side to reach the target wins.
    Target {
        /// The points to reach.
        points: i64,
        /// `match.max_rounds`: deals after which a match is undecided, as weak play may never get there.
        max_rounds: u32,
    },
}

/// `[[player]]`: the player at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerSpec {
    /// The player's name, which is unique.
    pub name: String,
    /// `strategy`: a name on the shelf, or a path; as with [`ContestSpec::rules`].
    pub strategy: String,
    /// `speed`: actions per second, in thousandths.
    #[serde(serialize_with = "thousandths")]
    pub speed: u32,
    /// `jitter`: the fraction by which the time of an action may vary, in thousandths.
    #[serde(serialize_with = "thousandths")]
    pub jitter: u32,
    /// `team`: points are pooled among players with the same team.
    pub team: Option<String>,
}

/// Default of `match.max_rounds`.
pub const MAX_ROUNDS: u32 = 1000;
/// Default of `clock.gather`, in milliseconds.
pub const GATHER: u32 = 30_000;
/// Default strategy of a player.
pub const STRATEGY: &str = "greedy";
/// Default speed of a player, in thousandths of an action per second.
pub const SPEED: u32 = 1000;
/// Default jitter of a player, in thousandths.
pub const JITTER: u32 = 200;

/// Serializes a number of thousandths as a decimal fraction.
fn thousandths<S: Serializer>(n: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*n) / 1000.0)
}
