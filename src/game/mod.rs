//! One game, from the deal to its end.
//!
//! [`Table`] is a whole position and the only judge of legality; [`View`] is what its player may know; [`Game`] asks
//! for decisions, makes moves and detects the end; [`Record`] stores a game and replays it; [`perft`](fn@perft) counts
//! sequences of moves.
//!
//! # Interpretations
//!
//! Where the rules are ambiguous, the engine reads them as follows:
//!
//! - A pass ends when its redeal is chosen. If the pass is dead or one barren pass too many, the game ends `barren`
//!   there: the redeal is neither made, nor counted, nor recorded. With a die for each draw, the same holds for the
//!   draw or redeal chosen after every remaining card has been the waste's top.
//! - With shuffled redeals, a pass need not show what the last one did: a game is then `barren` under the same
//!   condition as with a die for each draw.
//! - Equal cards of several packs are different cards: exchanging two of them gives a different position, and each
//!   makes progress when it goes up for the first time. Only a shuffle does not distinguish them: it keeps their order,
//!   because a record names no packs.
//! - Choosing the base is a play: the pass in which it is chosen is not dead.
//! - With a list of packets that still changes, barren passes count from the first pass after which all later ones have
//!   the same packets.
//! - The position right after progress does not count towards the three of `repeated`. Redeals left and packets to come
//!   are part of the position, and so is the order of a shuffled stock.
//! - The unseen stock top may fill a space by hand only if any rank may start one: otherwise the list of legal moves
//!   would reveal the hidden card.
//! - With shared foundations, a card put up by any player counts like a play by every player: earlier barren passes are
//!   forgotten, and a game that had ended as going nowhere continues.
//! - A player who gives up where the next draw or redeal would end the game `barren` ends it as `barren`, not
//!   `resigned`, so that the moves alone determine the end.
//! - No stage of a stake is offered before a draw or redeal that would end the game `barren`.
//! - A position with all cards up is `won` and one without a legal move is `blocked`, even if the move that led there
//!   was the ten-thousandth.
//!
//! # Speed
//!
//! About a third of the time of a game is spent on mispredicted branches, so avoiding branches on cards matters more
//! than avoiding work. `reports/notebook.md` has what was tried, with its measured gain.

mod apply;
mod chance;
mod deal;
mod deals_file;
mod knowledge;
mod legal;
mod legal_plain;
mod lookahead;
mod moves;
mod opponents;
mod outcome;
mod perft;
mod play;
mod player_state;
mod record;
mod sample;
mod snapshot;
/// The random rulesets used to compare implementations of the engine.
#[cfg(test)]
#[allow(dead_code)]
#[path = "../../tests/common/specs.rs"]
pub(crate) mod specs;
mod staged;
mod stakes;
mod table;
mod termination;
#[cfg(test)]
mod tests;
mod view;

pub use chance::{Chance, NoChance, SeededChance};
pub use deals_file::{NamedDeal, read_deals, read_deck};
pub use lookahead::{Lookahead, MOST_PLAYED_ON, Policy, Spare};
pub use moves::{Move, MoveList, Place};
pub use opponents::{MOST_SEATS, Opponents, SharedFoundations};
pub use outcome::{End, Instead, Outcome, Stake};
pub use perft::{PerftUndefined, perft, perft_until};
pub use play::{Agent, Game, Observer, Watched};
pub use player_state::{MEMORY, PlayerState};
pub use record::{Record, RecordFault, Recorder, key_at, value_at, word_at};
pub use snapshot::Snapshot;
pub use staged::StagedAgent;
pub use stakes::Stakes;
pub(crate) use table::StockPosition;
pub use table::Table;
pub use termination::RUNAWAY;
pub use view::{Knowledge, View};
