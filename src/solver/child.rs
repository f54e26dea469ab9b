//! A play after so many draws and redeals.

use crate::game::{Move, StockPosition};

/// A play and what comes before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    /// The play.
    pub m: Move,
    /// How far the stock is turned first.
    pub place: StockPosition,
    /// The lower, the sooner it is tried.
    pub rank: u16,
}
