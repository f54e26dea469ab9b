//! Input, read on a separate thread: reading may block forever if the terminal is gone, and an interruption is noticed
//! meanwhile.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::files::next_line;
use crate::interrupt;

/// Interval between checks for an interruption.
pub(super) const LOOK: Duration = Duration::from_millis(50);
/// Maximum bytes of a line: enough for the words of a long game.
const LONGEST: u64 = 1 << 20;

/// Returns what a function reads, as it arrives, until its end or an error.
pub(super) fn incoming<T: Send + 'static>(
    mut read: impl FnMut() -> io::Result<Option<T>> + Send + 'static,
) -> Receiver<io::Result<T>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        while let Some(item) = read().transpose() {
            let failed = item.is_err();
            if sender.send(item).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

/// The lines of standard input.
pub(super) struct Lines(Receiver<io::Result<String>>);

impl Lines {
    pub fn new() -> Lines {
        let mut bytes = Vec::new();
        Lines(incoming(move || {
            let more = next_line(&mut io::stdin().lock(), &mut bytes, LONGEST)?;
            Ok(more.then(|| String::from_utf8_lossy(&bytes).into_owned()))
        }))
    }

    /// Waits for the next line; `None` at the end of the input, or if the program was interrupted.
    pub fn next(&self) -> io::Result<Option<String>> {
        while !interrupt::requested() {
            match self.0.recv_timeout(LOOK) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(None)
    }
}
