//! How thorough the random comparisons are.

/// How many times its usual size a random comparison is to be: `SARATOGA_SCALE`, or 1.
pub fn scale() -> u64 {
    std::env::var("SARATOGA_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1).max(1)
}
