//! The clients of the server, and which of them gives way to the next.
//!
//! A client can leave a request unfinished or an answer unread without shutting anyone out: when connections or memory
//! run out, the client that has made no progress for the longest time is disconnected, unless the studio is working for
//! it.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::TryStreamExt;
use futures_util::future::select;
use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::sync::Notify;

/// Maximum size of a request body in bytes: two rulesets, with some room for JSON escapes.
const MOST_BODY: usize = 1 << 20;

/// Limits on what all clients together may hold open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Maximum number of connections.
    pub connections: usize,
    /// Bytes of requests and answers in memory.
    pub memory: usize,
    /// Time limit for the head of a request to arrive.
    pub head: Duration,
    /// Time limit for an answer to make progress.
    pub answer: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let [head, answer] = [10, 60].map(Duration::from_secs);
        Limits { connections: 256, memory: 40 << 20, head, answer }
    }
}

pub(super) struct Clients {
    pub limits: Limits,
    connected: Mutex<Vec<Arc<Client>>>,
}

/// A connection.
pub(super) struct Client {
    among: Arc<Clients>,
    state: Mutex<State>,
    /// Bytes of its request and its answers in memory.
    held: AtomicUsize,
    /// Bytes not yet part of its answer.
    waiting: Mutex<Waiting>,
    disconnect: Notify,
}

/// Number of bytes queued while the client reads earlier ones; an answer carries it as an extension.
#[derive(Clone, Default)]
pub(super) struct Waiting(pub Arc<AtomicUsize>);

#[derive(Clone, Copy)]
struct State {
    /// When bytes were last sent or received.
    progress: Instant,
    /// Whether its request is being answered.
    at_work: bool,
    /// Whether it has stopped reading what it is sent.
    unread: bool,
}

impl Clients {
    pub fn new(limits: Limits) -> Arc<Clients> {
        Arc::new(Clients { limits, connected: Mutex::default() })
    }

    /// Admits a client; returns `None` if the studio is working for every connected one.
    pub fn enter(self: &Arc<Self>) -> Option<Entered> {
        let mut connected = self.connected();
        if connected.len() >= self.limits.connections && !give_way(&mut connected, |_| true) {
            return None;
        }
        let state = State { progress: Instant::now(), at_work: false, unread: false };
        let client = Arc::new(Client {
            among: self.clone(),
            state: Mutex::new(state),
            held: AtomicUsize::new(0),
            waiting: Mutex::default(),
            disconnect: Notify::new(),
        });
        connected.push(client.clone());
        Some(Entered(client))
    }

    /// Disconnects clients that have not read their answers for too long, or whose answers have grown too large.
    pub fn sweep(&self) {
        self.has_room(0);
        self.connected().retain(|client| {
            let State { progress, unread, .. } = *client.state();
            let late = unread && progress.elapsed() > self.limits.answer;
            if late {
                client.disconnect.notify_one();
            }
            !late
        });
    }

    /// Returns whether there is memory for this many more bytes, disconnecting clients that hold some if necessary.
    fn has_room(&self, bytes: usize) -> bool {
        let mut connected = self.connected();
        loop {
            let held: usize = connected.iter().map(|client| client.held()).sum();
            if held + bytes <= self.limits.memory {
                return true;
            }
            if !give_way(&mut connected, |client| client.held() > 0) {
                return false;
            }
        }
    }

    pub fn connected(&self) -> MutexGuard<'_, Vec<Arc<Client>>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Disconnects the selected client with the oldest progress. Returns false if the studio is working for each of them.
fn give_way(connected: &mut Vec<Arc<Client>>, which: impl Fn(&Client) -> bool) -> bool {
    let waits = |(_, client): &(usize, &Arc<Client>)| !client.state().at_work && which(client);
    let longest =
        connected.iter().enumerate().filter(waits).min_by_key(|(_, client)| client.state().progress);
    let Some((place, _)) = longest else { return false };
    connected.swap_remove(place).disconnect.notify_one();
    true
}

impl Client {
    /// Counts bytes in memory until the result is dropped.
    fn holds(self: &Arc<Self>, bytes: usize) -> Held {
        self.held.fetch_add(bytes, Ordering::Relaxed);
        Held { client: self.clone(), bytes }
    }

