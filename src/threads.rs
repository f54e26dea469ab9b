//! Threads, all with the same stack.

use std::io;
use std::thread::{Builder, Scope};

/// Bytes of the stack of every thread that loads or runs scripts, also of the one that runs the command line: the
/// interpreter calls itself for every expression within another. It is address space; memory is used as deep as the
/// stack gets.
pub(crate) const STACK: usize = 64 << 20;

/// Starts a thread in a scope.
///
/// # Errors
/// What the system says where it has no room for one more.
pub(crate) fn spawn_in<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, work).map(drop)
}

/// Does some work on a thread of its own, and waits for it. `None` where it panicked.
///
/// # Errors
/// What the system says where it has no room for one more.
pub(crate) fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Option<T>> {
    Builder::new().stack_size(STACK).name("main".into()).spawn(work).map(|thread| thread.join().ok())
}
