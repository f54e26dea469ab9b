//! Threads, all with the same stack.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::interrupt::{heeded, heeding};

/// Bytes of the stack of every thread that loads or runs scripts, also of the one that runs the command line: the
/// interpreter calls itself for every expression within another. It is address space; memory is used as deep as the
/// stack gets.
pub(crate) const STACK: usize = 64 << 20;

/// Pools that nobody uses at the moment. A command has one; the studio has one for each run under way, so that no run
/// waits for another.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// Runs each job on a thread of a pool of its own, while `meanwhile` runs on this thread. The pool's threads heed the flag
/// that this thread heeds: what was asked to stop stops in all its parts.
///
/// # Errors
/// What the system says where it has no room for the threads.
pub(crate) fn on_pool<'a, T>(
    jobs: Vec<impl FnOnce() + Send + 'a>,
    meanwhile: impl FnOnce() -> T,
) -> Result<T, String> {
    let threads = jobs.len();
    let idle = || IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = {
        let mut idle = idle();
        let place = idle.iter().position(|pool| pool.current_num_threads() == threads);
        place.map(|place| idle.swap_remove(place))
    };
    let pool = match known {
        Some(pool) => pool,
        None => ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .build()
            .map_err(|error| error.to_string())?,
    };
    let result = pool.in_place_scope(|scope| {
        for job in jobs {
            let stop = heeded();
            scope.spawn(move |_| match stop {
                Some(stop) => heeding(stop, job),
                None => job(),
            });
        }
        meanwhile()
    });
    idle().push(pool);
    Ok(result)
}

/// Starts a thread in a scope. It heeds the flag that this thread heeds: what was asked to stop stops in all its parts.
///
/// # Errors
/// What the system says where it has no room for one more.
pub(crate) fn spawn_in<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    let stop = heeded();
    let work = || match stop {
        Some(stop) => heeding(stop, work),
        None => work(),
    };
    Builder::new().stack_size(STACK).spawn_scoped(scope, work).map(drop)
}

/// Does some work on a thread of its own, and waits for it. `None` where it panicked.
///
/// # Errors
/// What the system says where it has no room for one more.
pub(crate) fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Option<T>> {
    Builder::new().stack_size(STACK).name("main".into()).spawn(work).map(|thread| thread.join().ok())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::sync::mpsc::channel;

    use super::*;
    use crate::interrupt::requested;

    #[test]
    fn parts_of_work_heed_what_the_whole_heeds() {
        let (tell, told) = channel();
        let part = || spawn_in_scope(tell.clone());
        part();
        heeding(Arc::new(AtomicBool::new(true)), part);
        assert_eq!([told.recv().unwrap(), told.recv().unwrap()], [false, true]);
    }

    fn spawn_in_scope(tell: std::sync::mpsc::Sender<bool>) {
        std::thread::scope(|scope| spawn_in(scope, move || tell.send(requested()).unwrap())).unwrap();
    }
}
