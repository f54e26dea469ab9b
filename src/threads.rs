//! Threads, all with the same stack.

use std::io;
use std::thread::{Builder, Scope};

use crate::interrupt::{heeded, heeding};

/// Bytes of the stack of every thread that loads or runs scripts, also of the one that runs the command line: the
/// interpreter calls itself for every expression within another. It is address space; memory is used as deep as the
/// stack gets.
pub(crate) const STACK: usize = 64 << 20;

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
