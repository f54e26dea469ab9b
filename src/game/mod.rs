//! Floor 2: one game, from the deal to its end.

mod outcome;

pub use outcome::{End, Outcome};
