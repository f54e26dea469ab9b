//! The server: a single thread, with a limit on everything that a client can hold open.

use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::Folder;
use super::app::App;
use super::gate::Gate;
use super::routes::router;

/// Maximum number of connections: the oldest gives way to the next, as its client may never read or ask anything.
const MOST_CONNECTIONS: usize = 128;
/// Time limit for the head of a request to arrive.
const HEAD: Duration = Duration::from_secs(10);
/// Maximum number of connections waiting to be accepted.
const BACKLOG: u32 = 1024;
/// Size of the kernel's send buffer of a connection, in bytes.
const UNREAD: u32 = 64 << 10;
/// Number of threads that read files.
const READERS: usize = 8;
/// Interval at which the stop flag is checked.
const TICK: Duration = Duration::from_millis(100);
/// Maximum size of a request's head, in bytes.
const MOST_HEAD: usize = 32 << 10;

/// Port tried first if none is requested.
const PORT: u16 = 5252;

/// Settings of the server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder to serve.
    pub folder: Folder,
    /// Listen address for access from other machines, which then requires a token; `None` for this machine only.
    pub listen: Option<IpAddr>,
    /// The port: 0 for any free one, `None` for the default one or else any.
    pub port: Option<u16>,
    /// Path of the program `saratoga`, which makes reports.
    pub program: PathBuf,
}

/// A server bound to its port.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    app: App,
}

impl Server {
    /// Binds the port. Fails if another program has the port, or the system has no random numbers.
    pub fn bind(settings: Settings) -> io::Result<Server> {
        let Settings { folder, listen, port, program } = settings;
        let ip = listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let runtime =
            Builder::new_current_thread().enable_io().enable_time().max_blocking_threads(READERS).build()?;
        let listener = {
            let _inside = runtime.enter();
            match port {
                Some(port) => listener((ip, port).into())?,
                None => listener((ip, PORT).into()).or_else(|_| listener((ip, 0).into()))?,
            }
        };
        let gate = Gate::new(listener.local_addr()?, listen.is_some()).map_err(io::Error::other)?;
        let app = App::new(folder, gate, program);
        Ok(Server { runtime, listener, app })
    }

    /// Returns the URL to open, including the token if one is required.
    pub fn url(&self) -> String {
        self.app.gate.url()
    }

    /// Returns the address it listens on.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is set.
    pub fn serve(self, stop: &AtomicBool) -> io::Result<()> {
        let Server { runtime, listener, app } = self;
        runtime.block_on(async {
            let router = router(app);
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).max_buf_size(MOST_HEAD).header_read_timeout(HEAD);
            let mut open: VecDeque<AbortHandle> = VecDeque::new();
            while !stop.load(Ordering::Relaxed) {
                let Ok(accepted) = timeout(TICK, listener.accept()).await else { continue };
                let Ok((stream, _)) = accepted else {
                    // The process may be out of file descriptors for a moment, which is no reason to end.
                    sleep(TICK).await;
                    continue;
                };
                open.retain(|it| !it.is_finished());
                if open.len() == MOST_CONNECTIONS
                    && let Some(oldest) = open.pop_front()
                {
                    oldest.abort();
                }
                let routes = TowerToHyperService::new(router.clone());
                let serving = http.serve_connection(TokioIo::new(stream), routes);
                open.push_back(tokio::spawn(async move { drop(serving.await) }).abort_handle());
            }
        });
        // Does not wait for threads that are still reading files.
        runtime.shutdown_background();
        Ok(())
    }
}

/// Opens a listening socket. Its connections have small send buffers: the system has no other bound for unread data.
fn listener(at: SocketAddr) -> io::Result<TcpListener> {
    let socket = if at.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // As in the standard library: the port of a studio that has just ended is free.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(UNREAD)?;
    socket.bind(at)?;
    socket.listen(BACKLOG)
}

/// Opens a page in the browser of this machine. Fails if there is no browser.
pub fn open_browser(url: &str) -> io::Result<()> {
    open::that_detached(url)
}
