//! Tests of `saratoga studio`, as used by its page and by hostile clients.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod client;
mod designer;
mod jobs;
mod layout;
mod pages;
#[path = "../common/program.rs"]
#[allow(dead_code, reason = "the other tests use the rest")]
mod program;
mod scan;
mod scripts;
mod security;
mod session;
mod webdriver;

use std::time::{Duration, Instant};

use client::Studio;
use program::Lab;
use serde_json::{Value, json};

const CANFIELD: &str = "extends = \"canfield\"\n";

/// Time limit for anything, so that a test fails instead of hanging: it says nothing about speed.
const HANGS: Duration = Duration::from_secs(240);

/// Waits until something is found; `told` tells what there is instead.
fn until<T>(mut find: impl FnMut() -> Option<T>, told: impl Fn() -> String) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(begin.elapsed() < HANGS, "{}", told());
        std::thread::sleep(Duration::from_millis(25));
    }
}

fn asked(text: &str, strategies: &[&str], games: u64) -> Value {
    json!({
        "name": "mine.toml", "text": text, "strategies": strategies, "seed": "7", "games": games, "target": 0.05,
    })
}

fn studio() -> (Lab, Studio) {
    let dir = Lab::new();
    let studio = Studio::start(dir.path(), &[]);
    (dir, studio)
}
