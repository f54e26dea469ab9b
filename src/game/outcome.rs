//! Ends and outcomes of games.

use serde::{Deserialize, Serialize};

use crate::rules::StageAt;

/// Counts of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Number of cards on the foundations, including those of the deal.
    pub cards: u16,
    /// Number of moves made: plays, draws and redeals.
    pub moves: u32,
    /// Number of redeals made.
    pub redeals: u32,
    /// Number of cards left in the reserves.
    pub reserve_left: u16,
    /// Number of foundations that hold a whole suit.
    pub complete_suits: u16,
    /// The stake, if it is bought in stages and the player was asked for them.
    pub stake: Option<Stake>,
}

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

/// Number of kinds of stages.
const KINDS: usize = StageAt::ALL.len();

/// The stake of a game, if it is bought in stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stake {
    /// Paid by the player, in cents.
    pub staked: i64,
    /// Whether all stages of the hand were bought, so that its cards are paid for.
    pub whole: bool,
    /// How often each stage was offered, in the order of [`StageAt::ALL`]; for unknown cards, how many.
    pub asked: [u32; KINDS],
    /// How often each stage was bought.
    pub bought: [u32; KINDS],
    /// The stage that the player declined, which ended the game.
    pub stopped: Option<StageAt>,
    /// How the game would have ended had the player kept buying; known only if a stopped game was replayed to find out.
    pub instead: Option<Instead>,
}

/// End of a game that was stopped at a stage, had the player bought that stage and all after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instead {
    /// How it would have ended.
    pub end: End,
    /// Number of cards on the foundations in that case.
    pub cards: u16,
    /// Cents that would have been paid for it.
    pub staked: i64,
    /// Whether all stages of the hand would have been bought.
    pub whole: bool,
}

impl Stake {
    /// Nothing offered, nothing bought.
    pub const NONE: Stake = Stake {
        staked: 0,
        whole: false,
        asked: [0; KINDS],
        bought: [0; KINDS],
        stopped: None,
        instead: None,
    };
}
