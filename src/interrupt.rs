//! Interruption of the program by the user.
//!
//! One flag for the whole process, because a request by Ctrl-C or SIGTERM concerns the whole process. Everything that
//! can take long polls it: blocks of games, decisions of scripts, the solver. A library that never calls [`request`]
//! is never interrupted. A thread can also heed a flag of its own, for work that may become unwanted; the threads
//! that it starts for a part of this work heed it too.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag itself, for functions that poll a flag.
pub static FLAG: AtomicBool = AtomicBool::new(false);

/// Whether any thread has ever had a flag of its own; otherwise threads need not check.
static OWN: AtomicBool = AtomicBool::new(false);

thread_local! {
    static HEEDED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Requests everything to stop soon. Returns whether that had been requested before.
pub fn request() -> bool {
    FLAG.swap(true, Ordering::Relaxed)
}

/// Returns whether everything on this thread should stop soon.
#[inline(always)]
pub fn requested() -> bool {
    FLAG.load(Ordering::Relaxed) || OWN.load(Ordering::Relaxed) && of_thread()
}

#[cold]
fn of_thread() -> bool {
    HEEDED.with_borrow(|own| own.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)))
}

/// Runs some work on this thread that should also stop soon once `stop` is set.
pub fn heeding<T>(stop: Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    OWN.store(true, Ordering::Relaxed);
    let _before = Before(HEEDED.replace(Some(stop)));
    work()
}

/// Returns the flag that this thread heeds in addition to that of the process, for functions that poll a flag.
pub fn heeded() -> Option<Arc<AtomicBool>> {
    if OWN.load(Ordering::Relaxed) { HEEDED.with_borrow(Clone::clone) } else { None }
}

/// The flag heeded before, which is restored at the end of some work, even if that panics.
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
