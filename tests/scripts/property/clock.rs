//! Time limits in processor time if the system provides it, which is independent of other work on the machine.

use std::time::{Duration, Instant};

/// Allowance for machines slower than the one the stated times are meant for, and for checks in test builds.
const SLACK: u32 = 4;

/// Runs what must end within a time of one core.
pub fn within<T>(promised: Duration, what: &str, run: impl FnOnce() -> T) -> T {
    let (wall, core) = (Instant::now(), core_time());
    let value = run();
    let took = match (core, core_time()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => wall.elapsed(),
    };
    assert!(took <= promised * SLACK, "{what} took {took:?}, and {promised:?} are promised");
    value
}

/// Returns the processor time used by this thread.
fn core_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split_whitespace().next()?.parse().ok()?))
}
