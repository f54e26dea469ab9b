//! A test that may stop early, and estimates after it has stopped.

mod estimate;
mod test;
mod walk;

pub use estimate::StoppedTest;
pub use test::{SequentialTest, TestState, Verdict};
