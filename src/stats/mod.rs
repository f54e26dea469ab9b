//! Floor 5: what was counted, exactly, and what it says, with intervals.

mod evening;
mod summary;

pub use evening::Evening;
pub use summary::{Estimate, RunningPoint, ScoreSummary, Summary};
