//! What happens in a match, as those who look on are told.

use crate::cards::Card;
use crate::game::Move;

/// Something that happens in a match. Seats count from 0.
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
        /// Who made it.
        seat: usize,
        /// The move.
        made: Move,
        /// The lowest card moved; `None` for a draw or a redeal.
        card: Option<Card>,
    },
    /// A move to a shared foundation came too late: another card lies there.
    Late {
        /// Who was late.
        seat: usize,
        /// The move that failed.
        tried: Move,
        /// The card, which stays where it was.
        card: Option<Card>,
    },
    /// A player has no play left and waits for something to change.
    Waits {
        /// Who waits.
        seat: usize,
    },
    /// A seat's deal is over.
    Counted {
        /// The seat.
        seat: usize,
        /// What the deal was worth.
        points: i64,
        /// The player was the one to end it.
        out_first: bool,
    },
}
