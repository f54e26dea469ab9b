//! Time: that of the machine or, without the feature `native`, of a clock set by the caller.

use std::time::Duration;

/// A moment, as the time since an origin that is the same for the whole process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// Returns the present.
    pub fn now() -> Moment {
        Moment(source::now())
    }

    /// Returns the time elapsed since then.
    pub fn elapsed(self) -> Duration {
        Moment::now().since(self)
    }

    /// Returns the time between two moments.
    pub fn since(self, earlier: Moment) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// Returns the moment after some time; `None` on overflow.
    pub fn checked_add(self, time: Duration) -> Option<Moment> {
        self.0.checked_add(time).map(Moment)
    }
}

#[cfg(feature = "native")]
mod source {
    use std::sync::LazyLock;
    use std::time::{Duration, Instant};

    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);

    pub fn now() -> Duration {
        FIRST.elapsed()
    }
}

#[cfg(not(feature = "native"))]
mod source {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    pub fn now() -> Duration {
        CLOCK.get().map_or(Duration::ZERO, |clock| clock())
    }

    /// Sets the clock, once. Until then time stands still, and no time limit is reached.
    pub fn set_clock(clock: fn() -> Duration) {
        // A second clock is ignored: moments of different clocks cannot be compared.
        let _ = CLOCK.set(clock);
    }
}

#[cfg(not(feature = "native"))]
pub use source::set_clock;
