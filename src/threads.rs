//! Threads, all with the same stack size.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::interrupt::{heeded, heeding};

/// Stack size of every thread that loads or runs scripts, including the one that runs the command line: the
/// interpreter recurses for every nested expression. This is address space; memory is used only as deep as the stack
/// gets.
pub const STACK: usize = 64 << 20;

/// Idle pools. A command has one; the studio has one for each current run, so that no run waits for another.
static IDLE: Mutex<Vec<ThreadPool>> = Mutex::new(Vec::new());

/// Runs each job on a thread of a separate pool, while `meanwhile` runs on this thread. The pool's threads heed the
/// flag that this thread heeds, so that an interruption stops all parts.
///
/// # Errors
/// The system's error if it cannot start the threads. What the system says where it has no room for the threads.
pub fn on_pool<'a, T>(
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

/// Starts a thread in a scope. It heeds the flag that this thread heeds, so that an interruption stops all parts.
///
/// # Errors
/// The system's error if it cannot start another thread.
pub fn spawn_in<'scope>(
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

/// Runs some work on a separate thread and waits for it. Returns `None` if it panicked.
///
/// # Errors
/// The system's error if it cannot start another thread.
pub fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Option<T>> {
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
