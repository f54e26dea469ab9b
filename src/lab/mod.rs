//! Floor 6: experiments. Seeded games in blocks over threads, counted exactly.

mod batch;
mod one;
mod several;

pub use batch::{BLOCK, Batch, BatchError, Entry, Finished, Watcher, simulate};
pub use one::{GameError, Player};
pub use several::simulate_each;
