//! Lines of standard input, read on a separate thread so that an interruption is noticed while waiting.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::files::next_line;
use crate::interrupt;

/// Maximum bytes of a line: enough for the words of a long game.
const LONGEST: u64 = 1 << 20;

/// Interval between checks for an interruption.
const LOOK: Duration = Duration::from_millis(50);

/// The lines of standard input.
pub(super) struct Lines(Receiver<io::Result<String>>);

/// Result of waiting for a line.
pub(super) enum Came {
    Line(String),
    /// End of input.
    End,
    /// The program was interrupted.
    Stop,
}

impl Lines {
    /// Starts reading.
    pub fn new() -> Lines {
        let (send, receive) = channel();
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut bytes = Vec::new();
            loop {
                let line = match next_line(&mut input, &mut bytes, LONGEST) {
                    Ok(false) => return,
                    Ok(true) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
                    Err(error) => Err(error),
                };
                let last = line.is_err();
                if send.send(line).is_err() || last {
                    return;
                }
            }
        });
        Lines(receive)
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// Failures to read.
    pub fn next(&self) -> io::Result<Came> {
        loop {
            if interrupt::requested() {
                return Ok(Came::Stop);
            }
            match self.0.recv_timeout(LOOK) {
                Ok(line) => return line.map(Came::Line),
                Err(RecvTimeoutError::Disconnected) => return Ok(Came::End),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
