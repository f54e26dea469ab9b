//! Floor 5: what was counted, exactly, and what it says, with intervals.

mod summary;

pub use summary::{Estimate, RunningPoint, ScoreSummary, Summary};
