//! Stopping: the flag that workers look at, and why blocks were not made to the end.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::crash::Crash;
use crate::strategy::StrategyError;

/// Cooperative cancellation flag: workers stop in the middle of their blocks, because somebody asked for it or all is over.
pub(super) struct StopFlag<'a> {
    asked: &'a AtomicBool,
    over: AtomicBool,
}

impl<'a> StopFlag<'a> {
    /// For work that ends soon after `asked` is set.
    pub fn new(asked: &'a AtomicBool) -> StopFlag<'a> {
        StopFlag { asked, over: AtomicBool::new(false) }
    }

    /// What those who work look at as often as they can. It is set soon after somebody asked.
    pub fn flag(&self) -> &AtomicBool {
        &self.over
    }

    /// Whether somebody asked to stop.
    #[cfg(feature = "native")]
    pub fn was_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Stops all work.
    pub fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub fn stopped(&self) -> bool {
        if self.asked.load(Ordering::Relaxed) {
            self.stop();
        }
        self.over.load(Ordering::Relaxed)
    }

    /// Result of a block, or nothing where a strategy was interrupted in it, which is no fault: then all stops.
    pub fn unless_interrupted<B, E>(
        &self,
        made: Result<B, E>,
        of: impl Fn(&E) -> &StrategyError,
    ) -> Option<Result<B, E>> {
        if made.as_ref().is_err_and(|error| *of(error) == StrategyError::Interrupted) {
            self.stop();
            return None;
        }
        Some(made)
    }
}

/// Why blocks were not made to the end.
#[derive(Debug)]
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "there are no threads and no other shards"))]
pub(super) enum Stopped<E> {
    /// A block's own error.
    Fault(E),
    /// A panic: a fault of the program.
    Crash(Crash),
    /// The threads could not be started.
    Threads(String),
    /// Blocks are needed that others make.
    Missing,
}
