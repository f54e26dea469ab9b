//! Events of a match, for those who watch it.

use crate::cards::Card;
use crate::game::Move;

/// An event of a match. Seats count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A seat has dealt its round (from 0).
    Dealt {
        /// The seat.
        seat: usize,
        /// Its round.
        round: u32,
    },
    /// A move was made.
    Made {
        /// The seat that made it.
        seat: usize,
        /// The move.
        made: Move,
        /// The lowest card moved; `None` for a draw or a redeal.
        card: Option<Card>,
    },
    /// A move to a shared foundation came too late: another card lies there.
    Late {
        /// The seat that was late.
        seat: usize,
        /// The move that failed.
        tried: Move,
        /// The card, which stays where it was.
        card: Option<Card>,
    },
    /// A player has no play left and waits for something to change.
    Waits {
        /// The seat that waits.
        seat: usize,
    },
    /// A seat's deal is over.
    Counted {
        /// The seat.
        seat: usize,
        /// The points of the deal.
        points: i64,
        /// Whether this player ended the deal.
        out_first: bool,
    },
}
