//! Shared code of the tests.

pub mod blocks;
pub mod play;
pub mod program;
pub mod specs;
pub mod walk;

pub use walk::{Whim, shelf, walk};

/// Returns the factor for the size of a randomized comparison: `SARATOGA_SCALE`, or 1.
pub fn scale() -> u64 {
    std::env::var("SARATOGA_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1).max(1)
}
