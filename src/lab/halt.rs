//! Cancellation: the flag that workers poll, and the reasons why blocks were not completed.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::crash::Crash;
use crate::strategy::StrategyError;

/// Cooperative cancellation flag: set on a user's request or when the run is over, it stops workers within their
/// blocks.
pub(super) struct StopFlag<'a> {
    asked: &'a AtomicBool,
    over: AtomicBool,
}

impl<'a> StopFlag<'a> {
    /// Creates a flag that follows `asked` with a short delay.
    pub fn new(asked: &'a AtomicBool) -> StopFlag<'a> {
        StopFlag { asked, over: AtomicBool::new(false) }
    }

    /// Returns the flag that workers poll; it is set soon after a request to stop.
    pub fn flag(&self) -> &AtomicBool {
        &self.over
    }

    /// Returns whether a stop was requested.
    #[cfg(feature = "native")]
    pub fn was_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Stops all workers.
    pub fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Returns whether to stop.
    pub fn stopped(&self) -> bool {
        if self.asked.load(Ordering::Relaxed) {
            self.stop();
        }
        self.over.load(Ordering::Relaxed)
    }

    /// Returns the result of a block; if the strategy was interrupted, which is no error, stops the run and returns
    /// nothing.
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

/// Reason why blocks were not completed.
#[derive(Debug)]
#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "there are no threads and no other shards"))]
pub(super) enum Stopped<E> {
    /// Error of a block.
    Fault(E),
    /// A panic, which is a bug in the program.
    Crash(Crash),
    /// The threads could not be started.
    Threads(String),
    /// Blocks of other shards are needed.
    Missing,
}
