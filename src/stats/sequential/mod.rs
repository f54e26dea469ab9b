//! A test that may stop early, and what can be said after it has.

mod estimate;
mod test;
mod walk;

pub use estimate::StoppedTest;
pub use test::{SequentialTest, TestState, Verdict};
