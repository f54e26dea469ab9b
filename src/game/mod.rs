//! Floor 2: one game, from the deal to its end.

mod apply;
mod chance;
mod deal;
mod ends;
#[cfg(test)]
mod hidden;
mod legal;
mod moves;
mod outcome;
mod perft;
mod play;
mod record;
mod snapshot;
mod table;
mod view;

pub use chance::{Chance, NoChance, SeededChance};
pub use ends::RUNAWAY;
pub use moves::{Move, MoveList, Place};
pub use outcome::{End, Outcome};
pub use perft::{PerftUndefined, perft};
pub use play::{Game, Observer, Watched};
pub use record::{Record, RecordFault, Recorder};
pub use snapshot::Snapshot;
pub use table::Table;
pub use view::{Luck, View};
