//! Tasks that take a moment, run off the one thread that serves pages.

use std::thread::Builder;

use tokio::sync::oneshot;

use crate::crash::{Crash, guard};
use crate::threads::STACK;

/// Reason why a task was not done.
pub(super) enum NotDone {
    /// No thread could be started.
    Thread(std::io::Error),
    /// The task panicked.
    Crash(Crash),
}

/// Runs a task on its own thread, with the stack size used for reading rulesets and scripts.
pub(super) async fn done<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, NotDone> {
    let (sender, receiver) = oneshot::channel();
    // The receiver may be gone by then.
    let work = move || drop(sender.send(guard(work)));
    start(work).map_err(NotDone::Thread)?;
    match receiver.await {
        Ok(done) => done.map_err(NotDone::Crash),
        Err(_) => Err(NotDone::Thread(std::io::Error::other("the thread ended"))),
    }
}

/// Starts a thread with that stack size.
pub(super) fn start(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    Builder::new().stack_size(STACK).name("studio".into()).spawn(work).map(drop)
}