    /// Returns the bytes of its request and its answers in memory.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed) + self.waiting().0.load(Ordering::Relaxed)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wraps an answer so that its chunks are counted while they are in memory.
    fn counted(self: &Arc<Self>, body: Body) -> Body {
        let client = self.clone();
        Body::from_stream(body.into_data_stream().map_ok(move |bytes| {
            // Sends the chunk in any case: this client makes progress.
            client.among.has_room(bytes.len());
            let held = client.holds(bytes.len());
            Bytes::from_owner(Piece { bytes, _held: held })
        }))
    }
}

struct Held {
    client: Arc<Client>,
    bytes: usize,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.client.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A chunk of an answer, freed once it is sent.
struct Piece {
    bytes: Bytes,
    _held: Held,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Marks a client as being served while it exists.
struct AtWork<'a>(&'a Client);

impl<'a> AtWork<'a> {
    fn new(client: &'a Client) -> AtWork<'a> {
        client.state().at_work = true;
        AtWork(client)
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.at_work = false;
        state.progress = Instant::now();
    }
}

/// An admitted client, until it leaves.
pub(super) struct Entered(pub Arc<Client>);

impl Entered {
    /// Serves the client until it leaves or is disconnected.
    pub async fn serve(self, serving: impl Future) {
        let (serving, disconnected) = (pin!(serving), pin!(self.0.disconnect.notified()));
        select(serving, disconnected).await;
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.among.connected().retain(|client| !Arc::ptr_eq(client, &self.0));
    }
}

/// Middleware that counts the memory held by a request and its answer.
pub(super) async fn count(request: Request, next: Next) -> Response {
    let Some(client) = request.extensions().get::<Arc<Client>>().cloned() else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    let most = body.size_hint().upper().map_or(MOST_BODY, |bytes| bytes.min(MOST_BODY as u64) as usize);
    if !client.among.has_room(most) {
        return (StatusCode::SERVICE_UNAVAILABLE, "too much is asked at once: try again\n").into_response();
    }
    let held = client.holds(most);
    let Ok(body) = to_bytes(body, MOST_BODY).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "a request has at most 1 MiB\n").into_response();
    };
    let mut response = {
        let _at_work = AtWork::new(&client);
        next.run(Request::from_parts(parts, Body::from(body))).await
    };
    drop(held);
    *client.waiting() = response.extensions_mut().remove().unwrap_or_default();
    if let Some(length) = response.body().size_hint().exact() {
        response.headers_mut().entry(header::CONTENT_LENGTH).or_insert(HeaderValue::from(length));
    }
    response.map(|body| client.counted(body))
}

/// A connection that records the progress of its client.
pub(super) struct Line<T> {
    pub inner: T,
    pub client: Arc<Client>,
}

impl<T> Line<T> {
    fn wrote(&self, written: &Poll<io::Result<usize>>) {
        let mut state = self.client.state();
        state.unread = written.is_pending();
        if written.is_ready() {
            state.progress = Instant::now();
        }
    }
}

impl<T: Read + Unpin> Read for Line<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.inner).poll_read(context, into);
        if read.is_ready() {
            self.client.state().progress = Instant::now();
        }
        read
    }
}

impl<T: Write + Unpin> Write for Line<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, bytes);
        self.wrote(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write_vectored(context, bytes);
        self.wrote(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the indices of the connected clients in `all`.
    fn connected(clients: &Clients, all: &[Entered]) -> Vec<usize> {
        let is = |one: &Entered| clients.connected().iter().any(|it| Arc::ptr_eq(it, &one.0));
        (0..all.len()).filter(|&i| is(&all[i])).collect()
    }

    #[test]
    fn who_waits_longest_gives_way_unless_it_is_worked_for() {
        let clients = Clients::new(Limits { connections: 3, ..Limits::default() });
        let mut all: Vec<_> = (0..3).map(|_| clients.enter().unwrap()).collect();
        let working = all[0].0.clone();
        let at_work = AtWork::new(&working);
        all.push(clients.enter().unwrap());
        assert_eq!(connected(&clients, &all), [0, 2, 3]);
        all[2].0.state().progress = Instant::now();
        all.push(clients.enter().unwrap());
        assert_eq!(connected(&clients, &all), [0, 2, 4]);
        drop(at_work);
        // Finished work counts as progress.
        all.push(clients.enter().unwrap());
        assert_eq!(connected(&clients, &all), [0, 4, 5]);
        let everyone: Vec<_> = [0, 4, 5].map(|i| all[i].0.clone()).into();
        let _at_work: Vec<_> = everyone.iter().map(|it| AtWork::new(it)).collect();
        assert!(clients.enter().is_none());
        all.clear();
        assert!(clients.connected().is_empty());
    }
}
