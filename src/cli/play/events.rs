//! Keys and clicks, read on a separate thread.
//!
//! Reading may block forever if the terminal is gone, and on its own thread it cannot keep the program from ending.

use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use ratatui::crossterm::event::{self, Event};

/// Returns the events of the terminal as they arrive.
pub(super) fn events() -> Receiver<io::Result<Event>> {
    let (sender, events) = channel();
    thread::spawn(move || {
        loop {
            let event = event::read();
            let failed = event.is_err();
            if sender.send(event).is_err() || failed {
                return;
            }
        }
    });
    events
}
