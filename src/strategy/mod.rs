//! Who chooses moves.

mod as_policy;
mod load;
mod mix;
mod native;
pub(crate) mod profiles;
pub mod script;
mod set_all;
mod settings;
mod slip;
mod source;

use crate::crash::Crash;
use crate::diagnostic::Diagnostic;
use crate::game::{Move, MoveList, View};
use crate::rules::StageAt;

pub use as_policy::{AsPolicy, Counted};
pub use load::{LoadError, NATIVE, load, names};
pub(crate) use load::{load_beside, unknown_among};
pub(crate) use mix::by_rules;
pub use mix::mix;
pub use native::{Greedy, Random};
pub use set_all::set_all;
pub use settings::{Setting, join as join_settings, read as read_setting, split as split_settings};
pub use source::{Maker, StrategySource};

/// Chooses moves. It sees a [`View`], never the table.
pub trait Strategy {
    /// Its name in records and reports.
    fn name(&self) -> &str;

    /// The index of one of the legal moves, of which there is at least one, or `None` to resign.
    ///
    /// # Errors
    /// The fault of a script.
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError>;

    /// After a decision to draw: if true, the engine repeats the draw without asking until the legal moves
    /// change. Until then draws change only which cards lie in stock and waste.
    fn repeats_draw(&self) -> bool {
        false
    }

    /// Whether it takes a good part of a second over a game, so that each game is worth keeping.
    fn is_slow(&self) -> bool {
        false
    }

    /// Whether to buy a stage of a stake that is bought in stages; what stages there are and when they are
    /// asked for says [`StageAt`]. Before anything is dealt the view shows an empty table, and there are no
    /// legal moves. A strategy that has no opinion buys everything but unknown cards.
    ///
    /// # Errors
    /// The fault of a script.
    fn stage(
        &mut self,
        _view: &View<'_>,
        _legal: &MoveList,
        at: StageAt,
        _cost: i64,
    ) -> Result<bool, StrategyError> {
        Ok(at.stops())
    }

    /// The score of each legal move, where the strategy chooses by scores.
    ///
    /// # Errors
    /// The fault of a script.
    fn scores(&mut self, _view: &View<'_>, _legal: &MoveList) -> Result<Option<Vec<i64>>, StrategyError> {
        Ok(None)
    }

    /// What the strategy weighed before its last decision, the best first; nothing where it weighed nothing then, be it
    /// that it follows what it chose before.
    fn weighed(&self) -> &[Weighed] {
        &[]
    }

    /// What the strategy has printed since this was last asked.
    fn printed(&mut self) -> String {
        String::new()
    }
}

/// A line of play that a strategy weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// Its moves, as far as nothing new is seen before the last.
    pub moves: Vec<Move>,
    /// In so many sampled deals it was followed.
    pub worlds: u32,
    /// So many of them were won from there.
    pub wins: u32,
    /// The cards that came up in all of them.
    pub cards: u64,
    /// What the casino paid in all of them, in cents, less what was paid for passes.
    pub paid: i64,
}

/// A strategy that could not decide.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StrategyError {
    /// A script's fault, with its place in the script.
    #[error("{0}")]
    Script(Box<Diagnostic>),
    /// The person asked the program to stop while the strategy was thinking: see [`crate::interrupt`].
    #[error("interrupted while deciding")]
    Interrupted,
    /// The program itself is at fault: it panicked while the strategy decided, or in the game it played.
    #[error("internal error: {0}")]
    Crashed(Box<Crash>),
}
