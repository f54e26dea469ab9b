//! Work that takes a moment, away from the one thread that serves pages.

use std::thread::Builder;

use tokio::sync::oneshot;

use crate::crash::{Crash, guard};
use crate::threads::STACK;

/// Why work was not done.
pub(super) enum NotDone {
    /// No thread could be started.
    Thread(std::io::Error),
    /// The program itself is at fault.
    Crash(Crash),
}

/// Does some work on a thread of its own, with the stack that rulesets and scripts are read with.
pub(super) async fn done<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, NotDone> {
    let (sender, receiver) = oneshot::channel();
    // Who asked may be gone by then.
    let work = move || drop(sender.send(guard(work)));
    start(work).map_err(NotDone::Thread)?;
    match receiver.await {
        Ok(done) => done.map_err(NotDone::Crash),
        Err(_) => Err(NotDone::Thread(std::io::Error::other("the thread ended"))),
    }
}

/// Starts a thread with that stack.
pub(super) fn start(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    Builder::new().stack_size(STACK).name("studio".into()).spawn(work).map(drop)
}
