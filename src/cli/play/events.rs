//! Keys and clicks, read beside the table.
//!
//! Reading may never end where the terminal is gone. On a thread of its own it cannot keep the program.

use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use ratatui::crossterm::event::{self, Event};

/// The events of the terminal, as they come.
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
