//! The built program as a server, and a handwritten HTTP client that can send what no browser would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::HANGS;
use crate::program::busy;

pub struct Answer {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn events(&self) -> Vec<Value> {
        let mut stream = BufReader::new(&*self.body);
        std::iter::from_fn(|| next_event(&mut stream)).collect()
    }

    pub fn last(&self) -> Value {
        self.events().pop().unwrap_or_else(|| panic!("{}: {}", self.status, self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// Sends a head and a body verbatim, with the length added, and the host if there is none.
pub fn send(host: &str, first: &str, headers: &[(&str, &str)], body: &[u8]) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(HANGS)).unwrap();
    let mut head = format!("{first} HTTP/1.1\r\ncontent-length: {}\r\n", body.len());
    let own = ("host", host);
    let own = [own].into_iter().filter(|_| !headers.iter().any(|(name, _)| *name == "host"));
    for (name, value) in own.chain(headers.iter().copied()) {
        head += &format!("{name}: {value}\r\n");
    }
    // It may be refused before it is read completely.
    let _ = stream.write_all(format!("{head}\r\n").as_bytes()).and_then(|()| stream.write_all(body));
    BufReader::new(stream)
}

/// Reads an answer to the end that its head names: connections stay open.
pub fn answer(mut from: BufReader<TcpStream>) -> Answer {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(from.read_line(&mut head).unwrap() > 0, "no answer: {head}");
    }
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut answer = Answer { status, head, body: Vec::new() };
    if answer.header("transfer-encoding") == Some("chunked") {
        let mut length = None;
        while length != Some(0) {
            let mut line = String::new();
            from.read_line(&mut line).unwrap();
            length = u64::from_str_radix(line.trim(), 16).ok();
            let chunk = length.unwrap_or_else(|| panic!("`{line}` is no length"));
            from.by_ref().take(chunk).read_to_end(&mut answer.body).unwrap();
            from.read_line(&mut line).unwrap();
        }
    } else {
        let length = answer.header("content-length").map_or(u64::MAX, |it| it.parse().unwrap());
        from.take(length).read_to_end(&mut answer.body).unwrap();
    }
    answer
}

/// Returns the next event of a stream, unless it has ended.
pub fn next_event(stream: &mut impl BufRead) -> Option<Value> {
    let mut line = String::new();
    while !line.starts_with("data: ") {
        line.clear();
        if stream.read_line(&mut line).unwrap() == 0 {
            return None;
        }
    }
    Some(serde_json::from_str(line.trim_start_matches("data: ")).unwrap())
}

/// A studio that is stopped at the end of the test.
pub struct Studio {
    child: Child,
    /// The address that it printed.
    pub url: String,
    /// `127.0.0.1:5252`
    pub host: String,
    pub token: String,
}

impl Studio {
    pub fn start(folder: &Path, more: &[&str]) -> Studio {
        let mut command = Command::new(env!("CARGO_BIN_EXE_saratoga"));
        command.arg("studio").arg(folder).args(["--no-open", "--port", "0"]).args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("The studio is at ").expect("an address").to_string();
        let host = url.strip_prefix("http://").unwrap().split('/').next().unwrap().to_string();
        let mut studio = Studio { child, url, host, token: String::new() };
        if !studio.url.contains("token=") {
            let page = studio.get("/").text();
            let token = page.split_once("name=\"saratoga-token\" content=\"").expect("a token").1;
            studio.token = token.split('"').next().unwrap().to_string();
        }
        studio
    }

    /// Stops it like Ctrl-C.
    #[cfg(unix)]
    pub fn interrupt(&mut self) {
        crate::program::signal("INT", &self.child);
        assert!(self.child.wait().unwrap().success());
    }

    /// Stops it like `kill -9`.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Waits until it has worked for so many seconds of processor time from now on.
    pub fn works(&mut self, seconds: f64) {
        busy(&mut self.child, seconds);
    }

    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    pub fn send(&self, first: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        answer(send(&self.host, first, headers, body))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path}"), &[], b"")
    }

    /// Sends a request like the page itself.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        answer(self.ask(path, body))
    }

    /// Sends a request like the page itself, and does not wait for the answer.
    pub fn ask(&self, path: &str, body: &Value) -> BufReader<TcpStream> {
        let headers = [("content-type", "application/json"), ("x-saratoga-token", &*self.token)];
        send(&self.host, &format!("POST {path}"), &headers, body.to_string().as_bytes())
    }

    /// Starts a stream, and returns it with its first event.
    pub fn begin(&self, path: &str, body: &Value) -> (BufReader<TcpStream>, Value) {
        let mut stream = self.ask(path, body);
        let event = next_event(&mut stream).expect("an event");
        (stream, event)
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
