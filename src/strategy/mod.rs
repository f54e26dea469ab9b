//! Strategies, which choose moves.
//!
//! A [`Strategy`] sees a [`View`] and the legal moves, and decides. Those of the program are in Rust; those of users are
//! scripts, see [`script`]. [`load`](fn@load) finds one by its name or path, as a [`StrategySource`] that makes a
//! strategy for each thread.

mod mix;
mod native;
pub mod script;
pub(crate) mod settings;
mod source;

use crate::crash::Crash;
use crate::diagnostic::Diagnostic;
use crate::game::{Move, MoveList, View};
use crate::rules::Stage;

pub(crate) use mix::by_rules;
pub use mix::{mix, set_all};
pub use native::{Greedy, NATIVE, Random};
pub use settings::{Setting, join as join_settings, read as read_setting, split as split_settings};
pub use source::{LoadError, Maker, StrategySource, load, names};
pub(crate) use source::{load_beside, unknown_among};

/// Chooses moves. It sees a [`View`], never the table.
pub trait Strategy {
    /// Returns its name in records and reports.
    fn name(&self) -> &str;

    /// Returns the index of one of the legal moves, of which there is at least one, or `None` to resign.
    ///
    /// # Errors
    /// Returns the fault of a script.
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError>;

    /// Returns whether, after a decision to draw, the engine repeats the draw without asking until the legal moves
    /// change. Until then draws change only which cards lie in stock and waste.
    fn repeats_draw(&self) -> bool {
        false
    }

    /// Returns whether a game takes a good part of a second, so that each result is worth caching.
    fn is_slow(&self) -> bool {
        false
    }

    /// Returns whether to buy a stage of a staged stake; [`StageAt`](crate::rules::StageAt) says which stages there are
    /// and when they are offered. Before anything is dealt, the view shows an empty table, and there are no legal moves.
    /// The default buys everything except unknown cards.
    ///
    /// # Errors
    /// Returns the fault of a script.
    fn buys(&mut self, _view: &View<'_>, _legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        Ok(stage.at.stops())
    }

    /// Returns the score of each legal move, if the strategy chooses by scores.
    ///
    /// # Errors
    /// Returns the fault of a script.
    fn scores(&mut self, _view: &View<'_>, _legal: &MoveList) -> Result<Option<Vec<i64>>, StrategyError> {
        Ok(None)
    }

    /// Returns what the strategy evaluated before its last decision, best first; empty if it evaluated nothing, for
    /// instance because it continues an earlier plan.
    fn weighed(&self) -> &[MoveValue] {
        &[]
    }

    /// Returns what the strategy has printed since the last call.
    fn printed(&mut self) -> String {
        String::new()
    }
}

/// A line of play evaluated by a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// Its moves, of which at most the last reveals something.
    pub moves: Vec<Move>,
    /// Number of sampled deals in which it was followed.
    pub worlds: u32,
    /// Number of those that were won.
    pub wins: u32,
    /// The cards that went up, summed over all of them.
    pub cards: u64,
    /// What the casino paid, summed over all of them, in cents, less the price of passes.
    pub paid: i64,
}

/// Reason why a strategy could not decide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// A fault of a script, with its position in the script.
    #[error("{0}")]
    Script(Box<Diagnostic>),
    /// The user asked the program to stop while the strategy was thinking: see [`crate::interrupt`].
    #[error("interrupted while deciding")]
    Interrupted,
    /// The program panicked while the strategy decided, or in the game it played.
    #[error("internal error: {0}")]
    Crashed(Box<Crash>),
}
