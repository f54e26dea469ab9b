//! Whether the person has asked the program to stop.
//!
//! One flag for the whole process, because the request is about the whole process: Ctrl-C or SIGTERM. Everything that
//! can take long looks at it: blocks of games, decisions of scripts, the solver. A library that never calls
//! [`request`] is never interrupted. A thread can heed a flag of its own besides, for work that somebody may no longer
//! want; the threads that it starts for a part of this work heed it too.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag itself, for what takes a flag to watch.
pub static FLAG: AtomicBool = AtomicBool::new(false);

/// Whether any thread has ever had a flag of its own: others need not look for theirs.
static OWN: AtomicBool = AtomicBool::new(false);

thread_local! {
    static HEEDED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Asks everything to stop soon. True if it had been asked before.
pub fn request() -> bool {
    FLAG.swap(true, Ordering::Relaxed)
}

/// Whether everything on this thread should stop soon.
#[inline(always)]
pub fn requested() -> bool {
    FLAG.load(Ordering::Relaxed) || OWN.load(Ordering::Relaxed) && of_thread()
}

#[cold]
fn of_thread() -> bool {
    HEEDED.with_borrow(|own| own.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)))
}

/// Does some work on this thread that should stop soon once `stop` is set, too.
pub fn heeding<T>(stop: Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    OWN.store(true, Ordering::Relaxed);
    let _before = Before(HEEDED.replace(Some(stop)));
    work()
}

/// The flag that this thread heeds besides that of the process, for what takes a flag to watch.
pub fn heeded() -> Option<Arc<AtomicBool>> {
    if OWN.load(Ordering::Relaxed) { HEEDED.with_borrow(Clone::clone) } else { None }
}

/// What was heeded before, and is again at the end of some work, also where that panics.
struct Before(Option<Arc<AtomicBool>>);

impl Drop for Before {
    fn drop(&mut self) {
        HEEDED.set(self.0.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_heeds_its_own_flag_for_as_long_as_it_works() {
        let (outer, inner) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(true)));
        heeding(outer.clone(), || {
            assert!(!requested() && heeding(inner.clone(), requested) && !requested());
            assert!(std::panic::catch_unwind(|| heeding(inner.clone(), || panic!("amid"))).is_err());
            assert!(!requested() && Arc::ptr_eq(&heeded().unwrap(), &outer));
            outer.store(true, Ordering::Relaxed);
            assert!(requested() && !std::thread::spawn(requested).join().unwrap());
        });
        assert!(!requested() && heeded().is_none());
    }
}
