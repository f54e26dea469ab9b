//! Time: that of the machine or, without the feature `native`, what the caller says.

use std::time::Duration;

/// A moment, as the time since some other that is the same for the whole process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// The present.
    pub fn now() -> Moment {
        Moment(source::now())
    }

    /// The time since then.
    pub fn elapsed(self) -> Duration {
        Moment::now().since(self)
    }

    /// The time between two moments.
    pub fn since(self, earlier: Moment) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment after some time; `None` beyond all moments.
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

    /// Sets what tells the time, once. Until then it stands still, and nothing ends by its time.
    pub fn set_clock(clock: fn() -> Duration) {
        // A second clock is ignored: moments of two cannot be compared.
        let _ = CLOCK.set(clock);
    }
}

#[cfg(not(feature = "native"))]
pub use source::set_clock;
