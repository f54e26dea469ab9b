//! The server: one thread, and a limit on everything that a client can hold open.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::Folder;
use super::app::App;
use super::gate::Gate;
use super::routes::router;

/// Connections at a time; more are closed at once.
const MOST_CONNECTIONS: usize = 256;
/// How long a client may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(10);
/// So often it is looked whether somebody asks to stop.
const TICK: Duration = Duration::from_millis(100);
/// Most bytes of the head of a request.
const MOST_HEAD: usize = 32 << 10;

/// The port that is tried first where none is asked for.
const PORT: u16 = 5252;

/// What is served, and where.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder.
    pub folder: Folder,
    /// An address that others may reach; a token is then asked of everyone. Else only this machine's.
    pub listen: Option<IpAddr>,
    /// The port; 0 for any free one, none for the usual one or any.
    pub port: Option<u16>,
    /// The program that makes reports: `saratoga`.
    pub program: PathBuf,
}

/// A server that has its port.
pub struct Server {
    listener: TcpListener,
    app: App,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// Another program has it, or the system gives no random numbers.
    pub fn bind(settings: Settings) -> io::Result<Server> {
        let Settings { folder, listen, port, program } = settings;
        let ip = listen.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let listener = match port {
            Some(port) => TcpListener::bind((ip, port))?,
            None => TcpListener::bind((ip, PORT)).or_else(|_| TcpListener::bind((ip, 0)))?,
        };
        let gate = Gate::new(listener.local_addr()?, listen.is_some()).map_err(io::Error::other)?;
        Ok(Server { listener, app: App::new(folder, gate, program) })
    }

    /// Where to open it, with the token if one is asked for.
    pub fn url(&self) -> String {
        self.app.gate.url()
    }

    /// Where it listens.
    ///
    /// # Errors
    /// Those of the system.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is set.
    ///
    /// # Errors
    /// Those of the system, at the beginning.
    pub fn serve(self, stop: &AtomicBool) -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        self.listener.set_nonblocking(true)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = router(self.app);
            let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
            while !stop.load(Ordering::Relaxed) {
                let Ok(accepted) = timeout(TICK, listener.accept()).await else { continue };
                let Ok((stream, _)) = accepted else {
                    // There may be no more files for now, which is no reason to end.
                    sleep(TICK).await;
                    continue;
                };
                let Ok(permit) = room.clone().try_acquire_owned() else { continue };
                let service = TowerToHyperService::new(router.clone());
                let mut http = http1::Builder::new();
                http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(MOST_HEAD);
                tokio::spawn(async move {
                    let _permit = permit;
                    let _ = http.serve_connection(TokioIo::new(stream), service).await;
                });
            }
            Ok(())
        })
    }
}

/// Opens a page in the browser of this machine.
///
/// # Errors
/// There is none.
pub fn open_browser(url: &str) -> io::Result<()> {
    open::that_detached(url)
}
