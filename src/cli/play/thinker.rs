//! Background thread for slow work, so that the game stays responsive.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::Builder;

use crate::crash::guard;
use crate::session::{BestLine, Hint, Lost, Session, Step, Watcher};
use crate::strategy::StrategySource;
use crate::threads::STACK;

use super::plain::limits;

/// What is asked about a game.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    Hint,
    Step,
    Review,
}

/// A result, for the game at the time of the request.
pub(super) enum Found {
    Hint(Session, Box<Hint>),
    Step(Session, Option<Step>),
    Review(Session, Box<(BestLine, Lost)>),
    /// The reason why there is no result.
    Nothing(String),
}

/// The thread and its current request.
pub(super) struct Thinker {
    ask: Sender<(Asked, Session)>,
    found: Receiver<Found>,
    /// Cancels the current request.
    stop: Arc<AtomicBool>,
    pub busy: bool,
}

impl Thinker {
    /// Starts the thread.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn new(strategy: StrategySource) -> std::io::Result<Thinker> {
        let ((ask, asked), (tell, found)) = (channel(), channel());
        let stop = Arc::new(AtomicBool::new(false));
        let heeded = stop.clone();
        let work = move || {
            let mut watcher = None;
            for asked in asked {
                let answer = guard(|| answer(asked, &strategy, &mut watcher, &heeded));
                let answer =
                    answer.unwrap_or_else(|crash| Found::Nothing(format!("internal error: {crash}")));
                if tell.send(answer).is_err() {
                    return;
                }
            }
        };
        Builder::new().stack_size(STACK).spawn(work)?;
        Ok(Thinker { ask, found, stop, busy: false })
    }

    /// Asks, unless it is still busy with something else.
    pub fn ask(&mut self, asked: Asked, session: &Session) {
        if !self.busy {
            self.stop.store(false, Ordering::Relaxed);
            self.busy = self.ask.send((asked, session.clone())).is_ok();
        }
    }

    /// Cancels the current request.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns a new result, if there is one.
    pub fn found(&mut self) -> Option<Found> {
        match self.found.try_recv() {
            Ok(found) => {
                self.busy = false;
                Some(found)
            }
            Err(TryRecvError::Disconnected) if self.busy => {
                self.busy = false;
                Some(Found::Nothing("the thread that thinks has ended".into()))
            }
            Err(_) => None,
        }
    }
}

fn answer(
    (asked, mut session): (Asked, Session),
    strategy: &StrategySource,
    watcher: &mut Option<Watcher>,
    stop: &AtomicBool,
) -> Found {
    match asked {
        Asked::Hint => match session.hint(strategy) {
            Ok(hint) => Found::Hint(session, Box::new(hint)),
            Err(error) => Found::Nothing(error.to_string()),
        },
        Asked::Step => {
            let watcher = watcher.get_or_insert_with(|| Watcher::new(strategy));
            match watcher.step(&mut session) {
                Ok(step) => Found::Step(session, step),
                Err(error) => Found::Nothing(error.to_string()),
            }
        }
        Asked::Review => {
            let found =
                session.best_line(limits(stop)).and_then(|best| Ok((best, session.lost_at(limits(stop))?)));
            match found {
                Ok(found) => Found::Review(session, Box::new(found)),
                Err(refused) => Found::Nothing(format!("What was possible cannot be said: {refused}.")),
            }
        }
    }
}
