//! Tests of `saratoga studio`, as used by its page and by hostile clients.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failed test panics")]

mod client;
mod designer;
mod gallery;
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

use client::Studio;
use program::Lab;
use serde_json::{Value, json};

/// Returns a request for a simulation, as the page makes it.
fn asked(text: &str, strategies: &[&str], games: u64) -> Value {
    json!({
        "name": "mine.toml", "text": text, "strategies": strategies, "seed": "7", "games": games, "target": 0.05,
    })
}

/// Starts a studio with its own folder.
fn studio() -> (Lab, Studio) {
    let dir = Lab::new();
    let studio = Studio::start(dir.path(), &[]);
    (dir, studio)
}
