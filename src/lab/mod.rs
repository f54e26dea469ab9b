//! Floor 6: experiments. Seeded games and matches in blocks over threads, counted exactly.

mod batch;
mod blocks;
mod compare;
mod contests;
mod one;
mod several;

pub use batch::{BLOCK, Batch, BatchError, Entry, Finished, Watcher, simulate};
pub use compare::{Compared, Comparison, CoursePoint, Pair, ShownDeal, Tested, Underway, compare};
pub use contests::{ContestBatch, ContestBatchError, ContestFinished, MakeStrategy, at_speed, contest};
pub use one::{GameError, Player};
pub use several::simulate_each;
