//! What a deck costs and pays, and a stake that is bought in stages.
//!
//! With `[[casino.stage]]` a player does not pay for a deck, but for one stage after the other, and may
//! stop at each. The stages, in the order they come:
//!
//! | `at` | asked | a player who declines |
//! |---|---|---|
//! | `deal` | before anything is dealt | does not play |
//! | `first-look` | after the deal, before it is seen | stops |
//! | `first-draw` | when a draw is chosen for the first time; an opening draw is part of the deal | stops |
//! | `pass` | whenever a redeal is chosen, for the pass that it begins | stops |
//! | `unknown-card` | when a draw is chosen, after `first-draw` | goes on without |
//!
//! Who stops ends the game as `resigned`, and has lost what was paid. The cards on the foundations are
//! paid for once the hand is bought whole, that is with `deal`, `first-look` and `first-draw`, as far as the
//! ruleset has them: until then a player holds an option on the hand, and a casino that paid for the
//! cards that the deal alone puts up would pay for nothing. So does the program that this comes from.
//!
//! An unknown card is the next card of the stock that the player does not know. Bought, it is known, and
//! the one after it is offered, until the player declines or `limit` cards of the game are bought; then the
//! player chooses anew, as information is for choosing. In one position the offer is made once. A bought
//! card stays known for as long as its place is: until a redeal shuffles.

use std::fmt;

use serde::{Deserialize, Serialize};

/// `[casino]`: what a deck costs and pays, in whole cents.
#[derive(Clone, Debug, PartialEq)]
pub struct Casino {
    /// Price of the deck; 0 where it is bought in stages.
    pub stake: i64,
    /// `[[casino.stage]]`: the stages of a stake that is not paid at once.
    pub stages: Vec<Stage>,
    /// Paid for each card on the foundations at the end.
    pub pays_per_card: i64,
    /// Paid besides for a win.
    pub pays_for_win: i64,
    /// Sign or name of the money.
    pub currency: String,
}

/// When a stage of the stake is bought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageAt {
    /// Before anything is dealt.
    #[default]
    Deal,
    /// After the deal, before it is seen.
    FirstLook,
    /// When a draw is first chosen.
    FirstDraw,
    /// When a redeal is chosen.
    Pass,
    /// For the next card of the stock that is not known.
    UnknownCard,
}

impl StageAt {
    /// All of them, in the order they come in a game.
    pub const ALL: [StageAt; 5] =
        [StageAt::Deal, StageAt::FirstLook, StageAt::FirstDraw, StageAt::Pass, StageAt::UnknownCard];

    /// The word of ruleset files, scripts and reports.
    pub const fn word(self) -> &'static str {
        match self {
            StageAt::Deal => "deal",
            StageAt::FirstLook => "first-look",
            StageAt::FirstDraw => "first-draw",
            StageAt::Pass => "pass",
            StageAt::UnknownCard => "unknown-card",
        }
    }

    /// Part of the price of the hand: bought once, and cards are paid for when all of these are.
    pub const fn of_the_hand(self) -> bool {
        matches!(self, StageAt::Deal | StageAt::FirstLook | StageAt::FirstDraw)
    }

    /// Whether the game ends for a player who declines.
    pub const fn stops(self) -> bool {
        !matches!(self, StageAt::UnknownCard)
    }
}

impl fmt::Display for StageAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// `[[casino.stage]]`: one stage of the stake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// When it is bought.
    pub at: StageAt,
    /// What it costs, cents.
    pub cost: i64,
    /// How often it can be bought in a game at most; 0 for no limit.
    pub limit: u32,
}

impl Casino {
    /// Whether the stake is bought in stages.
    #[inline]
    pub fn is_staged(&self) -> bool {
        !self.stages.is_empty()
    }

    /// The stage of a kind, if the stake has one.
    pub fn stage(&self, at: StageAt) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.at == at)
    }
}
