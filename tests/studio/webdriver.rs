//! A real browser, controlled by the WebDriver protocol (W3C), if chromedriver is installed.
//!
//! The protocol is a handful of requests. A library for it would enable other features of the server's libraries, and
//! with them a second build of the whole program for the tests.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::{HANGS, client, until};

pub struct Browser {
    driver: Child,
    host: String,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser with this many pixels; returns `None`, with a message, if browsers were not requested or there
    /// is no chromedriver.
    pub fn start(width: u32, height: u32) -> Option<Browser> {
        if std::env::var_os("SARATOGA_BROWSER").is_none() {
            skipped("set SARATOGA_BROWSER=1 to open pages in a real browser");
            return None;
        }
        if Command::new("chromedriver").arg("--version").output().is_err() {
            skipped("chromedriver is not installed, so no page is opened in a browser");
            return None;
        }
        // It picks a free port and ends if another program takes that port first.
        let (driver, port) = (0..5).find_map(|_| start_driver()).expect("chromedriver starts");
        let profile = tempfile::tempdir().unwrap();
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &format!("--user-data-dir={}", profile.path().display()),
            &format!("--window-size={width},{height}"),
        ];
        let mut browser =
            Browser { driver, host: format!("127.0.0.1:{port}"), session: String::new(), _profile: profile };
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": args },
            "goog:loggingPrefs": { "browser": "ALL" },
            "unhandledPromptBehavior": "ignore",
            // On a busy machine a page may not get to a test's script within the default 30 seconds.
            "timeouts": { "script": HANGS.as_millis() as u64 },
        } } });
        let made = browser.ask("POST", "/session", &wanted);
        browser.session = format!("/session/{}", made["sessionId"].as_str().expect("a session"));
        Some(browser)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let answer = self.try_ask(method, path, body);
        assert!(answer["error"].is_null(), "{path}: {answer}");
        answer
    }

    fn try_ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let headers = [("content-type", "application/json")];
        let answer = client::send(&self.host, &format!("{method} {path}"), &headers, body.as_bytes());
        client::answer(answer).json()["value"].take()
    }

    fn session(&self, method: &str, path: &str, body: &Value) -> Value {
        self.ask(method, &format!("{}{path}", self.session), body)
    }

    pub fn open(&self, url: &str) {
        self.session("POST", "/url", &json!({ "url": url }));
    }

    /// Opens a page in a new browser.
    pub fn at(url: &str) -> Option<Browser> {
        let browser = Browser::start(1300, 900)?;
        browser.open(url);
        Some(browser)
    }

    /// Returns the value of a script, in which `$` and `$$` find elements.
    pub fn run(&self, script: &str) -> Value {
        let find = "const $ = (css) => document.querySelector(css), $$ = (css) => [...document.querySelectorAll(css)];";
        self.session("POST", "/execute/sync", &json!({ "script": format!("{find} {script}"), "args": [] }))
    }

    /// Returns what a script passes to the function that is its argument.
    pub fn run_to_the_end(&self, script: &str) -> Value {
        self.session("POST", "/execute/async", &json!({ "script": script, "args": [] }))
    }

    pub fn look(&self, theme: &str, width: u32) {
        let theme = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.emulate("", theme, (width, 900), width < 500);
    }

    pub fn paper(&self, width: u32) {
        self.emulate("print", json!([]), (width, 1050), false);
    }

    fn emulate(&self, media: &str, features: Value, (width, height): (u32, u32), mobile: bool) {
        self.command("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile });
        self.command("Emulation.setDeviceMetricsOverride", size);
    }

    /// Returns the page as PDF on A4, in base 64.
    pub fn print(&self) -> String {
        let sheet = json!({ "page": { "width": 21.0, "height": 29.7 }, "background": true });
        self.session("POST", "/print", &sheet).as_str().unwrap().to_string()
    }

    /// Waits until an expression is true, and returns its value.
    pub fn wait(&self, what: &str) -> Value {
        let find = || {
            let value = self.run(&format!("return {what}"));
            (![json!(false), Value::Null, json!("")].contains(&value)).then_some(value)
        };
        let text = || self.run("return document.body.innerText");
        until(find, || format!("it never came to {what}; the page says {}", text()))
    }

    /// Waits until an element has this in its text.
    pub fn says(&self, css: &str, text: &str) {
        self.wait(&format!("$('{css}')?.textContent.includes({})", json!(text)));
    }

    /// Checks that the page has not complained.
    pub fn is_content(&self) {
        let complaints = self.session("POST", "/se/log", &json!({ "type": "browser" }));
        assert!(complaints.as_array().is_none_or(Vec::is_empty), "{complaints}");
    }

    fn element(&self, css: &str, command: &str, body: &Value) {
        let found = self.session("POST", "/element", &json!({ "using": "css selector", "value": css }));
        let element = found.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        self.session("POST", &format!("/element/{element}/{command}"), body);
    }

    pub fn click(&self, css: &str) {
        self.element(css, "click", &json!({}));
    }

    pub fn type_in(&self, css: &str, text: &str) {
        self.element(css, "value", &json!({ "text": text }));
    }

    pub fn press(&self, keys: &str) {
        let each = keys.chars().flat_map(|key| {
            ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key.to_string() }))
        });
        let actions =
            json!({ "actions": [{ "type": "key", "id": "keys", "actions": each.collect::<Vec<_>>() }] });
        self.session("POST", "/actions", &actions);
    }

    pub fn drag(&self, kind: &str, from: (f64, f64), to: (f64, f64)) {
        let at = |(x, y): (f64, f64), ms: u32| json!({ "type": "pointerMove", "duration": ms, "x": x as i64, "y": y as i64, "origin": "viewport" });
        let steps = [
            at(from, 0),
            json!({ "type": "pointerDown", "button": 0 }),
            at(((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0), 60),
            at(to, 60),
            json!({ "type": "pointerUp", "button": 0 }),
        ];
        let pointer =
            json!({ "type": "pointer", "id": kind, "parameters": { "pointerType": kind }, "actions": steps });
        self.session("POST", "/actions", &json!({ "actions": [pointer] }));
    }

    pub fn confirm(&self) {
        until(|| self.accept().then_some(()), || "nothing was asked".into());
    }

    /// Confirms a dialog of the page, if there is one.
    pub fn accept(&self) -> bool {
        self.try_ask("POST", &format!("{}/alert/accept", self.session), &json!({}))["error"].is_null()
    }

    fn command(&self, name: &str, params: Value) -> Value {
        self.session("POST", "/goog/cdp/execute", &json!({ "cmd": name, "params": params }))
    }

    /// Writes a picture of the whole page to the folder of pictures, if there is one.
    pub fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("SARATOGA_PICTURES") else { return };
        let wanted = json!({ "format": "png", "captureBeyondViewport": true });
        let made = self.command("Page.captureScreenshot", wanted);
        std::fs::create_dir_all(&folder).unwrap();
        let file = std::fs::File::create(Path::new(&folder).join(format!("{name}.png"))).unwrap();
        let mut decoder =
            Command::new("base64").arg("-d").stdin(Stdio::piped()).stdout(file).spawn().unwrap();
        decoder.stdin.take().unwrap().write_all(made["data"].as_str().unwrap().as_bytes()).unwrap();
        assert!(decoder.wait().unwrap().success());
    }
}

/// Starts chromedriver on a port of its choice; returns `None` if it ends before it listens.
fn start_driver() -> Option<(Child, String)> {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver is installed");
    let out = BufReader::new(driver.stdout.take().expect("its output is piped"));
    for line in out.lines().map_while(Result::ok) {
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return Some((driver, port.trim_end_matches('.').to_string()));
        }
    }
    driver.wait().expect("chromedriver has ended");
    None
}

/// Reports that a test was skipped, bypassing the test runner, which captures the output of tests.
fn skipped(why: &str) {
    let thread = std::thread::current();
    let _ = writeln!(std::io::stderr(), "skipped {}: {why}", thread.name().unwrap_or("a test"));
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.try_ask("DELETE", &self.session, &Value::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
