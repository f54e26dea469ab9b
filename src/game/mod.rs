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
//! About a third of the time of a game is spent on mispredicted branches: games that the branch predictor has learnt
//! take 0.65 of the time of new ones. So avoiding branches on cards matters more than avoiding work. These
//! optimizations were measured, as the time of a game of `greedy` on `canfield` relative to the time without them:
//!
//! - A strategy that keeps drawing is not asked again while draws leave the list of moves unchanged: 0.91.
//! - For plain rules, the table keeps what takes a card of each kind, and the list of moves is read off as bits of one
//!   word: 0.88.
//! - Such consecutive draws are made together, not one by one: 0.92. All packets of the stock are examined at once, not
//!   one after the other until one has a play: 0.98.
//! - Fewer instructions on the critical path between a play and the list of moves after it: 0.98. What takes a card is
//!   looked up by the card itself, the next rank of a foundation is found without a division, a card that goes up
//!   changes its two entries without a loop, and what takes eight packets is read off one word.
//!
//! These did not help:
//!
//! - Looking up for each source the kinds it may be placed on, and for those the piles they top: 1.08, as the lookups
//!   cost more than the branches did.
//! - A branch for positions without plays, so that later branches are better predicted: 1.01.
//! - Converting all listed moves in a loop over the bits, rather than the first two without a branch: 1.03.
//! - Not asking across redeals either, rather than only across draws: 1.01.
//! - Joining the tests of `greedy` with `|` and `&`: the compiler turns them into branches again, and more of them.
//! - Taking all words of a shuffle from the generator at once: 0.92 of a shuffle, but rand's own shuffle, the unit of
//!   the speed measurements, is then compiled to code that takes 1.25 of its time in the same program.
//! - Fewer instructions off the critical path, as in the lookup of tables: no gain for 3% fewer.
//! - Making a play without any branch on source and target: 1.01 to 1.08, as it does the work of every kind of move and
//!   makes one step wait for the other.
//! - Leaving the stock in place while no card of the waste has been played: no change above the noise.
//! - The loop of a game, or the list of moves, as separate functions that are not inlined: 1.03.

mod apply;
mod chance;
mod deal;
mod deals_file;
mod end;
mod fault;
#[cfg(test)]
mod hidden;
mod knowledge;
mod legal;
mod legal_plain;
mod lookahead;
mod moves;
mod opponents;
mod outcome;
mod perft;
#[cfg(test)]
mod plain_tests;
mod play;
mod player_state;
mod record;
mod recorded_chance;
mod sample;
mod shared_foundations;
mod small_move_list;
mod snapshot;
mod solver_access;
/// The random rulesets used to compare implementations of the engine.
#[cfg(test)]
#[allow(dead_code)]
#[path = "../../tests/common/specs.rs"]
pub(crate) mod specs;
mod staged;
mod stakes;
mod table;
mod termination;
mod view;
#[cfg(test)]
mod went_by_tests;

pub use chance::{Chance, NoChance, SeededChance};
pub use deals_file::{NamedDeal, read_deals, read_deck};
pub use end::End;
pub use fault::RecordFault;
pub use lookahead::{Lookahead, MOST_PLAYED_ON, Policy, Spare};
pub use moves::{Move, MoveList, Place};
pub use opponents::Opponents;
pub use outcome::Outcome;
pub use perft::{PerftUndefined, perft, perft_until};
pub use play::{Agent, Game, Observer, Watched};
pub use player_state::{MEMORY, PlayerState};
pub use record::{Record, Recorder, key_at, value_at, word_at};
pub use shared_foundations::{MOST_SEATS, SharedFoundations};
pub use snapshot::Snapshot;
pub(crate) use solver_access::StockPosition;
pub use staged::StagedAgent;
pub use stakes::{Instead, Stake, Stakes};
pub use table::Table;
pub use termination::RUNAWAY;
pub use view::View;
