//! Threads beside the one of the game, so that it stays responsive: slow work, and reading, which may block forever if
//! the terminal is gone.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread::{Builder, spawn};
use std::time::Duration;

use crate::crash::guard;
use crate::files::next_line;
use crate::interrupt;
use crate::session::{BestLine, Hint, Lost, ReviewLimits, Session, Step, Watcher};
use crate::solver::Refused;
use crate::strategy::StrategySource;
use crate::threads::STACK;

pub(super) const LOOK: Duration = Duration::from_millis(50);
/// Maximum bytes of a line: enough for the words of a long game.
const LONGEST: u64 = 1 << 20;
/// Number of positions of each search for the best possible result.
const POSITIONS: u64 = 200_000;

pub(super) fn limits(stop: &AtomicBool) -> ReviewLimits<'_> {
    ReviewLimits { positions: POSITIONS, stop }
}

pub(super) fn review(session: &Session, stop: &AtomicBool) -> Result<(BestLine, Lost), Refused> {
    Ok((session.best_line(limits(stop))?, session.lost_at(limits(stop))?))
}

#[derive(Clone, Copy)]
pub(super) enum Asked {
    Hint,
    Step,
    Review,
}

pub(super) enum Answer {
    Hint(Hint),
    Step(Option<Step>),
    Review(BestLine, Lost),
}

/// A result with the game to which it applies, or why there is none.
pub(super) type Found = Result<(Session, Answer), String>;

pub(super) struct Thinker {
    ask: Sender<(Asked, Session)>,
    found: Receiver<Found>,
    stop: Arc<AtomicBool>,
    pub busy: bool,
}

impl Thinker {
    pub fn new(strategy: StrategySource) -> io::Result<Thinker> {
        let ((ask, asked), (tell, found)) = (channel(), channel());
        let stop = Arc::new(AtomicBool::new(false));
        let heeded = stop.clone();
        let work = move || {
            let mut watcher = None;
            for asked in asked {
                let answer = guard(|| answer(asked, &strategy, &mut watcher, &heeded));
                let answer = answer.unwrap_or_else(|crash| Err(format!("internal error: {crash}")));
                if tell.send(answer).is_err() {
                    return;
                }
            }
        };
        Builder::new().stack_size(STACK).spawn(work)?;
        Ok(Thinker { ask, found, stop, busy: false })
    }

    pub fn ask(&mut self, asked: Asked, session: &Session) {
        if !self.busy {
            self.stop.store(false, Ordering::Relaxed);
            self.busy = self.ask.send((asked, session.clone())).is_ok();
        }
    }

    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns a new result, if there is one.
    pub fn found(&mut self) -> Option<Found> {
        let found = match self.found.try_recv() {
            Ok(found) => found,
            Err(TryRecvError::Disconnected) if self.busy => Err("the thread that thinks has ended".into()),
            Err(_) => return None,
        };
        self.busy = false;
        Some(found)
    }
}

fn answer(
    (asked, mut session): (Asked, Session),
    strategy: &StrategySource,
    watcher: &mut Option<Watcher>,
    stop: &AtomicBool,
) -> Found {
    let found = match asked {
        Asked::Hint => session.hint(strategy).map_err(|error| error.to_string()).map(Answer::Hint),
        Asked::Step => {
            let watcher = watcher.get_or_insert_with(|| Watcher::new(strategy));
            watcher.step(&mut session).map_err(|error| error.to_string()).map(Answer::Step)
        }
        Asked::Review => review(&session, stop)
            .map(|(best, lost)| Answer::Review(best, lost))
            .map_err(|refused| format!("What was possible cannot be said: {refused}.")),
    };
    found.map(|answer| (session, answer))
}

/// Returns what a function reads, as it arrives, until its end or an error.
pub(super) fn incoming<T: Send + 'static>(
    mut read: impl FnMut() -> io::Result<Option<T>> + Send + 'static,
) -> Receiver<io::Result<T>> {
    let (sender, receiver) = channel();
    spawn(move || {
        while let Some(item) = read().transpose() {
            let failed = item.is_err();
            if sender.send(item).is_err() || failed {
                return;
            }
        }
    });
    receiver
}

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
