//! How long things take: of a core's time where the system tells it, which other work on the machine does not change.

use std::time::{Duration, Instant};

/// What a machine may be slower than the one that the promised figures are meant for, and what checks that are built
/// in for tests cost.
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

/// The time that this thread has had of a core.
fn core_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(told.split_whitespace().next()?.parse().ok()?))
}
