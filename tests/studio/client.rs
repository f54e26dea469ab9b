//! The built program as a server, and a handwritten HTTP client that can send what no browser would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Time limit for an answer, so that a test fails instead of hanging: it says nothing about speed.
const HANGS: Duration = Duration::from_secs(240);

/// A studio that is stopped at the end of the test.
pub struct Studio {
    child: Child,
    /// The first line that it printed.
    pub url: String,
    /// `127.0.0.1:5252`
    pub host: String,
    pub token: String,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Returns the events of a stream, in order.
    pub fn events(&self) -> Vec<Value> {
        let text = self.text();
        let data = text.split("\n\n").filter_map(|event| event.strip_prefix("data: "));
        data.map(|json| serde_json::from_str(json).unwrap()).collect()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.filter(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
    }
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
        let kill = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(kill.success() && self.child.wait().unwrap().success());
    }

    /// Stops it like `kill -9`.
    #[cfg(unix)]
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Returns its memory in bytes.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(HANGS)).unwrap();
        stream
    }

    /// Sends a head and a body verbatim, with the length added.
    pub fn send(&self, first: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let mut head = format!("{first} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head.push_str(&format!("host: {}\r\n", self.host));
        }
        headers.iter().for_each(|(name, value)| head.push_str(&format!("{name}: {value}\r\n")));
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).unwrap();
        // It may be refused before it is read completely.
        let _ = stream.write_all(body);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        answer(&all)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(&format!("GET {path}"), &[], b"")
    }

    /// Sends a request like the page itself.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("content-type", "application/json"), ("x-saratoga-token", &*self.token)];
        self.send(&format!("POST {path}"), &headers, body.to_string().as_bytes())
    }

    /// Sends a request without waiting for the answer.
    pub fn ask(&self, path: &str, body: &Value) -> TcpStream {
        let (mut stream, body) = (self.connect(), body.to_string());
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\nx-saratoga-token: {}\r\n\
             content-length: {}\r\n\r\n{body}",
            self.host,
            self.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    /// Starts a stream, and returns it after its first event.
    pub fn begin(&self, path: &str, body: &Value) -> BufReader<TcpStream> {
        self.begin_with(path, body).0
    }

    /// Starts a stream, and returns it with its first event.
    pub fn begin_with(&self, path: &str, body: &Value) -> (BufReader<TcpStream>, Value) {
        let mut reader = BufReader::new(self.ask(path, body));
        let event = next_event(&mut reader);
        (reader, event)
    }
}

/// Returns the next event of a stream.
pub fn next_event(stream: &mut BufReader<TcpStream>) -> Value {
    let mut line = String::new();
    while !line.starts_with("data: ") {
        line.clear();
        assert!(stream.read_line(&mut line).unwrap() > 0, "no event came");
    }
    serde_json::from_str(line.trim_start_matches("data: ")).unwrap()
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn answer(all: &[u8]) -> Answer {
    let end = all.windows(4).position(|it| it == b"\r\n\r\n").unwrap_or_else(|| panic!("no answer: {all:?}"));
    let head = String::from_utf8(all[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let mut answer = Answer { status, head, body: all[end + 4..].to_vec() };
    if answer.header("transfer-encoding") == Some("chunked") {
        answer.body = whole(&answer.body);
    }
    answer
}

/// Removes the chunk lengths from a body.
fn whole(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = rest.windows(2).position(|it| it == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&rest[..end]).unwrap(), 16).unwrap();
        let from = end + 2;
        body.extend_from_slice(&rest[from..from + length]);
        rest = &rest[from + length + 2..];
    }
    body
}
