//! Floor 5: what was counted, exactly, and what it says, with intervals.

mod counts;
mod interval;
mod score;
mod summary;
mod tally;

pub use counts::Counts;
pub use interval::{Moments, outer, rate, student, wilson};
pub use score::points;
pub use summary::{Estimate, RunningPoint, ScoreSummary, Summary};
pub use tally::Tally;
