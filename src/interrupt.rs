//! Whether the person has asked the program to stop.
//!
//! One flag for the whole process, because the request is about the whole process: Ctrl-C or SIGTERM. Everything that
//! can take long looks at it: blocks of games, decisions of scripts, the solver. A library that never calls
//! [`request`] is never interrupted.

use std::sync::atomic::{AtomicBool, Ordering};

/// The flag itself, for what takes a flag to watch.
pub static FLAG: AtomicBool = AtomicBool::new(false);

/// Asks everything to stop soon. True if it had been asked before.
pub fn request() -> bool {
    FLAG.swap(true, Ordering::Relaxed)
}

/// Whether everything should stop soon.
#[inline(always)]
pub fn requested() -> bool {
    FLAG.load(Ordering::Relaxed)
}
