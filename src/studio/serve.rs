//! The server: a single thread, with a limit on everything that a client can hold open.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::{Builder, Runtime};
use tokio::time::{sleep, timeout};

use super::Folder;
use super::app::App;
use super::clients::{Clients, Limits, Line};
use super::gate::Gate;
use super::routes::router;

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
    clients: Arc<Clients>,
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
        Ok(Server { runtime, listener, app, clients: Clients::new(Limits::default()) })
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
        let Server { runtime, listener, app, clients } = self;
        runtime.block_on(async {
            let router = router(app);
            while !stop.load(Ordering::Relaxed) {
                clients.sweep();
                let Ok(accepted) = timeout(TICK, listener.accept()).await else { continue };
                let Ok((stream, _)) = accepted else {
                    // The process may be out of file descriptors for a moment, which is no reason to end.
                    sleep(TICK).await;
                    continue;
                };
                let Some(entered) = clients.enter() else { continue };
                let client = entered.0.clone();
                let line = Line { inner: TokioIo::new(stream), client: client.clone() };
                let routes = TowerToHyperService::new(router.clone());
                let service = service_fn(move |mut request: hyper::Request<Incoming>| {
                    request.extensions_mut().insert(client.clone());
                    routes.call(request)
                });
                let mut http = http1::Builder::new();
                http.timer(TokioTimer::new()).max_buf_size(MOST_HEAD);
                http.header_read_timeout(clients.limits.head);
                tokio::spawn(entered.serve(http.serve_connection(line, service)));
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    const LARGE: usize = 8 << 20;
    const SOON: Duration = Duration::from_millis(150);

    /// A studio that serves a large file until the test ends.
    struct Serving {
        at: SocketAddr,
        clients: Arc<Clients>,
        stop: Arc<AtomicBool>,
        _dir: tempfile::TempDir,
    }

    impl Serving {
        fn new(limits: Limits) -> Serving {
            let dir = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(dir.path().join("reports/big")).unwrap();
            std::fs::write(dir.path().join("reports/big/games.csv"), vec![b'7'; LARGE]).unwrap();
            let folder = Folder::open(dir.path()).unwrap();
            let settings = Settings { folder, listen: None, port: Some(0), program: PathBuf::new() };
            let server = Server { clients: Clients::new(limits), ..Server::bind(settings).unwrap() };
            let (at, clients, stop) =
                (server.address().unwrap(), server.clients.clone(), Arc::new(AtomicBool::new(false)));
            let asked = stop.clone();
            std::thread::spawn(move || server.serve(&asked));
            Serving { at, clients, stop, _dir: dir }
        }

        fn send(&self, text: &str) -> TcpStream {
            let mut stream = TcpStream::connect(self.at).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        }

        fn ask(&self, path: &str, more: &str) -> TcpStream {
            self.send(&format!("GET {path} HTTP/1.1\r\nhost: {}\r\n{more}\r\n", self.at))
        }

        /// Requests the large file without reading the answer.
        fn unread(&self) -> TcpStream {
            self.ask("/reports/big/games.csv", "")
        }

        fn wait_for(&self, connected: usize) {
            while self.clients.connected().len() != connected {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    impl Drop for Serving {
        fn drop(&mut self) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn all(mut stream: TcpStream) -> Vec<u8> {
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        all
    }

    fn limits() -> Limits {
        Limits { head: Duration::from_secs(600), answer: Duration::from_secs(600), ..Limits::default() }
    }

    #[test]
    fn an_answer_that_nobody_reads_ends() {
        let serving = Serving::new(Limits { answer: SOON, ..limits() });
        let stream = serving.unread();
        serving.wait_for(1);
        serving.wait_for(0);
        assert!(all(stream).len() < LARGE);
    }

    #[test]
    fn requests_that_never_come_whole_end() {
        let serving = Serving::new(Limits { head: SOON, ..limits() });
        let half = serving.send("GET / HTTP/1.1\r\nhost:");
        let nothing = serving.send("");
        // A connection kept alive for another request.
        let kept = serving.ask("/assets/icon.svg", "");
        let said = [half, nothing, kept].map(all);
        assert!(said[1].is_empty() && said[2].starts_with(b"HTTP/1.1 200"), "{said:?}");
        serving.wait_for(0);
    }
}
