//! State shared by all requests.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

use crate::crash::guard;
use crate::interrupt;
use crate::threads::STACK;

use super::design::Faults;
use super::gate::Gate;
use super::jobs::Jobs;
use super::mailbox::{Closing, Mailbox, Reader, events};
use super::{Folder, NotInFolder};

/// Maximum number of concurrent runs; others wait.
const MOST_RUNS: usize = 4;
/// Maximum number of concurrently watched games, which are mostly idle; others wait.
const MOST_WATCHED: usize = 16;
/// Maximum number of open streams, including those of waiting runs; more are refused.
const MOST_STREAMS: usize = 64;
/// Maximum number of concurrent short tasks; others wait.
const MOST_WORK: usize = 8;
/// Maximum number of strategies thinking at once, some for seconds and with hundreds of megabytes; others wait without
/// blocking any page. The same number again think in watched games.
const MOST_THINKING: usize = 2;

/// The studio of one folder.
#[derive(Clone)]
pub(super) struct App {
    pub folder: Folder,
    pub gate: Arc<Gate>,
    pub jobs: Arc<Jobs>,
    runs: Arc<Semaphore>,
    watched: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    work: Arc<Semaphore>,
    thinking: Arc<Semaphore>,
    thinking_watched: Arc<Semaphore>,
}

/// Why a request has another answer than the one asked for.
pub(super) enum Unanswered {
    Busy,
    Failed(String),
    /// What was asked is wrong.
    Faults(Faults),
    /// A file is not available.
    Refused(NotInFolder),
}

impl IntoResponse for Unanswered {
    fn into_response(self) -> Response {
        match self {
            Unanswered::Busy => {
                let why = "too many pages ask for games: close some\n";
                (StatusCode::SERVICE_UNAVAILABLE, why).into_response()
            }
            Unanswered::Failed(why) => {
                (StatusCode::INTERNAL_SERVER_ERROR, format!("{why}\n")).into_response()
            }
            Unanswered::Faults(faults) => faults.into_response(),
            Unanswered::Refused(error) => {
                let status = match error {
                    NotInFolder::Changed(_) => StatusCode::CONFLICT,
                    NotInFolder::Outside(_) => StatusCode::FORBIDDEN,
                    NotInFolder::Io(..) => StatusCode::UNPROCESSABLE_ENTITY,
                };
                refused(status, error)
            }
        }
    }
}

/// Answers that something is not done, with the reason for a page.
pub(super) fn refused(status: StatusCode, why: impl ToString) -> Response {
    (status, Json(json!({ "refused": why.to_string() }))).into_response()
}

impl From<Faults> for Unanswered {
    fn from(faults: Faults) -> Unanswered {
        Unanswered::Faults(faults)
    }
}

impl From<NotInFolder> for Unanswered {
    fn from(error: NotInFolder) -> Unanswered {
        Unanswered::Refused(error)
    }
}

