//! One game, from the deal to its end.
//!
//! [`Table`] is a whole position and the only judge of legality; [`View`] is what its player may know;
//! [`Game`] asks for decisions, makes moves and knows when it is over; [`Record`] writes a game down and
//! replays it; [`perft`](fn@perft) counts sequences of moves.
//!
//! # Readings
//!
//! Where the rules leave a choice, the engine takes these:
//!
//! - A pass ends when its redeal is chosen. If the pass is dead or one barren pass too many, the game ends
//!   `barren` there: the redeal is neither made, nor counted, nor recorded. With a die for each draw the
//!   same holds for the draw or redeal that is chosen once every card left has been the waste's top.
//! - Where redeals shuffle, no pass need show what the last one did: a game is `barren` as with a die
//!   for each draw.
//! - Equal cards of several packs are different cards: a position in which two of them have changed places is
//!   another one, and each makes progress when it goes up for the first time. Only a shuffle does not tell
//!   them apart: they keep their order in it, as a record names no packs.
//! - Choosing the base is a play: the pass in which it is chosen is not dead.
//! - With a list of packets that still changes, barren passes count from the first pass on which all
//!   later ones have the same packets.
//! - The position that stands right after progress is not yet one of the three of `repeated`. Redeals left
//!   and packets to come are part of the position, and so is the order of a shuffled stock.
//! - The unseen stock top may fill a space by hand only where any rank may start one: otherwise the list of
//!   legal moves would say what the hidden card is.
//! - Where several players build on shared foundations, what somebody puts up counts like a play of
//!   everybody: passes that were barren before it are forgotten, and a game that went nowhere goes on.
//! - A player who gives up where the next draw or redeal would end the game `barren` has said no more than
//!   that: the game is `barren`, not `resigned`, so that the moves alone say how it ended.
//! - No stage of a stake is asked for on the way to a draw or redeal that would end the game `barren`.
//! - A position in which all cards are up is `won` and one without a legal move is `blocked`, even if the
//!   move that led there was the ten-thousandth.
//!
//! # Speed
//!
//! About a third of the time of a game goes into branches that the processor foresees wrongly: games that it
//! has learnt by heart cost 0.65 of what new ones cost. So the engine avoids branches on cards more than it
//! avoids work. What was tried, with the time of a game of `greedy` on `canfield` as a ratio of the time
//! without it:
//!
//! - A strategy that draws on is not asked again while draws leave the list of moves as it was: 0.91.
//! - For plain rules, the table keeps what takes a card of each kind, and the list of moves is read off as
//!   bits of one word: 0.88.
//! - The draws of such a row are made together, not one by one: 0.92. All packets of the stock are looked at
//!   in one go, not one after the other until one has a play: 0.98.
//! - Fewer instructions where all that follows waits for them, between a play and the list of moves after it: 0.98.
//!   What takes a card is looked up by the card as it is, the rank a foundation takes next is found without a
//!   division, a card that goes up changes the two entries it must without a loop, and what takes eight packets is
//!   read off one word.
//!
//! What did not help:
//!
//! - Looking up for each source the kinds it may be placed on, and for those the piles they top: 1.08, as the
//!   lookups cost more than the branches did.
//! - A branch for positions without plays, so that later branches are foreseen: 1.01.
//! - Writing the listed moves in a loop over the bits alone, not the first two without a branch: 1.03.
//! - Going on through redeals too without asking, not only through draws: 1.01.
//! - Joining the tests of `greedy` with `|` and `&`: the compiler makes branches of them again, and more of
//!   them.
//! - Taking the words of a shuffle from the generator all at once: 0.92 of a shuffle, but rand's own shuffle,
//!   the unit that speed is told in, is then compiled to 1.25 of its time in the same program.
//! - Fewer instructions where nothing waits for them, as in how tables are found: nothing for 3% fewer.
//! - Making a play without any branch on where its cards come from and go to: 1.01 to 1.08, as it does the work of
//!   every kind of move, and one step then waits for the other.
//! - Leaving the stock where it is while no card of the waste has been played: nothing that noise does not hide.
//! - The loop of a game, or the list of moves, as functions of their own that are not inlined: 1.03.

mod ahead;
mod ahead_make;
mod ahead_sample;
mod ahead_seen;
#[cfg(test)]
mod ahead_tests;
mod apply;
mod chance;
mod deal;
mod deals_file;
mod end;
mod fault;
mod few_moves;
#[cfg(test)]
mod hidden;
mod knowledge;
mod legal;
mod legal_plain;
mod moves;
mod opponents;
mod outcome;
mod perft;
#[cfg(test)]
mod plain_tests;
mod play;
mod receipt;
mod record;
mod record_line;
mod sample;
mod shared_foundations;
mod snapshot;
mod solver_access;
/// The random rulesets that the engine is compared on.
#[cfg(test)]
#[allow(dead_code)]
#[path = "../../tests/common/specs.rs"]
pub(crate) mod specs;
mod staged;
mod stakes;
mod strategy_rng;
mod table;
mod termination;
mod told;
mod view;
mod view_at_once;
mod view_own;
#[cfg(test)]
mod went_by_tests;

pub use ahead::Ahead;
pub use ahead_sample::{MOST_PLAYED_ON, Policy, Spare};
pub use chance::{Chance, NoChance, SeededChance};
pub use deals_file::{NamedDeal, read_deals, read_deck};
pub use end::End;
pub use fault::RecordFault;
pub use moves::{Move, MoveList, Place};
pub use opponents::Opponents;
pub use outcome::Outcome;
pub use perft::{PerftUndefined, perft, perft_until};
pub use play::{Agent, Game, Observer, Watched};
pub use record::{Record, Recorder};
pub use record_line::{key_at, value_at, word_at};
pub use shared_foundations::{MOST_SEATS, SharedFoundations};
pub use snapshot::Snapshot;
pub(crate) use solver_access::StockPosition;
pub use staged::StagedAgent;
pub use stakes::{Instead, Stake, Stakes};
pub use strategy_rng::{MEMORY, StrategyRng};
pub use table::Table;
pub use termination::RUNAWAY;
pub use view::View;
