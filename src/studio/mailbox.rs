//! Messages on their way to a page: only the latest of each sender is kept, so that a slow page does not fall behind.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::crash::guard;

/// Maximum number of queued events; the sender of another one blocks.
const MOST_WAITING: usize = 64;
/// Interval at which a blocked sender checks for room.
const TICK: Duration = Duration::from_millis(10);
/// Interval of keep-alive lines, which reveal that a page has gone away.
const BREATH: Duration = Duration::from_secs(1);

/// A mailbox with one slot per sender.
pub(super) struct Mailbox {
    slots: Mutex<Slots>,
    news: Notify,
    /// Set once the reader is gone.
    pub stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct Slots {
    latest: Vec<Option<String>>,
    /// Events that are never replaced, in order.
    all: Vec<String>,
    closed: bool,
}

impl Mailbox {
    pub fn new(senders: usize) -> Arc<Mailbox> {
        let slots = Slots { latest: vec![None; senders], ..Slots::default() };
        Arc::new(Mailbox { slots: Mutex::new(slots), news: Notify::new(), stop: Arc::default() })
    }

    /// Posts a message that replaces the sender's previous one.
    pub fn put(&self, sender: usize, what: &impl Serialize) {
        let Ok(text) = serde_json::to_string(what) else { return };
        if let Some(slot) = self.slots().latest.get_mut(sender) {
            *slot = Some(text);
        }
        self.news.notify_one();
    }

    /// Posts the result of some work as the first sender, or why it has none.
    pub fn put_found(&self, work: impl FnOnce() -> Result<Value, String>) {
        self.put(0, &found(work).unwrap_or_else(|failed| json!({ "failed": failed })));
    }

    /// Posts a message that is never replaced, after waiting until the page has read most of the earlier ones.
    pub fn push(&self, what: &impl Serialize) {
        let Ok(text) = serde_json::to_string(what) else { return };
        while self.slots().all.len() >= MOST_WAITING && !self.stop.load(Ordering::Relaxed) {
            std::thread::sleep(TICK);
        }
        self.slots().all.push(text);
        self.news.notify_one();
    }

    /// Closes the mailbox; nothing more is posted.
    pub fn close(&self) {
        self.slots().closed = true;
        self.news.notify_one();
    }

    /// Returns what is queued, as server-sent events; `None` once everything has been sent.
    async fn next(&self) -> Option<String> {
        loop {
            {
                let mut slots = self.slots();
                let all = std::mem::take(&mut slots.all);
                let latest = slots.latest.iter_mut().filter_map(Option::take);
                let news: String =
                    all.into_iter().chain(latest).map(|text| format!("data: {text}\n\n")).collect();
                if !news.is_empty() {
                    return Some(news);
                }
                if slots.closed {
                    return None;
                }
            }
            if timeout(BREATH, self.news.notified()).await.is_err() {
                return Some(":\n\n".into());
            }
        }
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Limits how often a sender posts how far it is.
pub(super) struct Pace {
    least: Duration,
    last: Option<Instant>,
}

impl Pace {
    pub fn new(least: Duration) -> Pace {
        Pace { least, last: None }
    }

    /// Returns whether the time since the last message is up, and then starts again.
    pub fn is_due(&mut self) -> bool {
        let due = self.last.is_none_or(|last| last.elapsed() >= self.least);
        if due {
            self.last = Some(Instant::now());
        }
        due
    }
}

/// Returns what a task finds, or why it finds nothing, even by a panic.
pub(super) fn found<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    guard(work).unwrap_or_else(|crash| Err(format!("internal error: {crash}")))
}

/// Closes a mailbox when its senders end, even by a panic.
pub(super) struct Closing(pub Arc<Mailbox>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Stops the senders when dropped.
pub(super) struct Reader(pub Arc<Mailbox>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Streams events for as long as the page reads; `holds` is kept alive until then.
pub(super) fn events<H: Send + 'static>(reader: Reader, holds: H) -> Response {
    let stream = futures_util::stream::unfold((reader, holds), |(reader, holds)| async {
        let news = reader.0.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(news)), (reader, holds)))
    });
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    (kind, Body::from_stream(stream)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_latest_is_kept_and_all_senders_are_heard() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let mailbox = Mailbox::new(2);
        (0..1000).for_each(|n| mailbox.put(0, &n));
        mailbox.put(1, &"b");
        (0..2).for_each(|n| mailbox.push(&n));
        drop(Closing(mailbox.clone()));
        let all = runtime.block_on(async { (mailbox.next().await, mailbox.next().await) });
        assert_eq!(all, (Some("data: 0\n\ndata: 1\n\ndata: 999\n\ndata: \"b\"\n\n".into()), None));
        drop(Reader(mailbox.clone()));
        assert!(mailbox.stop.load(Ordering::Relaxed));
    }
}