/// Sets the stop flag when dropped.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl App {
    pub fn new(folder: Folder, gate: Gate, program: PathBuf) -> App {
        let of = |permits| Arc::new(Semaphore::new(permits));
        let (runs, watched) = (of(MOST_RUNS), of(MOST_WATCHED));
        let (streams, work) = (of(MOST_STREAMS), of(MOST_WORK));
        let (thinking, thinking_watched) = (of(MOST_THINKING), of(MOST_THINKING));
        let jobs = Arc::new(Jobs::new(folder.clone(), program));
        let gate = Arc::new(gate);
        App { folder, gate, jobs, runs, watched, streams, work, thinking, thinking_watched }
    }

    /// Runs a short task with the folder.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        self.work_among(&self.work, work).await
    }

    /// Lets a strategy think about one position, with a time limit; returns `None` if the limit was exceeded. The
    /// strategy stops as soon as nobody waits for it.
    pub async fn think<T: Send + 'static>(
        &self,
        patience: Duration,
        work: impl FnOnce(&Folder) -> T + Send + 'static,
    ) -> Result<Option<T>, Unanswered> {
        let stop = Arc::new(AtomicBool::new(false));
        // Dropped with the request, even if its page has gone away.
        let _waiting = Waiting(stop.clone());
        let thought =
            self.work_among(&self.thinking, move |folder| interrupt::heeding(stop, || work(folder)));
        timeout(patience, thought).await.map_or(Ok(None), |thought| thought.map(Some))
    }

    async fn work_among<T: Send + 'static>(
        &self,
        room: &Arc<Semaphore>,
        work: impl FnOnce(&Folder) -> T + Send + 'static,
    ) -> Result<T, Unanswered> {
        let permit = room.clone().acquire_owned().await.map_err(|_| Unanswered::Busy)?;
        let folder = self.folder.clone();
        let done = move || {
            let _permit = permit;
            work(&folder)
        };
        let (sender, receiver) = oneshot::channel();
        // The receiver may be gone by then.
        let no_thread = |error| Unanswered::Failed(format!("no thread could be started: {error}"));
        start(move || drop(sender.send(guard(done)))).map_err(no_thread)?;
        match receiver.await {
            Ok(done) => done.map_err(|crash| Unanswered::Failed(format!("internal error: {crash}"))),
            Err(_) => Err(no_thread(std::io::Error::other("the thread ended"))),
        }
    }

    /// Streams what a run leaves in a mailbox with this many senders. The run begins once there is room for it, and
    /// stops when the page goes away.
    pub fn stream(
        &self,
        senders: usize,
        run: impl FnOnce(&Folder, &Mailbox) + Send + 'static,
    ) -> Result<Response, Unanswered> {
        self.stream_among(&self.runs, senders, run)
    }

    /// Streams a watched game, which does not count as a run: it is mostly idle. Its strategy thinks while it has a permit.
    pub fn watch(
        &self,
        run: impl FnOnce(&Folder, &Mailbox, &Semaphore) + Send + 'static,
    ) -> Result<Response, Unanswered> {
        let thinking = self.thinking_watched.clone();
        self.stream_among(&self.watched, 0, move |folder, mailbox| run(folder, mailbox, &thinking))
    }

    fn stream_among(
        &self,
        room: &Arc<Semaphore>,
        senders: usize,
        run: impl FnOnce(&Folder, &Mailbox) + Send + 'static,
    ) -> Result<Response, Unanswered> {
        let stream = self.streams.clone().try_acquire_owned().map_err(|_| Unanswered::Busy)?;
        let stream = Arc::new(stream);
        let mailbox = Mailbox::new(senders);
        let reader = Reader(mailbox.clone());
        let (runs, held, folder) = (room.clone(), stream.clone(), self.folder.clone());
        tokio::spawn(async move {
            let closing = Closing(mailbox.clone());
            let Ok(permit) = runs.acquire_owned().await else { return };
            let work = move || {
                let _kept = (permit, held, closing);
                interrupt::heeding(mailbox.stop.clone(), || run(&folder, &mailbox));
            };
            // If no thread can be started, the mailbox closes at once.
            let _ = start(work);
        });
        Ok(events(reader, stream))
    }
}

/// Starts a thread with the stack size used for reading rulesets and scripts, off the one thread that serves pages.
fn start(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().stack_size(STACK).name("studio".into()).spawn(work).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Thinks until it is stopped, and reports that.
    #[test]
    fn who_thinks_too_long_is_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Folder::open(dir.path()).unwrap();
        let gate = Gate::new(([127, 0, 0, 1], 0).into(), false).unwrap();
        let app = App::new(folder, gate, PathBuf::new());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (tell, told) = channel();
        let think = move |_: &Folder| {
            while !interrupt::requested() {
                std::thread::sleep(Duration::from_millis(1));
            }
            tell.send(()).unwrap();
        };
        let thought = runtime.block_on(app.think(Duration::from_millis(50), think));
        assert!(matches!(thought, Ok(None)));
        told.recv_timeout(Duration::from_secs(60)).unwrap();
        let soon = runtime.block_on(app.think(Duration::from_secs(60), |_| 7));
        assert!(matches!(soon, Ok(Some(7))));
    }
}
